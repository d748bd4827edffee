/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - rule sets by name, and their answers about a graph. */
#include "lib/rules/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rules/rules_impl.h"

#include "rules_builtin.h" /* made by make */

const char *rules_answer_name(enum rules_answer answer)
{
    static const char *const names[] = {"yes", "no", "incorrect", "crash"};

    return names[answer];
}

const char *const *rules_names(void)
{
    return rules_builtin_names;
}

static enum status open_file(const char *path, struct rules **out, struct err *err)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? malloc(RULES_MAX_BYTES + 1) : NULL;
    enum status st;
    size_t n;

    if (!f)
        return err_set(err, ST_USAGE, "%.200s is neither a built-in rule set nor a file that can be read: %s", path,
                       strerror(errno));
    if (!text) {
        fclose(f);
        return err_set(err, ST_NOMEM, "%.200s: out of memory for rules", path);
    }
    n = fread(text, 1, RULES_MAX_BYTES + 1, f);
    st = ferror(f) ? err_set(err, ST_IO, "%.200s: it cannot be read: %s", path, strerror(errno))
                   : rules_parse(text, n, path, out, err);
    fclose(f);
    free(text);
    return st;
}

enum status rules_open(const char *name, struct rules **out, struct err *err)
{
    *out = NULL;
    for (size_t i = 0; rules_builtin_names[i]; i++)
        if (!strcmp(rules_builtin_names[i], name))
            return rules_parse(rules_builtin_texts[i], strlen(rules_builtin_texts[i]), name, out, err);
    return open_file(name, out, err);
}

void rules_free(struct rules *r)
{
    if (!r)
        return;
    if (r->program)
        rules_free(r->program->base);
    arena_free(&r->arena);
    free(r);
}

/* ---- answers ---- */

static bool names_op(const struct rules_section *s, const struct node *n)
{
    for (uint32_t i = 0; i < s->n_ops; i++)
        if (s->ops[i] == n->builtin)
            return true;
    for (uint32_t i = 0; i < s->n_customs && *rules_called(n); i++)
        if (!strcmp(s->customs[i], rules_called(n)))
            return true;
    return false;
}

/* The first row that fires, or NULL. */
static const struct rules_row *fire(struct asking *q, const struct rules_section *s)
{
    for (const struct rules_row *row = s->rows; row; row = row->next) {
        q->t = NULL;
        if (!row->when || (rules_value(q, row->when) != 0) != row->unless)
            return row;
    }
    return NULL;
}

/* The first row of the sections of one kind; with SECTION_OPS, of those that name the operator. A yes ends its section alone. */
static const struct rules_row *fire_kind(struct asking *q, enum section_kind kind)
{
    const struct rules_row *row = NULL;

    for (const struct rules_section *s = q->program->sections; s && (!row || row->answer == ROW_YES); s = s->next)
        if (s->kind == kind && (kind != SECTION_OPS || names_op(s, q->n)))
            row = fire(q, s);
    return row && row->answer != ROW_YES ? row : NULL;
}

static bool is_listed(const struct asking *q)
{
    for (const struct rules_section *s = q->program->sections; s; s = s->next)
        if (s->kind == SECTION_OPS && names_op(s, q->n))
            return true;
    return false;
}

/* A node that stays on the CPU where any other does, and else is what `then` says. */
struct waiting {
    bool waits;
    struct ruling then;
};

/* What the set says of q->n, whose answer is yes before. A set within another looks at what that one takes, if only it may. */
static void judge(struct asking *q, struct ruling *out, struct waiting *w)
{
    const struct rules_program *p = q->program;
    const struct rules_row *row;

    if (p->base) {
        q->program = p->base->program;
        judge(q, out, w);
        q->program = p;
        if (out->answer != RULES_YES && !(w->waits && w->then.answer == RULES_YES))
            return;
    }
    if (!(row = fire_kind(q, SECTION_FIRST)) && is_listed(q))
        row = fire_kind(q, SECTION_OPS);
    else if (!row)
        row = fire_kind(q, SECTION_OTHER);
    if (!row)
        row = fire_kind(q, SECTION_EVERY);
    if (!row)
        return;
    if (w->waits && row->answer != ROW_PARTIAL && row->answer != ROW_NO)
        out = &w->then;
    else
        w->waits = row->answer == ROW_PARTIAL;
    out->answer = row->answer == ROW_PARTIAL ? RULES_NO : (enum rules_answer)row->answer;
    out->why.code = row->code;
    rules_fill(q, row->message, out->why.text, sizeof out->why.text);
}

/* What waits for the others. */
static void settle(struct ruling *out, const struct waiting *w, uint32_t n)
{
    bool all = true;

    for (uint32_t i = 0; i < n; i++)
        all &= w[i].waits || out[i].answer != RULES_NO;
    for (uint32_t i = 0; i < n && all; i++)
        if (w[i].waits)
            out[i] = w[i].then;
}

enum status rules_judge(const struct rules *r, const struct graph *g, struct ruling *out, struct err *err)
{
    struct arena scratch = {0};
    struct tensor_uses *uses = ARENA_ARRAY(&scratch, g->n_tensors, struct tensor_uses);
    struct waiting *waiting = ARENA_ARRAY(&scratch, g->n_nodes, struct waiting);
    struct asking q = {.g = g, .program = r->program, .uses = uses};

    if (!uses || !waiting) {
        arena_free(&scratch);
        return err_set(err, ST_NOMEM, "out of memory for the rules about %u nodes", g->n_nodes);
    }
    rules_find_uses(g, uses);
    q.dynamic_tensor = rules_dynamic_tensor(&q);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        out[i] = (struct ruling){.answer = RULES_YES};
        q.n = &g->nodes[i];
        judge(&q, &out[i], &waiting[i]);
    }
    settle(out, waiting, g->n_nodes);
    arena_free(&scratch);
    return ST_OK;
}
