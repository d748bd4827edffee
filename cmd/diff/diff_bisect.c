/* SPDX-License-Identifier: Apache-2.0 */
/* diff_bisect.c - trials over ranges of the delegated nodes. */
#include "cmd/diff/inference_diff.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/host/interrupt.h"
#include "cmd/print/progress.h"
#include "lib/base/clock.h"

struct search {
    struct comparison *c;
    struct bisection *b;
    struct trial *test; /* what is searched, and its delegate */
    struct delegate *delegate;
    uint64_t began_ns;
    struct progress progress;
};

/* Mean error of the run in the output where it is largest; INFINITY where one is not finite. */
static double run_error(const struct session_diff *d, uint32_t run)
{
    double worst = 0;

    for (uint32_t i = 0; i < d->n_outputs; i++)
        worst = fmax(worst, isfinite(d->outputs[i].run_error[run]) ? d->outputs[i].run_error[run] : INFINITY);
    return worst;
}

/* The worst of the runs that were kept, and another, in their order: a fault may show in the second run alone. */
static void choose_runs(struct bisection *b, const struct comparison *c, const struct trial *test)
{
    uint32_t worst = 0;

    for (uint32_t run = 1; run < c->recording.n; run++)
        if (run_error(&test->diff, run) > run_error(&test->diff, worst))
            worst = run;
    b->worst_run = worst;
    if (worst)
        b->runs[b->n_runs++] = worst - 1;
    b->runs[b->n_runs++] = worst;
    if (!worst && c->recording.n > 1)
        b->runs[b->n_runs++] = 1;
}

static enum status list_nodes(struct bisection *b, const struct session *s, struct err *err)
{
    const struct partitioning *p = session_partitioning(s);
    const struct graph *g = session_graph(s);

    if (!(b->nodes = calloc((size_t)g->n_nodes + 1, sizeof *b->nodes)))
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++) /* by their index in the file, which is what the options count */
        for (uint32_t k = 0; k < g->n_nodes; k++)
            if (g->nodes[k].index == i && p->part_of[k] >= 0)
                b->nodes[b->n_nodes++] = &g->nodes[k];
    return ST_OK;
}

static enum status run_trial(struct search *s, struct trial *t, const struct session_options *opt, struct err *err)
{
    struct comparison *c = s->c;
    const struct trial_terms terms = comparison_terms(c);
    enum status st = trial_open(t, c->tool.model, c->reference.session, opt, &terms, s->b->n_runs, false, err);

    for (uint32_t i = 0; i < s->b->n_runs && !st; i++)
        if (!(st = recording_play(&c->recording, s->b->runs[i], c->reference.session, err)))
            st = trial_run(t, 1, err);
    return st ? st : trial_finish(t, err);
}

/* The first trial, of all nodes, settles what is off: what the command line says, or more than half of its own error. */
static bool judge(struct search *s, struct trial *t)
{
    struct bisection *b = s->b;
    bool off = false;

    if (!b->n_steps) {
        b->half_of_all = t->verdict.outputs_passed;
        b->hidden = !t->verdict.outputs_passed && s->test->verdict.outputs_passed;
        if (b->hidden)
            s->test->verdict.failed_on = t->verdict.failed_on;
        for (uint32_t i = 0; i < t->diff.n_outputs; i++)
            b->limit[i] = fmax(t->diff.outputs[i].raw.max_abs / 2, t->diff.outputs[i].raw.allowed.floor);
    }
    if (!b->half_of_all)
        return !t->verdict.outputs_passed;
    for (uint32_t i = 0; i < t->diff.n_outputs; i++)
        off |= diff_exceeds(&t->diff.outputs[i].raw, b->limit[i]);
    return off;
}

/* What is not on the delegate is to be no different, and every range is to be tried, however small. */
static struct session_options options_of(const struct search *s, bool masked)
{
    struct session_options opt = comparison_options(s->c, s->delegate);

    opt.mode = CPU_REFERENCE;
    opt.float_weights = s->c->flags.reference_hybrid;
    opt.partition.min_nodes = opt.partition.max_partitions = 0;
    opt.partition.masked = masked;
    opt.keep_intermediates = false;
    return opt;
}

/* Masks leave the model whole, and its other nodes to kernels of the delegate's own: they tell if these are not off. */
static enum status try_masks(struct search *s, struct err *err)
{
    struct bisection *b = s->b;
    struct session_options opt = options_of(s, true);
    struct trial t = {0};
    enum status st;

    opt.partition.first_node = UINT32_MAX;
    b->tried_masks = true;
    if (!(st = run_trial(s, &t, &opt, err))) {
        const struct partitioning *p = session_partitioning(t.session);

        b->masked = p->n_parts && !judge(s, &t);
        if (p->n_parts && !b->masked)
            snprintf(b->not_masked, sizeof b->not_masked, "the model is off with all of its nodes masked");
        for (uint32_t i = 0; i < session_graph(t.session)->n_nodes && !p->n_parts && !*b->not_masked; i++)
            snprintf(b->not_masked, sizeof b->not_masked, "%s", p->reasons[i].text);
    }
    trial_free(&t);
    if (st != ST_FAILED)
        return st;
    snprintf(b->not_masked, sizeof b->not_masked, "%.200s", err->msg);
    return ST_OK;
}

static enum status try_range(void *arg, struct bisect_range r, bool *off, struct err *err)
{
    struct search *s = arg;
    struct bisection *b = s->b;
    struct session_options opt;
    struct trial t = {0};
    enum status st;

    if (interrupted() || b->n_steps == BISECTION_MAX_STEPS)
        return ST_LATER;
    if (b->half_of_all && b->search.n_found) /* what is left is less than half */
        return ST_LATER;
    if (b->n_steps == 1 && s->delegate->masks && (st = try_masks(s, err)))
        return st;
    opt = options_of(s, b->masked);
    opt.partition.first_node = b->nodes[r.first]->index;
    opt.partition.end_node = b->nodes[r.end - 1]->index + 1;
    if (!(st = run_trial(s, &t, &opt, err))) {
        *off = judge(s, &t);
        b->steps[b->n_steps++] = (struct bisection_step){.first = opt.partition.first_node,
                                                         .last = opt.partition.end_node - 1,
                                                         .n_delegated = t.assignment.n_delegated,
                                                         .max_error = session_diff_max_abs(&t.diff),
                                                         .off = *off};
        progress_show(&s->progress, b->n_steps, (double)(clock_ns() - s->began_ns) / 1e9);
    }
    trial_free(&t);
    return st;
}

enum status diff_bisect_check(const struct comparison *c, struct err *err)
{
    const struct partition_flags *p = &c->flags.partition;

    if ((!c->flags.bisect && (!*c->flags.extract || c->flags.per_op)) || (p->min_nodes <= 1 && !p->max_partitions))
        return ST_OK;
    return err_set(err, ST_USAGE, "%s gives the delegate ranges of any size: not with --%s",
                   c->flags.bisect ? "--bisect" : "--extract without --per_op",
                   p->max_partitions ? "max_delegated_partitions" : "min_nodes_per_partition");
}

static enum status search(struct search *s, struct err *err)
{
    struct bisection *b = s->b;
    enum status st;

    choose_runs(b, s->c, s->test);
    if (!(b->limit = calloc((size_t)s->test->diff.n_outputs + 1, sizeof *b->limit)))
        return err_set(err, ST_NOMEM, "out of memory for %u outputs", s->test->diff.n_outputs);
    if ((st = list_nodes(b, s->test->session, err)))
        return st;
    for (uint32_t n = b->n_nodes; n; n /= 2)
        s->progress.min_runs += 2;
    st = bisect_run(&b->search, b->n_nodes, try_range, s, err);
    progress_end(&s->progress);
    b->done = !st;
    b->search.stopped &= !b->half_of_all || !b->search.n_found;
    if (b->hidden)
        s->test->verdict.outputs_passed = s->test->verdict.passed = false;
    return st;
}

enum status diff_bisect_run(struct comparison *c, struct err *err)
{
    struct search s = {.c = c,
                       .b = &c->bisect,
                       .test = &c->test,
                       .delegate = c->tool.delegates.opened,
                       .began_ns = clock_ns(),
                       .progress = {.what = "bisect", .max_secs = INFINITY}};
    enum status st;

    if (!c->flags.bisect || !c->test.assignment.n_delegated || !c->recording.n)
        return ST_OK;
    st = search(&s, err);
    return st ? err_prefix(err, st, "--bisect") : ST_OK;
}

static void name_found(const struct bisection *b, char *out, size_t size)
{
    size_t n = 0;

    for (uint32_t i = 0; i < b->search.n_found && n < size; i++) {
        const struct node *first = b->nodes[b->search.found[i].first], *last = b->nodes[b->search.found[i].end - 1];

        n += (size_t)snprintf(out + n, size - n, "%s%s %u", i ? ", " : "", first == last ? "node" : "nodes", first->index);
        if (first != last && n < size)
            n += (size_t)snprintf(out + n, size - n, " to %u", last->index);
        if (n < size)
            n += (size_t)snprintf(out + n, size - n, " %s", last->name);
    }
}

enum status diff_bisect_rows(struct comparison *c, struct err *err)
{
    for (uint32_t i = 0; *c->flags.all_runtimes && i < c->matrix.n && c->recording.n && !interrupted(); i++) {
        struct matrix_row *row = &c->matrix.rows[i];
        struct bisection *b;
        struct search s = {.c = c,
                           .test = row->trial,
                           .delegate = row->opened,
                           .began_ns = clock_ns(),
                           .progress = {.what = matrix_name(row), .max_secs = INFINITY}};

        if (row->failed || row->trial->verdict.outputs_passed || !row->trial->assignment.n_delegated)
            continue;
        if (!(s.b = b = calloc(1, sizeof *b)))
            return err_set(err, ST_NOMEM, "out of memory for a search");
        if (!search(&s, err))
            name_found(b, row->wrong, sizeof row->wrong);
        diff_bisect_free(b);
        free(b);
    }
    return ST_OK;
}

void diff_bisect_free(struct bisection *b)
{
    free(b->nodes);
    free(b->limit);
    *b = (struct bisection){0};
}
