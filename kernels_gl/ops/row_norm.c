/* SPDX-License-Identifier: Apache-2.0 */
/* row_norm.c - see row_norm.h */
#include "kernels_gl/ops/row_norm.h"

#define LANES        32
#define SHARED_BYTES (LANES * sizeof(float))

/* Few long rows are shared by the lanes of a workgroup. */
#define FEW_ROWS 64
#define LONG_ROW (4 * LANES)

static bool few_long_rows(const struct ir_op *op)
{
    struct ir_shape s = op->out->shape;

    return (int64_t)s.b * s.h * s.w <= FEW_ROWS && s.c >= LONG_ROW;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct row_norm *norm = op->attr;

    gl_source(p, row_norm_comp);
    gl_define(p, norm->mode, 1);
    gl_param_float(p, "BETA", norm->beta);
    gl_operands(p, "x");
}

static void emit_group(struct gl_shader *p, const struct ir_op *op)
{
    struct ir_shape s = op->out->shape;

    emit(p, op);
    gl_define(p, "LANES", LANES);
    gl_grid_of(p, s.b, s.h, s.w * LANES, 1);
    gl_group(p, LANES, 1);
    gl_shared(p, SHARED_BYTES);
}

static void emit_serial(struct gl_shader *p, const struct ir_op *op)
{
    struct ir_shape s = op->out->shape;

    emit(p, op);
    gl_shared(p, 0);
    gl_grid_of(p, s.b, s.h, s.w, 1);
}

/* Three walks at most, and two over what the lanes found. */
static uint64_t iterations_of_group(const struct ir_op *op)
{
    return 3 * GL_PASSES(((uint64_t)ir_slices(op->out->shape) + LANES - 1) / LANES) + 2 * GL_PASSES(LANES);
}

static uint64_t iterations_serial(const struct ir_op *op)
{
    return 3 * GL_PASSES((uint64_t)ir_slices(op->out->shape));
}

/* However many they are, where one invocation cannot walk along them. */
static bool long_rows(const struct ir_op *op, const struct gl_limits *lim)
{
    return lim->group_invocations >= LANES && lim->shared_bytes >= SHARED_BYTES &&
           (few_long_rows(op) || iterations_serial(op) > gl_most_passes(lim));
}

const struct gl_variant row_norm_variants[] = {
    {"workgroup", long_rows, emit_group, .iterations = iterations_of_group},
    {"serial", NULL, emit_serial, .iterations = iterations_serial},
};

enum status row_norm_lower(struct ir *ir, const struct node *n, const struct ir_kind *kind, struct row_norm norm, struct err *err)
{
    return ir_op_with(ir, kind, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), &norm, sizeof norm) ? ST_OK : ir_nomem(err);
}
