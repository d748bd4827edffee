/* SPDX-License-Identifier: Apache-2.0 */
/* int64_cast.c - CAST from and to elements of 64 bits, of two halves each.
 *
 * A cast goes through one of three forms: 64-bit integers, FLOAT64, or floats, for COMPLEX64 as well. As on the CPU floats beyond
 * an integer type saturate, integers wrap, and UINT64 is read as INT64. */
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/int64/int64.h"

#define DOUBLES .helper = doubles_comp, .full = true

static const struct ir_fn fn_zero = {"ZERO_WORD", NULL, "ivec4(0)", .arity = 1}, fn_int = {"CAST", "ivec4(a)", NULL, .arity = 1},
                          fn_to_bits = {"BITS", "floatBitsToInt(a)", NULL, .arity = 1, .full = true},
                          fn_from_bits = {"BITS", NULL, "intBitsToFloat(a)", .arity = 1, .full = true},
                          fn_any = {"ANY", NULL, "vec4(notEqual(a | b, ivec4(0)))", .arity = 2},
                          fn_any_real = {"ANY", "vec4(notEqual(a, vec4(0.0)))", NULL, .arity = 1},
                          fn_any_double = {"ANY", NULL, "vec4(notEqual(a | b << 1, ivec4(0)))", .arity = 2},
                          fn_float = {"CAST", NULL, "float_of_words4(a, b)", .arity = 2, .helper = int64_comp, .full = true},
                          fn_narrow = {"CAST", NULL, "float_of_double4(a, b)", .arity = 2, DOUBLES};

/* Of each the low and the high word. */
static const struct ir_fn fn_widen[2] = {{"CAST_LOW", "double_of_float4(a, 0)", NULL, .arity = 1, DOUBLES},
                                         {"CAST_HIGH", "double_of_float4(a, 1)", NULL, .arity = 1, DOUBLES}},
                          fn_double[2] = {{"CAST_LOW", NULL, "double_of_words4(a, b, 0)", .arity = 2, DOUBLES},
                                          {"CAST_HIGH", NULL, "double_of_words4(a, b, 1)", .arity = 2, DOUBLES}},
                          fn_signed[2] = {{"CAST_LOW", NULL, "words_of_double4(a, b, true, 0)", .arity = 2, DOUBLES},
                                          {"CAST_HIGH", NULL, "words_of_double4(a, b, true, 1)", .arity = 2, DOUBLES}},
                          fn_unsigned[2] = {{"CAST_LOW", NULL, "words_of_double4(a, b, false, 0)", .arity = 2, DOUBLES},
                                            {"CAST_HIGH", NULL, "words_of_double4(a, b, false, 1)", .arity = 2, DOUBLES}};

/* Integers of 64 bits become the nearest of fewer. p: the limits of the type, where it has at most 16. */
static const struct ir_fn fn_to_uint32 = {"CLAMP_WORDS", NULL, "mix(a, ivec4(-1), notEqual(b, ivec4(0)))", .arity = 2},
                          fn_to_short = {"CLAMP", NULL, "clamp(a, ivec4(p.x), ivec4(p.y))", .arity = 1, .params = true};

/* Words of integers or of FLOAT64, or floats. */
struct form {
    bool is_double;
    struct ir_value *low, *high, *real;
};

/* fn(a) or fn(a, b), all of one shape. NULL: out of memory. */
static struct ir_value *map(struct ir *ir, const struct ir_fn *fn, enum ir_type type, const float p[4], struct ir_value *a,
                            struct ir_value *b)
{
    struct ir_value *y = a && (b || fn->arity == 1) ? ir_temp(ir, type, a->shape) : NULL;

    if (y)
        y->full = fn->full;
    return y && ir_map(ir, fn, (struct ir_value *[3]){a, b}, p, y) ? y : NULL;
}

static struct form integers(struct ir *ir, const struct tensor *t, struct ir_value *x)
{
    struct ir_value *low = x && x->type == IR_BOOL ? map(ir, &fn_int, IR_INT, NULL, x, NULL) : x;

    return (struct form){.low = low,
                         .high = t->type == TYPE_UINT32 ? map(ir, &fn_zero, IR_INT, NULL, low, NULL) : int64_sign(ir, low)};
}

static struct form form_of(struct ir *ir, const struct node *n)
{
    const struct tensor *t = n->in[0];
    struct ir_value *x;

    if (t->type == TYPE_COMPLEX64)
        return (struct form){.real = map(ir, &fn_from_bits, IR_FLOAT, NULL, int64_half(ir, t, false), NULL)};
    if (ir_is_int64(t))
        return (struct form){t->type == TYPE_FLOAT64, int64_half(ir, t, false), int64_half(ir, t, true), NULL};
    x = ir_in(ir, n, 0);
    return x && x->type == IR_FLOAT ? (struct form){.real = x} : integers(ir, t, x);
}

static struct form int64_by(struct ir *ir, const struct ir_fn fn[2], bool is_double, struct ir_value *a, struct ir_value *b)
{
    return (struct form){is_double, map(ir, &fn[0], IR_INT, NULL, a, b), map(ir, &fn[1], IR_INT, NULL, a, b), NULL};
}

static struct form as_double(struct ir *ir, struct form x)
{
    if (x.real)
        return int64_by(ir, fn_widen, true, x.real, NULL);
    return x.is_double ? x : int64_by(ir, fn_double, true, x.low, x.high);
}

static struct ir_value *as_real(struct ir *ir, struct form x)
{
    return x.real ? x.real : map(ir, x.is_double ? &fn_narrow : &fn_float, IR_FLOAT, NULL, x.low, x.high);
}

static struct ir_value *as_bool(struct ir *ir, struct form x)
{
    if (x.real)
        return map(ir, &fn_any_real, IR_BOOL, NULL, x.real, NULL);
    return map(ir, x.is_double ? &fn_any_double : &fn_any, IR_BOOL, NULL, x.low, x.high);
}

/* The low words; *high NULL where the type has none. */
static struct ir_value *as_integers(struct ir *ir, struct form x, enum tensor_type type, struct ir_value **high)
{
    const bool is_long = type_bits(type) == 64, saturates = x.real || x.is_double;
    const struct range_i32 range = type == TYPE_UINT16 ? (struct range_i32){0, UINT16_MAX} : int_limits(type);
    struct ir_value *low;

    if (saturates) {
        x = as_double(ir, x);
        x = int64_by(ir, type == TYPE_UINT64 || type == TYPE_UINT32 ? fn_unsigned : fn_signed, false, x.low, x.high);
    }
    if (is_long)
        *high = x.high;
    if (is_long || !saturates)
        return !is_long || x.high ? x.low : NULL;
    low = map(ir, type == TYPE_UINT32 ? &fn_to_uint32 : &fn_clamp_int64, IR_INT, NULL, x.low, x.high);
    if (type_bits(type) == 32)
        return low;
    return map(ir, &fn_to_short, IR_INT, (float[4]){(float)range.lo, (float)range.hi}, low, NULL);
}

struct ir_value *int64_float(struct ir *ir, const struct tensor *t)
{
    return as_real(ir, (struct form){false, int64_half(ir, t, false), int64_half(ir, t, true), NULL});
}

struct ir_value *int64_cast(struct ir *ir, const struct node *n, struct ir_value **high)
{
    const enum tensor_type from = n->in[0]->type, to = n->out[0]->type;
    const struct ir_value *y;
    struct form x;

    *high = NULL;
    if (from == to) {
        *high = int64_half(ir, n->in[0], true);
        return *high ? int64_half(ir, n->in[0], false) : NULL;
    }
    x = form_of(ir, n);
    if (!x.real && !(x.low && x.high))
        return NULL;
    if (to == TYPE_FLOAT64) {
        x = as_double(ir, x);
        *high = x.high;
        return x.high ? x.low : NULL;
    }
    if (to == TYPE_COMPLEX64) {
        struct ir_value *low = map(ir, &fn_to_bits, IR_INT, NULL, as_real(ir, x), NULL);

        *high = map(ir, &fn_zero, IR_INT, NULL, low, NULL);
        return *high ? low : NULL;
    }
    if (to == TYPE_BOOL)
        return as_bool(ir, x);
    y = ir_is_int64(n->out[0]) ? NULL : ir_out(ir, n, 0); /* integers of a quantized tensor are such */
    return y && y->type == IR_FLOAT ? as_real(ir, x) : as_integers(ir, x, to, high);
}
