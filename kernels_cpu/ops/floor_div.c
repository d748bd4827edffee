/* SPDX-License-Identifier: Apache-2.0 */
/* floor_div.c - FLOOR_DIV and FLOOR_MOD: the quotient rounds down, the rest has the sign of the divisor. */
#include <math.h>

#include "kernels_cpu/common/broadcast.h"

/* The one quotient that does not fit wraps, as it does in TFLite on x86; that of DIV saturates. */
#define DIV_INT(a, b, t) ((b) == -1 ? (t)(0 - (uint64_t)(a)) : (t)((a) / (b) - ((a) % (b) != 0 && ((a) < 0) != ((b) < 0))))
#define MOD_INT(a, b, t) ((b) == -1 ? 0 : (t)((a) % (b) + ((a) % (b) != 0 && ((a) < 0) != ((b) < 0) ? (b) : 0)))

static inline float mod_f32(float a, float b)
{
    const float rest = fmodf(a, b);

    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

#define INT_ROWS(suffix, t)                                                                                                        \
    BINARY_ROW(floor_div_##suffix, t, t, NO_SETUP, DIV_INT(a, b, t))                                                               \
    BINARY_ROW(floor_mod_##suffix, t, t, NO_SETUP, MOD_INT(a, b, t))

INT_ROWS(i8, int8_t)
INT_ROWS(i16, int16_t)
INT_ROWS(i32, int32_t)
BINARY_ROW(floor_mod_i64, int64_t, int64_t, NO_SETUP, MOD_INT(a, b, int64_t))
BINARY_ROW(floor_div_f32, float, float, NO_SETUP, floorf(a / b))
BINARY_ROW(floor_mod_f32, float, float, NO_SETUP, mod_f32(a, b))

static const broadcast_row floor_div_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = floor_div_f32,
    [TYPE_INT8] = floor_div_i8,
    [TYPE_INT16] = floor_div_i16,
    [TYPE_INT32] = floor_div_i32,
};

static const broadcast_row floor_mod_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = floor_mod_f32, [TYPE_INT8] = floor_mod_i8,   [TYPE_INT16] = floor_mod_i16,
    [TYPE_INT32] = floor_mod_i32,   [TYPE_INT64] = floor_mod_i64,
};

static enum status floor_div_prepare(struct cpu_call *c, struct err *err)
{
    return broadcast_plan_rows(c, floor_div_rows, TYPE_NONE, err);
}

static enum status floor_mod_prepare(struct cpu_call *c, struct err *err)
{
    return broadcast_plan_rows(c, floor_mod_rows, TYPE_NONE, err);
}

static enum status no_zero_divisor(const struct tensor *b, struct err *err)
{
    const size_t elems = tensor_elems(b);

    for (size_t i = 0; i < elems; i++)
        if (b->type == TYPE_FLOAT32 ? ((const float *)b->data)[i] == 0 : tensor_int(b, i) == 0)
            return err_set(err, ST_FAILED, "division by zero at element %zu of input 1", i);
    return ST_OK;
}

/* TFLite refuses to divide floats by zero, but has NaN as the rest. */
static enum status floor_div_run(struct cpu_call *c, struct err *err)
{
    enum status st = no_zero_divisor(c->node->in[1], err);

    return st ? st : broadcast_plan_run(c, err);
}

static enum status floor_mod_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *b = c->node->in[1];
    enum status st = b->type == TYPE_FLOAT32 ? ST_OK : no_zero_divisor(b, err);

    return st ? st : broadcast_plan_run(c, err);
}

const struct cpu_kernel cpu_floor_div = {.shape = broadcast_shape, .prepare = floor_div_prepare, .run = floor_div_run};
const struct cpu_kernel cpu_floor_mod = {.shape = broadcast_shape, .prepare = floor_mod_prepare, .run = floor_mod_run};
