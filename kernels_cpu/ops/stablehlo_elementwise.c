/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_elementwise.c - STABLEHLO_ADD MULTIPLY MAXIMUM MINIMUM AND SHIFT_LEFT: two inputs of one shape, plain arithmetic on
 * any type; integers wrap around. */
#include "kernels_cpu/common/broadcast.h"

/* These treat NaN otherwise than MAXIMUM and MINIMUM: the first operand wins. */
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))

/* Unsigned operands, so that overflow is defined; the result is cut to the type. */
#define WRAPPED(a, b, op) op((uint64_t)(a), (uint64_t)(b))
#define INT_ROWS(suffix, t)                                                                                                        \
    BINARY_ROW(stablehlo_add_##suffix, t, t, NO_SETUP, WRAPPED(a, b, ADD))                                                         \
    BINARY_ROW(stablehlo_multiply_##suffix, t, t, NO_SETUP, WRAPPED(a, b, MUL))                                                    \
    BINARY_ROW(stablehlo_maximum_##suffix, t, t, NO_SETUP, MAX(a, b))                                                              \
    BINARY_ROW(stablehlo_minimum_##suffix, t, t, NO_SETUP, MIN(a, b))                                                              \
    BINARY_ROW(stablehlo_and_##suffix, t, t, NO_SETUP, a &b)

#define REAL_ROWS(suffix, t, compute)                                                                                              \
    BINARY_ROW(stablehlo_add_##suffix, t, t, NO_SETUP, compute(ADD))                                                               \
    BINARY_ROW(stablehlo_multiply_##suffix, t, t, NO_SETUP, compute(MUL))                                                          \
    BINARY_ROW(stablehlo_maximum_##suffix, t, t, NO_SETUP, compute(MAX))                                                           \
    BINARY_ROW(stablehlo_minimum_##suffix, t, t, NO_SETUP, compute(MIN))

#define DIRECT(op)        op(a, b)
#define THROUGH_FLOAT(op) half_from_float(op(half_to_float(a), half_to_float(b)))

INT_ROWS(i8, int8_t)
INT_ROWS(u8, uint8_t)
INT_ROWS(i16, int16_t)
INT_ROWS(u16, uint16_t)
INT_ROWS(i32, int32_t)
INT_ROWS(u32, uint32_t)
INT_ROWS(i64, int64_t)
INT_ROWS(u64, uint64_t)
REAL_ROWS(f32, float, DIRECT)
REAL_ROWS(f64, double, DIRECT)
REAL_ROWS(f16, uint16_t, THROUGH_FLOAT)
BINARY_ROW(either_bool, uint8_t, uint8_t, NO_SETUP, a || b)
BINARY_ROW(both_bool, uint8_t, uint8_t, NO_SETUP, a &&b)

/* Shifts by less than 0 or by all bits and more are undefined in StableHLO; here they give 0. */
#define SHIFT(bits) (b < 0 || b >= (bits) ? 0 : (uint64_t)a << b)
BINARY_ROW(shift_left_i8, int8_t, int8_t, NO_SETUP, SHIFT(8))
BINARY_ROW(shift_left_i16, int16_t, int16_t, NO_SETUP, SHIFT(16))
BINARY_ROW(shift_left_i32, int32_t, int32_t, NO_SETUP, SHIFT(32))

#define INT_TYPES(op)                                                                                                              \
    [TYPE_INT8] = op##_i8, [TYPE_UINT8] = op##_u8, [TYPE_INT16] = op##_i16, [TYPE_UINT16] = op##_u16, [TYPE_INT32] = op##_i32,     \
    [TYPE_UINT32] = op##_u32, [TYPE_INT64] = op##_i64, [TYPE_UINT64] = op##_u64
#define ALL_TYPES(op) INT_TYPES(op), [TYPE_FLOAT16] = op##_f16, [TYPE_FLOAT32] = op##_f32, [TYPE_FLOAT64] = op##_f64

static const broadcast_row add_rows[TYPE_COUNT] = {ALL_TYPES(stablehlo_add), [TYPE_BOOL] = either_bool};
static const broadcast_row multiply_rows[TYPE_COUNT] = {ALL_TYPES(stablehlo_multiply), [TYPE_BOOL] = both_bool};
static const broadcast_row maximum_rows[TYPE_COUNT] = {ALL_TYPES(stablehlo_maximum), [TYPE_BOOL] = either_bool};
static const broadcast_row minimum_rows[TYPE_COUNT] = {ALL_TYPES(stablehlo_minimum), [TYPE_BOOL] = both_bool};
static const broadcast_row and_rows[TYPE_COUNT] = {INT_TYPES(stablehlo_and), [TYPE_BOOL] = both_bool};
static const broadcast_row shift_left_rows[TYPE_COUNT] = {
    [TYPE_INT8] = shift_left_i8,
    [TYPE_INT16] = shift_left_i16,
    [TYPE_INT32] = shift_left_i32,
};

static enum status same_shape(struct node *n, struct err *err)
{
    if (!tensor_same_shape(n->in[0], n->in[1]))
        return err_set(err, ST_BAD_MODEL, "the inputs differ: %s and %s", TENSOR_TEXT(n->in[0]), TENSOR_TEXT(n->in[1]));
    return shape_like(n, 0, n->in[0], err);
}

#define ELEMENTWISE(op)                                                                                                            \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                              \
        return broadcast_plan_rows(c, op##_rows, TYPE_NONE, err);                                                                  \
    }                                                                                                                              \
    const struct cpu_kernel cpu_stablehlo_##op = {                                                                                 \
        .arity = {2, 2, 1}, .shape = same_shape, .prepare = op##_prepare, .run = broadcast_plan_run};

ELEMENTWISE(add)
ELEMENTWISE(multiply)
ELEMENTWISE(maximum)
ELEMENTWISE(minimum)
ELEMENTWISE(and)
ELEMENTWISE(shift_left)
