/* SPDX-License-Identifier: Apache-2.0 */
/* bucketize.c - BUCKETIZE: the number of boundaries that are not above a value. */
#include <math.h>

#include "kernels_gl/int64/int64.h"

struct bucketize {
    const float *boundaries;
    int32_t n;
};

/* The bits of floats, which no precision shortens; behind the last boundary infinity, which the shader does not count. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct bucketize *a = arg;
    float *out = to;

    for (size_t i = 4 * first; i < 4 * (first + n); i++)
        *out++ = i < (size_t)a->n ? a->boundaries[i] : INFINITY;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct bucketize *a = op->attr;

    gl_source(p, bucketize_comp);
    gl_param(p, "N", a->n);
    gl_operands(p, "x");
    gl_table(p, "boundaries", ((size_t)a->n + 3) / 4, pack, a, sizeof *a);
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES(((uint64_t)((const struct bucketize *)op->attr)->n + 3) / 4, 4);
}

static const struct gl_variant variants[] = {{"all", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_bucketize = {.name = "bucketize", .constants = 1, GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_bucketize *o = n->opt;

    (void)lim;
    if (o->num_boundaries < 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "there are no boundaries");
    for (int i = 0; i < o->num_boundaries; i++)
        if (!isfinite(o->boundaries[i]))
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "boundary %d is not finite", i);
    return true;
}

static bool count(struct ir *ir, const struct node *n, struct ir_value *x, struct ir_value *y)
{
    const struct opt_bucketize *o = n->opt;
    return x && y ? ir_op_with(ir, &gl_kind_bucketize, IR_INS(x), y, IR_ATTR(struct bucketize, o->boundaries, o->num_boundaries))
                  : NULL;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    return count(ir, n, ir_in(ir, n, 0), ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

/* Compared as the nearest floats, as on the CPU. */
static struct ir_value *int64_bucketize(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *x = int64_float(ir, n->in[0]), *y = x ? ir_temp(ir, IR_INT, x->shape) : NULL;

    (void)high;
    return count(ir, n, x, y) ? y : NULL;
}

const struct gl_kernel gl_bucketize = {.max_version = 1,
                                       .in_types = TAKES_FLOAT | TAKES_INT,
                                       .out_types = TAKES_INT,
                                       .accept = accept,
                                       .lower = lower,
                                       .int64 = INT64_ASKS(int64_bucketize, 1u << TYPE_INT64)};
