/* unary.c - one-input mathematics: ABS NEG EXP LOG SQRT RSQRT SQUARE FLOOR. */
#include <math.h>

#include "map.h"

MAP_ROW(abs_f32, float, float, NO_SETUP, fabsf(v))
MAP_ROW(abs_i32, int32_t, int32_t, NO_SETUP, v < 0 ? 0u - (uint32_t)v : (uint32_t)v)
MAP_ROW(neg_f32, float, float, NO_SETUP, -v)
MAP_ROW(neg_i32, int32_t, int32_t, NO_SETUP, 0u - (uint32_t)v)
MAP_ROW(neg_i64, int64_t, int64_t, NO_SETUP, UINT64_C(0) - (uint64_t)v)
MAP_ROW(exp_f32, float, float, NO_SETUP, expf(v))
MAP_ROW(log_f32, float, float, NO_SETUP, logf(v))
MAP_ROW(sqrt_f32, float, float, NO_SETUP, sqrtf(v))
MAP_ROW(rsqrt_f32, float, float, NO_SETUP, 1.0f / sqrtf(v))
MAP_ROW(square_f32, float, float, NO_SETUP, v * v)
MAP_ROW(floor_f32, float, float, NO_SETUP, floorf(v))

static const map_row abs_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = abs_f32, [TYPE_INT32] = abs_i32 };
static const map_row neg_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = neg_f32, [TYPE_INT32] = neg_i32, [TYPE_INT64] = neg_i64 };
static const map_row exp_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = exp_f32 };
static const map_row log_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = log_f32 };
static const map_row sqrt_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = sqrt_f32 };
static const map_row rsqrt_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = rsqrt_f32 };
static const map_row square_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = square_f32 };
static const map_row floor_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = floor_f32 };

#define UNARY(op)                                                                                                              \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                       \
    {                                                                                                                          \
        return map_types(c, op##_rows, err);                                                                                   \
    }                                                                                                                          \
    static enum status op##_run(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                          \
        (void)err;                                                                                                             \
        return map_typed(c, op##_rows);                                                                                        \
    }                                                                                                                          \
    const struct cpu_kernel cpu_##op = { .shape = shape_unary, .prepare = op##_prepare, .run = op##_run };

UNARY(abs)
UNARY(neg)
UNARY(exp)
UNARY(log)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(square)
UNARY(floor)
