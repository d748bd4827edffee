/* SPDX-License-Identifier: Apache-2.0 */
/* pad.c - PAD and PADV2: constant borders along any axis. MIRROR_PAD: borders that mirror what is inside. */
#include <stdlib.h>

#include "data_movement.h"

static bool keeps_slices(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return ((const struct ir_pad *)op->attr)->before.c % 4 == 0;
}

static void emit(struct gl_shader *p, const struct ir_op *op, bool slices)
{
    const struct ir_pad *pad = op->attr;

    gl_source(p, pad_comp);
    gl_define_types(p, op->stores);
    gl_param_float(p, "VALUE", pad->value);
    if (slices)
        gl_define(p, "SLICES", 1);
    gl_param(p, "BEFORE_B", pad->before.b);
    gl_param(p, "BEFORE_H", pad->before.h);
    gl_param(p, "BEFORE_W", pad->before.w);
    gl_param(p, "BEFORE_C", pad->before.c);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static void emit_slices(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, true);
}

static void emit_elements(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, false);
}

static const struct gl_variant variants[] = {
    {"slices", keeps_slices, emit_slices, gl_unrolled},
    {"elements", NULL, emit_elements, gl_unrolled},
    {NULL},
};

const struct ir_kind gl_kind_pad = {.name = "pad", .role = IR_PAD, .variants = variants};

/* The op's shape function has checked the matrix; the shapes say how much comes after. */
static int32_t before(const struct node *n, int32_t i)
{
    return (int32_t)tensor_int(n->in[1], 2 * (size_t)i);
}

/* Integers travel as a float here. */
static bool value_fits(const struct tensor *value, struct reason *why)
{
    if (tensor_elems(value) != 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "the value to pad with is %s", TENSOR_TEXT(value));
    if (ir_type_of(value) == IR_INT && llabs(tensor_int(value, 0)) > 1 << 24)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "the value to pad with is %lld", (long long)tensor_int(value, 0));
    return true;
}

static bool pad_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    if (!gl_arity(n, 2, 3, 1, why) || !gl_runtime(n, 0, "input", why) || !gl_constant(n, 1, "paddings", why) ||
        !gl_one_type(n, 0, 1, why))
        return false;
    return !ir_has_in(n, 2) || (gl_constant(n, 2, "value", why) && gl_one_type(n, 2, 3, why) && value_fits(n->in[2], why));
}

static enum status pad_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_op *op = ir_op_new(ir, &gl_kind_pad, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof(struct ir_pad));
    const struct ir_value *value = ir_in(ir, n, 2);
    struct ir_pad *pad;

    if (!op || (ir_has_in(n, 2) && !value))
        return ir_nomem(err);
    pad = op->attr;
    for (int32_t i = 0; i < n->in[0]->rank; i++)
        *ir_dim_at(&pad->before, ir_axis(n->in[0]->rank, i)) = before(n, i);
    if (value)
        pad->value = value->type == IR_INT ? (float)*(const int32_t *)value->data : *(const float *)value->data;
    return ST_OK;
}

/* ---- MIRROR_PAD: picks ---- */

static bool mirror_pad_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 2, 2, 1, why) && gl_runtime(n, 0, "input", why) && gl_constant(n, 1, "paddings", why) &&
           gl_one_type(n, 0, 1, why);
}

/* The border repeats the `length` elements inwards from the edge, with that element (SYMMETRIC) or without (REFLECT). */
static const int32_t *mirrored(struct ir *ir, int32_t length, int32_t first, int32_t n, bool reflect)
{
    int32_t *at = ARENA_ARRAY(ir->arena, (size_t)n, int32_t);

    for (int32_t i = 0; at && i < n; i++) {
        int32_t k = i - first;

        at[i] = k < 0 ? -k - !reflect : k >= length ? 2 * length - 1 - reflect - k : k;
    }
    return at;
}

static enum status mirror_pad_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct axis_gather gather = {.axis = {0, 1, 2, 3}};
    bool reflect = ((const struct opt_mirror_pad *)n->opt)->mode == MIRROR_REFLECT;

    for (int32_t i = 0; i < x->rank; i++)
        if (!(gather.at[ir_axis(x->rank, i)] = mirrored(ir, x->dim[i], before(n, i), n->out[0]->dim[i], reflect)))
            return ir_nomem(err);
    return ir_axis_gather(ir, ir_in(ir, n, 0), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_pad = {
    .max_version = 5, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = pad_accept, .lower = pad_lower};
const struct gl_kernel gl_mirror_pad = {
    .max_version = 3, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = mirror_pad_accept, .lower = mirror_pad_lower};
