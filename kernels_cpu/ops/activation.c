/* SPDX-License-Identifier: Apache-2.0 */
/* activation.c - activations as ops of their own: RELU and its kin, LEAKY_RELU ELU TANH LOGISTIC HARD_SWISH GELU. */
#include "kernels_cpu/ops/activation.h"

#include <math.h>

#include "kernels_cpu/common/fast_math.h"
#include "kernels_cpu/quant/lut.h"

/* Written so that NaN stays NaN. */
#define AT_LEAST(lo, v) ((v) < (lo) ? (lo) : (v))
#define AT_MOST(hi, v)  ((v) > (hi) ? (hi) : (v))

struct leaky_relu {
    struct map_plan plan;
    float alpha;
};

/* Beyond the cut-offs 1 / (1 + exp(-v)) is 1, or exp(v), to float precision. */
static float logistic(float v)
{
    if (v > 16.619047164916992188f)
        return 1.0f;
    return v < -9.0f ? expf(v) : 1.0f / (1.0f + expf(-v));
}

static float elu(float v)
{
    return v < 0 ? expm1f(v) : v;
}

static float gelu(float v)
{
    return 0.5f * v * erfcf(v * -(float)M_SQRT1_2);
}

static float gelu_tanh(float v)
{
    const float scale = (float)(M_2_SQRTPI * M_SQRT1_2);

    return 0.5f * v * (1.0f + tanhf(scale * (v + 0.044715f * v * v * v)));
}

static float half(float v)
{
    return half_to_float(half_from_float(v));
}

/* In FLOAT16 every step is rounded; the last one by the caller. */
static float gelu_half(float v)
{
    return half(0.5f * v) * half(erfcf(half(v * half(-(float)M_SQRT1_2))));
}

static float gelu_tanh_half(float v)
{
    const float cube = half(half(v * v) * v), inner = half(v + half(half(0.044715f) * cube));

    return half(0.5f * v) * half(1.0f + half(tanhf(half(half((float)(M_2_SQRTPI * M_SQRT1_2)) * inner))));
}

CLONES MAP_ROW(relu_f32, float, float, NO_SETUP, AT_LEAST(0.0f, v)) CLONES
    MAP_ROW(relu6_f32, float, float, NO_SETUP, AT_MOST(6.0f, AT_LEAST(0.0f, v))) CLONES
    MAP_ROW(relu_n1_to_1_f32, float, float, NO_SETUP, AT_MOST(1.0f, AT_LEAST(-1.0f, v))) CLONES
    MAP_ROW(relu_0_to_1_f32, float, float, NO_SETUP, AT_MOST(1.0f, AT_LEAST(0.0f, v))) CLONES
    MAP_ROW(leaky_relu_f32, float, float, const float alpha = ((const struct leaky_relu *)arg)->alpha, v > 0 ? v : v * alpha)
        MAP_ROW(elu_f32, float, float, NO_SETUP, elu(v)) MAP_ROW(tanh_f32, float, float, NO_SETUP, tanhf(v))
            MAP_ROW(logistic_f32, float, float, NO_SETUP, logistic(v)) CLONES
    MAP_ROW(hard_swish_f32, float, float, NO_SETUP, v *AT_MOST(6.0f, AT_LEAST(0.0f, v + 3.0f)) / 6.0f)
        MAP_ROW(gelu_f32, float, float, NO_SETUP, gelu(v)) MAP_ROW(gelu_tanh_f32, float, float, NO_SETUP, gelu_tanh(v))

            MAP_ROW_F16(tanh_f16, NO_SETUP, tanhf(HALF_V)) MAP_ROW_F16(logistic_f16, NO_SETUP, logistic(HALF_V))
                MAP_ROW_F16(gelu_f16, NO_SETUP, gelu_half(HALF_V)) MAP_ROW_F16(gelu_tanh_f16, NO_SETUP, gelu_tanh_half(HALF_V))
                    MAP_ROW_BF16(tanh_bf16, NO_SETUP, tanhf(BFLOAT_V)) MAP_ROW_BF16(logistic_bf16, NO_SETUP, logistic(BFLOAT_V))

                        CLONES MAP_ROW(elu_fast, float, float, NO_SETUP, fast_elu(v)) CLONES
    MAP_ROW(tanh_fast, float, float, NO_SETUP, fast_tanh(v)) CLONES
    MAP_ROW(logistic_fast, float, float, NO_SETUP, fast_logistic(v)) CLONES
    MAP_ROW(gelu_fast, float, float, NO_SETUP, fast_gelu(v)) CLONES
    MAP_ROW(gelu_tanh_fast, float, float, NO_SETUP, fast_gelu_tanh(v))

#define TABLE_FN(name, expr)                                                                                                       \
    static float name(float v, const void *arg)                                                                                    \
    {                                                                                                                              \
        (void)arg;                                                                                                                 \
        return expr;                                                                                                               \
    }
        TABLE_FN(elu_table, elu(v)) TABLE_FN(tanh_table, tanhf(v)) TABLE_FN(logistic_table, 1.0f / (1.0f + expf(-v)))
            TABLE_FN(gelu_table, gelu(v)) TABLE_FN(gelu_tanh_table, gelu_tanh(v))

                static bool is_8bit(const struct node *n)
{
    return n->in[0]->type == TYPE_INT8 || n->in[0]->type == TYPE_UINT8;
}

/* Float32 only: anything else is refused. */
static enum status plan_f32(struct cpu_call *c, map_row row, struct err *err)
{
    return map_plan_rows(c, (const map_row[TYPE_COUNT]){[TYPE_FLOAT32] = row}, err);
}

/* Float32 (by libm, or fast), float16 and bfloat16. */
static enum status plan_floats(struct cpu_call *c, map_row f32, map_row fast, map_row f16, map_row bf16, struct err *err)
{
    return map_plan_rows(c,
                         (const map_row[TYPE_COUNT]){
                             [TYPE_FLOAT32] = c->mode == CPU_FAST ? fast : f32, [TYPE_FLOAT16] = f16, [TYPE_BFLOAT16] = bf16},
                         err);
}

static enum status relu_plan(struct cpu_call *c, map_row row, float lo, float hi, bool int16, struct err *err)
{
    return is_8bit(c->node) || (int16 && c->node->in[0]->type == TYPE_INT16) ? activation_prepare_relu(c, lo, hi, err)
                                                                             : plan_f32(c, row, err);
}

static enum status relu_prepare(struct cpu_call *c, struct err *err)
{
    return relu_plan(c, relu_f32, 0, INFINITY, true, err);
}

static enum status relu6_prepare(struct cpu_call *c, struct err *err)
{
    return relu_plan(c, relu6_f32, 0, 6, true, err);
}

static enum status relu_n1_to_1_prepare(struct cpu_call *c, struct err *err)
{
    return relu_plan(c, relu_n1_to_1_f32, -1, 1, false, err);
}

static enum status relu_0_to_1_prepare(struct cpu_call *c, struct err *err)
{
    return relu_plan(c, relu_0_to_1_f32, 0, 1, false, err);
}

static enum status leaky_relu_prepare(struct cpu_call *c, struct err *err)
{
    const float alpha = ((const struct opt_leaky_relu *)c->node->opt)->alpha;
    enum status st;

    if (is_8bit(c->node) || c->node->in[0]->type == TYPE_INT16)
        return activation_prepare_leaky_relu(c, alpha, err);
    if (c->node->in[0]->type != TYPE_FLOAT32)
        return cpu_bad_type(c->node, c->node->in[0], err);
    if ((st = map_types(c->node, err)) || (st = map_plan(c, leaky_relu_f32, sizeof(struct leaky_relu), err)))
        return st;
    ((struct leaky_relu *)c->packed)->alpha = alpha;
    return ST_OK;
}

static enum status elu_prepare(struct cpu_call *c, struct err *err)
{
    return c->node->in[0]->type == TYPE_INT8 ? lut_prepare_real(c, elu_table, NULL, err)
                                             : plan_floats(c, elu_f32, elu_fast, NULL, NULL, err);
}

static enum status tanh_prepare(struct cpu_call *c, struct err *err)
{
    if (c->node->in[0]->type == TYPE_INT16)
        return activation_prepare_tanh16(c, err);
    return is_8bit(c->node) ? lut_prepare_real(c, tanh_table, NULL, err)
                            : plan_floats(c, tanh_f32, tanh_fast, tanh_f16, tanh_bf16, err);
}

static enum status logistic_prepare(struct cpu_call *c, struct err *err)
{
    if (c->node->in[0]->type == TYPE_INT16)
        return activation_prepare_logistic16(c, err);
    return is_8bit(c->node) ? lut_prepare_real(c, logistic_table, NULL, err)
                            : plan_floats(c, logistic_f32, logistic_fast, logistic_f16, logistic_bf16, err);
}

static enum status hard_swish_prepare(struct cpu_call *c, struct err *err)
{
    return is_8bit(c->node) ? activation_prepare_hard_swish(c, err) : plan_f32(c, hard_swish_f32, err);
}

static enum status gelu_prepare(struct cpu_call *c, struct err *err)
{
    const bool approximate = ((const struct opt_gelu *)c->node->opt)->approximate;

    if (is_8bit(c->node) || c->node->in[0]->type == TYPE_INT16)
        return lut_prepare_real(c, approximate ? gelu_tanh_table : gelu_table, NULL, err);
    return approximate ? plan_floats(c, gelu_tanh_f32, gelu_tanh_fast, gelu_tanh_f16, NULL, err)
                       : plan_floats(c, gelu_f32, gelu_fast, gelu_f16, NULL, err);
}

#define NONLINEAR(op) const struct cpu_kernel cpu_##op = {.shape = shape_unary, .prepare = op##_prepare, .run = map_plan_run}

NONLINEAR(relu);
NONLINEAR(relu6);
NONLINEAR(relu_n1_to_1);
NONLINEAR(relu_0_to_1);
NONLINEAR(leaky_relu);
NONLINEAR(elu);
NONLINEAR(tanh);
NONLINEAR(logistic);
NONLINEAR(hard_swish);
NONLINEAR(gelu);
