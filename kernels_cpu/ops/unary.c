/* SPDX-License-Identifier: Apache-2.0 */
/* unary.c - one-input mathematics: ABS NEG EXP LOG SQRT RSQRT SQUARE FLOOR CEIL ROUND SIGN SIN COS, and
 * LOGICAL_NOT and ZEROS_LIKE. */
#include <math.h>
#include <string.h>

#include "kernels_cpu/common/fast_math.h"
#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/quant/lut.h"
#include "kernels_cpu/quant/quant_check.h"

/* Zeros that come from rounding are positive, as in TFLite, which adds 1 to the number below. */
static inline float round_even(float v)
{
    return v == 0 ? v : rintf(v) + 0.0f;
}

CLONES MAP_ROW(abs_f32, float, float, NO_SETUP, fabsf(v)) MAP_ROW(abs_i16, int16_t, int16_t, NO_SETUP, v < 0 ? -v : v)
    MAP_ROW(abs_i32, int32_t, int32_t, NO_SETUP, v < 0 ? 0u - (uint32_t)v : (uint32_t)v) CLONES
    MAP_ROW(neg_f32, float, float, NO_SETUP, -v) CLONES MAP_ROW(neg_i8, int8_t, int8_t, NO_SETUP, -v) CLONES
    MAP_ROW(neg_i16, int16_t, int16_t, NO_SETUP, -v) MAP_ROW(neg_i32, int32_t, int32_t, NO_SETUP, 0u - (uint32_t)v)
        MAP_ROW(neg_i64, int64_t, int64_t, NO_SETUP, UINT64_C(0) - (uint64_t)v)
            MAP_ROW(exp_f32, float, float, NO_SETUP, expf(v)) CLONES MAP_ROW(exp_fast, float, float, NO_SETUP, fast_exp(v))
                MAP_ROW(log_f32, float, float, NO_SETUP, logf(v)) CLONES MAP_ROW(sqrt_f32, float, float, NO_SETUP, sqrtf(v)) CLONES
    MAP_ROW(rsqrt_f32, float, float, NO_SETUP, 1.0f / sqrtf(v)) CLONES MAP_ROW(square_f32, float, float, NO_SETUP, v *v) CLONES
    MAP_ROW(floor_f32, float, float, NO_SETUP, floorf(v)) CLONES MAP_ROW(ceil_f32, float, float, NO_SETUP, ceilf(v)) CLONES
    MAP_ROW(round_f32, float, float, NO_SETUP, round_even(v))
    /* NaN has no sign. */
    MAP_ROW(sign_f32, float, float, NO_SETUP,
            v > 0   ? 1.0f
            : v < 0 ? -1.0f
                    : v) MAP_ROW(sign_f64, double, double, NO_SETUP,
                                 v > 0   ? 1.0
                                 : v < 0 ? -1.0
                                         : v) MAP_ROW(sign_i32, int32_t, int32_t, NO_SETUP, (v > 0) - (v < 0))
        MAP_ROW(sin_f32, float, float, NO_SETUP, sinf(v)) MAP_ROW(cos_f32, float, float, NO_SETUP, cosf(v))
            MAP_ROW(logical_not_bool, uint8_t, uint8_t, NO_SETUP, !v)

    /* FLOAT16 and BFLOAT16. */
    MAP_ROW(neg_16, uint16_t, uint16_t, NO_SETUP, v ^ 0x8000) MAP_ROW_F16(floor_f16, NO_SETUP, floorf(HALF_V))
        MAP_ROW_F16(round_f16, NO_SETUP, round_even(HALF_V)) MAP_ROW_F16(sin_f16, NO_SETUP, sinf(HALF_V))
            MAP_ROW_F16(cos_f16, NO_SETUP, cosf(HALF_V)) MAP_ROW_BF16(floor_bf16, NO_SETUP, floorf(BFLOAT_V))
                MAP_ROW_BF16(round_bf16, NO_SETUP, round_even(BFLOAT_V))

                    static const map_row abs_rows[TYPE_COUNT] = {
                        [TYPE_FLOAT32] = abs_f32, [TYPE_INT16] = abs_i16, [TYPE_INT32] = abs_i32};
static const map_row neg_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = neg_f32, [TYPE_FLOAT16] = neg_16, [TYPE_BFLOAT16] = neg_16, [TYPE_INT8] = neg_i8,
    [TYPE_INT16] = neg_i16,   [TYPE_INT32] = neg_i32,  [TYPE_INT64] = neg_i64,
};
static const map_row exp_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = exp_f32};
static const map_row exp_fast_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = exp_fast};
static const map_row log_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = log_f32};
static const map_row sqrt_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = sqrt_f32};
static const map_row rsqrt_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = rsqrt_f32};
static const map_row square_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = square_f32};
static const map_row floor_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = floor_f32,
    [TYPE_FLOAT16] = floor_f16,
    [TYPE_BFLOAT16] = floor_bf16,
};
static const map_row ceil_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = ceil_f32};
static const map_row round_rows[TYPE_COUNT] = {
    [TYPE_FLOAT32] = round_f32,
    [TYPE_FLOAT16] = round_f16,
    [TYPE_BFLOAT16] = round_bf16,
};
static const map_row sign_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = sign_f32, [TYPE_FLOAT64] = sign_f64, [TYPE_INT32] = sign_i32};
static const map_row sin_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = sin_f32, [TYPE_FLOAT16] = sin_f16};
static const map_row cos_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = cos_f32, [TYPE_FLOAT16] = cos_f16};
static const map_row logical_not_rows[TYPE_COUNT] = {[TYPE_BOOL] = logical_not_bool};

/* ABS of quantized tensors; where both scales are the same the value is not multiplied. */
struct abs_quant {
    struct map_plan plan;
    int32_t x_zero, y_zero;
    bool rescales;
    struct fixed_mul m;
};

static inline int32_t abs_quant(int32_t q, const void *arg)
{
    const struct abs_quant *a = arg;
    const int32_t magnitude = q < a->x_zero ? a->x_zero - q : q - a->x_zero;

    return (a->rescales ? fixed_scale(magnitude, a->m) : magnitude) + a->y_zero;
}

CLONES MAP_ROW(abs_q16, int16_t, int16_t, const struct abs_quant a = *(const struct abs_quant *)arg,
               fixed_clamp(abs_quant(v, &a), INT16_MIN, INT16_MAX))

    static enum status abs_prepare_quant(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct abs_quant a = {
        .plan = {abs_q16}, .x_zero = quant_zero(x), .y_zero = quant_zero(y), .rescales = quant_scale(x) != quant_scale(y)};
    enum status st;

    if ((st = map_types(c->node, err)) || (st = quant_check_all((const struct tensor *[]){x, y}, 2, err)) ||
        (st = quant_check_symmetric(x, err)) || (st = quant_check_symmetric(y, err)) ||
        (st = quant_multiplier((double)(quant_scale(x) / quant_scale(y)), &a.m, err)))
        return st;
    if (x->type == TYPE_INT8)
        return lut_prepare_int(c, abs_quant, &a, err);
    if (!(st = map_plan(c, abs_q16, sizeof a, err)))
        *(struct abs_quant *)c->packed = a;
    return st;
}

static bool is_quantized_input(const struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0];

    return x->type == TYPE_INT8 || (x->type == TYPE_INT16 && is_quantized(x));
}

static enum status abs_prepare(struct cpu_call *c, struct err *err)
{
    return is_quantized_input(c) ? abs_prepare_quant(c, err) : map_plan_rows(c, abs_rows, err);
}

/* INT16 must not have zero points. */
static enum status lut_prepare(struct cpu_call *c, lut_real f, const void *arg, struct err *err)
{
    enum status st;

    if ((st = quant_check_symmetric(c->node->in[0], err)) || (st = quant_check_symmetric(c->node->out[0], err)))
        return st;
    return lut_prepare_real(c, f, arg, err);
}

static float exp_real(float x, const void *arg)
{
    (void)arg;
    return expf(x);
}

static enum status exp_prepare(struct cpu_call *c, struct err *err)
{
    return is_quantized_input(c) ? lut_prepare(c, exp_real, NULL, err)
                                 : map_plan_rows(c, c->mode == CPU_FAST ? exp_fast_rows : exp_rows, err);
}

/* Where the logarithm does not exist, the least value of the output. */
static float log_real(float x, const void *arg)
{
    const struct tensor *y = arg;

    return x > 0 ? logf(x) : (float)(int_limits(y->type).lo - quant_zero(y)) * quant_scale(y);
}

static enum status log_prepare(struct cpu_call *c, struct err *err)
{
    return is_quantized_input(c) ? lut_prepare(c, log_real, c->node->out[0], err) : map_plan_rows(c, log_rows, err);
}

/* The greatest value of the output where x is 0. */
static float rsqrt_real(float x, const void *arg)
{
    return x > 0 ? 1.0f / sqrtf(x) : (float)INT16_MAX * quant_scale(arg);
}

struct rsqrt_quant {
    int32_t x_zero, y_zero;
    struct fixed_mul m;
};

/* 20 more bits keep the root an integer. Negative values are refused when running; here they give anything. */
static int32_t rsqrt_quant(int32_t q, const void *arg)
{
    const struct rsqrt_quant *r = arg;
    struct fixed_mul root, m = r->m;

    if (q <= r->x_zero)
        return INT8_MAX;
    root = fixed_inv_sqrt(q - r->x_zero);
    root.shift += 20;
    m.shift = fixed_clamp(m.shift - 20, -31, 30);
    return fixed_scale(fixed_scale(1, root), m) + r->y_zero;
}

static enum status rsqrt_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct rsqrt_quant r = {.x_zero = quant_zero(x), .y_zero = quant_zero(y)};
    enum status st;

    if (!is_quantized_input(c))
        return map_plan_rows(c, rsqrt_rows, err);
    if (x->type == TYPE_INT16)
        return lut_prepare(c, rsqrt_real, y, err);
    if ((st = quant_check_all((const struct tensor *[]){x, y}, 2, err)) ||
        (st = quant_multiplier(1.0 / (double)(sqrtf(quant_scale(x)) * quant_scale(y)), &r.m, err)))
        return st;
    return lut_prepare_int(c, rsqrt_quant, &r, err);
}

/* TFLite truncates here where it rounds elsewhere. */
struct sqrt_quant {
    struct map_plan plan;
    int32_t x_zero, y_zero, lo, hi;
    float x_scale, y_scale;
};

static inline int32_t sqrt_quant(int32_t q, const void *arg)
{
    const struct sqrt_quant *s = arg;
    const float x = s->x_scale * (float)(q - s->x_zero), y = x > 0 ? sqrtf(x) / s->y_scale : 0;

    return fixed_clamp((y < 0x1p24f ? (int32_t)y : 1 << 24) + s->y_zero, s->lo, s->hi);
}

MAP_ROW(sqrt_q16, int16_t, int16_t, const struct sqrt_quant s = *(const struct sqrt_quant *)arg, sqrt_quant(v, &s))

static enum status sqrt_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    const struct range_i32 l = int_limits(y->type);
    const struct sqrt_quant s = {{sqrt_q16}, quant_zero(x), quant_zero(y), l.lo, l.hi, quant_scale(x), quant_scale(y)};
    enum status st;

    if (!is_quantized_input(c))
        return map_plan_rows(c, sqrt_rows, err);
    if ((st = map_types(c->node, err)) || (st = quant_check_all((const struct tensor *[]){x, y}, 2, err)))
        return st;
    if (x->type == TYPE_INT8)
        return lut_prepare_int(c, sqrt_quant, &s, err);
    if (!(st = map_plan(c, sqrt_q16, sizeof s, err)))
        memcpy(c->packed, &s, sizeof s);
    return st;
}

static enum status root_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const size_t elems = tensor_elems(x);

    for (size_t i = 0; x->type != TYPE_FLOAT32 && i < elems; i++)
        if (tensor_int(x, i) < quant_zero(x))
            return err_set(err, ST_FAILED, "the root of a negative number at element %zu", i);
    return map_plan_run(c, err);
}

const struct cpu_kernel cpu_abs = {.shape = shape_unary, .prepare = abs_prepare, .run = map_plan_run};
const struct cpu_kernel cpu_exp = {.shape = shape_unary, .prepare = exp_prepare, .run = map_plan_run};
const struct cpu_kernel cpu_log = {.shape = shape_unary, .prepare = log_prepare, .run = map_plan_run};
const struct cpu_kernel cpu_sqrt = {.shape = shape_unary, .prepare = sqrt_prepare, .run = root_run};
const struct cpu_kernel cpu_rsqrt = {.shape = shape_unary, .prepare = rsqrt_prepare, .run = root_run};

#define UNARY(op)                                                                                                                  \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                              \
        return map_plan_rows(c, op##_rows, err);                                                                                   \
    }                                                                                                                              \
    const struct cpu_kernel cpu_##op = {.shape = shape_unary, .prepare = op##_prepare, .run = map_plan_run};

UNARY(neg)
UNARY(square)
UNARY(floor)
UNARY(ceil)
UNARY(round)
UNARY(sign)
UNARY(sin)
UNARY(cos)
UNARY(logical_not)

static enum status zeros_like_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];

    return type_bits(x->type) ? map_types(c->node, err) : cpu_bad_type(c->node, x, err);
}

static void zeros_like_run(struct cpu_call *c)
{
    struct tensor *y = c->node->out[0];

    if (y->bytes)
        memset(y->data, 0, y->bytes);
}

const struct cpu_kernel cpu_zeros_like = {
    .shape = shape_unary, .prepare = zeros_like_prepare, .compute = zeros_like_run, .reads_shape_only = true};
