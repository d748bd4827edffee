/* SPDX-License-Identifier: Apache-2.0 */
/* exact_resize.c - RESIZE_BILINEAR of integers: INT8 and INT16 with ten fractional bits in integers, UINT8 in floats in the CPU's
 * order, as TFLite has it. */
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/ops/resize.h"

struct exact_resize {
    struct resize_points points;
    bool fixed, wide; /* wide: of 16 bits, whose weighted sums leave 32 */
};

/* Those of the rows, then those of the columns. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct ir_op *op = *(const struct ir_op *const *)arg;
    const struct exact_resize *r = op->attr;
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    int32_t *t = to;

    for (size_t k = first; k < first + n; k++, t += 4) {
        const bool row = k < (size_t)y.h;
        const int32_t i = (int32_t)(row ? k : k - (size_t)y.h), in = row ? x.h : x.w, out = row ? y.h : y.w;

        (r->fixed ? resize_fixed_tap : resize_float_tap)(r->points, in, out, i, t);
    }
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_resize *r = op->attr;
    const struct ir_shape y = op->out->shape;

    gl_source_with(p, exact_rounded_comp, exact_resize_comp);
    gl_table(p, "taps", (size_t)y.h + (size_t)y.w, pack, &op, sizeof op);
    GL_DEFINES(p, "FIXED WIDE", r->fixed, r->wide);
    gl_operands(p, "x");
    gl_grid(p, y);
}

static const struct gl_variant variants[] = {{"4 taps", NULL, emit}};
const struct ir_kind gl_kind_exact_resize = {.name = "exact_resize", .constants = 1, GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return n->op->gl->accept(lim, n, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_resize_bilinear *o = n->opt;
    return ir_op_with(ir, &gl_kind_exact_resize, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0),
                      IR_ATTR(struct exact_resize, {o->align_corners, o->half_pixel_centers}, n->in[0]->type != TYPE_UINT8,
                              n->in[0]->type == TYPE_INT16))
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_exact_resize = {
    .max_version = 4, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};
