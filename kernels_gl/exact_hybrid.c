/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid.c - see exact_hybrid.h */
#include "exact_hybrid.h"

#include "../lib/gl/shader.h"
#include "kinds.h"

struct exact_hybrid {
    bool by_pixel;
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source_with(p, exact_divide_comp, exact_hybrid_comp);
    gl_define(p, "BY_PIXEL", ((const struct exact_hybrid *)op->attr)->by_pixel);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "m", op->in[1]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant variants[] = {{"", NULL, emit, gl_unrolled}, {NULL}};
const struct ir_kind gl_kind_exact_hybrid = {.name = "exact_hybrid", .variants = variants};

bool ir_exact_hybrid(struct ir *ir, struct ir_value *x, bool by_pixel, struct hybrid_value *out)
{
    const bool over[4] = {false, !by_pixel, !by_pixel, true};
    struct ir_op *op;

    if (!x)
        return false;
    out->q = ir_temp(ir, IR_INT, x->shape);
    out->largest = ir_temp_full(
        ir, IR_FLOAT, by_pixel ? (struct ir_shape){x->shape.b, x->shape.h, x->shape.w, 1} : (struct ir_shape){x->shape.b, 1, 1, 1});
    if (!ir_largest(ir, x, over, out->largest) ||
        !(op = ir_op_new(ir, &gl_kind_exact_hybrid, IR_INS(x, out->largest), out->q, sizeof(struct exact_hybrid))))
        return false;
    ((struct exact_hybrid *)op->attr)->by_pixel = by_pixel;
    return true;
}
