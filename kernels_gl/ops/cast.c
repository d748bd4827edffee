/* SPDX-License-Identifier: Apache-2.0 */
/* cast.c - CAST between floats, integers and bools as they are stored.
 *
 * Integers wrap where their type is shorter; floats are clamped to the type's range, as on the CPU. Of UINT32 the bits are kept.
 * kernels_gl/int64/int64_cast.c has 64 bits. */
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/int64/int64.h"
#include "lib/gl/lower/integers.h"

/* NaN becomes the largest. */
static const struct ir_fn fn_to_int = {"CAST",
                                       "mix(ivec4(2147483647), ivec4(clamp(a, vec4(-2147483648.0), vec4(2147483520.0))), "
                                       "lessThan(a, vec4(2147483648.0)))",
                                       NULL, .arity = 1};
/* p: the limits of the type. NaN becomes the upper one. */
static const struct ir_fn fn_to_short = {"CAST", "ivec4(mix(vec4(p.y), max(a, vec4(p.x)), lessThan(a, vec4(p.y))))", NULL,
                                         .arity = 1, .params = true};
static const struct ir_fn fn_to_uint = {
    "CAST", "ivec4(mix(uvec4(4294967295u), uvec4(clamp(a, vec4(0.0), vec4(4294967040.0))), lessThan(a, vec4(4294967296.0))))", NULL,
    .arity = 1};
static const struct ir_fn fn_to_float = {"CAST", NULL, "vec4(a)", .arity = 1};
static const struct ir_fn fn_from_uint = {"CAST", NULL, "vec4(uvec4(a))", .arity = 1};
static const struct ir_fn fn_to_bool = {"CAST", "vec4(notEqual(a, vec4(0.0)))", "vec4(notEqual(a, ivec4(0)))", .arity = 1};

static enum status cast_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_op *op;
    const struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    const enum ir_type from = x ? x->type : IR_FLOAT, to = y ? y->type : IR_FLOAT;
    const enum tensor_type type = n->out[0]->type;

    if (!x || !y)
        return ir_nomem(err);
    if (from == IR_FLOAT && to == IR_INT && type_bits(type) <= 16) {
        const struct range_i32 range = type == TYPE_UINT16 ? (struct range_i32){0, UINT16_MAX} : int_limits(type);

        return elementwise_map(ir, n, &fn_to_short, (float[4]){(float)range.lo, (float)range.hi}, ACT_NONE, err);
    }
    if (from != to && to == IR_BOOL)
        return elementwise_map(ir, n, &fn_to_bool, NULL, ACT_NONE, err);
    if (from != to && to == IR_INT)
        return elementwise_map(ir, n, from == IR_FLOAT && type == TYPE_UINT32 ? &fn_to_uint : &fn_to_int, NULL, ACT_NONE, err);
    if (from == IR_INT && to == IR_FLOAT)
        return elementwise_map(ir, n, n->in[0]->type == TYPE_UINT32 ? &fn_from_uint : &fn_to_float, NULL, ACT_NONE, err);
    op = ir_copy(ir, ir_in(ir, n, 0), ir_out(ir, n, 0));
    return op && (from != IR_INT || n->in[0]->type == type || gl_integers_wrap_op(ir, op, type)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_cast = {.max_version = 9,
                                  .in_types = TAKES_BITS,
                                  .out_types = TAKES_BITS,
                                  .accept = gl_accept_one,
                                  .lower = cast_lower,
                                  .int64 = INT64_ASKS(int64_cast, IR_TAKES_INT64)};
