/* SPDX-License-Identifier: Apache-2.0 */
/* fix_verify.c - runs of the old and the new model on the same random inputs. */
#include <math.h>
#include <string.h>

#include "lib/graph/index_range.h"
#include "lib/graph/macs.h"
#include "lib/rewrite/fix.h"
#include "lib/session/session.h"
#include "lib/tensor/rng.h"

/* Inputs of the later runs leave the usual range, to where activations bend. */
enum { RUNS = 3 };
#define WIDE 8.0

struct pair {
    struct model *model;
    struct session *old, *new;
    struct fix *fix;
    uint32_t run, runs;
    const struct fix_watch *watch;
    uint64_t done, all; /* nodes that have run, and will have */
    bool forced;        /* tensors of the new side are given their old values as they are made */
    struct err err;
    enum status st; /* of that */
};

/* Fills input i of the old side and copies it to the new one. */
static enum status fill(struct pair *p, uint32_t i, uint32_t run, struct err *err)
{
    const struct tensor *t = session_input(p->old, i);
    struct rng rng = rng_seed(run + 1, i);
    struct rng_range range;
    struct index_range index;
    enum status st = index_range_find(session_graph(p->old), t, &index, err);

    if (st)
        return st;
    if (!rng_default_range(t->type, RNG_UNIFORM, &range))
        return err_set(err, ST_UNSUPPORTED, "input %u %s %s holds no numbers, so the new model cannot be held against the old one",
                       i, t->name, TENSOR_TEXT(t));
    if (index.node) {
        range.int_lo = index.lo;
        range.int_hi = index.hi;
    }
    if (run) {
        range.lo = -WIDE;
        range.hi = WIDE;
    }
    if ((st = rng_fill(&rng, t, RNG_UNIFORM, &range, err)))
        return st;
    return session_set_input(p->new, i, t->data, t->bytes, err);
}

/* The largest distance of two outputs, relative as FIX_TOLERANCE says; 0 where their bits are the same, INFINITY where one cannot
 * be measured. */
static double distance(const struct tensor *a, const struct tensor *b)
{
    const float *x = a->data, *y = b->data;
    double most = 0, largest = 1;

    if (a->type != b->type || !tensor_same_shape(a, b) || a->bytes != b->bytes)
        return INFINITY;
    if (!a->bytes || !memcmp(a->data, b->data, a->bytes))
        return 0;
    if (a->type != TYPE_FLOAT32)
        return INFINITY;
    for (size_t i = 0; i < a->bytes / 4; i++) {
        const double off = fabs((double)x[i] - y[i]);

        if (isnan(x[i]) && isnan(y[i]))
            continue;
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            if (isnan(x[i]) || isnan(y[i]) || x[i] != y[i])
                return INFINITY;
            continue;
        }
        most = fmax(most, off);
        largest = fmax(largest, fabs(x[i]));
    }
    return most / largest;
}

static void compare(struct pair *p, const struct tensor *old, const struct tensor *new, double allowed, double *most,
                    const char *what)
{
    const double off = distance(old, new);

    *most = fmax(*most, off);
    if (p->st || (off <= (p->fix->arithmetic ? allowed : 0) && !isinf(off)))
        return;
    p->st = err_set(&p->err, ST_FAILED, "the rewritten model is not equal: %s %s is off by %g in run %u, where %s", what, old->name,
                    off, p->run,
                    !p->fix->arithmetic        ? "no bit may differ"
                    : allowed == FIX_TOLERANCE ? "1e-06 is allowed"
                                               : "1e-03 is allowed");
}

static void after_node(void *arg, const struct session *s, const struct node *n)
{
    struct pair *p = arg;

    if (p->watch)
        p->watch->see(p->watch->arg, ++p->done, p->all);
    for (uint32_t i = 0; i < n->n_out && p->forced && s == p->new; i++) {
        const struct tensor *t = n->out[i], *old;

        if (!t || t->index >= p->fix->n_tensors || p->fix->old_tensor[t->index] < 0 || t->type == TYPE_STRING)
            continue;
        old = &session_graph(p->old)->tensors[p->fix->old_tensor[t->index]];
        if (!old->data || !t->data || old->is_dynamic || t->is_dynamic || old->type == TYPE_RESOURCE || old->type == TYPE_VARIANT)
            continue;
        compare(p, old, t, FIX_TOLERANCE, &p->fix->max_error, "tensor");
        if (old->bytes == t->bytes && t->bytes)
            memcpy(t->data, old->data, t->bytes);
    }
}

static enum status open_side(struct pair *p, const struct model *m, uint32_t subgraph, struct session **out, struct err *err)
{
    const struct session_options opt = {.num_threads = 1,
                                        .mode = CPU_REFERENCE,
                                        .precision = p->fix->arithmetic ? SESSION_FP64 : SESSION_FP32,
                                        .keep_intermediates = true,
                                        .subgraph = subgraph,
                                        .after_node = after_node,
                                        .after_node_arg = p};
    enum status st = session_new(m, &opt, out, err);

    return st ? st : session_prepare(*out, err);
}

static enum status run_once(struct pair *p, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < session_n_inputs(p->old) && !st; i++)
        st = fill(p, i, p->run, err);
    if (st || (st = session_run(p->old, err)) || (st = session_run(p->new, err)))
        return st;
    for (uint32_t i = 0; i < session_n_outputs(p->old) && !p->forced; i++)
        compare(p, session_output(p->old, i), session_output(p->new, i), FIX_OUTPUT_TOLERANCE, &p->fix->output_error, "output");
    if (p->st)
        *err = p->err;
    return p->st;
}

static enum status run_all(struct pair *p, struct err *err)
{
    enum status st = ST_OK;

    session_reset_variables(p->old);
    session_reset_variables(p->new);
    for (p->run = 0; p->run < p->runs && !st; p->run++)
        st = run_once(p, err);
    return st;
}

static uint32_t nodes_to_run(const struct graph *g, uint64_t *macs)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!g->nodes[i].folded) {
            *macs += node_macs(&g->nodes[i]);
            n++;
        }
    return n;
}

static enum status run_pair(struct pair *p, struct err *err)
{
    uint64_t macs = 0;
    const uint64_t nodes = nodes_to_run(session_graph(p->old), &macs) + nodes_to_run(session_graph(p->new), &macs);
    enum status st = ST_OK;

    if (session_n_inputs(p->old) != session_n_inputs(p->new) || session_n_outputs(p->old) != session_n_outputs(p->new))
        return err_set(err, ST_FAILED, "the rewritten model has %u inputs and %u outputs, not %u and %u", session_n_inputs(p->new),
                       session_n_outputs(p->new), session_n_inputs(p->old), session_n_outputs(p->old));
    p->runs = macs > FIX_LARGE_MACS ? 1 : RUNS;
    p->all = nodes * p->runs * (p->fix->arithmetic ? 2 : 1);
    if ((p->forced = p->fix->arithmetic)) /* of moves every bit of the outputs tells */
        st = run_all(p, err);
    p->forced = false;
    if (st || (st = run_all(p, err)))
        return st;
    p->fix->runs = p->runs;
    return ST_OK;
}

enum status fix_verify(const struct model *m, uint32_t subgraph, struct fix *f, const struct fix_watch *watch, struct err *err)
{
    struct pair p = {.fix = f, .watch = watch};
    enum status st;

    if (!f->file)
        return ST_OK;
    st = model_parse(f->file, f->bytes, "the rewritten model", &p.model, err);
    if (!st && !(st = open_side(&p, m, subgraph, &p.old, err)) && !(st = open_side(&p, p.model, subgraph, &p.new, err)))
        st = run_pair(&p, err);
    session_free(p.old);
    session_free(p.new);
    model_close(p.model);
    return st;
}
