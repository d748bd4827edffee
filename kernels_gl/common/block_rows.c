/* SPDX-License-Identifier: Apache-2.0 */
/* block_rows.c - products of rows with 4-bit weights in blocks: packing and variant. */
#include "kernels_gl/common/block_rows.h"

#include <string.h>

#include "lib/gl/codegen/shader.h"

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

bool block_rows_takes(const struct tensor *filter)
{
    return filter->type == TYPE_INT4 && filter->quant.block_size > 0 && filter->quant.block_size % EIGHT == 0;
}

struct ir_op *ir_block_rows(struct ir *ir, struct ir_value *x, const struct tensor *filter, const float *bias, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_block_rows, IR_INS(x), y,
                      IR_ATTR(struct block_rows, filter, &ir->graph->tensors[filter->quant.block_scales], bias));
}
