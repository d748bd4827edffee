/* SPDX-License-Identifier: Apache-2.0 */
/* diff_fp32.c - which nodes a delegate in half precision has to keep in float32: trial after trial, each with a delegate of its
 * own.
 */
#include "inference_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/clock.h"
#include "../lib/half_rank.h"
#include "interrupt.h"
#include "progress.h"

#define FLAG_ENDS "_fp32_nodes"

/* How long nodes are put in order; what was not looked at by then comes last. */
#define RANK_MAX_SECS 60

struct attempt {
    struct comparison *c;
    const struct delegate_choice *choice;
    const struct flag *flag;
    uint64_t began_ns;
    struct progress progress;
};

static const struct delegate_choice *choice_of(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->tool.delegates.n_choices; i++)
        if (c->tool.delegates.choices[i].use)
            return &c->tool.delegates.choices[i];
    return NULL;
}

static const struct flag *flag_of(const struct delegate_choice *choice)
{
    const size_t ends = strlen(FLAG_ENDS);

    for (const struct flag *f = choice ? choice->type->flags : NULL; f && f->name; f++)
        if (f->type == FLAG_STRING && strlen(f->name) > ends && !strcmp(f->name + strlen(f->name) - ends, FLAG_ENDS))
            return f;
    return NULL;
}

const char *diff_fp32_flag(const struct comparison *c)
{
    const struct flag *f = flag_of(choice_of(c));

    return f ? f->name : NULL;
}

static const char *text_in(const void *options, const struct flag *f)
{
    return *(const char *const *)((const char *)options + f->offset);
}

/* What the command line has for the flag, and these nodes. */
static const char *whole_list(struct remedy *r, const uint32_t *nodes, uint32_t n)
{
    const char *list = auto_fp32_list(&r->search.arena, nodes, n);

    if (!list || !*r->given)
        return list;
    return arena_printf(&r->search.arena, "%s%s%s", r->given, n ? "," : "", list);
}

static enum status try_on(struct attempt *a, const char *list, bool *pass, struct err *err)
{
    struct comparison *c = a->c;
    struct delegate *d = NULL;
    struct session_options opt;
    struct trial t = {0};
    enum status st = delegates_open_as(&c->tool.delegates, a->choice, a->flag, list, &d, err);

    if (!st) {
        opt = comparison_options(c, d);
        opt.keep_intermediates = false;
        st = comparison_try(c, &opt, 1, &t, err);
        *pass = t.verdict.outputs_passed;
        if (!st && *pass)
            c->remedy.max_error = session_diff_max_abs(&t.diff);
    }
    trial_free(&t);
    delegate_close(d);
    return st;
}

static enum status passes(void *arg, const uint32_t *nodes, uint32_t n, bool *pass, struct err *err)
{
    struct attempt *a = arg;
    struct remedy *r = &a->c->remedy;
    const char *list = whole_list(r, nodes, n);
    enum status st;

    if (!list)
        return err_set(err, ST_NOMEM, "out of memory for a list of %u nodes", n);
    if ((st = try_on(a, list, pass, err)))
        return st;
    if (interrupted()) /* not all runs were made */
        return ST_LATER;
    if (*pass)
        r->list = list;
    progress_show(&a->progress, r->search.runs, (double)(clock_ns() - a->began_ns) / 1e9);
    return ST_OK;
}

static bool stopped(void *arg)
{
    (void)arg;
    return interrupted();
}

struct candidate {
    uint32_t node;
    double added, own; /* what it adds to the outputs' error in half precision, and what it is off alone */
};

static int worst_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->added != y->added)
        return x->added > y->added ? -1 : 1;
    if (x->own != y->own)
        return x->own > y->own ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static double own_error(const struct half_check *h, uint32_t node)
{
    for (uint32_t i = 0; i < h->n; i++)
        if (h->rows[i].node->index == node)
            return h->rows[i].own_error;
    return 0;
}

/* A delegate stores what it reads from outside, too. */
static bool feeds_a_partition(const struct partitioning *p, const struct node *n)
{
    for (uint32_t i = 0; i < p->n_parts; i++)
        for (uint32_t k = 0; k < p->parts[i].n_inputs; k++)
            for (uint32_t o = 0; o < n->n_out; o++)
                if (n->out[o] && p->parts[i].inputs[k] == n->out[o])
                    return true;
    return false;
}

/* The nodes that the delegate took, and those that it reads from, the worst first. */
static enum status list_candidates(struct comparison *c, const struct half_rank *rank, struct err *err)
{
    const struct graph *g = session_graph(c->test.session), *ranked = session_graph(rank->session);
    const struct partitioning *p = session_partitioning(c->test.session);
    struct candidate *list = calloc((size_t)g->n_nodes + 1, sizeof *list);
    uint32_t n = 0;

    c->remedy.candidates = calloc((size_t)g->n_nodes + 1, sizeof *c->remedy.candidates);
    if (!list || !c->remedy.candidates) {
        free(list);
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) /* both graphs are of one model: in the same order */
        if (p->part_of[i] >= 0 || feeds_a_partition(p, &g->nodes[i]))
            list[n++] = (struct candidate){g->nodes[i].index, i < ranked->n_nodes ? rank->error[i] : 0,
                                           own_error(&c->why.half, g->nodes[i].index)};
    qsort(list, n, sizeof *list, worst_first);
    for (uint32_t i = 0; i < n; i++)
        c->remedy.candidates[i] = list[i].node;
    c->remedy.search.candidates = c->remedy.candidates;
    c->remedy.search.n_candidates = n;
    free(list);
    return ST_OK;
}

static bool ranked_enough(void *arg)
{
    const uint64_t *began_ns = arg;

    return interrupted() || clock_ns() - *began_ns > RANK_MAX_SECS * 1000000000ull;
}

/* On the inputs of the first run, by the fast kernels: the order alone depends on it. */
static enum status rank(struct comparison *c, struct err *err)
{
    struct half_rank r = {0};
    const struct session_options opt = {.num_threads = c->flags.num_threads,
                                        .mode = CPU_FAST,
                                        .subgraph = c->subgraph,
                                        .go_on = interrupt_go_on,
                                        .after_node = half_rank_node,
                                        .after_node_arg = &r};
    const struct session *reference = c->reference.session;
    uint64_t began_ns = clock_ns();
    struct session *s = NULL;
    enum status st;

    if (!(st = session_new(c->tool.model, &opt, &s, err)) && !(st = inputs_resize(&c->inputs, s, err)) &&
        !(st = session_prepare(s, err)))
        st = recording_play(&c->recording, 0, c->reference.session, err);
    for (uint32_t i = 0; !st && i < session_n_inputs(s); i++)
        st = session_set_input(s, i, session_input(reference, i)->data, session_input(reference, i)->bytes, err);
    if (!st && !(st = half_rank_run(&r, s, ranked_enough, &began_ns, err)))
        st = list_candidates(c, &r, err);
    half_rank_free(&r);
    session_free(s);
    return st;
}

enum status diff_fp32_run(struct comparison *c, struct err *err)
{
    struct remedy *r = &c->remedy;
    struct attempt a = {
        .c = c, .choice = choice_of(c), .began_ns = clock_ns(), .progress = {.what = "auto_fp32", .max_secs = INFINITY}};
    enum status st;

    if (!c->flags.auto_fp32 || !c->test.assignment.n_delegated || !c->why.looked)
        return ST_OK;
    a.flag = flag_of(a.choice);
    r->flag = a.flag->name;
    r->given = text_in(a.choice->options, a.flag) ? text_in(a.choice->options, a.flag) : "";
    r->max_error = NAN;
    if ((st = rank(c, err)))
        return st == ST_LATER ? ST_OK : st;
    r->search.max_runs = REMEDY_MAX_RUNS;
    r->search.passes = passes;
    r->search.stopped = stopped;
    r->search.arg = &a;
    st = auto_fp32_search(&r->search, err);
    progress_end(&a.progress);
    r->done = !st;
    return st ? err_prefix(err, st, "--auto_fp32") : ST_OK;
}

void diff_fp32_free(struct remedy *r)
{
    auto_fp32_free(&r->search);
    free(r->candidates);
    *r = (struct remedy){0};
}
