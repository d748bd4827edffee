/* SPDX-License-Identifier: Apache-2.0 */
/* binary.c - the two-input ops without options: MAXIMUM, MINIMUM, SQUARED_DIFFERENCE, POW, ATAN2. */
#include <math.h>
#include <string.h>

#include "kernels_cpu/common/broadcast.h"
#include "kernels_cpu/common/map.h"
#include "kernels_cpu/ops/arith.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/quant/quant_check.h"

/* NaN rules follow from the comparison: the second operand wins. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

#define PLAIN_ROW(name, t, expr) BINARY_ROW(name, t, t, NO_SETUP, expr)

CLONES PLAIN_ROW(maximum_f32, float, MAX(a, b)) BINARY_ROW_F16(maximum_f16, NO_SETUP, MAX(HALF_A, HALF_B))
    BINARY_ROW_BF16(maximum_bf16, NO_SETUP, MAX(BFLOAT_A, BFLOAT_B)) CLONES PLAIN_ROW(maximum_u8, uint8_t, MAX(a, b)) CLONES
    PLAIN_ROW(maximum_i8, int8_t, MAX(a, b)) CLONES PLAIN_ROW(maximum_i16, int16_t, MAX(a, b)) CLONES
    PLAIN_ROW(maximum_i32, int32_t, MAX(a, b)) PLAIN_ROW(maximum_i64, int64_t, MAX(a, b))

        CLONES PLAIN_ROW(minimum_f32, float, MIN(a, b)) BINARY_ROW_F16(minimum_f16, NO_SETUP, MIN(HALF_A, HALF_B))
            BINARY_ROW_BF16(minimum_bf16, NO_SETUP, MIN(BFLOAT_A, BFLOAT_B)) CLONES PLAIN_ROW(minimum_u8, uint8_t, MIN(a, b)) CLONES
    PLAIN_ROW(minimum_i8, int8_t, MIN(a, b)) CLONES PLAIN_ROW(minimum_i16, int16_t, MIN(a, b)) CLONES
    PLAIN_ROW(minimum_i32, int32_t, MIN(a, b)) PLAIN_ROW(minimum_i64, int64_t, MIN(a, b))

        CLONES PLAIN_ROW(squared_difference_f32, float, (a - b) * (a - b)) CLONES
    PLAIN_ROW(squared_difference_i32, int32_t, ((uint32_t)a - (uint32_t)b) * ((uint32_t)a - (uint32_t)b))

    /* Both inputs at one scale, with 7 more bits, as 255 squared with 14 more bits is the most that fits. */
    struct squared_difference {
    struct broadcast_plan plan;
    struct arith_numbers n;
};

static inline int32_t squared_difference(int32_t a, int32_t b, const struct arith_numbers *q)
{
    const int32_t d = fixed_scale(fixed_shift_left(a - q->a_zero, q->left), q->a_mul) -
                      fixed_scale(fixed_shift_left(b - q->b_zero, q->left), q->b_mul);

    return fixed_clamp(fixed_scale(d * d, q->y_mul) + q->y_zero, q->r.lo, q->r.hi);
}

CLONES BINARY_ROW(squared_difference_i8, int8_t, int8_t, const struct arith_numbers q = ((const struct squared_difference *)arg)->n,
                  squared_difference(a, b, &q))

    enum status squared_difference_numbers(const struct node *n, struct arith_numbers *q, struct err *err)
{
    const struct tensor *a = n->in[0], *b = n->in[1], *y = n->out[0];
    const float a_scale = quant_scale(a), b_scale = quant_scale(b);
    const double twice_max = 2 * (a_scale > b_scale ? a_scale : b_scale);
    enum status st = quant_check_all((const struct tensor *[]){a, b, y}, 3, err);

    if (st)
        return st;
    *q = (struct arith_numbers){
        .a_zero = quant_zero(a), .b_zero = quant_zero(b), .y_zero = quant_zero(y), .left = 7, .r = {INT8_MIN, INT8_MAX}};
    if ((st = quant_multiplier(a_scale / twice_max, &q->a_mul, err)) ||
        (st = quant_multiplier(b_scale / twice_max, &q->b_mul, err)))
        return st;
    return quant_multiplier(twice_max * twice_max / (double)((float)(1 << 14) * quant_scale(y)), &q->y_mul, err);
}

static enum status prepare_squared_difference_i8(struct cpu_call *c, struct err *err)
{
    struct arith_numbers n;
    enum status st;

    if ((st = broadcast_types(c->node, TYPE_NONE, err)) || (st = squared_difference_numbers(c->node, &n, err)) ||
        (st = broadcast_plan(c, squared_difference_i8, sizeof(struct squared_difference), err)))
        return st;
    ((struct squared_difference *)c->packed)->n = n;
    return ST_OK;
}

/* Results past the int32 range saturate. */
static int32_t pow_int(int32_t base, int32_t exponent)
{
    const double p = pow(base, exponent);

    return p >= 0x1p31 ? INT32_MAX : p < -0x1p31 ? INT32_MIN : (int32_t)p;
}

PLAIN_ROW(atan2_f32, float, atan2f(a, b))
BINARY_ROW_F16(atan2_f16, NO_SETUP, atan2f(HALF_A, HALF_B))
BINARY_ROW_BF16(atan2_bf16, NO_SETUP, atan2f(BFLOAT_A, BFLOAT_B))
PLAIN_ROW(atan2_f64, double, atan2(a, b))
PLAIN_ROW(pow_f32, float, powf(a, b))
PLAIN_ROW(pow_i32, int32_t, pow_int(a, b))

static const broadcast_row maximum_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = maximum_f32, [TYPE_UINT8] = maximum_u8,  [TYPE_INT8] = maximum_i8,     [TYPE_INT16] = maximum_i16,
    [TYPE_INT32] = maximum_i32,   [TYPE_INT64] = maximum_i64, [TYPE_FLOAT16] = maximum_f16, [TYPE_BFLOAT16] = maximum_bf16,
};

static const broadcast_row minimum_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = minimum_f32, [TYPE_UINT8] = minimum_u8,  [TYPE_INT8] = minimum_i8,     [TYPE_INT16] = minimum_i16,
    [TYPE_INT32] = minimum_i32,   [TYPE_INT64] = minimum_i64, [TYPE_FLOAT16] = minimum_f16, [TYPE_BFLOAT16] = minimum_bf16,
};

static const broadcast_row squared_difference_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = squared_difference_f32,
    [TYPE_INT32] = squared_difference_i32,
};

static const broadcast_row atan2_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = atan2_f32,
    [TYPE_FLOAT64] = atan2_f64,
    [TYPE_FLOAT16] = atan2_f16,
    [TYPE_BFLOAT16] = atan2_bf16,
};

static const broadcast_row pow_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = pow_f32,
    [TYPE_INT32] = pow_i32,
};

#define BINARY(op, run_)                                                                                                           \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                              \
        return broadcast_plan_rows(c, op##_rows, TYPE_NONE, err);                                                                  \
    }                                                                                                                              \
    const struct cpu_kernel cpu_##op = {.shape = broadcast_shape, .prepare = op##_prepare, .run = run_};

/* Whole exponents that serve all elements: repeated squaring, clamped to finite values at each step as TFLite does. */
struct pow_whole {
    uint32_t exponent; /* at least 1 */
};

#define POW_WHOLE(name, t, product)                                                                                                \
    static void name(const void *arg, void *out, const void *in, size_t n)                                                         \
    {                                                                                                                              \
        const uint32_t exponent = ((const struct pow_whole *)arg)->exponent;                                                       \
        const t *x = in;                                                                                                           \
        t *y = out;                                                                                                                \
                                                                                                                                   \
        memcpy(y, x, n * sizeof *y);                                                                                               \
        for (uint32_t bit = 31 - (uint32_t)__builtin_clz(exponent); bit-- > 0;) {                                                  \
            for (size_t i = 0; i < n; i++)                                                                                         \
                y[i] = product(y[i], y[i]);                                                                                        \
            for (size_t i = 0; (exponent >> bit & 1) && i < n; i++)                                                                \
                y[i] = product(x[i], y[i]);                                                                                        \
        }                                                                                                                          \
    }

static inline float product_f32(float a, float b)
{
    return activation_clamp(a * b, (struct range_f32){-FLT_MAX, FLT_MAX});
}

static inline int32_t product_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

POW_WHOLE(pow_whole_f32, float, product_f32)
POW_WHOLE(pow_whole_i32, int32_t, product_i32)

/* Return true if input 1 is one exponent for all elements, near enough to a whole number. */
static bool pow_is_whole(const struct node *n, uint32_t *exponent)
{
    const struct tensor *b = n->in[1];
    float e, whole;

    if (tensor_elems(b) != 1 || tensor_same_shape(n->in[0], b))
        return false;
    e = b->type == TYPE_FLOAT32 ? *(const float *)b->data : (float)*(const int32_t *)b->data;
    whole = roundf(e);
    if (!(fabsf(e - whole) < 1e-5f) || whole < 1 || whole >= 0x1p31f)
        return false;
    *exponent = (uint32_t)whole;
    return true;
}

static enum status pow_run(struct cpu_call *c, struct err *err)
{
    struct pow_whole w;
    const struct tensor *b = c->node->in[1];
    const size_t elems = tensor_elems(b);

    for (size_t i = 0; b->type == TYPE_INT32 && i < elems; i++)
        if (tensor_int(b, i) < 0)
            return err_set(err, ST_FAILED, "element %zu of the exponent is %d, but integer powers must not be negative", i,
                           (int)tensor_int(b, i));
    if (!pow_is_whole(c->node, &w.exponent))
        return broadcast_plan_run(c, err);
    map_run(c, b->type == TYPE_FLOAT32 ? pow_whole_f32 : pow_whole_i32, &w);
    return ST_OK;
}

BINARY(maximum, broadcast_plan_run)
BINARY(minimum, broadcast_plan_run)
BINARY(pow, pow_run)
BINARY(atan2, broadcast_plan_run)

static enum status squared_difference_prepare(struct cpu_call *c, struct err *err)
{
    return c->node->in[0]->type == TYPE_INT8 ? prepare_squared_difference_i8(c, err)
                                             : broadcast_plan_rows(c, squared_difference_rows, TYPE_NONE, err);
}

const struct cpu_kernel cpu_squared_difference = {
    .shape = broadcast_shape, .prepare = squared_difference_prepare, .run = broadcast_plan_run};
