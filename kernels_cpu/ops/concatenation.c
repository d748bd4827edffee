/* SPDX-License-Identifier: Apache-2.0 */
/* concatenation.c - CONCATENATION and PACK: tensors side by side along an axis.
 *
 * UINT8 inputs may have scales of their own and are brought to the output's; the other types are copied as they are. */
#include <math.h>

#include "kernels_cpu/common/move.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/quant/lut.h"

static enum status concatenation_shape(struct node *n, struct err *err)
{
    const struct opt_concatenation *opt = n->opt;
    int32_t dim[TENSOR_MAX_RANK], axis;
    const struct tensor *x;
    int64_t sum = 0;
    enum status st;

    if ((st = shape_arity(n, n->n_in ? n->n_in : 1, n->n_in, 1, err)))
        return st;
    x = n->in[0];
    /* Scalars line up in a vector. */
    if ((st = shape_axis(opt->axis, x->rank ? x->rank : 1, &axis, err)))
        return st;
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        if (t->rank != x->rank)
            return err_set(err, ST_BAD_MODEL, "input %u has rank %d, input 0 has %d", i, t->rank, x->rank);
        for (int32_t d = 0; d < x->rank; d++)
            if (d != axis && t->dim[d] != x->dim[d])
                return err_set(err, ST_BAD_MODEL, "inputs 0 and %u differ in dimension %d (%d and %d), the axis is %d", i, d,
                               x->dim[d], t->dim[d], axis);
        sum += x->rank ? t->dim[axis] : 1;
    }
    if (sum > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "the output would be %lld long along the axis", (long long)sum);
    for (int32_t d = 0; d < x->rank; d++)
        dim[d] = x->dim[d];
    dim[axis] = (int32_t)sum;
    return shape_set(n, 0, dim, x->rank ? x->rank : 1, err);
}

static bool same_quant(const struct tensor *a, const struct tensor *b)
{
    return quant_scale(a) == quant_scale(b) && quant_zero(a) == quant_zero(b);
}

static enum status concatenation_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_concatenation *opt = c->node->opt;
    const struct tensor *y = c->node->out[0];
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->node->n_in && !st; i++) {
        const struct tensor *x = c->node->in[i];

        if ((st = move_same_type(c->node, x, y, err)))
            return st;
        if (y->type == TYPE_INT8 && !same_quant(x, y))
            return err_set(err, ST_BAD_MODEL, "INT8 input %u has scale %g and zero point %d, the output %g and %d", i,
                           (double)quant_scale(x), quant_zero(x), (double)quant_scale(y), quant_zero(y));
        if (y->type == TYPE_UINT8 && !same_quant(x, y) && !(quant_scale(y) > 0))
            return err_set(err, ST_BAD_MODEL, "input %u is to be rescaled, but the output has no scale", i);
    }
    if (opt->activation != ACT_NONE) {
        struct range_f32 range;

        if (y->type != TYPE_FLOAT32)
            return err_set(err, ST_UNSUPPORTED, "a fused activation on %s", type_name(y->type));
        st = activation_range(opt->activation, &range, err);
    }
    return st;
}

/* Copies x into the output's columns from element `at` of each of its `outer` rows on. */
static void place(struct cpu_call *c, const struct tensor *x, struct tensor *y, size_t outer, size_t at)
{
    size_t part = tensor_elems(x) / outer, row = tensor_elems(y) / outer;
    struct move m = {.dst0 = (ptrdiff_t)at};

    move_dim(&m, outer, (ptrdiff_t)row, (ptrdiff_t)part);
    move_dim(&m, part, 1, 1);
    move_run(&m, type_bits(x->type), y->data, x->data, c->threads);
}

/* The same with every element brought to the output's scale, in TFLite's float arithmetic. */
static void place_rescaled(const struct tensor *x, struct tensor *y, size_t outer, size_t at)
{
    size_t part = tensor_elems(x) / outer, row = tensor_elems(y) / outer;
    float scale = quant_scale(x) * (1.0f / quant_scale(y)), bias = (float)-quant_zero(x) * scale;
    uint8_t table[256];

    for (int32_t q = 0; q < 256; q++) {
        float v = roundf((float)q * scale + bias) + (float)quant_zero(y);

        table[q] = v > 0 ? v < 255 ? (uint8_t)v : 255 : 0;
    }
    for (size_t i = 0; i < outer; i++)
        lut8_map(table, (uint8_t *)y->data + i * row + at, (const uint8_t *)x->data + i * part, part);
}

static enum status clamp_output(enum activation activation, struct tensor *y, struct err *err)
{
    size_t elems = tensor_elems(y);
    float *data = y->data;
    struct range_f32 range = {0, 0};
    enum status st = activation_range(activation, &range, err);

    for (size_t i = 0; i < elems && !st; i++)
        data[i] = activation_clamp(data[i], range);
    return st;
}

static enum status concatenation_run(struct cpu_call *c, struct err *err)
{
    const struct opt_concatenation *opt = c->node->opt;
    struct tensor *y = c->node->out[0];
    size_t outer, at = 0;
    int32_t axis;
    enum status st;

    if ((st = shape_axis(opt->axis, y->rank, &axis, err)))
        return st;
    outer = shape_count(y->dim, 0, axis);
    for (uint32_t i = 0; i < c->node->n_in && outer; i++) {
        const struct tensor *x = c->node->in[i];

        if (y->type == TYPE_UINT8 && !same_quant(x, y))
            place_rescaled(x, y, outer, at);
        else
            place(c, x, y, outer, at);
        at += tensor_elems(x) / outer;
    }
    return opt->activation == ACT_NONE ? ST_OK : clamp_output(opt->activation, y, err);
}

static enum status stack_shape(struct node *n, struct err *err)
{
    const struct opt_pack *opt = n->opt;
    int32_t dim[TENSOR_MAX_RANK], axis;
    const struct tensor *x;
    enum status st;

    if (opt->values_count < 1 || (uint32_t)opt->values_count != n->n_in)
        return err_set(err, ST_BAD_MODEL, "the option says %d inputs, the node has %u", opt->values_count, n->n_in);
    if ((st = shape_arity(n, n->n_in, n->n_in, 1, err)))
        return st;
    x = n->in[0];
    if (x->rank == TENSOR_MAX_RANK)
        return err_set(err, ST_UNSUPPORTED, "rank %d cannot grow, the most supported is %d", x->rank, TENSOR_MAX_RANK);
    if ((st = shape_axis(opt->axis, x->rank + 1, &axis, err)))
        return st;
    for (uint32_t i = 1; i < n->n_in; i++)
        if (!tensor_same_shape(x, n->in[i]))
            return err_set(err, ST_BAD_MODEL, "inputs 0 and %u have different shapes", i);
    for (int32_t d = 0; d <= x->rank; d++)
        dim[d] = d < axis ? x->dim[d] : d == axis ? opt->values_count : x->dim[d - 1];
    return shape_set(n, 0, dim, x->rank + 1, err);
}

static enum status stack_prepare(struct cpu_call *c, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->node->n_in && !st; i++)
        st = move_same_type(c->node, c->node->in[i], c->node->out[0], err);
    return st;
}

static enum status stack_run(struct cpu_call *c, struct err *err)
{
    const struct opt_pack *opt = c->node->opt;
    struct tensor *y = c->node->out[0];
    size_t outer, part;
    int32_t axis;
    enum status st = shape_axis(opt->axis, y->rank, &axis, err);

    if (st)
        return st;
    outer = shape_count(y->dim, 0, axis);
    part = shape_count(y->dim, axis + 1, y->rank);
    for (uint32_t i = 0; i < c->node->n_in && outer; i++)
        place(c, c->node->in[i], y, outer, i * part);
    return ST_OK;
}

const struct cpu_kernel cpu_concatenation = {
    .shape = concatenation_shape, .prepare = concatenation_prepare, .run = concatenation_run};
const struct cpu_kernel cpu_stack = {.shape = stack_shape, .prepare = stack_prepare, .run = stack_run};
