/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_rules.c - the answers of a rule set in the form of a delegate's. */

#include "lib/coverage/coverage_impl.h"
#include "lib/graph/graph_infer.h"

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the answers of a rule set");
}

/* The runtime that the rules are about computes no node before it runs. */
static void unfold(struct graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct node *n = &g->nodes[i];

        for (uint32_t k = 0; n->folded && k < n->n_out; k++)
            if (n->out[k])
                n->out[k]->is_const = false;
        n->folded = false;
    }
}

/* strictly: without what is taken and fails. */
static struct claim *claim_all(struct coverage *c, const struct graph *g, const struct ruling *answers, struct delegate *d,
                               bool strictly)
{
    struct claim *claims = ARENA_ARRAY(&c->arena, g->n_nodes, struct claim);

    for (uint32_t i = 0; claims && i < g->n_nodes; i++)
        if (answers[i].answer == RULES_NO || (strictly && answers[i].answer != RULES_YES))
            claims[i].why = answers[i].why;
        else
            claims[i].owner = d;
    return claims;
}

/* What is taken and fails is not covered, though it stays in its partition. */
static void tell_failures(struct coverage *c, const struct ruling *answers)
{
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        struct verdict *v = &c->verdicts[i];

        v->answer = answers[i].answer;
        if (v->answer == RULES_INCORRECT || v->answer == RULES_CRASH) {
            v->covered = false;
            v->why = answers[i].why;
        }
    }
}

static enum status answer(struct coverage *c, const struct rules *rules, const struct partition_options *opt, struct err *err)
{
    static const struct delegate_ops asked_nothing;
    struct graph *g = c->graphs[0];
    struct partition_options limits = *opt;
    struct ruling *answers = ARENA_ARRAY(&c->arena, g->n_nodes, struct ruling);
    struct delegate *d = ARENA_NEW(&c->arena, struct delegate);
    struct claim *claims, *before = NULL;
    enum status st;

    if (!answers || !d)
        return no_memory(err);
    *d = (struct delegate){.type = &rules->type, .ops = &asked_nothing, .device = ""};
    limits.as_tflite = rules->log != RULES_LOG_NONE;
    if ((st = rules_judge(rules, g, answers, err)))
        return st;
    if (!(claims = claim_all(c, g, answers, d, false)) || !(before = claim_all(c, g, answers, d, true)))
        return no_memory(err);
    if (!limits.max_partitions && rules->log != RULES_LOG_2019)
        limits.max_partitions = rules->max_partitions;
    limits.first_only = rules->log == RULES_LOG_2019 && !opt->max_partitions;
    if ((st = partition_claimed(g, claims, &limits, &c->arena, &c->parts, err)) || (st = coverage_add_graph(c, g, &c->parts, err)))
        return st;
    tell_failures(c, answers);
    if ((st = coverage_add_up(c, err)))
        return st;
    coverage_find_first_refused(c);
    return coverage_find_gains(c, (struct delegate *const[]){d, NULL}, before, &limits, err);
}

enum status coverage_of_rules(const struct model *m, uint32_t subgraph, const struct rules *rules,
                              const struct partition_options *opt, const struct coverage *alike, struct coverage *c,
                              struct err *err)
{
    enum status st = coverage_begin(c, 1, err);

    if (st)
        return st;
    if (alike && !alike->cannot_run && alike->n_graphs == 1) {
        c->graphs[0] = alike->graphs[0];
        c->n_graphs = 1;
        c->borrows_graphs = true;
        return answer(c, rules, opt, err);
    }
    if (!(st = graph_new(m, subgraph, &c->graphs[0], err))) {
        c->n_graphs = 1;
        st = graph_infer(c->graphs[0], err);
    }
    if (st == ST_BAD_MODEL)
        return coverage_of_invalid(c, m, subgraph, arena_strdup(&c->arena, err->msg), err);
    if (st)
        return st;
    unfold(c->graphs[0]);
    return answer(c, rules, opt, err);
}
