/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_answer.c - below the sum: what was refused and why, what limits left out, and the one change that gains most. */
#include <string.h>

#include "cmd/coverage/coverage_results.h"
#include "cmd/coverage/coverage_words.h"
#include "cmd/host/say.h"
#include "lib/coverage/coverage_refusals.h"

enum { REFUSALS_SHOWN = 6, INDENT = 12 };

static uint32_t count_kind(const struct coverage *c, enum verdict_kind kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        n += coverage_kind(&c->verdicts[i]) == kind;
    return n;
}

/* The largest groups first. */
static enum status add_refused(struct result_section *to, const struct coverage *c, uint32_t n_refused, struct err *err)
{
    struct coverage_refusal *list;
    struct arena arena = {0};
    char nodes[SAY_COUNT_SIZE];
    uint32_t n, shown = 0, rest = n_refused;
    enum status st = coverage_refusals(c, &arena, &list, &n, err);

    if (!st)
        result_line(to, RESULT_TITLE, "  refused   %s:", say_count(n_refused, "node", nodes));
    for (uint32_t i = 0; !st && i < n && shown < REFUSALS_SHOWN; i++) {
        const struct verdict *v = list[i].first;

        if (coverage_kind(v) != VERDICT_REFUSED)
            continue;
        result_wrapped(to, RESULT_TITLE, INDENT + 2, "%*s%.63s (%u): %s%.255s", INDENT, "", v->node->name, list[i].n_nodes,
                       coverage_failure(v), v->why.text);
        rest -= list[i].n_nodes;
        shown++;
    }
    if (!st && rest)
        result_line(to, RESULT_TITLE, "%*s%s for other reasons", INDENT, "", say_count(rest, "more node", nodes));
    arena_free(&arena);
    return st;
}

/* By limits on partitions, else by flags about nodes, which the first node's reason has. */
static void add_left_out(struct result_section *to, const struct coverage *c, uint32_t n)
{
    const uint32_t dropped = c->parts.n_before_limits - c->parts.n_parts;
    char nodes[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE];

    if (dropped) {
        result_line(to, RESULT_TITLE, "  left out  %s: limits on partitions leave out %s of %u", say_count(n, "node", nodes),
                    say_count(dropped, "partition", parts), c->parts.n_before_limits);
        return;
    }
    for (uint32_t i = 0; i < c->n_verdicts; i++)
        if (coverage_kind(&c->verdicts[i]) == VERDICT_LEFT_OUT) {
            result_wrapped(to, RESULT_TITLE, INDENT, "  left out  %s: %s%s", say_count(n, "node", nodes),
                           n > 1 ? "of the first, " : "", c->verdicts[i].why.text);
            return;
        }
}

/* All operators that a delegate does not know are no one change; those of TensorFlow ("Flex…") none takes at all. */
static bool can_be_followed(const struct coverage_gain *g)
{
    return g->what == COVERAGE_IF_REASON ? g->reason != REASON_UNSUPPORTED_OPERATOR : strncmp(g->op, "Flex", 4) != 0;
}

/* After limits; an operator before a reason before a single node, where they gain the same. The words begin with "With". */
static void add_best(struct result_section *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    const struct coverage_gain *best = NULL;
    char words[COVERAGE_WORDS_SIZE], parts[SAY_COUNT_SIZE];

    for (uint32_t i = 0; i < c->n_gains; i++)
        if (can_be_followed(&c->gains[i]) && (!best || c->gains[i].nodes > best->nodes))
            best = &c->gains[i];
    if (best)
        result_wrapped(to, RESULT_TITLE, INDENT, "  best      w%s: %u of %u nodes in %s", coverage_gain_words(r, best, words) + 1,
                       best->nodes, c->to_run, say_count(best->partitions, "partition", parts));
}

/* Whether all refused nodes are custom operators, which no rewrite takes away. */
static bool refuses_custom_alone(const struct coverage *c)
{
    for (uint32_t i = 0; i < c->n_verdicts; i++)
        if (coverage_kind(&c->verdicts[i]) == VERDICT_REFUSED && c->verdicts[i].node->builtin != BUILTIN_CUSTOM)
            return false;
    return true;
}

static void add_next(struct result_section *to, const struct coverage_run *r, uint32_t n_refused)
{
    const bool custom = refuses_custom_alone(&r->coverage);
    char parts[SAY_COUNT_SIZE];

    if (!n_refused)
        return;
    if (custom && r->coverage.parts.n_parts)
        result_line(to, RESULT_TITLE, "  next      --extract_partitions=DIR writes %s, each as a model",
                    say_count(r->coverage.parts.n_parts, "partition", parts));
    else if (!custom && !*r->flags.fix && r->type)
        result_line(to, RESULT_TITLE, "  next      --fix=OUT.tflite rewrites refused nodes where it can");
    else if (!r->tool.verbose)
        result_line(to, RESULT_TITLE, "  next      --verbose lists each node");
}

enum status coverage_add_answer(struct result_section *to, const struct coverage_run *r, struct err *err)
{
    const struct coverage *c = &r->coverage;
    const uint32_t refused = count_kind(c, VERDICT_REFUSED), left_out = count_kind(c, VERDICT_LEFT_OUT);
    enum status st = ST_OK;

    if (c->cannot_run)
        return ST_OK;
    if (refused)
        st = add_refused(to, c, refused, err);
    if (left_out)
        add_left_out(to, c, left_out);
    if (r->type)
        add_best(to, r);
    add_next(to, r, refused);
    return st;
}
