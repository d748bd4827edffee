/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - comparisons, LOGICAL_AND and LOGICAL_OR: two inputs that broadcast into a BOOL output.
 *
 * Quantized values are compared as real ones, brought to a common fixed-point scale with 8 more bits. */
#include <string.h>

#include "kernels_cpu/common/broadcast.h"
#include "kernels_cpu/common/strings.h"
#include "kernels_cpu/quant/quant_check.h"

/* ---- EQUAL and NOT_EQUAL of strings: their indices broadcast, since strings differ in size ---- */

struct pair {
    const struct tensor *a, *b;
    bool same;
};

static bool is_same(const struct pair *p, int32_t i, int32_t j)
{
    size_t a_length, b_length;
    const char *a = strings_get(p->a, (size_t)i, &a_length), *b = strings_get(p->b, (size_t)j, &b_length);

    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

BINARY_ROW(compare_numbers, int32_t, uint8_t, const struct pair *p = arg, is_same(p, a, b) == p->same)

/* Check that both inputs are STRING and output 0 is BOOL. */
static enum status compare_strings_prepare(struct cpu_call *c, struct err *err)
{
    c->scratch_bytes = (tensor_elems(c->node->in[0]) + tensor_elems(c->node->in[1])) * sizeof(int32_t);
    return broadcast_types(c->node, TYPE_BOOL, err);
}

/* A tensor of t's shape that holds 0, 1, 2, ... at `at`. */
static struct tensor numbers_of(const struct tensor *t, int32_t *at)
{
    struct tensor numbers = *t;
    const size_t elems = tensor_elems(t);

    for (size_t i = 0; i < elems; i++)
        at[i] = (int32_t)i;
    numbers.type = TYPE_INT32;
    numbers.data = at;
    return numbers;
}

/* Store in output 0 if the strings of both inputs, broadcast against each other, have equal bytes (`same`) or different bytes.
 * Fails with ST_BAD_MODEL if a tensor's content is malformed (strings_check). */
static enum status compare_strings_run(struct cpu_call *c, bool same, struct err *err)
{
    const struct tensor *a = c->node->in[0], *b = c->node->in[1];
    int32_t *scratch = c->scratch;
    struct tensor a_numbers, b_numbers, *in[] = {&a_numbers, &b_numbers};
    struct node node = *c->node;
    struct cpu_call call = *c;
    enum status st;

    if ((st = strings_check(a, err)) || (st = strings_check(b, err)))
        return st;
    a_numbers = numbers_of(a, scratch);
    b_numbers = numbers_of(b, scratch + tensor_elems(a));
    node.in = in;
    call.node = &node;
    broadcast_run(&call, 2, compare_numbers, &(struct pair){a, b, same});
    return ST_OK;
}

/* ---- numbers and bools ---- */

struct compare_quant {
    struct broadcast_plan plan;
    int32_t a_zero, b_zero;
    struct fixed_mul a_mul, b_mul;
};

static inline int32_t real_part(int32_t v, int32_t zero, struct fixed_mul m)
{
    return fixed_scale(fixed_shift_left(v - zero, 8), m);
}

/* A copy on the stack: stores of bool could alias the original. */
#define QUANT const struct compare_quant q = *(const struct compare_quant *)arg

#define COMPARE_ROW(name, t, op) BINARY_ROW(name, t, bool, NO_SETUP, a op b)
#define REAL_A                   real_part(a, q.a_zero, q.a_mul)
#define REAL_B                   real_part(b, q.b_zero, q.b_mul)
#define QUANT_ROW(name, t, op)   BINARY_ROW(name, t, bool, QUANT, REAL_A op REAL_B)

#define COMPARE_ROWS(name, op)                                                                                                     \
    COMPARE_ROW(name##_f32, float, op)                                                                                             \
    BINARY_ROW(name##_f16, uint16_t, bool, NO_SETUP, HALF_A op HALF_B)                                                             \
    COMPARE_ROW(name##_i16, int16_t, op)                                                                                           \
    COMPARE_ROW(name##_i32, int32_t, op)                                                                                           \
    COMPARE_ROW(name##_i64, int64_t, op)                                                                                           \
    QUANT_ROW(name##_q8, int8_t, op)                                                                                               \
    QUANT_ROW(name##_qu8, uint8_t, op)                                                                                             \
    QUANT_ROW(name##_q16, int16_t, op)

COMPARE_ROWS(equal, ==)
COMPARE_ROWS(not_equal, !=)
COMPARE_ROWS(less, <)
COMPARE_ROWS(less_equal, <=)
COMPARE_ROWS(greater, >)
COMPARE_ROWS(greater_equal, >=)

BINARY_ROW(less_bf16, uint16_t, bool, NO_SETUP, BFLOAT_A < BFLOAT_B)
BINARY_ROW(greater_bf16, uint16_t, bool, NO_SETUP, BFLOAT_A > BFLOAT_B)

/* Bytes, so that a hostile constant with other values than 0 and 1 stays defined. */
BINARY_ROW(equal_bool, uint8_t, uint8_t, NO_SETUP, !a == !b)
BINARY_ROW(not_equal_bool, uint8_t, uint8_t, NO_SETUP, !a != !b)
BINARY_ROW(logical_or_bool, uint8_t, uint8_t, NO_SETUP, a || b)
BINARY_ROW(logical_and_bool, uint8_t, uint8_t, NO_SETUP, a &&b)

#define NUMBER_ROWS(name)                                                                                                          \
    [TYPE_FLOAT32] = name##_f32, [TYPE_FLOAT16] = name##_f16, [TYPE_INT16] = name##_i16, [TYPE_INT32] = name##_i32,                \
    [TYPE_INT64] = name##_i64

static const broadcast_row equal_rows[TYPE_COUNT] = {NUMBER_ROWS(equal), [TYPE_BOOL] = equal_bool};
static const broadcast_row not_equal_rows[TYPE_COUNT] = {NUMBER_ROWS(not_equal), [TYPE_BOOL] = not_equal_bool};
static const broadcast_row less_rows[TYPE_COUNT] = {NUMBER_ROWS(less), [TYPE_BFLOAT16] = less_bf16};
static const broadcast_row less_equal_rows[TYPE_COUNT] = {NUMBER_ROWS(less_equal)};
static const broadcast_row greater_rows[TYPE_COUNT] = {NUMBER_ROWS(greater), [TYPE_BFLOAT16] = greater_bf16};
static const broadcast_row greater_equal_rows[TYPE_COUNT] = {NUMBER_ROWS(greater_equal)};
static const broadcast_row logical_and_rows[TYPE_COUNT] = {[TYPE_BOOL] = logical_and_bool};
static const broadcast_row logical_or_rows[TYPE_COUNT] = {[TYPE_BOOL] = logical_or_bool};

/* The output is BOOL whatever the file says, as in TFLite. */
static enum status compare_shape(struct node *n, struct err *err)
{
    n->out[0]->type = TYPE_BOOL;
    return shape_binary(n, err);
}

static enum status prepare_quant(struct cpu_call *c, broadcast_row row, struct err *err)
{
    const struct tensor *a = c->node->in[0], *b = c->node->in[1];
    struct compare_quant *q;
    enum status st;

    if ((st = broadcast_types(c->node, TYPE_BOOL, err)) || (st = quant_check(a, err)) || (st = quant_check(b, err)) ||
        (st = broadcast_plan(c, row, sizeof *q, err)))
        return st;
    q = c->packed;
    q->a_zero = quant_zero(a);
    q->b_zero = quant_zero(b);
    if ((st = quant_multiplier((double)quant_scale(a), &q->a_mul, err)))
        return st;
    return quant_multiplier((double)quant_scale(b), &q->b_mul, err);
}

#define COMPARE(op, i16_by_scale)                                                                                                  \
    static enum status op##_prepare_numbers(struct cpu_call *c, struct err *err)                                                   \
    {                                                                                                                              \
        const struct tensor *a = c->node->in[0];                                                                                   \
                                                                                                                                   \
        if (a->type == TYPE_INT8 || a->type == TYPE_UINT8)                                                                         \
            return prepare_quant(c, a->type == TYPE_INT8 ? op##_q8 : op##_qu8, err);                                               \
        if (a->type == TYPE_INT16 && (i16_by_scale) && is_quantized(a))                                                            \
            return prepare_quant(c, op##_q16, err);                                                                                \
        return broadcast_plan_rows(c, op##_rows, TYPE_BOOL, err);                                                                  \
    }

COMPARE(equal, true)
COMPARE(not_equal, true)
COMPARE(less, false)
COMPARE(less_equal, false)
COMPARE(greater, false)
COMPARE(greater_equal, false)

static bool is_string(const struct cpu_call *c)
{
    return c->node->in[0]->type == TYPE_STRING;
}

static enum status equal_prepare(struct cpu_call *c, struct err *err)
{
    return is_string(c) ? compare_strings_prepare(c, err) : equal_prepare_numbers(c, err);
}

static enum status not_equal_prepare(struct cpu_call *c, struct err *err)
{
    return is_string(c) ? compare_strings_prepare(c, err) : not_equal_prepare_numbers(c, err);
}

static enum status equal_run(struct cpu_call *c, struct err *err)
{
    return is_string(c) ? compare_strings_run(c, true, err) : broadcast_plan_run(c, err);
}

static enum status not_equal_run(struct cpu_call *c, struct err *err)
{
    return is_string(c) ? compare_strings_run(c, false, err) : broadcast_plan_run(c, err);
}

const struct cpu_kernel cpu_equal = {.arity = {2, 2, 1}, .shape = compare_shape, .prepare = equal_prepare, .run = equal_run};
const struct cpu_kernel cpu_not_equal = {
    .arity = {2, 2, 1}, .shape = compare_shape, .prepare = not_equal_prepare, .run = not_equal_run};

#define ORDER(op)                                                                                                                  \
    const struct cpu_kernel cpu_##op = {                                                                                           \
        .arity = {2, 2, 1}, .shape = compare_shape, .prepare = op##_prepare_numbers, .run = broadcast_plan_run}

ORDER(less);
ORDER(less_equal);
ORDER(greater);
ORDER(greater_equal);

static enum status logical_and_prepare(struct cpu_call *c, struct err *err)
{
    return broadcast_plan_rows(c, logical_and_rows, TYPE_BOOL, err);
}

const struct cpu_kernel cpu_logical_and = {
    .arity = {2, 2, 1}, .shape = compare_shape, .prepare = logical_and_prepare, .run = broadcast_plan_run};

static enum status logical_or_prepare(struct cpu_call *c, struct err *err)
{
    return broadcast_plan_rows(c, logical_or_rows, TYPE_BOOL, err);
}

const struct cpu_kernel cpu_logical_or = {
    .arity = {2, 2, 1}, .shape = compare_shape, .prepare = logical_or_prepare, .run = broadcast_plan_run};
