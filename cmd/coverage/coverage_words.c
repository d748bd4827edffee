/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_words.c - sentences of verdicts and gains. */
#include "cmd/coverage/coverage_words.h"

#include "cmd/host/say.h"

const char *coverage_whose(const struct coverage_run *r, uint32_t partition)
{
    return r->asked[0] && r->asked[1] ? r->coverage.parts.parts[partition].delegate->type->label : coverage_backend(r);
}

enum verdict_kind coverage_kind(const struct verdict *v)
{
    if (v->covered)
        return VERDICT_COVERED;
    if (v->why.code == REASON_NONE)
        return VERDICT_FOLDED;
    return v->why.code == REASON_PARTITION_TOO_SMALL || v->why.code == REASON_PARTITION_LIMIT ? VERDICT_LEFT_OUT : VERDICT_REFUSED;
}

const char *coverage_kind_name(enum verdict_kind k)
{
    static const char *const names[] = {"covered", "folded", "left out", "refused"};

    return names[k];
}

const char *coverage_kind_color(enum verdict_kind k)
{
    static const char *const colors[] = {"#cfe6c8", "#e4e4e4", "#fbe7b5", "#f7c9b4"};

    return colors[k];
}

const char *coverage_backend(const struct coverage_run *r)
{
    return *r->label ? r->label : r->type ? r->type->label : "CPU";
}

/* In the order in which they are asked. */
static void several_asked(const struct coverage_run *r, char out[COVERAGE_WORDS_SIZE])
{
    size_t n = 0;

    for (uint32_t i = 0; r->asked[i] && n < COVERAGE_WORDS_SIZE; i++) {
        const struct delegate_type *type = r->asked[i]->type;
        const bool least = r->is_static && type->open_static != type->open && !*r->flags.known;

        n += (size_t)snprintf(out + n, COVERAGE_WORDS_SIZE - n, "%s%s%s%s", i ? ", then " : "", type->label,
                              least                                 ? ", judged by the least that any device must offer"
                              : *r->flags.known && type->open_known ? ", judged by the known limits of "
                                                                    : " on ",
                              least ? "" : r->asked[i]->device);
    }
}

const char *coverage_asked(const struct coverage_run *r, char out[COVERAGE_WORDS_SIZE])
{
    if (r->n_columns)
        snprintf(out, COVERAGE_WORDS_SIZE, "%s, as its rules say: %s", r->type->label, r->columns[0].title);
    else if (r->asked[0] && r->asked[1])
        several_asked(r, out);
    else if (r->is_static && *r->flags.known)
        snprintf(out, COVERAGE_WORDS_SIZE, "%s, judged by the known limits of %s", r->type->label, r->delegate->device);
    else if (r->is_static && r->type->open_static != r->type->open)
        snprintf(out, COVERAGE_WORDS_SIZE, "%s, judged by the least that any device must offer (--device asks the device)",
                 r->type->label);
    else if (r->delegate)
        snprintf(out, COVERAGE_WORDS_SIZE, "%s on %s", r->type->label, r->delegate->device);
    else
        snprintf(out, COVERAGE_WORDS_SIZE, "none; asked is which operators have a CPU kernel");
    return out;
}

const char *coverage_failure(const struct verdict *v)
{
    return v->answer == RULES_INCORRECT ? "incorrect: " : v->answer == RULES_CRASH ? "crash: " : "";
}

const char *coverage_words(const struct coverage_run *r, const struct verdict *v, char out[COVERAGE_WORDS_SIZE])
{
    if (v->covered && v->partition >= 0)
        snprintf(out, COVERAGE_WORDS_SIZE, "%s, partition %d", coverage_whose(r, (uint32_t)v->partition), v->partition);
    else if (v->covered)
        snprintf(out, COVERAGE_WORDS_SIZE, "CPU kernel");
    else if (v->why.code == REASON_NONE)
        snprintf(out, COVERAGE_WORDS_SIZE, "folded into a constant");
    else
        snprintf(out, COVERAGE_WORDS_SIZE, "%s%s: %s", coverage_failure(v), reason_name(v->why.code), v->why.text);
    return out;
}

const char *coverage_answer_words(const struct verdict *v, char out[COVERAGE_WORDS_SIZE])
{
    if (v->why.code == REASON_NONE)
        snprintf(out, COVERAGE_WORDS_SIZE, "%s", rules_answer_name(v->answer));
    else
        snprintf(out, COVERAGE_WORDS_SIZE, "%s: %s: %s", rules_answer_name(v->answer), reason_name(v->why.code), v->why.text);
    return out;
}

const char *coverage_gain_whose(const struct coverage_run *r, const struct coverage_gain *g)
{
    return r->asked[0] && r->asked[1] ? r->asked[g->by]->type->label : coverage_backend(r);
}

const char *coverage_gain_words(const struct coverage_run *r, const struct coverage_gain *g, char out[COVERAGE_WORDS_SIZE])
{
    const bool several = r->asked[0] && r->asked[1];
    const char *by = several ? " by " : "", *whose = several ? coverage_gain_whose(r, g) : "";

    if (g->what == COVERAGE_IF_REASON)
        snprintf(out, COVERAGE_WORDS_SIZE, "Without %s%s%s", reason_name(g->reason), several ? " from " : "", whose);
    else if (g->what == COVERAGE_IF_NODE)
        snprintf(out, COVERAGE_WORDS_SIZE, "With node %u %s taken as well%s%s", g->node->index, g->op, by, whose);
    else
        snprintf(out, COVERAGE_WORDS_SIZE, "With %s taken as well%s%s", g->op, by, whose);
    return out;
}

const char *coverage_gain_counts(const struct coverage_gain *g, char out[COVERAGE_WORDS_SIZE])
{
    char nodes[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE];

    snprintf(out, COVERAGE_WORDS_SIZE, "%s in %s", say_count(g->nodes, "node", nodes),
             say_count(g->partitions, "partition", parts));
    return out;
}

const char *coverage_untried_words(const struct coverage *c, char out[COVERAGE_WORDS_SIZE])
{
    *out = '\0';
    if (c->n_untried)
        snprintf(out, COVERAGE_WORDS_SIZE, "In so large a model the last %u of the refused nodes were not tried one by one",
                 c->n_untried);
    return out;
}

const char *coverage_called_words(const struct coverage_run *r, char out[COVERAGE_WORDS_SIZE])
{
    const struct coverage_called *c = &r->coverage.called;
    char nodes[SAY_COUNT_SIZE], graphs[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE], unknown[64] = "";

    if (c->unknown)
        snprintf(unknown, sizeof unknown, "; the shapes of %u show in a run alone", c->unknown);
    snprintf(out, COVERAGE_WORDS_SIZE, "%u of %s of %s on the %s, in %s%s", c->delegated, say_count(c->nodes, "node", nodes),
             say_count(c->subgraphs, "subgraph", graphs), coverage_backend(r), say_count(c->partitions, "partition", parts),
             unknown);
    return c->subgraphs && r->type ? out : "";
}
