/* SPDX-License-Identifier: Apache-2.0 */
/* resampler.c - Resampler: images sampled bilinearly at given points. */
#include "kernels_gl/common/operands.h"

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    (void)op;
    gl_source(p, resampler_comp);
    gl_define(p, "MATRIX", 0);
    gl_operands(p, "x at");
}

static const struct gl_variant variants[] = {{"bilinear", NULL, emit}};
const struct ir_kind gl_kind_resampler = {.name = "resampler", GL_VARIANTS(variants)};

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    if (!ir_op_new(ir, &gl_kind_resampler, IR_INS(ir_in(ir, n, 0), ir_in(ir, n, 1)), ir_out(ir, n, 0), 0))
        return ir_nomem(err);
    return ST_OK;
}

const struct gl_kernel gl_resampler = {.max_version = 1, .accept = gl_operands_fit, .lower = lower};
