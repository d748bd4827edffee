/* SPDX-License-Identifier: Apache-2.0 */
/* diff_fp32.c - which nodes a delegate has to keep in float32, or to leave to the CPU: trial after trial, each with a delegate of
 * its own.
 */
#include "cmd/diff/inference_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/print/progress.h"
#include "lib/base/clock.h"
#include "lib/compare/half_rank.h"

#define FLAG_ENDS "_fp32_nodes"

/* How long nodes are put in order; what was not looked at by then comes last. */
#define RANK_MAX_SECS 60

struct attempt {
    struct comparison *c;
    const struct delegate_choice *choice;
    const struct flag *flag; /* which names nodes in float32; NULL: it has none */
    const char *all;         /* for it, all candidates */
    const char *cpu_given;   /* --no_delegate_nodes of the command line; "" */
    uint64_t began_ns;
    struct progress progress;
};

static const struct delegate_choice *choice_of(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->tool.delegates.n_choices; i++)
        if (delegates_uses(&c->tool.delegates.choices[i]))
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

static const char *text_in(const void *options, const struct flag *f)
{
    return *(const char *const *)((const char *)options + f->offset);
}

/* What the command line has for the flag, and these nodes. */
static const char *whole_list(struct arena *arena, const char *given, const uint32_t *nodes, uint32_t n)
{
    const char *list = auto_fp32_list(arena, nodes, n);

    return !list || !*given ? list : arena_printf(arena, "%s%s%s", given, n ? "," : "", list);
}

/* fp32: of nodes in float32, for a->flag where there is one; cpu: of those that are not delegated. */
static enum status try_on(struct attempt *a, const char *fp32, const char *cpu, bool *pass, struct err *err)
{
    struct comparison *c = a->c;
    struct delegate *d = NULL;
    struct session_options opt;
    struct trial t = {0};
    enum status st = delegates_open_as(&c->tool.delegates, a->choice, fp32 && *fp32 ? a->flag : NULL, fp32, &d, err);

    if (!st) {
        d->warn = NULL; /* of lists that are tried, not of what was asked for */
        opt = comparison_options(c, d);
        opt.keep_intermediates = false;
        opt.partition.cpu_nodes = cpu;
        st = comparison_try(c, &opt, 1, &t, err);
        *pass = t.verdict.outputs_passed;
        if (!st && *pass)
            c->remedy.max_error = session_diff_max_abs(&t.diff);
    }
    trial_free(&t);
    delegate_close(d);
    if (!st && interrupted()) /* not all runs were made */
        return ST_LATER;
    if (!st)
        progress_show(&a->progress, ++c->remedy.trials, (double)(clock_ns() - a->began_ns) / 1e9);
    return st;
}

static enum status no_room(uint32_t n, struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for a list of %u nodes", n);
}

static enum status passes_in_fp32(void *arg, const uint32_t *nodes, uint32_t n, bool *pass, struct err *err)
{
    struct attempt *a = arg;
    struct remedy *r = &a->c->remedy;
    const char *list = whole_list(&r->search.arena, r->given, nodes, n);
    enum status st = list ? try_on(a, list, r->cpu_list ? r->cpu_list : a->cpu_given, pass, err) : no_room(n, err);

    if (!st && *pass)
        r->list = list;
    return st;
}

static enum status passes_on_cpu(void *arg, const uint32_t *nodes, uint32_t n, bool *pass, struct err *err)
{
    struct attempt *a = arg;
    struct remedy *r = &a->c->remedy;
    const char *list = whole_list(&r->on_cpu.arena, a->cpu_given, nodes, n);
    enum status st = list ? try_on(a, a->all, list, pass, err) : no_room(n, err);

    if (!st && *pass)
        r->cpu_list = list;
    return st;
}

static bool stopped(void *arg)
{
    (void)arg;
    return interrupted();
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
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
                                        .subgraph = c->tool.subgraph,
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

static enum status search_fp32(struct attempt *a, struct err *err)
{
    struct remedy *r = &a->c->remedy;

    auto_fp32_free(&r->search);
    r->search.max_runs = REMEDY_MAX_RUNS;
    r->search.passes = passes_in_fp32;
    r->search.stopped = stopped;
    r->search.arg = a;
    return auto_fp32_search(&r->search, err);
}

/* Nothing says which node to suspect: in their order. */
static enum status search_cpu(struct attempt *a, struct err *err)
{
    struct comparison *c = a->c;
    struct remedy *r = &c->remedy;
    const struct graph *g = session_graph(c->test.session);
    const struct partitioning *p = session_partitioning(c->test.session);

    r->on_cpu.max_runs = REMEDY_MAX_RUNS;
    r->on_cpu.passes = passes_on_cpu;
    r->on_cpu.stopped = stopped;
    r->on_cpu.arg = a;
    if (!(r->cpu_candidates = calloc((size_t)g->n_nodes + 1, sizeof *r->cpu_candidates)))
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (p->part_of[i] >= 0)
            r->cpu_candidates[r->on_cpu.n_candidates++] = g->nodes[i].index;
    qsort(r->cpu_candidates, r->on_cpu.n_candidates, sizeof *r->cpu_candidates, ascending);
    r->on_cpu.candidates = r->cpu_candidates;
    r->tried_cpu = true;
    return auto_fp32_search(&r->on_cpu, err);
}

/* What float32 does not repair may be wrong by itself. With that on the CPU less may have to be in float32. */
static enum status search(struct attempt *a, struct err *err)
{
    struct remedy *r = &a->c->remedy;
    enum status st;

    if (a->flag && ((st = search_fp32(a, err)) || r->search.end != AUTO_FP32_NOT_ENOUGH))
        return st;
    if (a->flag && !(a->all = whole_list(&r->on_cpu.arena, r->given, r->candidates, r->search.n_candidates)))
        return no_room(r->search.n_candidates, err);
    st = search_cpu(a, err);
    if (!st && a->flag && r->cpu_list)
        st = search_fp32(a, err);
    if (!r->list && r->cpu_list) /* ended early: with all of them it passed */
        r->list = a->all;
    return st;
}

enum status diff_fp32_run(struct comparison *c, struct err *err)
{
    struct remedy *r = &c->remedy;
    struct attempt a = {.c = c,
                        .choice = choice_of(c),
                        .cpu_given = c->flags.partition.cpu_nodes,
                        .began_ns = clock_ns(),
                        .progress = {.what = "auto_fp32", .max_secs = INFINITY}};
    enum status st;

    if (!c->flags.auto_fp32 || !c->test.assignment.n_delegated || !c->why.looked)
        return ST_OK;
    a.flag = flag_of(a.choice);
    r->flag = a.flag ? a.flag->name : NULL;
    r->given = a.flag && text_in(a.choice->options, a.flag) ? text_in(a.choice->options, a.flag) : "";
    r->max_error = NAN;
    if (a.flag && (st = rank(c, err)))
        return st == ST_LATER ? ST_OK : st;
    st = search(&a, err);
    progress_end(&a.progress);
    r->done = !st;
    return st ? err_prefix(err, st, "--auto_fp32") : ST_OK;
}

void diff_fp32_free(struct remedy *r)
{
    auto_fp32_free(&r->search);
    auto_fp32_free(&r->on_cpu);
    free(r->candidates);
    free(r->cpu_candidates);
    *r = (struct remedy){0};
}
