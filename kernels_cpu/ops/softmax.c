/* SPDX-License-Identifier: Apache-2.0 */
/* softmax.c - SOFTMAX and LOG_SOFTMAX over the last dimension: shape, types, float rows. */
#include "kernels_cpu/ops/softmax.h"

#include <float.h>
#include <math.h>

#include "kernels_cpu/common/fast_math.h"

enum { LANES = 16 };
typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef float unaligned_lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lane_mask __attribute__((vector_size(4 * LANES)));

static enum status softmax_shape(struct node *n, struct err *err)
{
    if (n->in[0]->rank < 1)
        return err_set(err, ST_BAD_MODEL, "a scalar has no last dimension");
    return shape_like(n, 0, n->in[0], err);
}

/* The largest element; NaN never wins, as in TFLite. */
static float row_max(const float *x, size_t n)
{
    float max = -FLT_MAX;

    for (size_t i = 0; i < n; i++)
        max = max < x[i] ? x[i] : max;
    return max;
}

static void softmax_f32(const struct softmax_plan *p, const void *from, void *to, size_t depth)
{
    const float *x = from;
    float *y = to, max = row_max(x, depth), sum = 0;

    for (size_t i = 0; i < depth; i++) {
        y[i] = expf((x[i] - max) * p->beta);
        sum += y[i];
    }
    for (size_t i = 0; i < depth; i++)
        y[i] /= sum;
}

static void softmax_f64(const struct softmax_plan *p, const void *from, void *to, size_t depth)
{
    const float *x = from;
    const double max = (double)row_max(x, depth), beta = (double)p->beta;
    float *y = to;
    double sum = 0;

    for (size_t i = 0; i < depth; i++)
        sum += exp(((double)x[i] - max) * beta);
    for (size_t i = 0; i < depth; i++)
        y[i] = (float)(exp(((double)x[i] - max) * beta) / sum);
}

static void log_softmax_f64(const struct softmax_plan *p, const void *from, void *to, size_t depth)
{
    const float *x = from;
    const double max = (double)row_max(x, depth);
    float *y = to;
    double sum = 0;

    (void)p;
    for (size_t i = 0; i < depth; i++)
        sum += exp((double)x[i] - max);
    for (size_t i = 0; i < depth; i++)
        y[i] = (float)((double)x[i] - max - log(sum));
}

/* The sum is that of the exponentials before they are rounded. */
static void softmax_f16(const struct softmax_plan *p, const void *from, void *to, size_t depth)
{
    const uint16_t *x = from;
    uint16_t *y = to;
    float max = -FLT_MAX, sum = 0;

    for (size_t i = 0; i < depth; i++)
        max = max < half_to_float(x[i]) ? half_to_float(x[i]) : max;
    for (size_t i = 0; i < depth; i++) {
        const float e = expf((half_to_float(x[i]) - max) * p->beta);

        y[i] = half_from_float(e);
        sum += e;
    }
    for (size_t i = 0; i < depth; i++)
        y[i] = half_from_float(half_to_float(y[i]) / sum);
}

static void log_softmax_f32(const struct softmax_plan *p, const void *from, void *to, size_t depth)
{
    const float *x = from;
    float *y = to, max = row_max(x, depth), sum = 0, log_sum;

    (void)p;
    for (size_t i = 0; i < depth; i++)
        sum += expf(x[i] - max);
    log_sum = logf(sum);
    for (size_t i = 0; i < depth; i++)
        y[i] = x[i] - max - log_sum;
}

/* The largest element, in LANES columns; the order shows in no result. */
FAST_FN float row_max_lanes(const float *x, size_t n)
{
    lanes max = (lanes){0} - FLT_MAX;
    float of[LANES];
    size_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        const lanes v = *(const unaligned_lanes *)(x + i);
        const lane_mask less = max < v;

        max = (lanes)(((lane_mask)v & less) | ((lane_mask)max & ~less));
    }
    memcpy(of, &max, sizeof of);
    return fmaxf(row_max(of, LANES), row_max(x + i, n - i));
}

FAST_FN float row_sum_lanes(const float *x, size_t n)
{
    lanes sum = {0};
    float total = 0;
    size_t i = 0;

    for (; i + LANES <= n; i += LANES)
        sum += *(const unaligned_lanes *)(x + i);
    for (int k = 0; k < LANES; k++)
        total += sum[k];
    for (; i < n; i++)
        total += x[i];
    return total;
}

CLONES static void softmax_fast(const struct softmax_plan *p, const void *from, void *to, size_t depth)
{
    const float *x = from, beta = p->beta, max = row_max_lanes(x, depth);
    float *y = to, sum;

    for (size_t i = 0; i < depth; i++)
        y[i] = fast_exp((x[i] - max) * beta);
    sum = row_sum_lanes(y, depth);
    for (size_t i = 0; i < depth; i++)
        y[i] /= sum;
}

static bool is_all(const struct node *n, enum tensor_type type)
{
    return n->in[0]->type == type && n->out[0]->type == type;
}

static enum status softmax_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_softmax *o = c->node->opt;
    struct softmax_plan *p;
    enum status st = cpu_pack(c, sizeof *p, err);

    if (st)
        return st;
    p = c->packed;
    p->row = c->double_sums ? softmax_f64 : c->mode == CPU_FAST ? softmax_fast : softmax_f32;
    if (is_all(c->node, TYPE_FLOAT16))
        p->row = softmax_f16;
    p->beta = o->beta;
    return p->row == softmax_f16 || is_all(c->node, TYPE_FLOAT32) ? ST_OK : softmax_quant_init(p, c->node, o->beta, err);
}

static enum status log_softmax_prepare(struct cpu_call *c, struct err *err)
{
    struct softmax_plan *p;
    enum status st = cpu_pack(c, sizeof *p, err);

    if (st)
        return st;
    p = c->packed;
    p->row = c->double_sums ? log_softmax_f64 : log_softmax_f32;
    return is_all(c->node, TYPE_FLOAT32) ? ST_OK : log_softmax_quant_init(p, c->node, err);
}

static void rows_run(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct softmax_plan *p = c->packed;
    const struct tensor *in = c->node->in[0], *out = c->node->out[0];
    size_t depth = (size_t)in->dim[in->rank - 1];

    for (size_t row = begin; row < end; row++)
        p->row(p, (const char *)in->data + row * depth * (type_bits(in->type) / 8),
               (char *)out->data + row * depth * (type_bits(out->type) / 8), depth);
}

static void softmax_run(struct cpu_call *c)
{
    const struct tensor *in = c->node->in[0];
    size_t depth = (size_t)in->dim[in->rank - 1], elems = tensor_elems(in);

    if (elems)
        threads_for(c->threads, elems / depth, 1 + 4096 / depth, rows_run, c);
}

const struct cpu_kernel cpu_softmax = {
    .arity = {1, 1, 1}, .shape = softmax_shape, .prepare = softmax_prepare, .compute = softmax_run};
const struct cpu_kernel cpu_log_softmax = {
    .arity = {1, 1, 1}, .shape = softmax_shape, .prepare = log_softmax_prepare, .compute = softmax_run};
