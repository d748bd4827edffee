/* SPDX-License-Identifier: Apache-2.0 */
/* softmax.c - SOFTMAX, LOG_SOFTMAX, L2_NORMALIZATION: each row of channels is scaled by something computed of all of it. */
#include "moves.h"

#define LANES 32

/* Few long rows are shared by the lanes of a workgroup. */
#define FEW_ROWS 64
#define LONG_ROW (4 * LANES)

struct rows {
    const char *mode; /* SOFTMAX, LOG_SOFTMAX, L2_NORM */
    float beta;
};

static bool few_long_rows(const struct ir_op *op, const struct gl_limits *lim)
{
    struct ir_shape s = op->out->shape;

    (void)lim;
    return (int64_t)s.b * s.h * s.w <= FEW_ROWS && s.c >= LONG_ROW;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct rows *rows = op->attr;

    gl_source(p, softmax_comp);
    gl_define(p, rows->mode, 1);
    gl_define_float(p, "BETA", rows->beta);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
}

static void emit_group(struct gl_shader *p, const struct ir_op *op)
{
    struct ir_shape s = op->out->shape;

    emit(p, op);
    gl_define(p, "LANES", LANES);
    gl_grid_of(p, s.b, s.h, s.w * LANES, 1);
    gl_group(p, LANES, 1, 1);
}

static void emit_serial(struct gl_shader *p, const struct ir_op *op)
{
    struct ir_shape s = op->out->shape;

    emit(p, op);
    gl_grid_of(p, s.b, s.h, s.w, 1);
}

static const struct gl_variant variants[] = {
    {"workgroup", few_long_rows, emit_group},
    {"serial", NULL, emit_serial},
    {NULL},
};

static const struct ir_kind kind_softmax = {.name = "softmax", .variants = variants};
static const struct ir_kind kind_log_softmax = {.name = "log_softmax", .variants = variants};
static const struct ir_kind kind_l2_norm = {.name = "l2_norm", .variants = variants};

static enum status lower(struct ir *ir, const struct node *n, const struct ir_kind *kind, struct rows rows, struct err *err)
{
    struct ir_op *op = ir_op_new(ir, kind, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof rows);

    if (!op)
        return ir_nomem(err);
    *(struct rows *)op->attr = rows;
    return ST_OK;
}

static enum status softmax_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower(ir, n, &kind_softmax, (struct rows){"SOFTMAX", ((const struct opt_softmax *)n->opt)->beta}, err);
}

static enum status log_softmax_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower(ir, n, &kind_log_softmax, (struct rows){"LOG_SOFTMAX", 1}, err);
}

static enum status l2_norm_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower(ir, n, &kind_l2_norm, (struct rows){"L2_NORM", 1}, err);
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why);
}

const struct gl_kernel gl_softmax = {.max_version = 3, .accept = accept, .lower = softmax_lower};
const struct gl_kernel gl_log_softmax = {.max_version = 2, .accept = accept, .lower = log_softmax_lower};
const struct gl_kernel gl_l2_norm = {.max_version = 2, .accept = accept, .lower = l2_norm_lower};
