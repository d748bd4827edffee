/* compare.c - comparisons and LOGICAL_AND: two inputs that broadcast into a BOOL output. */
#include "broadcast.h"

#define COMPARE_ROW(name, t, op) BINARY_ROW(name, t, bool, NO_SETUP, a op b)

#define COMPARE_ROWS(name, op)                                                                                                 \
    COMPARE_ROW(name##_f32, float, op)                                                                                         \
    COMPARE_ROW(name##_i32, int32_t, op)                                                                                       \
    COMPARE_ROW(name##_i64, int64_t, op)

COMPARE_ROWS(equal, ==)
COMPARE_ROWS(not_equal, !=)
COMPARE_ROWS(less, <)
COMPARE_ROWS(less_equal, <=)
COMPARE_ROWS(greater, >)
COMPARE_ROWS(greater_equal, >=)

/* Bytes, so that a hostile constant with other values than 0 and 1 stays defined. */
BINARY_ROW(equal_bool, uint8_t, uint8_t, NO_SETUP, !a == !b)
BINARY_ROW(not_equal_bool, uint8_t, uint8_t, NO_SETUP, !a != !b)
BINARY_ROW(logical_and_bool, uint8_t, uint8_t, NO_SETUP, a && b)

#define NUMBER_ROWS(name) [TYPE_FLOAT32] = name##_f32, [TYPE_INT32] = name##_i32, [TYPE_INT64] = name##_i64

static const broadcast_row equal_rows[TYPE_COUNT] = { NUMBER_ROWS(equal), [TYPE_BOOL] = equal_bool };
static const broadcast_row not_equal_rows[TYPE_COUNT] = { NUMBER_ROWS(not_equal), [TYPE_BOOL] = not_equal_bool };
static const broadcast_row less_rows[TYPE_COUNT] = { NUMBER_ROWS(less) };
static const broadcast_row less_equal_rows[TYPE_COUNT] = { NUMBER_ROWS(less_equal) };
static const broadcast_row greater_rows[TYPE_COUNT] = { NUMBER_ROWS(greater) };
static const broadcast_row greater_equal_rows[TYPE_COUNT] = { NUMBER_ROWS(greater_equal) };
static const broadcast_row logical_and_rows[TYPE_COUNT] = { [TYPE_BOOL] = logical_and_bool };

#define COMPARE(op)                                                                                                            \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                       \
    {                                                                                                                          \
        return broadcast_types(c, op##_rows, TYPE_BOOL, err);                                                                  \
    }                                                                                                                          \
    static enum status op##_run(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                          \
        (void)err;                                                                                                             \
        return broadcast_typed(c, op##_rows);                                                                                  \
    }                                                                                                                          \
    const struct cpu_kernel cpu_##op = { .shape = shape_binary, .prepare = op##_prepare, .run = op##_run };

COMPARE(equal)
COMPARE(not_equal)
COMPARE(less)
COMPARE(less_equal)
COMPARE(greater)
COMPARE(greater_equal)
COMPARE(logical_and)
