/* binary.c - the two-input ops without options: MAXIMUM, MINIMUM, SQUARED_DIFFERENCE, POW. */
#include <math.h>

#include "broadcast.h"

/* NaN rules follow from the comparison: the second operand wins. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

#define PLAIN_ROW(name, t, expr) BINARY_ROW(name, t, t, NO_SETUP, expr)

PLAIN_ROW(maximum_f32, float, MAX(a, b))
PLAIN_ROW(maximum_u8, uint8_t, MAX(a, b))
PLAIN_ROW(maximum_i8, int8_t, MAX(a, b))
PLAIN_ROW(maximum_i16, int16_t, MAX(a, b))
PLAIN_ROW(maximum_i32, int32_t, MAX(a, b))
PLAIN_ROW(maximum_i64, int64_t, MAX(a, b))

PLAIN_ROW(minimum_f32, float, MIN(a, b))
PLAIN_ROW(minimum_u8, uint8_t, MIN(a, b))
PLAIN_ROW(minimum_i8, int8_t, MIN(a, b))
PLAIN_ROW(minimum_i16, int16_t, MIN(a, b))
PLAIN_ROW(minimum_i32, int32_t, MIN(a, b))
PLAIN_ROW(minimum_i64, int64_t, MIN(a, b))

PLAIN_ROW(squared_difference_f32, float, (a - b) * (a - b))
PLAIN_ROW(squared_difference_i32, int32_t, ((uint32_t)a - (uint32_t)b) * ((uint32_t)a - (uint32_t)b))

/* Results past the int32 range saturate. */
static int32_t pow_int(int32_t base, int32_t exponent)
{
    const double p = pow(base, exponent);

    return p >= 0x1p31 ? INT32_MAX : p < -0x1p31 ? INT32_MIN : (int32_t)p;
}

PLAIN_ROW(pow_f32, float, powf(a, b))
PLAIN_ROW(pow_i32, int32_t, pow_int(a, b))

static const broadcast_row maximum_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = maximum_f32, [TYPE_UINT8] = maximum_u8, [TYPE_INT8] = maximum_i8, [TYPE_INT16] = maximum_i16,
    [TYPE_INT32] = maximum_i32, [TYPE_INT64] = maximum_i64,
};

static const broadcast_row minimum_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = minimum_f32, [TYPE_UINT8] = minimum_u8, [TYPE_INT8] = minimum_i8, [TYPE_INT16] = minimum_i16,
    [TYPE_INT32] = minimum_i32, [TYPE_INT64] = minimum_i64,
};

static const broadcast_row squared_difference_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = squared_difference_f32, [TYPE_INT32] = squared_difference_i32,
};

static const broadcast_row pow_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = pow_f32, [TYPE_INT32] = pow_i32,
};

#define BINARY(op)                                                                                                             \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                       \
    {                                                                                                                          \
        return broadcast_types(c, op##_rows, TYPE_NONE, err);                                                                  \
    }                                                                                                                          \
    static enum status op##_run(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                          \
        (void)err;                                                                                                             \
        return broadcast_typed(c, op##_rows);                                                                                  \
    }                                                                                                                          \
    const struct cpu_kernel cpu_##op = { .shape = shape_binary, .prepare = op##_prepare, .run = op##_run };

BINARY(maximum)
BINARY(minimum)
BINARY(squared_difference)

static enum status pow_prepare(struct cpu_call *c, struct err *err)
{
    return broadcast_types(c, pow_rows, TYPE_NONE, err);
}

static enum status pow_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *b = c->node->in[1];
    const size_t elems = tensor_elems(b);

    if (b->type == TYPE_INT32)
        for (size_t i = 0; i < elems; i++)
            if (((const int32_t *)b->data)[i] < 0)
                return err_set(err, ST_FAILED, "element %zu of the exponent is %d, but integer powers must not be negative", i,
                               (int)((const int32_t *)b->data)[i]);
    return broadcast_typed(c, pow_rows);
}

const struct cpu_kernel cpu_pow = { .shape = shape_binary, .prepare = pow_prepare, .run = pow_run };
