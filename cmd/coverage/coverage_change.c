/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_change.c - two rule sets, the second in the place of the first: nodes that are lost, nodes that are gained. */
#include <string.h>

#include "cmd/coverage/coverage_change.h"
#include "cmd/host/say.h"

enum { MOST_NODES_NAMED = 8 };

static enum coverage_kind kind_of(enum rules_answer before, enum rules_answer after)
{
    return before == RULES_YES ? COVERAGE_LOST : after == RULES_YES ? COVERAGE_GAINED : COVERAGE_OTHER;
}

enum status coverage_change_of(const struct coverage *from, const struct coverage *to, const char *const names[2], struct arena *a,
                               struct coverage_change *out, struct err *err)
{
    *out = (struct coverage_change){.from = arena_strdup(a, names[0]), .to = arena_strdup(a, names[1])};
    out->list = ARENA_ARRAY(a, from->n_verdicts, struct coverage_changed);
    if (!out->from || !out->to || !out->list)
        return err_set(err, ST_NOMEM, "out of memory for the changes of %u nodes", from->n_verdicts);
    out->nodes = from->n_verdicts;
    out->delegated_from = from->parts.n_delegated, out->delegated_to = to->parts.n_delegated;
    for (uint32_t i = 0; i < from->n_verdicts; i++) {
        const struct verdict *v = &from->verdicts[i], *w = &to->verdicts[i];
        const struct reason *why = w->answer == RULES_YES ? &v->why : &w->why;
        struct coverage_changed *c = &out->list[out->n];

        if (v->answer == w->answer)
            continue;
        *c = (struct coverage_changed){.node = v->node->index,
                                       .op = arena_strdup(a, v->node->name),
                                       .kind = kind_of(v->answer, w->answer),
                                       .before = v->answer,
                                       .after = w->answer,
                                       .code = why->code,
                                       .reason = arena_strdup(a, why->text)};
        if (!c->op || !c->reason)
            return err_set(err, ST_NOMEM, "out of memory for the changes of %u nodes", from->n_verdicts);
        out->n_of[c->kind]++;
        out->n++;
    }
    return ST_OK;
}

/* On one line: gained nodes of one operator, whatever the reason was; others, if the reason is the same, too. */
static bool alike(const struct coverage_changed *a, const struct coverage_changed *b)
{
    return a->kind == b->kind && a->before == b->before && a->after == b->after && !strcmp(a->op, b->op) &&
           (a->kind == COVERAGE_GAINED || (a->code == b->code && !strcmp(a->reason, b->reason)));
}

/* The line of change i and all that are like it; nothing if an earlier one is. */
static void add_line(struct result_section *to, const struct coverage_change *c, uint32_t i)
{
    static const char *const kinds[] = {[COVERAGE_LOST] = "lost", [COVERAGE_GAINED] = "gained", [COVERAGE_OTHER] = "other"};
    const struct coverage_changed *first = &c->list[i];
    char nodes[SAY_COUNT_SIZE];
    uint32_t n = 0;

    for (uint32_t k = 0; k < i; k++)
        if (alike(&c->list[k], first))
            return;
    for (uint32_t k = i; k < c->n; k++)
        n += alike(&c->list[k], first);
    result_line(to, RESULT_PLAIN, "  %s: %.63s, %s (%u", kinds[first->kind], first->op, say_count(n, "node", nodes), first->node);
    for (uint32_t k = i + 1, named = 1; k < c->n && named < MOST_NODES_NAMED; k++)
        if (alike(&c->list[k], first)) {
            result_more(to, ", %u", c->list[k].node);
            named++;
        }
    result_more(to, "%s), from %s to %s", n > MOST_NODES_NAMED ? ", ..." : "", rules_answer_name(first->before),
                rules_answer_name(first->after));
    if (first->kind != COVERAGE_GAINED)
        result_more(to, ": %s: %.255s", reason_name(first->code), first->reason);
}

void coverage_add_change(struct result_section *to, const struct coverage_change *c)
{
    const uint32_t lost = c->n_of[COVERAGE_LOST], gained = c->n_of[COVERAGE_GAINED], other = c->n_of[COVERAGE_OTHER];
    char nodes[SAY_COUNT_SIZE];

    if (!c->from)
        return;
    result_gap(to);
    if (c->n)
        result_line(to, RESULT_PLAIN, "From %s to %s: %s of %u %s lost, %u %s gained", c->from, c->to,
                    say_count(lost, "node", nodes), c->nodes, lost == 1 ? "is" : "are", gained, gained == 1 ? "is" : "are");
    else
        result_line(to, RESULT_PLAIN, "From %s to %s: no answer changes for any of %s", c->from, c->to,
                    say_count(c->nodes, "node", nodes));
    if (other)
        result_more(to, ", %u %s otherwise", other, other == 1 ? "changes" : "change");
    result_more(to, " (delegated: %u before, %u after)", c->delegated_from, c->delegated_to);
    for (enum coverage_kind kind = COVERAGE_LOST; kind < COVERAGE_KINDS; kind++)
        for (uint32_t i = 0; i < c->n; i++)
            if (c->list[i].kind == kind)
                add_line(to, c, i);
}

void coverage_put_change(struct report *r, struct json *in, const struct coverage_change *c)
{
    static const char *const keys[] = {[COVERAGE_LOST] = "lost", [COVERAGE_GAINED] = "gained", [COVERAGE_OTHER] = "other"};
    struct json *change;

    if (!json_given(r, in, "change", c->from))
        return;
    change = json_object(r, in, "change");
    JSON_STRINGS(r, change, {"from", c->from}, {"to", c->to});
    for (enum coverage_kind kind = COVERAGE_LOST; kind < COVERAGE_KINDS; kind++) {
        struct json *list = json_array(r, change, keys[kind]);

        for (uint32_t i = 0; i < c->n; i++) {
            const struct coverage_changed *x = &c->list[i];
            struct json *o;

            if (x->kind != kind)
                continue;
            o = json_object(r, list, NULL);
            json_number(r, o, "node", x->node);
            JSON_STRINGS(r, o, {"op", x->op}, {"before", rules_answer_name(x->before)}, {"after", rules_answer_name(x->after)},
                         {"reason_code", x->code == REASON_NONE ? NULL : reason_name(x->code)},
                         {"reason", x->code == REASON_NONE ? NULL : x->reason});
        }
    }
}
