/* SPDX-License-Identifier: Apache-2.0 */
/* winograd.c - see winograd.h */
#include "kernels_gl/matmul/winograd.h"

#include "kernels_gl/common/split_k.h"

struct winograd {
    int32_t tile, pad_h, pad_w;
};

struct ir_shape winograd_shape(struct ir_shape y, int32_t tile, int32_t channels)
{
    return (struct ir_shape){split_k_extent(y.b, winograd_positions(tile)), split_k_count(y.h, tile), split_k_count(y.w, tile),
                             channels};
}

/* Both transforms make the tiles of a slice, one each invocation. */
static void emit(struct gl_shader *p, const struct ir_op *op, const char *text, struct ir_shape positions, int32_t images)
{
    const struct winograd *a = op->attr;

    gl_source_with(p, winograd_comp, text);
    GL_DEFINES(p, "TILE SIDE", a->tile, a->tile + 2);
    gl_define_each(p, "EACH_LINE", a->tile + 2);
    gl_define_each(p, "EACH_POSITION", winograd_positions(a->tile));
    gl_operands(p, "x");
    gl_grid_of(p, images, positions.h, positions.w, ir_slices(positions));
}

static void emit_input(struct gl_shader *p, const struct ir_op *op)
{
    const struct winograd *a = op->attr;

    GL_PARAMS(p, "PAD_H PAD_W", a->pad_h, a->pad_w);
    emit(p, op, winograd_input_comp, op->out->shape, op->in[0]->shape.b);
}

static void emit_output(struct gl_shader *p, const struct ir_op *op)
{
    const struct winograd *a = op->attr;

    gl_define_each(p, "EACH_ROW", a->tile);
    gl_define_each(p, "EACH_PIXEL", a->tile * a->tile);
    emit(p, op, winograd_output_comp, op->in[0]->shape, op->out->shape.b);
}

static const struct gl_variant input_variants[] = {{"tiles", NULL, emit_input}};
static const struct gl_variant output_variants[] = {{"tiles", NULL, emit_output}};
const struct ir_kind gl_kind_winograd_input = {.name = "winograd_input", GL_VARIANTS(input_variants)};
const struct ir_kind gl_kind_winograd_output = {.name = "winograd_output", GL_VARIANTS(output_variants)};

static struct ir_op *transform(struct ir *ir, const struct ir_kind *kind, struct ir_value *x, const struct winograd *a,
                               struct ir_value *y)
{
    return ir_op_with(ir, kind, IR_INS(x), y, a, sizeof *a);
}

struct ir_op *winograd_input(struct ir *ir, struct ir_value *x, int32_t pad_h, int32_t pad_w, int32_t tile, struct ir_value *v)
{
    return transform(ir, &gl_kind_winograd_input, x, &(struct winograd){tile, pad_h, pad_w}, v);
}

struct ir_op *winograd_output(struct ir *ir, struct ir_value *v, int32_t tile, struct ir_value *y)
{
    return transform(ir, &gl_kind_winograd_output, v, &(struct winograd){.tile = tile}, y);
}
