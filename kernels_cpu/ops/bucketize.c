/* SPDX-License-Identifier: Apache-2.0 */
/* bucketize.c - BUCKETIZE: the number of boundaries that are not above a value. */
#include "kernels_cpu/common/map.h"

struct bucketize {
    struct map_plan plan;
    const float *boundaries; /* ascending */
    int32_t n;
};

/* NaN is above all boundaries: no comparison finds one above it. */
#define BUCKETIZE_ROW(suffix, t)                                                                                                   \
    static inline int32_t bucket_##suffix(t v, const struct bucketize *b)                                                          \
    {                                                                                                                              \
        int32_t lo = 0, hi = b->n;                                                                                                 \
                                                                                                                                   \
        while (lo < hi) {                                                                                                          \
            const int32_t middle = lo + (hi - lo) / 2;                                                                             \
                                                                                                                                   \
            if (v < (t)b->boundaries[middle])                                                                                      \
                hi = middle;                                                                                                       \
            else                                                                                                                   \
                lo = middle + 1;                                                                                                   \
        }                                                                                                                          \
        return lo;                                                                                                                 \
    }                                                                                                                              \
    MAP_ROW(bucketize_##suffix, t, int32_t, const struct bucketize *b = arg, bucket_##suffix(v, b))

BUCKETIZE_ROW(f32, float)
BUCKETIZE_ROW(f64, double)
/* Integers compare with the boundary as a float, as C++ does it. */
MAP_ROW(bucketize_i32, int32_t, int32_t, const struct bucketize *b = arg, bucket_f32((float)v, b))
MAP_ROW(bucketize_i64, int64_t, int32_t, const struct bucketize *b = arg, bucket_f32((float)v, b))

static const map_row rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = bucketize_f32,
    [TYPE_FLOAT64] = bucketize_f64,
    [TYPE_INT32] = bucketize_i32,
    [TYPE_INT64] = bucketize_i64,
};

static enum status bucketize_shape(struct node *n, struct err *err)
{
    n->out[0]->type = TYPE_INT32;
    return shape_same(n, err);
}

static enum status bucketize_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_bucketize *o = c->node->opt;
    const struct tensor *x = c->node->in[0];
    struct bucketize *b;
    enum status st;

    if (!rows[x->type])
        return cpu_bad_type(c->node, x, err);
    for (int i = 1; i < o->num_boundaries; i++)
        if (!(o->boundaries[i - 1] <= o->boundaries[i]))
            return err_set(err, ST_BAD_MODEL, "boundary %d is %g, after %g", i, (double)o->boundaries[i],
                           (double)o->boundaries[i - 1]);
    if ((st = map_plan(c, rows[x->type], sizeof *b, err)))
        return st;
    b = c->packed;
    b->boundaries = o->boundaries;
    b->n = o->num_boundaries;
    return ST_OK;
}

const struct cpu_kernel cpu_bucketize = {
    .arity = {1, 1, 1}, .shape = bucketize_shape, .prepare = bucketize_prepare, .run = map_plan_run};
