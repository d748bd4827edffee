/* SPDX-License-Identifier: Apache-2.0 */
/* int64_compute.c - arithmetic and comparisons of INT64, of two halves each, as maps of 32-bit integers. */
#include <string.h>

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/int64/int64.h"

#define BELOW(x, y) "vec4(lessThan(uvec4(" x "), uvec4(" y ")))"

static const struct ir_fn fn_add_low = {"ADD_LOW", NULL, "a + b", .arity = 2},
                          fn_carry = {"CARRY", NULL, BELOW("a + b", "a"), .arity = 2},
                          fn_add_high = {"ADD_HIGH", NULL, "a + b + ivec4(c)", .arity = 3},
                          fn_sub_low = {"SUB_LOW", NULL, "a - b", .arity = 2},
                          fn_below = {"BELOW", NULL, BELOW("a", "b"), .arity = 2},
                          fn_at_most = {"AT_MOST", NULL, "vec4(lessThanEqual(uvec4(a), uvec4(b)))", .arity = 2},
                          fn_sub_high = {"SUB_HIGH", NULL, "a - b - ivec4(c)", .arity = 3},
                          fn_mul_low = {"MUL_LOW", NULL, "a * b", .arity = 2},
                          fn_mul_high = {"MUL_HIGH", NULL, "product_high4(a, b)", .arity = 2, .helper = int64_comp},
                          fn_mul_add = {"MUL_ADD", NULL, "a * b + c", .arity = 3}, fn_neg_low = {"NEG_LOW", NULL, "-a", .arity = 1},
                          fn_neg_high = {"NEG_HIGH", NULL, "~a + ivec4(equal(b, ivec4(0)))", .arity = 2},
                          fn_order_high = {"ORDER", NULL, "mix(vec4(lessThan(a, b)), c, equal(a, b))", .arity = 3},
                          fn_equal_low = {"EQUAL_LOW", NULL, "vec4(equal(a, b))", .arity = 2},
                          fn_equal_high = {"EQUAL_HIGH", NULL, "c * vec4(equal(a, b))", .arity = 3},
                          fn_not = {"NOT", "1.0 - a", NULL, .arity = 1}, fn_and = {"AND", NULL, "a & b", .arity = 2};

/* One word of an input of the node, or what was made of such in the shape of its output. */
struct part {
    struct ir_value *v;
    const struct tensor *t;
};

static struct part word(struct ir *ir, const struct node *n, uint32_t i, bool high)
{
    return (struct part){int64_half(ir, n->in[i], high), n->in[i]};
}

/* fn of operands that broadcast to the shape of the output. NULL: out of memory. */
static struct ir_value *map(struct ir *ir, const struct node *n, const struct ir_fn *fn, enum ir_type type, struct part a,
                            struct part b, struct part c)
{
    const struct part in[3] = {a, b, c};
    struct operands o = {.arity = fn->arity, .rank = n->out[0]->rank};
    struct ir_shape shape;

    if (!ir_shape_of(n->out[0], &shape) || !(o.y = ir_temp(ir, type, shape)))
        return NULL;
    memcpy(o.y_dim, n->out[0]->dim, sizeof o.y_dim);
    for (uint32_t k = 0; k < fn->arity; k++) {
        if (!in[k].v)
            return NULL;
        o.in[k] = in[k].v;
        for (int32_t i = 0; i < o.rank; i++)
            o.dim[k][i] = i < o.rank - in[k].t->rank ? 1 : in[k].t->dim[i - (o.rank - in[k].t->rank)];
    }
    return elementwise_fold(ir, &o) && ir_map(ir, fn, o.in, NULL, o.natural) && ir_end_reshape(ir, o.natural, o.y) ? o.y : NULL;
}

#define NO_PART        ((struct part){NULL, NULL})
#define MADE(v)        ((struct part){(v), n->out[0]})
#define LOW(i)         word(ir, n, i, false)
#define HIGH(i)        word(ir, n, i, true)
#define INTS(fn, ...)  map(ir, n, &(fn), IR_INT, __VA_ARGS__)
#define BOOLS(fn, ...) map(ir, n, &(fn), IR_BOOL, __VA_ARGS__)

static struct ir_value *add(struct ir *ir, const struct node *n, struct ir_value **high)
{
    *high = INTS(fn_add_high, HIGH(0), HIGH(1), MADE(BOOLS(fn_carry, LOW(0), LOW(1), NO_PART)));
    return *high ? INTS(fn_add_low, LOW(0), LOW(1), NO_PART) : NULL;
}

static struct ir_value *sub(struct ir *ir, const struct node *n, struct ir_value **high)
{
    *high = INTS(fn_sub_high, HIGH(0), HIGH(1), MADE(BOOLS(fn_below, LOW(0), LOW(1), NO_PART)));
    return *high ? INTS(fn_sub_low, LOW(0), LOW(1), NO_PART) : NULL;
}

static struct ir_value *mul(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *sum = INTS(fn_mul_high, LOW(0), LOW(1), NO_PART);

    sum = INTS(fn_mul_add, LOW(0), HIGH(1), MADE(sum));
    *high = INTS(fn_mul_add, HIGH(0), LOW(1), MADE(sum));
    return *high ? INTS(fn_mul_low, LOW(0), LOW(1), NO_PART) : NULL;
}

static struct ir_value *neg(struct ir *ir, const struct node *n, struct ir_value **high)
{
    *high = INTS(fn_neg_high, HIGH(0), LOW(0), NO_PART);
    return *high ? INTS(fn_neg_low, LOW(0), NO_PART, NO_PART) : NULL;
}

/* Input i before input k, or also where they are equal. */
static struct ir_value *order(struct ir *ir, const struct node *n, uint32_t i, uint32_t k, bool or_equal)
{
    return BOOLS(fn_order_high, HIGH(i), HIGH(k),
                 MADE(map(ir, n, or_equal ? &fn_at_most : &fn_below, IR_BOOL, LOW(i), LOW(k), NO_PART)));
}

static struct ir_value *less(struct ir *ir, const struct node *n, struct ir_value **high)
{
    (void)high;
    return order(ir, n, 0, 1, false);
}

static struct ir_value *less_equal(struct ir *ir, const struct node *n, struct ir_value **high)
{
    (void)high;
    return order(ir, n, 0, 1, true);
}

static struct ir_value *greater(struct ir *ir, const struct node *n, struct ir_value **high)
{
    (void)high;
    return order(ir, n, 1, 0, false);
}

static struct ir_value *greater_equal(struct ir *ir, const struct node *n, struct ir_value **high)
{
    (void)high;
    return order(ir, n, 1, 0, true);
}

static struct ir_value *equal(struct ir *ir, const struct node *n, struct ir_value **high)
{
    (void)high;
    return BOOLS(fn_equal_high, HIGH(0), HIGH(1), MADE(BOOLS(fn_equal_low, LOW(0), LOW(1), NO_PART)));
}

static struct ir_value *not_equal(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return BOOLS(fn_not, MADE(equal(ir, n, high)), NO_PART, NO_PART);
}

/* The first where `first` is true. */
static struct ir_value *choose(struct ir *ir, const struct node *n, struct ir_value *first, struct ir_value **high)
{
    *high = INTS(fn_select, MADE(first), HIGH(0), HIGH(1));
    return *high ? INTS(fn_select, MADE(first), LOW(0), LOW(1)) : NULL;
}

static struct ir_value *minimum(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return choose(ir, n, order(ir, n, 0, 1, false), high);
}

static struct ir_value *maximum(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return choose(ir, n, order(ir, n, 1, 0, false), high);
}

/* ---- by words that lie in one value (int64_value.h) ---- */

static const struct ir_fn fn_word = {"WORD", NULL, "a", .arity = 1};

/* An input in the shape of the output. */
static struct ir_value *wide_input(struct ir *ir, const struct node *n, uint32_t i)
{
    struct ir_value *low = INTS(fn_word, LOW(i), NO_PART, NO_PART);

    return low ? int64_join(ir, low, INTS(fn_word, HIGH(i), NO_PART, NO_PART)) : NULL;
}

static struct ir_value *int64_binary(struct ir *ir, const struct node *n, const char *fn, struct ir_value **high)
{
    struct ir_value *a = wide_input(ir, n, 0), *y = a ? int64_map(ir, fn, a, wide_input(ir, n, 1)) : NULL;

    *high = int64_take_half(ir, y, true);
    return *high ? int64_take_half(ir, y, false) : NULL;
}

static struct ir_value *floor_mod(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return int64_binary(ir, n, "floor_rest(a, b)", high);
}

static struct ir_value *bits_of_both(struct ir *ir, const struct node *n, struct ir_value **high)
{
    *high = INTS(fn_and, HIGH(0), HIGH(1), NO_PART);
    return *high ? INTS(fn_and, LOW(0), LOW(1), NO_PART) : NULL;
}

static struct ir_value *least(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return n->out[0]->type == TYPE_UINT64 ? int64_binary(ir, n, "lesser(a, b)", high) : minimum(ir, n, high);
}

static struct ir_value *most(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return n->out[0]->type == TYPE_UINT64 ? int64_binary(ir, n, "greater(a, b)", high) : maximum(ir, n, high);
}

static enum activation activation_of(const struct node *n)
{
    switch (n->opt ? n->op->builtin : BUILTIN_NEG) {
    case BUILTIN_ADD: return ((const struct opt_add *)n->opt)->activation;
    case BUILTIN_SUB: return ((const struct opt_sub *)n->opt)->activation;
    case BUILTIN_MUL: return ((const struct opt_mul *)n->opt)->activation;
    default: return ACT_NONE;
    }
}

/* The limits of a fused activation; the CPU has no others of integers. */
static struct ir_value *activated(struct ir *ir, const struct node *n, struct ir_value *low, struct ir_value **high)
{
    const enum activation act = activation_of(n);
    struct ir_value *y;

    if (act == ACT_NONE || !low)
        return low;
    y = int64_map(ir, "at_least(a, b)", int64_join(ir, low, *high), int64_constant(ir, act == ACT_RELU_N1_TO_1 ? -1 : 0));
    if (act != ACT_RELU)
        y = int64_map(ir, "at_most(a, b)", y, int64_constant(ir, act == ACT_RELU_N1_TO_1 ? 1 : 6));
    *high = int64_take_half(ir, y, true);
    return *high ? int64_take_half(ir, y, false) : NULL;
}

static struct ir_value *activated_sum(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return activated(ir, n, add(ir, n, high), high);
}

static struct ir_value *activated_difference(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return activated(ir, n, sub(ir, n, high), high);
}

static struct ir_value *activated_product(struct ir *ir, const struct node *n, struct ir_value **high)
{
    return n->out[0]->type == TYPE_COMPLEX64 ? int64_binary(ir, n, "complex_product(a, b)", high)
                                             : activated(ir, n, mul(ir, n, high), high);
}

#define ALONE(fn)                                                                                                                  \
    {                                                                                                                              \
        .lower = (fn), .types = 1u << TYPE_INT64                                                                                   \
    }
#define TO_BOOL(fn)                                                                                                                \
    {                                                                                                                              \
        .lower = (fn), .types = 1u << TYPE_INT64, .to_bool = true                                                                  \
    }
#define UNSIGNED(fn)                                                                                                               \
    {                                                                                                                              \
        .lower = (fn), .types = 1u << TYPE_INT64 | 1u << TYPE_UINT64                                                               \
    }

const struct gl_int64 int64_add = ALONE(activated_sum), int64_sub = ALONE(activated_difference), int64_neg = ALONE(neg),
                      int64_mul = {.lower = activated_product, .types = 1u << TYPE_INT64 | 1u << TYPE_COMPLEX64},
                      int64_floor_mod = ALONE(floor_mod), int64_minimum = ALONE(minimum), int64_maximum = ALONE(maximum),
                      int64_less = TO_BOOL(less), int64_less_equal = TO_BOOL(less_equal), int64_greater = TO_BOOL(greater),
                      int64_greater_equal = TO_BOOL(greater_equal), int64_equal = TO_BOOL(equal),
                      int64_not_equal = TO_BOOL(not_equal), int64_stablehlo_add = UNSIGNED(add),
                      int64_stablehlo_and = UNSIGNED(bits_of_both), int64_stablehlo_multiply = UNSIGNED(mul),
                      int64_stablehlo_minimum = UNSIGNED(least), int64_stablehlo_maximum = UNSIGNED(most);

const struct gl_int64 *int64_computing(const struct node *n)
{
    const struct gl_int64 *k = n->op && n->op->gl ? n->op->gl->int64 : NULL;

    return k && k->by_output && !(n->n_out && n->out[0] && ir_is_int64(n->out[0])) ? NULL : k;
}

/* A run of the CPU ends at a division by 0. */
static bool divisor_fits(const struct node *n, struct reason *why)
{
    return n->op->builtin != BUILTIN_FLOOR_MOD || elementwise_divisor_fits(n, false, why);
}

bool int64_compute_types(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct gl_int64 *row = int64_computing(n);
    const enum tensor_type type = n->in[0] ? n->in[0]->type : TYPE_NONE;

    if (row->by_output && !(row->types >> n->out[0]->type & 1))
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "output 0 has type %s", type_name(n->out[0]->type));
    if (activation_of(n) == ACT_TANH || activation_of(n) == ACT_SIGMOID || activation_of(n) == ACT_SIGN_BIT)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "fused activation %d of INT64", (int)activation_of(n));
    if (row->asks) /* lib/gl has asked for the types */
        return n->op->gl->accept(lim, n, why);
    for (uint32_t i = 0; i < n->n_in; i++)
        if (!n->in[i] || n->in[i]->type != type || !(row->types >> type & 1))
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s beside %s", i,
                              n->in[i] ? type_name(n->in[i]->type) : "none", type_name(n->out[0]->type));
    if (n->out[0]->type != (row->to_bool ? TYPE_BOOL : type))
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "%s becomes %s", type_name(n->in[0]->type),
                          type_name(n->out[0]->type));
    return divisor_fits(n, why);
}
