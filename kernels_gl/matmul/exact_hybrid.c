/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid.c - see exact_hybrid.h */
#include "kernels_gl/matmul/exact_hybrid.h"

#include "kernels_gl/common/kinds.h"
#include "lib/gl/codegen/shader.h"

struct exact_hybrid {
    bool by_pixel, asymmetric;
};

/* ---- from the range of a part to its steps ---- */

static void emit_steps(struct gl_shader *p, const struct ir_op *op)
{
    gl_source_with(p, exact_divide_comp, exact_steps_comp);
    gl_define(p, "ASYMMETRIC", op->n_in > 1);
    gl_operands(p, "lo hi");
}

static const struct gl_variant steps_variants[] = {{"", NULL, emit_steps, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_exact_steps = {.name = "exact_steps", GL_VARIANTS(steps_variants)};

/* ---- from floats to steps ---- */

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_hybrid *h = op->attr;

    gl_source_with(p, exact_rounded_comp, exact_hybrid_comp);
    GL_DEFINES(p, "BY_PIXEL LEAST", h->by_pixel, h->asymmetric ? -128 : -127);
    gl_operands(p, "x m");
}

static const struct gl_variant variants[] = {{"", NULL, emit}};
const struct ir_kind gl_kind_exact_hybrid = {.name = "exact_hybrid", GL_VARIANTS(variants)};

/* The steps of the parts of x, of shape `s` but for the channels. */
static struct ir_value *steps_of(struct ir *ir, struct ir_value *x, const bool over[4], bool asymmetric, struct ir_shape s)
{
    struct ir_value *lo = ir_temp_full(ir, IR_FLOAT, s), *hi = asymmetric ? ir_temp_full(ir, IR_FLOAT, s) : NULL, *y;

    s.c = 3;
    y = ir_temp_full(ir, IR_FLOAT, s);
    if (asymmetric ? !ir_range_to_zero(ir, x, over, lo, hi) : !ir_largest(ir, x, over, lo))
        return NULL;
    return ir_op_new(ir, &gl_kind_exact_steps, (struct ir_value *[]){lo, hi}, asymmetric ? 2 : 1, y, 0) ? y : NULL;
}

bool ir_exact_hybrid(struct ir *ir, struct ir_value *x, bool by_pixel, bool asymmetric, struct hybrid_value *out)
{
    const bool over[4] = {false, !by_pixel, !by_pixel, true};

    if (!x)
        return false;
    out->q = ir_temp(ir, IR_INT, x->shape);
    out->steps = steps_of(ir, x, over, asymmetric,
                          by_pixel ? (struct ir_shape){x->shape.b, x->shape.h, x->shape.w, 1}
                                   : (struct ir_shape){x->shape.b, 1, 1, 1});
    return out->steps &&
           ir_op_with(ir, &gl_kind_exact_hybrid, IR_INS(x, out->steps), out->q, IR_ATTR(struct exact_hybrid, by_pixel, asymmetric));
}

bool exact_hybrid_fits(const struct gl_limits *lim, struct reason *why)
{
    return lim->precise || reason_set(why, REASON_DEVICE_LIMIT, "floats times 8-bit weights need GL_EXT_gpu_shader5 (precise)");
}
