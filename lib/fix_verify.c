/* SPDX-License-Identifier: Apache-2.0 */
/* fix_verify.c - old and new model side by side on random inputs. */
#include <math.h>
#include <string.h>

#include "fix.h"
#include "index_range.h"
#include "rng.h"
#include "session.h"

/* Inputs of the later runs leave the usual range, to where activations bend. */
enum { RUNS = 3 };
#define WIDE 8.0

struct pair {
    struct model *model;
    struct session *old, *new;
};

static enum status open_side(const struct model *m, uint32_t subgraph, bool in_double, struct session **out, struct err *err)
{
    const struct session_options opt = {
        .num_threads = 1, .mode = CPU_REFERENCE, .precision = in_double ? SESSION_FP64 : SESSION_FP32, .subgraph = subgraph};
    enum status st = session_new(m, &opt, out, err);

    return st ? st : session_prepare(*out, err);
}

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
        if (!(isfinite(x[i]) && isfinite(y[i]))) {
            if (memcmp(&x[i], &y[i], 4) != 0)
                return INFINITY;
            continue;
        }
        most = fmax(most, off);
        largest = fmax(largest, fabs(x[i]));
    }
    return most / largest;
}

static enum status run_once(struct pair *p, uint32_t run, struct fix *f, struct err *err)
{
    enum status st = ST_OK;

    if (session_n_inputs(p->old) != session_n_inputs(p->new) || session_n_outputs(p->old) != session_n_outputs(p->new))
        return err_set(err, ST_FAILED, "the rewritten model has %u inputs and %u outputs, not %u and %u", session_n_inputs(p->new),
                       session_n_outputs(p->new), session_n_inputs(p->old), session_n_outputs(p->old));
    for (uint32_t i = 0; i < session_n_inputs(p->old) && !st; i++)
        st = fill(p, i, run, err);
    if (st || (st = session_run(p->old, err)) || (st = session_run(p->new, err)))
        return st;
    for (uint32_t i = 0; i < session_n_outputs(p->old); i++) {
        const double off = distance(session_output(p->old, i), session_output(p->new, i));

        f->max_error = fmax(f->max_error, off);
        if (off > (f->arithmetic ? FIX_TOLERANCE : 0) || isinf(off))
            return err_set(err, ST_FAILED, "the rewritten model is not equal: output %u %s is off by %g in run %u, where %s", i,
                           session_output(p->old, i)->name, off, run, f->arithmetic ? "1e-06 is allowed" : "no bit may differ");
    }
    return ST_OK;
}

enum status fix_verify(const struct model *m, uint32_t subgraph, struct fix *f, struct err *err)
{
    struct pair p = {0};
    enum status st;

    if (!f->file)
        return ST_OK;
    st = model_parse(f->file, f->bytes, "the rewritten model", &p.model, err);
    if (!st && !(st = open_side(m, subgraph, f->arithmetic, &p.old, err)))
        st = open_side(p.model, subgraph, f->arithmetic, &p.new, err);
    for (uint32_t run = 0; run < RUNS && !st; run++)
        if (!(st = run_once(&p, run, f, err)))
            f->runs++;
    session_free(p.old);
    session_free(p.new);
    model_close(p.model);
    return st;
}
