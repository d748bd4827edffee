/* SPDX-License-Identifier: Apache-2.0 */
/* exact_order.c - see exact_order.h */
#include "kernels_gl/quant/exact_order.h"

#include "kernels_gl/common/window.h"
#include "lib/gl/codegen/shader.h"

struct exact_order {
    struct ir_window win;  /* first: passes merge padding into it */
    const float *w, *bias; /* [out][kernel_h][kernel_w][in], [out] or NULL */
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_order *c = op->attr;
    const struct filter f = {c->w, c->bias, op->out->shape.c, c->win.kernel_h * c->win.kernel_w, op->in[0]->shape.c};

    gl_source(p, exact_order_comp);
    gl_operands(p, "x");
    window_filter(p, &f);
    gl_define(p, "ADDS_BIAS", c->bias != NULL);
    gl_params_window(p, &c->win);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return GL_PASSES((uint64_t)w->kernel_h, (uint64_t)w->kernel_w, (uint64_t)ir_slices(op->in[0]->shape));
}

static const struct gl_variant variants[] = {{"serial", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_order = {.name = "exact_order", .role = IR_CONV, .constants = 1, GL_VARIANTS(variants)};

struct ir_op *ir_conv_in_order(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                               struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_exact_order, IR_INS(x), y, IR_ATTR(struct exact_order, *win, w, bias));
}
