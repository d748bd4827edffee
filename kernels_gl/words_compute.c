/* SPDX-License-Identifier: Apache-2.0 */
/* words_compute.c - arithmetic and comparisons of INT64, of two words each: as maps of 32-bit integers. */
#include <string.h>

#include "complex.h"
#include "data_movement.h"
#include "elementwise.h"
#include "irfft2d.h"
#include "rfft2d.h"
#include "words.h"

#define BELOW(x, y) "vec4(lessThan(uvec4(" x "), uvec4(" y ")))"

static const struct ir_fn fn_add_low = {"ADD_LOW", 2, NULL, "a + b"}, fn_carry = {"CARRY", 2, NULL, BELOW("a + b", "a")},
                          fn_add_high = {"ADD_HIGH", 3, NULL, "a + b + ivec4(c)"}, fn_sub_low = {"SUB_LOW", 2, NULL, "a - b"},
                          fn_below = {"BELOW", 2, NULL, BELOW("a", "b")},
                          fn_at_most = {"AT_MOST", 2, NULL, "vec4(lessThanEqual(uvec4(a), uvec4(b)))"},
                          fn_sub_high = {"SUB_HIGH", 3, NULL, "a - b - ivec4(c)"}, fn_mul_low = {"MUL_LOW", 2, NULL, "a * b"},
                          fn_mul_high = {"MUL_HIGH", 2, NULL, "product_high4(a, b)", .helper = words_comp},
                          fn_mul_add = {"MUL_ADD", 3, NULL, "a * b + c"}, fn_neg_low = {"NEG_LOW", 1, NULL, "-a"},
                          fn_neg_high = {"NEG_HIGH", 2, NULL, "~a + ivec4(equal(b, ivec4(0)))"},
                          fn_order_high = {"ORDER", 3, NULL, "mix(vec4(lessThan(a, b)), c, equal(a, b))"},
                          fn_equal_low = {"EQUAL_LOW", 2, NULL, "vec4(equal(a, b))"},
                          fn_equal_high = {"EQUAL_HIGH", 3, NULL, "c * vec4(equal(a, b))"}, fn_not = {"NOT", 1, "1.0 - a", NULL};

/* One word of an input of the node, or what was made of such in the shape of its output. */
struct part {
    struct ir_value *v;
    const struct tensor *t;
};

static struct part word(struct ir *ir, const struct node *n, uint32_t i, bool high)
{
    return (struct part){words_of(ir, n->in[i], high), n->in[i]};
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

static const struct row {
    const char *name;
    words_fn fn;
    bool to_bool, bits;
} rows[] = {
    {"ADD", add, false, false},
    {"SUB", sub, false, false},
    {"MUL", mul, false, false},
    {"NEG", neg, false, false},
    {"MINIMUM", minimum, false, false},
    {"MAXIMUM", maximum, false, false},
    {"LESS", less, true, false},
    {"LESS_EQUAL", less_equal, true, false},
    {"GREATER", greater, true, false},
    {"GREATER_EQUAL", greater_equal, true, false},
    {"EQUAL", equal, true, false},
    {"NOT_EQUAL", not_equal, true, false},
    {"STABLEHLO_ADD", add, false, false},
    {"STABLEHLO_MULTIPLY", mul, false, false},
    {"STABLEHLO_MINIMUM", minimum, false, false},
    {"STABLEHLO_MAXIMUM", maximum, false, false},
    {"CAST", words_cast, false, true},
    {"BITCAST", words_bitcast, false, true},
    {"REAL", complex_real, false, true},
    {"IMAG", complex_imag, false, true},
    {"COMPLEX_ABS", complex_abs, false, true},
    {"RFFT2D", rfft2d_words, false, true},
    {"IRFFT2D", irfft2d_words, false, true},
};

static const struct row *row_of(const char *op)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, op))
            return &rows[i];
    return NULL;
}

words_fn words_computing(const char *op)
{
    const struct row *row = row_of(op);

    return row ? row->fn : NULL;
}

bool words_any_type(const char *op)
{
    const struct row *row = row_of(op);

    return row && row->bits;
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

bool words_compute_types(const struct node *n, struct reason *why)
{
    const struct row *row = row_of(n->op->name);

    if (row->bits) /* lib/gl has asked for the types */
        return n->op->gl->accept(NULL, NULL, n, why);
    if (activation_of(n) != ACT_NONE)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "a fused activation of INT64");
    for (uint32_t i = 0; i < n->n_in; i++)
        if (!n->in[i] || n->in[i]->type != TYPE_INT64)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s beside INT64", i,
                              n->in[i] ? type_name(n->in[i]->type) : "none");
    if (n->out[0]->type != (row->to_bool ? TYPE_BOOL : TYPE_INT64))
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "%s becomes %s", type_name(n->in[0]->type),
                          type_name(n->out[0]->type));
    return true;
}
