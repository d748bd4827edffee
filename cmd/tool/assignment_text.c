/* SPDX-License-Identifier: Apache-2.0 */
/* assignment_text.c - TFLite's messages about what runs where, and one line of counts. */
#include "cmd/tool/assignment_text.h"

enum status assignment_add_refusals(struct result_section *to, const struct graph *g, const struct partitioning *p,
                                    const char *label, struct err *err)
{
    struct assignment sum = assignment_of(g, p);
    struct refusal *refusals;
    struct arena arena = {0};
    enum status st;
    uint32_t n;

    if (sum.n_cpu == 0)
        return ST_OK;
    if (!(st = assignment_refusals(g, p, &arena, &refusals, &n, err))) {
        result_line(to, RESULT_PLAIN | RESULT_WHOLE, "Following operations are not supported by %s delegate:", label);
        for (uint32_t i = 0; i < n; i++)
            result_line(to, RESULT_PLAIN | RESULT_WHOLE, "%.127s: %.255s", refusals[i].op, refusals[i].text);
        if (sum.n_delegated)
            result_line(to, RESULT_PLAIN | RESULT_WHOLE,
                        "%u operations will run on the %s, and the remaining %u operations will run on the CPU.", sum.n_delegated,
                        label, sum.n_cpu);
        else
            result_line(to, RESULT_PLAIN | RESULT_WHOLE,
                        "No operations will run on the %s, and all %u operations will run on the CPU.", label, sum.n_cpu);
    }
    arena_free(&arena);
    return st;
}

/* TFLite's lines, which it has at its level VERBOSE. */
static void add_replaced(struct result_section *to, const struct session *s, const struct assignment *a, const struct delegate *d)
{
    const struct graph *g = session_graph(s);

    if (!a->n_partitions)
        return;
    result_line(to, RESULT_LOG | RESULT_WHOLE,
                "Replacing %u out of %u node(s) with delegate (%s) node, yielding %u partitions for subgraph %u (%.127s).",
                a->n_delegated, a->n_delegated + a->n_cpu, d->type->kernel, session_n_stretches(s), g->subgraph, g->name);
    result_line(to, RESULT_LOG, "Created %u %s delegate kernels.", a->n_partitions, d->type->label);
}

static void add_delegate(struct result_section *to, const struct assignment *a, const char *label)
{
    if (a->n_partitions && a->full)
        result_line(to, RESULT_LOG | RESULT_WHOLE,
                    "Explicitly applied %s delegate, and the model graph will be completely executed by the delegate.", label);
    else if (a->n_partitions)
        result_line(to, RESULT_LOG | RESULT_WHOLE,
                    "Explicitly applied %s delegate, and the model graph will be partially executed by the delegate w/ %u "
                    "delegate kernels.",
                    label, a->n_partitions);
    else
        result_line(to, RESULT_LOG | RESULT_WHOLE,
                    "Though %s delegate is explicitly applied, the model graph will not be executed by the delegate.", label);
}

/* What a search that was bounded says beside what it found. */
static void say_bound(const struct delegate_facts *f, char *text, size_t size)
{
    const uint64_t bound = fact_value(f, "start.tuning.bound_us"), trial = fact_value(f, "tuning_trial");
    int n = 0;

    text[0] = '\0';
    if (bound && fact_value(f, "start.tuning.trials"))
        n = snprintf(text, size, ", of the %.1f ms of 50 inferences", (double)bound / 1e6);
    else if (trial)
        n = snprintf(text, size,
                     ": no trial fits in the time of 50 inferences (%.1f ms) beside what judges it; one takes about %.1f ms, of "
                     "which compiling a program takes %.1f ms",
                     (double)bound / 1e6, (double)trial / 1e6, (double)fact_value(f, "tuning_program") / 1e6);
    if (fact_value(f, "start.tuning.cut") && n >= 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, "; not all was tried%s",
                 fact_value(f, "tuning_goes_on") ? ", the next start goes on" : "");
}

void assignment_add_tuning(struct result_section *to, const struct session *s, const struct delegate *d)
{
    struct delegate_facts f;
    const struct delegate_fact *stored;
    unsigned nodes, trials;
    char bound[320];

    session_facts(s, d, &f);
    say_bound(&f, bound, sizeof bound);
    stored = fact_find(&f, "start.tuning.stored");
    nodes = (unsigned)fact_value(&f, "start.tuning.nodes");
    trials = (unsigned)fact_value(&f, "start.tuning.trials");
    if (fact_value(&f, "start.tuning.us"))
        result_line(to, RESULT_LOG, "Tuned on the %s: %u node%s computed in another way; %u trial%s in %.3f s%s", d->type->label,
                    nodes, nodes == 1 ? " is" : "s are", trials, trials == 1 ? "" : "s",
                    (double)fact_value(&f, "start.tuning.beyond_us") / 1e9, bound);
    if (stored && stored->value)
        result_line(to, RESULT_LOG, "Tuned on the %s in an earlier start: %u node%s computed in another way, as stored in %s%s",
                    d->type->label, nodes, nodes == 1 ? " is" : "s are", stored->detail, stored->value > 1 ? " and others" : "");
}

static enum status add_one(struct result_section *to, const struct session *s, const struct delegate *d, struct err *err)
{
    struct assignment sum = assignment_of(session_graph(s), session_partitioning(s));
    enum status st;

    if (!d) {
        result_line(to, RESULT_LOG, "Nodes: %u on the CPU, %u folded into constants", sum.n_cpu, sum.n_folded);
        return ST_OK;
    }
    if ((st = assignment_add_refusals(to, session_graph(s), session_partitioning(s), d->type->label, err)))
        return st;
    add_replaced(to, s, &sum, d);
    add_delegate(to, &sum, d->type->label);
    result_line(to, RESULT_LOG, "Nodes: %u on the %s in %u %s, %u on the CPU, %u folded into constants", sum.n_delegated,
                d->type->label, sum.n_partitions, sum.n_partitions == 1 ? "partition" : "partitions", sum.n_cpu, sum.n_folded);
    assignment_add_tuning(to, s, d);
    return ST_OK;
}

static enum status add_several(struct result_section *to, const struct session *s, struct delegate *const *ds, const char *label,
                               struct err *err)
{
    const struct partitioning *p = session_partitioning(s);
    const struct assignment sum = assignment_of(session_graph(s), p);
    enum status st = assignment_add_refusals(to, session_graph(s), p, label, err);
    char shares[256] = "";
    size_t len = 0;

    if (st)
        return st;
    for (uint32_t i = 0; ds[i]; i++) {
        struct assignment own = {.n_nodes = sum.n_nodes, .n_cpu = sum.n_cpu};

        assignment_share(p, ds[i], &own.n_delegated, &own.n_partitions);
        own.full = own.n_delegated + sum.n_folded == sum.n_nodes;
        add_delegate(to, &own, ds[i]->type->label);
        if (len < sizeof shares)
            len += (size_t)snprintf(shares + len, sizeof shares - len, "%u on the %s in %u %s, ", own.n_delegated,
                                    ds[i]->type->label, own.n_partitions, own.n_partitions == 1 ? "partition" : "partitions");
    }
    result_line(to, RESULT_LOG, "Nodes: %s%u on the CPU, %u folded into constants", shares, sum.n_cpu, sum.n_folded);
    for (uint32_t i = 0; ds[i]; i++)
        assignment_add_tuning(to, s, ds[i]);
    return ST_OK;
}

enum status assignment_say(const struct session *s, const struct delegate *d, struct err *err)
{
    struct result_section *to = results_alone();

    return results_say_alone(to, add_one(to, s, d, err), err);
}

enum status assignment_say_all(const struct session *s, const struct delegates *ds, struct err *err)
{
    struct result_section *to = results_alone();
    char label[64];

    if (!ds->all[0] || !ds->all[1])
        return results_say_alone(to, add_one(to, s, ds->opened, err), err);
    return results_say_alone(to, add_several(to, s, ds->all, delegates_label(ds->all, label), err), err);
}
