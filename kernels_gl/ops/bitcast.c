/* SPDX-License-Identifier: Apache-2.0 */
/* bitcast.c - BITCAST: the bits of elements of 8 to 64 bits under another type, as more or fewer elements if its size differs. Bits
 * are stored as integers of at most 32, elements of 64 as two of these. */
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/int64/int64.h"
#include "lib/gl/lower/integers.h"

/* Between a type and its bits, the upper ones of which do not matter. */
static const struct ir_fn fn_of_float = {"BITS", "floatBitsToInt(a)", NULL, .arity = 1, .full = true},
                          fn_of_bfloat = {"BITS", "floatBitsToInt(a) >> 16", NULL, .arity = 1, .full = true},
                          fn_of_half = {"BITS", "bits_of_half4(a)", NULL, .arity = 1, .helper = bits_comp, .full = true},
                          fn_of_bool = {"BITS", "ivec4(a)", NULL, .arity = 1},
                          fn_to_float = {"BITCAST", NULL, "intBitsToFloat(a)", .arity = 1, .full = true},
                          fn_to_bfloat = {"BITCAST", NULL, "intBitsToFloat(a << 16)", .arity = 1, .full = true},
                          fn_to_half = {"BITCAST", NULL, "half_of_bits4(a)", .arity = 1, .helper = bits_comp, .full = true};

static const struct ir_fn fn_shift = {"PART", NULL, "a >> b", .arity = 2};
/* p: the bits of a part, and where it goes. */
static const struct ir_fn fn_first = {"FIRST_PART", NULL, "a & ivec4(p.x)", .arity = 1, .params = true},
                          fn_next = {"NEXT_PART", NULL, "a | (b & ivec4(p.x)) << ivec4(p.y)", .arity = 2, .params = true};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    if (!gl_runtime(n, 0, "input", why))
        return false;
    if (n->out[0]->type == TYPE_BOOL && n->in[0]->type != TYPE_BOOL)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "bytes become BOOL, which may be neither 0 nor 1");
    return true;
}

static struct ir_value *map(struct ir *ir, const struct ir_fn *fn, const float p[4], struct ir_value *a, struct ir_value *b,
                            struct ir_value *y)
{
    return a && y && (b || fn->arity == 1) && ir_map(ir, fn, (struct ir_value *[3]){a, b}, p, y) ? y : NULL;
}

static struct ir_value *bits_of(struct ir *ir, const struct tensor *t, struct ir_value *x)
{
    if (!x || x->type == IR_INT)
        return x;
    return map(ir,
               x->type == IR_BOOL         ? &fn_of_bool
               : t->type == TYPE_FLOAT16  ? &fn_of_half
               : t->type == TYPE_BFLOAT16 ? &fn_of_bfloat
                                          : &fn_of_float,
               NULL, x, NULL, ir_temp(ir, IR_INT, x->shape));
}

static struct ir_value *of_bits(struct ir *ir, const struct tensor *t, const struct ir_value *as, struct ir_value *x)
{
    struct ir_value *y = x && as && as->type == IR_FLOAT ? ir_temp(ir, IR_FLOAT, x->shape) : x;

    if (!y || y == x)
        return y;
    y->full = true;
    return map(ir,
               t->type == TYPE_FLOAT16    ? &fn_to_half
               : t->type == TYPE_BFLOAT16 ? &fn_to_bfloat
                                          : &fn_to_float,
               NULL, x, NULL, y);
}

/* n parts of `bits` each of every element, beside each other along a last axis, the lowest first. */
static struct ir_value *split(struct ir *ir, struct ir_value *x, int32_t bits, int32_t n)
{
    const int32_t *shifts = ir_range(ir, 0, bits, n);
    struct ir_shape s;

    if (!x || !shifts)
        return NULL;
    s = x->shape;
    return map(ir, &fn_shift, NULL, ir_reshaped(ir, x, (struct ir_shape){s.b * s.h, s.w, s.c, 1}),
               ir_const(ir, IR_INT, (struct ir_shape){1, 1, 1, n}, shifts),
               ir_temp(ir, IR_INT, (struct ir_shape){s.b * s.h, s.w, s.c, n}));
}

/* Of n elements of `bits` each beside each other one of a tensor of shape s. */
static struct ir_value *merged(struct ir *ir, struct ir_value *x, int32_t bits, int32_t n, struct ir_shape s)
{
    const struct ir_shape one = {s.b * s.h, s.w, s.c, 1};
    struct ir_value *parts = x ? ir_reshaped(ir, x, ir_with(one, 3, n)) : NULL, *y = NULL;

    for (int32_t k = 0; k < n && parts; k++) {
        const float p[4] = {(float)((1 << bits) - 1), (float)(k * bits)};
        struct ir_value *part = int64_channels(ir, parts, k, 1, one);

        y = map(ir, k ? &fn_next : &fn_first, p, k ? y : part, k ? part : NULL, ir_temp(ir, IR_INT, one));
    }
    return y;
}

/* Integers of at most 32 bits, as dense as the output has them; of elements of 64 bits both words of each beside each other. */
static struct ir_value *recut(struct ir *ir, struct ir_value *x, int32_t from, int32_t to, struct ir_shape y)
{
    if (from > to)
        return split(ir, x, to, from / to);
    if (from == to)
        return x;
    return merged(ir, x, from, to / from, y);
}

static struct ir_value *int64_bitcast(struct ir *ir, const struct node *n, struct ir_value **high)
{
    const struct tensor *from = n->in[0], *to = n->out[0];
    const int32_t from_bits = (int32_t)type_bits(from->type), to_bits = (int32_t)type_bits(to->type);
    struct ir_value *x, *low;
    struct ir_shape shape, words;

    if (!ir_shape_of(to, &shape))
        return NULL;
    words = to_bits == 64 ? (struct ir_shape){shape.b * shape.h, shape.w, shape.c, 2} : shape;
    if (from_bits == 64 && to_bits == 64) {
        *high = int64_half(ir, from, true);
        return *high ? int64_half(ir, from, false) : NULL;
    }
    if (from_bits == 64) {
        low = int64_half(ir, from, false);
        x = int64_half(ir, from, true);
        x = low && x ? int64_interleave(ir, low, x) : NULL;
    } else {
        x = bits_of(ir, from, ir_in(ir, n, 0));
    }
    x = recut(ir, x, from_bits < 32 ? from_bits : 32, to_bits < 32 ? to_bits : 32, words);
    if (x && to_bits < 64)
        return of_bits(ir, to, ir_out(ir, n, 0), ir_reshaped(ir, x, shape));
    x = x ? ir_reshaped(ir, x, words) : NULL;
    low = x ? int64_channels(ir, x, 0, 2, ir_with(words, 3, 1)) : NULL;
    *high = low ? int64_channels(ir, x, 1, 2, ir_with(words, 3, 1)) : NULL;
    *high = *high ? ir_reshaped(ir, *high, shape) : NULL;
    return *high ? ir_reshaped(ir, low, shape) : NULL;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *high, *y = ir_out(ir, n, 0), *x;
    struct ir_op *op;

    if (!y)
        return ir_nomem(err);
    if (n->in[0]->type == n->out[0]->type && ir_type_of(n->in[0]) == ir_type_of(n->out[0]))
        return ir_copy(ir, ir_in(ir, n, 0), y) ? ST_OK : ir_nomem(err);
    y->full |= y->type == IR_FLOAT;
    x = int64_bitcast(ir, n, &high);
    op = x ? ir_copy(ir, x, y) : NULL;
    return op && (y->type == IR_FLOAT || gl_integers_wrap_op(ir, op, n->out[0]->type)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_bitcast = {.max_version = 1,
                                     .in_types = TAKES_BITS,
                                     .out_types = TAKES_BITS,
                                     .accept = accept,
                                     .lower = lower,
                                     .int64 = INT64_ASKS(int64_bitcast, IR_TAKES_INT64)};
