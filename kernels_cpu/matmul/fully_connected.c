/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected.c - FULLY_CONNECTED: shape, checks, and the choice of implementation by type. */
#include <string.h>

#include "kernels_cpu/matmul/fully_connected.h"
#include "lib/graph/macs.h"

/* Store the number of input rows of `depth` elements in *rows; if depth is 0, the product of all dimensions but the last. */
static enum status rows_count(const struct tensor *input, int32_t depth, int32_t *rows, struct err *err)
{
    size_t elems = tensor_elems(input);
    int64_t n = 1;

    if (depth && (elems % (size_t)depth || elems / (size_t)depth > INT32_MAX))
        return err_set(err, ST_BAD_MODEL, "%zu input elements are no rows of %d", elems, (int)depth);
    for (int32_t i = 0; !depth && i < input->rank - 1; i++)
        if ((n *= input->dim[i]) > INT32_MAX)
            return err_set(err, ST_BAD_MODEL, "%s has too many rows", TENSOR_TEXT(input));
    *rows = depth ? (int32_t)(elems / (size_t)depth) : (int32_t)n;
    return ST_OK;
}

static enum status fc_shape(struct node *n, struct err *err)
{
    const struct opt_fully_connected *o = n->opt;
    const struct tensor *input = node_in(n, FC_INPUT), *filter = node_in(n, FC_FILTER), *bias = node_in(n, FC_BIAS);
    enum status st = shape_arity(n, 2, 3, o->weights_format == FC_WEIGHTS_DEFAULT ? 1 : 2, err);
    int32_t dim[TENSOR_MAX_RANK], units, depth, rows = 0;

    if (st)
        return st;
    if (filter->rank != 2)
        return err_set(err, ST_BAD_MODEL, "the filter must be [units, depth], not %s", TENSOR_TEXT(filter));
    units = filter->dim[0];
    depth = filter->dim[1];
    if (bias && tensor_elems(bias) != (size_t)units)
        return err_set(err, ST_BAD_MODEL, "%zu bias values for %d units", tensor_elems(bias), (int)units);
    if ((st = rows_count(input, depth, &rows, err)))
        return st;
    if (o->weights_format != FC_WEIGHTS_DEFAULT && (st = shape_set(n, 1, (int32_t[]){rows, depth}, 2, err)))
        return st;
    if (!o->keep_num_dims)
        return shape_set(n, 0, (int32_t[]){rows, units}, 2, err);
    if (input->rank < 1 || input->dim[input->rank - 1] != depth)
        return err_set(err, ST_BAD_MODEL, "the filter's depth is %d, the input %s", (int)depth, TENSOR_TEXT(input));
    memcpy(dim, input->dim, sizeof dim);
    dim[input->rank - 1] = units;
    return shape_set(n, 0, dim, input->rank, err);
}

static bool filter_ok(enum tensor_type input, enum tensor_type filter)
{
    bool small = filter == TYPE_INT8 || filter == TYPE_INT4 || filter == TYPE_INT2;

    switch (input) {
    case TYPE_FLOAT32: return filter == TYPE_FLOAT32 || filter == TYPE_UINT8 || small;
    case TYPE_UINT8: return filter == TYPE_UINT8;
    case TYPE_INT8: return small;
    default: return small || filter == TYPE_INT16;
    }
}

/* A depth of 0: TFLite writes zeros, and no bias. */

static void nothing_run(struct cpu_call *c)
{
    struct tensor *output = c->node->out[0];

    if (output->bytes)
        memset(output->data, 0, output->bytes);
}

static bool output_ok(enum tensor_type input, enum tensor_type output)
{
    return output == input || (input == TYPE_UINT8 && output == TYPE_INT16);
}

static bool bias_ok(enum tensor_type input, enum tensor_type bias)
{
    if (input == TYPE_FLOAT32)
        return bias == TYPE_FLOAT32;
    return bias == TYPE_INT32 || (bias == TYPE_INT64 && input == TYPE_INT16);
}

static enum status fc_choose(const struct cpu_call *c, const struct fc_impl **impl, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *input = n->in[FC_INPUT], *filter = n->in[FC_FILTER], *bias = node_in(n, FC_BIAS);

    if (input->type != TYPE_FLOAT32 && input->type != TYPE_UINT8 && input->type != TYPE_INT8 && input->type != TYPE_INT16)
        return cpu_bad_type(n, input, err);
    if (!filter_ok(input->type, filter->type))
        return cpu_bad_type(n, filter, err);
    if (bias && !bias_ok(input->type, bias->type))
        return cpu_bad_type(n, bias, err);
    if (!output_ok(input->type, n->out[0]->type))
        return cpu_bad_type(n, n->out[0], err);
    if (input->type == TYPE_FLOAT32 && filter->type == TYPE_INT4 && filter->quant.block_size)
        *impl = &fc_blockwise;
    else if (c->mode == CPU_REFERENCE)
        *impl = &fc_plain;
    else
        *impl = input->type != TYPE_FLOAT32 ? &fc_quant : filter->type == TYPE_FLOAT32 ? &fc_f32 : &fc_hybrid;
    return ST_OK;
}

/* Of integers: fc_stored_check takes no others. */
static void shuffled_run(struct cpu_call *c)
{
    fc_shuffle_input(c);
    (c->mode == CPU_REFERENCE ? &fc_plain : &fc_quant)->compute(c);
}

static enum status fc_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *filter = n->in[FC_FILTER], *bias = node_in(n, FC_BIAS);
    const struct fc_impl *impl = NULL;
    struct fc_shape s = {.units = (size_t)filter->dim[0], .depth = (size_t)filter->dim[1]};
    enum status st = fc_choose(c, &impl, err);

    if (st)
        return st;
    if (n->in[FC_INPUT]->sparsity || (bias && bias->sparsity))
        return err_set(err, ST_UNSUPPORTED, "the input or the bias is a sparse constant");
    c->compute = !s.depth ? nothing_run : n->n_out > 1 ? shuffled_run : impl->compute;
    if (!s.depth)
        return ST_OK;
    s.batch = tensor_elems(n->in[FC_INPUT]) / s.depth;
    return fc_stored(n) ? fc_stored_prepare(c, s, impl, err) : impl->prepare(c, s, err);
}

struct gemm fc_gemm(const struct fc_shape *s, const struct gemm_isa *isa, size_t x_bytes, size_t y_bytes)
{
    static const size_t zero;

    return (struct gemm){
        .isa = isa,
        .rows = 1,
        .cols = s->batch,
        .x_col = s->depth * x_bytes,
        .y_col = s->units * y_bytes,
        .channels = s->units,
        .depth = s->depth,
        .taps = 1,
        .tap_x = &zero,
        .tap_w = &zero,
        .w_taps = 1,
    };
}

const struct cpu_kernel cpu_fully_connected = {
    .shape = fc_shape,
    .prepare = fc_prepare,
    .macs = macs_fully_connected,
    .prepare_by_shape = true,
    .reads_sparse = true,
};
