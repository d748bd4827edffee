/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_rules_text.c - several rule sets side by side, and the words that TFLite's delegate has for one of them. */
#include <stdlib.h>
#include <string.h>

#include "cmd/coverage/op_coverage.h"
#include "cmd/host/say.h"

struct tally {
    uint32_t nodes, of[4]; /* by enum rules_answer; what is folded here is no node of a rule set's */
};

static struct tally count(const struct coverage *c, const char *op)
{
    struct tally t = {0};

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        if (!op || !strcmp(c->verdicts[i].node->name, op)) {
            t.nodes++;
            t.of[c->verdicts[i].answer]++;
        }
    return t;
}

/* "12", "10 of 12", "10 of 12, 1 crash". */
static const char *cell(const struct tally *t, char out[64])
{
    int n = snprintf(out, 64, t->of[RULES_YES] == t->nodes ? "%u" : "%u of %u", t->of[RULES_YES], t->nodes);

    for (enum rules_answer a = RULES_INCORRECT; a <= RULES_CRASH; a++)
        if (t->of[a])
            n += snprintf(out + n, 64 - (size_t)n, ", %u %s", t->of[a], rules_answer_name(a));
    return out;
}

static int width(const struct coverage_run *r, uint32_t column)
{
    struct tally all = count(r->columns[column].coverage, NULL);
    size_t most = strlen(r->columns[column].name);
    char text[64];

    for (uint32_t i = 0; i < r->coverage.n_ops; i++) {
        struct tally t = count(r->columns[column].coverage, r->coverage.ops[i].name);
        const size_t n = strlen(cell(&t, text));

        most = n > most ? n : most;
    }
    return (int)(strlen(cell(&all, text)) > most ? strlen(text) : most);
}

/* op: the row's; NULL: of all. */
static void say_row(const struct coverage_run *r, const char *name, const char *op, const int *widths)
{
    char clean[64], text[64];

    say_text("%-36s", say_clean(name, clean, sizeof clean));
    for (uint32_t k = 0; k < r->n_columns; k++) {
        struct tally t = count(r->columns[k].coverage, op);

        say_text("  %*s", widths[k], cell(&t, text));
    }
    say_text("\n");
}

/* Each different reason of a set once, at its first node. */
static void say_reasons(const struct coverage_column *col)
{
    const struct coverage *c = col->coverage;
    char name[64], title[256], why[256], nodes[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE];

    say_text("\n%s: %s\n", col->name, say_clean(col->title, title, sizeof title));
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        uint32_t first = 0, alike = 0;

        if (v->answer == RULES_YES)
            continue;
        for (uint32_t k = 0; k < c->n_verdicts && !(alike && first < i); k++) {
            const struct verdict *w = &c->verdicts[k];
            const bool same = w->answer == v->answer && w->why.code == v->why.code && !strcmp(w->node->name, v->node->name) &&
                              !strcmp(w->why.text, v->why.text);

            first = same && !alike ? k : first;
            alike += same;
        }
        if (first == i)
            say_text("  %s: %s, %s from node %u on: %s: %s\n", rules_answer_name(v->answer),
                     say_clean(v->node->name, name, sizeof name), say_count(alike, "node", nodes), v->node->index,
                     reason_name(v->why.code), say_clean(v->why.text, why, sizeof why));
    }
    say_text("  delegated: %u of %s in %s\n", c->parts.n_delegated, say_count(c->n_verdicts, "node", nodes),
             say_count(c->parts.n_parts, "partition", parts));
}

static void say_each_node(const struct coverage_run *r)
{
    char name[64];

    say_text("\nNodes:\n");
    for (uint32_t i = 0; i < r->coverage.n_verdicts; i++) {
        const struct node *n = r->coverage.verdicts[i].node;

        say_text("%5u %s v%d:", n->index, say_clean(n->name, name, sizeof name), n->version);
        for (uint32_t k = 0; k < r->n_columns; k++)
            say_text(" %s=%s", r->columns[k].name, rules_answer_name(r->columns[k].coverage->verdicts[i].answer));
        say_text("\n");
    }
}

void coverage_say_table(const struct coverage_run *r)
{
    int widths[COVERAGE_MOST_COLUMNS];

    say_text("\n%-36s", "Operator");
    for (uint32_t k = 0; k < r->n_columns; k++) {
        widths[k] = width(r, k);
        say_text("  %*s", widths[k], r->columns[k].name);
    }
    say_text("\n");
    for (uint32_t i = 0; i < r->coverage.n_ops; i++)
        say_row(r, r->coverage.ops[i].name, r->coverage.ops[i].name, widths);
    say_row(r, "All", NULL, widths);
    if (r->tool.verbose)
        say_each_node(r);
    for (uint32_t k = 0; k < r->n_columns; k++)
        say_reasons(&r->columns[k]);
}

/* ---- TFLite's lines ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "CONV_2D: reason" of what the set refuses, sorted by their bytes and each once, as a set of strings is. */
static enum status list_refused(const struct coverage *c, struct arena *a, char ***out, uint32_t *n, struct err *err)
{
    char **lines = ARENA_ARRAY(a, c->n_verdicts, char *);
    uint32_t kept = 0;

    *n = 0;
    for (uint32_t i = 0; lines && i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        const char *kind = v->node->builtin == BUILTIN_CUSTOM ? "CUSTOM " : "";

        if (v->answer != RULES_NO || v->why.code == REASON_PARTITION_LIMIT || v->why.code == REASON_PARTITION_TOO_SMALL)
            continue;
        if (!(lines[(*n)++] = arena_printf(a, "%s%s: %s", kind, v->node->name, v->why.text)))
            return err_set(err, ST_NOMEM, "out of memory for what is refused");
    }
    if (!(*out = lines))
        return err_set(err, ST_NOMEM, "out of memory for what is refused");
    qsort(lines, *n, sizeof *lines, by_text);
    for (uint32_t i = 0; i < *n; i++)
        if (!kept || strcmp(lines[kept - 1], lines[i]) != 0)
            lines[kept++] = lines[i];
    *n = kept;
    return ST_OK;
}

static void say_counts_2019(const struct coverage *c)
{
    const struct verdict *refused = NULL;

    for (uint32_t i = 0; i < c->n_verdicts && !refused; i++)
        if (c->verdicts[i].answer == RULES_NO)
            refused = &c->verdicts[i];
    say_text("First %u operations will run on the GPU, and the remaining %u on the CPU.\n", c->parts.n_delegated, c->parts.n_cpu);
    if (refused)
        say_text("WARNING: op code #%d cannot be handled by this delegate.  Only the first %u ops will run on the GPU, and the "
                 "remaining %u on the CPU.\n",
                 refused->node->builtin, c->parts.n_delegated, c->parts.n_cpu);
}

static void say_counts(const struct coverage *c)
{
    if (c->parts.n_delegated)
        say_text("%u operations will run on the GPU, and the remaining %u operations will run on the CPU.\n", c->parts.n_delegated,
                 c->parts.n_cpu);
    else
        say_text("No operations will run on the GPU, and all %u operations will run on the CPU.\n", c->parts.n_cpu);
}

static void say_log(const struct coverage *c, enum rules_log log, char *const *lines, uint32_t n)
{
    static const char *const heads[] = {[RULES_LOG_NONE] = "",
                                        [RULES_LOG_2019] = "Next operations are not supported by GPU delegate:",
                                        [RULES_LOG_NOW] = "Following operations are not supported by GPU delegate:",
                                        [RULES_LOG_DRIFT] = "Not supported by ML Drift:"};
    char clean[512];

    say_text("\n%s\n", heads[log]);
    for (uint32_t i = 0; i < n; i++)
        say_text("%s%s\n", log == RULES_LOG_DRIFT ? "    " : "", say_clean(lines[i], clean, sizeof clean));
    if (log == RULES_LOG_2019)
        say_counts_2019(c);
    else if (log == RULES_LOG_NOW)
        say_counts(c);
    else
        say_text("%u / %u ops are delegated to ML Drift.\n", c->parts.n_delegated, c->n_verdicts);
}

enum status coverage_say_log(const struct coverage_column *column, struct err *err)
{
    const struct coverage *c = column->coverage;
    struct arena arena = {0};
    char **lines = NULL;
    enum status st;
    uint32_t n = 0;

    if (!column->rules || column->rules->log == RULES_LOG_NONE || !c->parts.n_cpu)
        return ST_OK;
    if (!(st = list_refused(c, &arena, &lines, &n, err)) && n)
        say_log(c, column->rules->log, lines, n);
    arena_free(&arena);
    return st;
}
