/* SPDX-License-Identifier: Apache-2.0 */
/* l2_norm.c - L2_NORMALIZATION over the last dimension. Quantized outputs are in units of 1/128. */
#include <math.h>

#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/quant/quant_check.h"
#include "lib/graph/kernel.h"

static enum status l2_norm_shape(struct node *n, struct err *err)
{
    const struct opt_l2_norm *o = n->opt;

    if (o->activation != ACT_NONE)
        return err_set(err, ST_UNSUPPORTED, "fused activation %d; TFLite has none here", (int)o->activation);
    if (n->in[0]->rank < 1)
        return err_set(err, ST_BAD_MODEL, "a scalar has no last dimension");
    return shape_like(n, 0, n->in[0], err);
}

static enum status l2_norm_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *in = c->node->in[0], *out = c->node->out[0];
    enum status st;

    if (in->type != TYPE_FLOAT32 && in->type != TYPE_INT8 && in->type != TYPE_UINT8)
        return cpu_bad_type(c->node, in, err);
    if (out->type != in->type)
        return cpu_bad_type(c->node, out, err);
    if (in->type == TYPE_FLOAT32)
        return ST_OK;
    if ((st = quant_check(in, err)))
        return st;
    if (quant_scale(out) != 1.0f / 128 || quant_zero(out) != (in->type == TYPE_INT8 ? 0 : 128))
        return err_set(err, ST_BAD_MODEL, "the output must have scale 1/128 and its zero point in the middle, not %g and %d",
                       (double)quant_scale(out), (int)quant_zero(out));
    return ST_OK;
}

static void row_f32(const float *x, float *y, size_t depth)
{
    const float smallest = 1e-6f; /* a row of zeros stays one */
    float sum = 0, norm;

    for (size_t i = 0; i < depth; i++)
        sum += x[i] * x[i];
    norm = sqrtf(sum);
    norm = norm < smallest ? smallest : norm;
    for (size_t i = 0; i < depth; i++)
        y[i] = x[i] / norm;
}

static void row_f64(const float *x, float *y, size_t depth)
{
    double sum = 0, norm;

    for (size_t i = 0; i < depth; i++)
        sum += (double)x[i] * (double)x[i];
    norm = fmax(sqrt(sum), 1e-6);
    for (size_t i = 0; i < depth; i++)
        y[i] = (float)((double)x[i] / norm);
}

static void row_int8(const int8_t *x, int8_t *y, size_t depth, int32_t zero)
{
    uint32_t sum = 0;
    struct fixed_mul m;

    for (size_t i = 0; i < depth; i++)
        sum += (uint32_t)((x[i] - zero) * (x[i] - zero));
    m = fixed_inv_sqrt((int32_t)sum);
    m.shift += 7;
    for (size_t i = 0; i < depth; i++)
        y[i] = (int8_t)fixed_clamp(fixed_scale(x[i] - zero, m), INT8_MIN, INT8_MAX);
}

static void row_uint8(const uint8_t *x, uint8_t *y, size_t depth, int32_t zero)
{
    uint32_t sum = 0;
    struct fixed_mul m;

    for (size_t i = 0; i < depth; i++)
        sum += (uint32_t)((x[i] - zero) * (x[i] - zero));
    m = fixed_inv_sqrt((int32_t)sum);
    for (size_t i = 0; i < depth; i++)
        y[i] = (uint8_t)fixed_clamp(128 + fixed_scale(128 * (x[i] - zero), m), 0, UINT8_MAX);
}

static void rows_run(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct tensor *in = c->node->in[0], *out = c->node->out[0];
    const size_t depth = (size_t)in->dim[in->rank - 1];

    for (size_t row = begin * depth; row < end * depth; row += depth) {
        if (in->type == TYPE_FLOAT32)
            (c->double_sums ? row_f64 : row_f32)((const float *)in->data + row, (float *)out->data + row, depth);
        else if (in->type == TYPE_INT8)
            row_int8((const int8_t *)in->data + row, (int8_t *)out->data + row, depth, quant_zero(in));
        else
            row_uint8((const uint8_t *)in->data + row, (uint8_t *)out->data + row, depth, quant_zero(in));
    }
}

static void l2_norm_run(struct cpu_call *c)
{
    const struct tensor *in = c->node->in[0];
    const size_t depth = (size_t)in->dim[in->rank - 1], elems = tensor_elems(in);

    if (elems)
        threads_for(c->threads, elems / depth, 16384 / depth + 1, rows_run, c);
}

const struct cpu_kernel cpu_l2_norm = {
    .arity = {1, 1, 1}, .shape = l2_norm_shape, .prepare = l2_norm_prepare, .compute = l2_norm_run};
