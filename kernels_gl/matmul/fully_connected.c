/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected.c - FULLY_CONNECTED on GL: a 1x1 convolution over as many pixels as the input has rows; with a filter that is
 * computed at run time a product of matrices. */
#include <string.h>

#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/quant/requantize.h"
#include "lib/gl/codegen/shader.h"
#include "lib/gl/ir/kernel.h"
#include "lib/gl/lower/exact.h"

/* ---- products of rows with 4-bit weights in blocks: packing and variant ---- */

#define EIGHT 8 /* channels in a word */

struct block_rows {
    const struct tensor *filter, *scales;
    const float *bias;
};

static size_t slices_of(const struct block_rows *r)
{
    return ((size_t)r->filter->dim[0] + 3) / 4;
}

static size_t blocks_of(const struct block_rows *r)
{
    return (size_t)(r->filter->dim[1] / r->filter->quant.block_size);
}

static float scale_of(const struct block_rows *r, size_t i)
{
    const void *data = r->scales->data;

    return r->scales->type == TYPE_FLOAT16 ? half_to_float(((const uint16_t *)data)[i]) : ((const float *)data)[i];
}

/* Vector k of a slice's head: its biases, or the scales of a block; 0 beyond the last channel. */
static float head_number(const struct block_rows *r, size_t k, size_t out)
{
    if (out >= (size_t)r->filter->dim[0])
        return 0;
    if (k == 0)
        return r->bias ? r->bias[out] : 0;
    return scale_of(r, out * blocks_of(r) + k - 1);
}

static int32_t word_of(const struct block_rows *r, size_t out, size_t eight)
{
    uint32_t word = 0;

    for (size_t i = 0; out < (size_t)r->filter->dim[0] && i < EIGHT; i++)
        word |= ((uint32_t)tensor_int(r->filter, out * (size_t)r->filter->dim[1] + eight * EIGHT + i) & 15) << (4 * i);
    return (int32_t)word;
}

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct block_rows *r = arg;
    const size_t each = 1 + blocks_of(r), head = slices_of(r) * each, eights = (size_t)r->filter->dim[1] / EIGHT;
    int32_t *v = to;

    for (size_t k = first; k < first + n; k++)
        for (size_t lane = 0; lane < 4; lane++, v++) {
            if (k < head) {
                const float f = head_number(r, k % each, 4 * (k / each) + lane);

                memcpy(v, &f, sizeof f);
            } else {
                *v = word_of(r, 4 * ((k - head) / eights) + lane, (k - head) % eights);
            }
        }
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct block_rows *r = op->attr;
    const size_t head = slices_of(r) * (1 + blocks_of(r)), words = slices_of(r) * ((size_t)r->filter->dim[1] / EIGHT);

    gl_source(p, block_rows_comp);
    gl_operands(p, "x");
    gl_table_packed(p, "t", head + words, words, pack, r, sizeof *r);
    GL_PARAMS(p, "HEAD BLOCKS EIGHTS", (int32_t)head, (int32_t)blocks_of(r), r->filter->quant.block_size / EIGHT);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct block_rows *r = op->attr;

    return GL_PASSES(blocks_of(r), (uint64_t)(r->filter->quant.block_size / EIGHT));
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_block_rows = {.name = "block_rows", .constants = 1, GL_VARIANTS(variants)};

/* Return true if the filter [out][in] can be stored as 4 bits on the device: INT4, with blocks of a multiple of eight channels. */
static bool block_rows_takes(const struct tensor *filter)
{
    return filter->type == TYPE_INT4 && filter->quant.block_size > 0 && filter->quant.block_size % EIGHT == 0;
}

/* Append y = x times such a filter, plus bias [out] or NULL. The ir borrows filter and bias. NULL if memory runs out. */
static struct ir_op *ir_block_rows(struct ir *ir, struct ir_value *x, const struct tensor *filter, const float *bias,
                                   struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_block_rows, IR_INS(x), y,
                      IR_ATTR(struct block_rows, filter, &ir->graph->tensors[filter->quant.block_scales], bias));
}

/* ---- the operator ---- */

/* The bias is floats that are computed at run time. */
static bool adds_value(const struct node *n)
{
    return ir_has_in(n, 2) && !n->in[2]->is_const && n->in[2]->type == TYPE_FLOAT32 && n->in[0]->type == TYPE_FLOAT32;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_fully_connected *o = n->opt;
    const struct tensor *w = node_in(n, 1);
    struct err err = {""};

    (void)lim;
    if (n->n_out > 1) /* weights in TFLite's own order */
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "has %u outputs instead of 1", n->n_out);
    if (!gl_runtime(n, 0, "input", why))
        return false;
    if (!w->is_const && (w->type != TYPE_FLOAT32 || n->in[0]->type != TYPE_FLOAT32))
        return gl_constant(n, 1, "filter", why);
    if (w->is_const && ir_has_in(n, 2) && !adds_value(n) && !gl_constant(n, 2, "bias", why))
        return false;
    if (o->weights_format != FC_WEIGHTS_DEFAULT)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "weights format %d", (int)o->weights_format);
    if (w->rank != 2 || tensor_elems(w) == 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "the filter is %s instead of [out,in]", TENSOR_TEXT(w));
    if (fc_stored(n) && fc_stored_check(n, (struct fc_shape){.units = (size_t)w->dim[0], .depth = (size_t)w->dim[1]}, &err))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%s", err.msg);
    return gl_activation(o->activation, why);
}

static bool add_bias(struct ir *ir, const struct node *n, struct ir_op *op)
{
    struct ir_value *bias = ir_reshaped(ir, ir_in(ir, n, 2), (struct ir_shape){1, 1, 1, n->in[1]->dim[0]});

    return bias && ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, bias}, NULL, IR_FLOAT);
}

static enum status lower_product(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_fully_connected *o = n->opt;
    const int32_t *w = n->in[1]->dim; /* [out,in] */
    const int32_t rows = (int32_t)(tensor_elems(n->out[0]) / (size_t)w[0]);
    struct ir_value *x = ir_reshaped(ir, ir_in(ir, n, 0), (struct ir_shape){1, 1, rows, w[1]}), *y = ir_out(ir, n, 0);
    struct ir_value *natural = ir_begin_reshape(ir, y, (struct ir_shape){1, 1, rows, w[0]});
    struct ir_op *op = ir_rows_product(ir, x, ir_in(ir, n, 1), natural);

    if (!op || (ir_has_in(n, 2) && !add_bias(ir, n, op)))
        return ir_nomem(err);
    return ir_activation(ir, op, o->activation) && ir_end_reshape(ir, natural, y) ? ST_OK : ir_nomem(err);
}

static enum status lower_plain(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_fully_connected *o = n->opt;
    const struct ir_window one = {.kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1};
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct ir_shape rows;
    enum activation act = o->activation;
    const float *bias = NULL;
    struct ir_op *op;
    enum status st;

    if (!n->in[1]->is_const)
        return lower_product(ir, n, err);
    st = requantize_sum(ir, n, n->in[0], n->in[1], &act, err);
    if (st || (!adds_value(n) && (st = window_bias(ir, n, &bias, err))))
        return st;
    if (!x || !y)
        return ir_nomem(err);
    rows = y->shape;
    rows.c = n->in[1]->dim[1];
    if (!ir_same_shape(rows, x->shape) || ir_moves_batch(ir, n->in[0], n->out[0])) {
        struct ir_value *flat = ir_temp(ir, x->type, rows);
        struct ir_op *reshape = ir_reshape(ir, x, flat);

        if (!reshape)
            return ir_nomem(err);
        reshape->moves_batch = ir_moves_batch(ir, n->in[0], n->out[0]);
        x = flat;
    }
    op = block_rows_takes(n->in[1]) ? ir_block_rows(ir, x, n->in[1], bias, y)
                                    : ir_conv(ir, x, &one, requantize_filter(ir, n->in[1]), bias, y);
    if (!op || (adds_value(n) && !add_bias(ir, n, op)))
        return ir_nomem(err);
    return ir_activation(ir, op, act) ? ST_OK : ir_nomem(err);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *w = n->in[1];
    struct fc_plain_node *plain;
    void *data;

    if (!fc_stored(n))
        return lower_plain(ir, n, err);
    if (!(plain = ARENA_NEW(ir->arena, struct fc_plain_node)) || !(data = arena_alloc(ir->arena, w->bytes, 1)))
        return ir_nomem(err);
    fc_plain_node(n, (struct fc_shape){.units = (size_t)w->dim[0], .depth = (size_t)w->dim[1]}, data, plain);
    return lower_plain(ir, &plain->node, err);
}

/* What TensorFlow Lite scales in fixed point, and what is made at run time, is multiplied as integers. */
bool gl_reals_fully_connected(const struct node *n)
{
    return gl_reals_product(n) && !fc_stored(n);
}

const struct gl_kernel gl_fully_connected = {
    .max_version = 14, .quantized = TAKES_QUANTIZED, .reads_sparse = true, .accept = accept, .lower = lower};
