/* SPDX-License-Identifier: Apache-2.0 */
/* assignment_text.c - TFLite's messages about what runs where, and one line of counts. */
#include "cmd/tool/assignment_text.h"

#include "cmd/host/say.h"

enum status assignment_say_refusals(const struct graph *g, const struct partitioning *p, const char *label, struct err *err)
{
    struct assignment sum = assignment_of(g, p);
    struct refusal *refusals;
    struct arena arena = {0};
    char op[128], text[256];
    enum status st;
    uint32_t n;

    if (sum.n_cpu == 0)
        return ST_OK;
    if (!(st = assignment_refusals(g, p, &arena, &refusals, &n, err))) {
        say_text("Following operations are not supported by %s delegate:\n", label);
        for (uint32_t i = 0; i < n; i++)
            say_text("%s: %s\n", say_clean(refusals[i].op, op, sizeof op), say_clean(refusals[i].text, text, sizeof text));
        if (sum.n_delegated)
            say_text("%u operations will run on the %s, and the remaining %u operations will run on the CPU.\n", sum.n_delegated,
                     label, sum.n_cpu);
        else
            say_text("No operations will run on the %s, and all %u operations will run on the CPU.\n", label, sum.n_cpu);
    }
    arena_free(&arena);
    return st;
}

/* TFLite's lines, which it has at its level VERBOSE. */
static void say_replaced(const struct session *s, const struct assignment *a, const struct delegate *d)
{
    const struct graph *g = session_graph(s);
    char name[128];

    if (!a->n_partitions)
        return;
    say_info("Replacing %u out of %u node(s) with delegate (%s) node, yielding %u partitions for subgraph %u (%s).", a->n_delegated,
             a->n_delegated + a->n_cpu, d->type->kernel, session_n_stretches(s), g->subgraph,
             say_clean(g->name, name, sizeof name));
    say_info("Created %u %s delegate kernels.", a->n_partitions, d->type->label);
}

static void say_delegate(const struct assignment *a, const char *label)
{
    if (a->n_partitions && a->full)
        say_info("Explicitly applied %s delegate, and the model graph will be completely executed by the delegate.", label);
    else if (a->n_partitions)
        say_info("Explicitly applied %s delegate, and the model graph will be partially executed by the delegate w/ %u "
                 "delegate kernels.",
                 label, a->n_partitions);
    else
        say_info("Though %s delegate is explicitly applied, the model graph will not be executed by the delegate.", label);
}

/* What a search that was bounded says beside what it found. */
static void say_bound(const struct delegate_memory *m, char *text, size_t size)
{
    const double bound_ms = (double)m->tuning_bound_ns / 1e6;
    int n = 0;

    text[0] = '\0';
    if (m->tuning_bound_ns && m->trials)
        n = snprintf(text, size, ", of the %.1f ms of 50 inferences", bound_ms);
    else if (m->tuning_trial_ns)
        n = snprintf(text, size,
                     ": no trial fits in the time of 50 inferences (%.1f ms) beside what judges it; one takes about %.1f ms, of "
                     "which compiling a program takes %.1f ms",
                     bound_ms, (double)m->tuning_trial_ns / 1e6, (double)m->tuning_program_ns / 1e6);
    if (m->tunings_cut && n >= 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, "; not all was tried%s", m->tunings_go_on ? ", the next start goes on" : "");
}

void assignment_add_tuning(struct result_section *to, const struct session *s, const struct delegate *d)
{
    struct delegate_memory m;
    char bound[320];

    session_memory_of(s, d, &m);
    say_bound(&m, bound, sizeof bound);
    if (m.tuning_ns)
        result_line(to, RESULT_LOG, "Tuned on the %s: %u node%s computed in another way; %u trial%s in %.3f s%s", d->type->label,
                    m.nodes_tuned, m.nodes_tuned == 1 ? " is" : "s are", m.trials, m.trials == 1 ? "" : "s",
                    (double)m.tuning_beyond_ns / 1e9, bound);
    if (m.tunings_stored)
        result_line(to, RESULT_LOG, "Tuned on the %s in an earlier start: %u node%s computed in another way, as stored in %s%s",
                    d->type->label, m.nodes_tuned, m.nodes_tuned == 1 ? " is" : "s are", m.tuning_entry,
                    m.tunings_stored > 1 ? " and others" : "");
}

static enum status say_tuning(const struct session *s, const struct delegate *d, struct err *err)
{
    struct results *r = results_new(NULL);
    struct result_section *to = results_section(r, NULL);
    enum status st;

    assignment_add_tuning(to, s, d);
    st = results_say(to, RESULT_TEXT, err);
    results_free(r);
    return st;
}

enum status assignment_say(const struct session *s, const struct delegate *d, struct err *err)
{
    struct assignment sum = assignment_of(session_graph(s), session_partitioning(s));
    enum status st;

    if (!d) {
        say_info("Nodes: %u on the CPU, %u folded into constants", sum.n_cpu, sum.n_folded);
        return ST_OK;
    }
    if ((st = assignment_say_refusals(session_graph(s), session_partitioning(s), d->type->label, err)))
        return st;
    say_replaced(s, &sum, d);
    say_delegate(&sum, d->type->label);
    say_info("Nodes: %u on the %s in %u %s, %u on the CPU, %u folded into constants", sum.n_delegated, d->type->label,
             sum.n_partitions, sum.n_partitions == 1 ? "partition" : "partitions", sum.n_cpu, sum.n_folded);
    return say_tuning(s, d, err);
}

enum status assignment_say_several(const struct session *s, struct delegate *const *ds, const char *label, struct err *err)
{
    const struct partitioning *p = session_partitioning(s);
    const struct assignment sum = assignment_of(session_graph(s), p);
    enum status st = assignment_say_refusals(session_graph(s), p, label, err);
    char shares[256] = "";
    size_t len = 0;

    if (st)
        return st;
    for (uint32_t i = 0; ds[i]; i++) {
        struct assignment own = {.n_nodes = sum.n_nodes, .n_cpu = sum.n_cpu};

        assignment_share(p, ds[i], &own.n_delegated, &own.n_partitions);
        own.full = own.n_delegated + sum.n_folded == sum.n_nodes;
        say_delegate(&own, ds[i]->type->label);
        if (len < sizeof shares)
            len += (size_t)snprintf(shares + len, sizeof shares - len, "%u on the %s in %u %s, ", own.n_delegated,
                                    ds[i]->type->label, own.n_partitions, own.n_partitions == 1 ? "partition" : "partitions");
    }
    say_info("Nodes: %s%u on the CPU, %u folded into constants", shares, sum.n_cpu, sum.n_folded);
    for (uint32_t i = 0; ds[i] && !st; i++)
        st = say_tuning(s, ds[i], err);
    return st;
}

enum status assignment_say_all(const struct session *s, const struct delegates *ds, struct err *err)
{
    char label[64];

    return ds->all[0] && ds->all[1] ? assignment_say_several(s, ds->all, delegates_label(ds->all, label), err)
                                    : assignment_say(s, ds->opened, err);
}
