/* nonlinear.c - activations as ops of their own: RELU and its kin, LEAKY_RELU PRELU ELU TANH LOGISTIC HARD_SWISH GELU. */
#include <math.h>

#include "broadcast.h"
#include "map.h"

/* The order of the comparisons decides what NaN becomes: itself, save in RELU6, which gives 0 as TFLite does. */
#define AT_LEAST(lo, v) ((v) < (lo) ? (lo) : (v))
#define AT_MOST(hi, v)  ((v) > (hi) ? (hi) : (v))

MAP_ROW(relu_f32, float, float, NO_SETUP, AT_LEAST(0.0f, v))
MAP_ROW(relu6_f32, float, float, NO_SETUP, AT_MOST(6.0f, v > 0.0f ? v : 0.0f))
MAP_ROW(relu_n1_to_1_f32, float, float, NO_SETUP, AT_MOST(1.0f, AT_LEAST(-1.0f, v)))
MAP_ROW(leaky_relu_f32, float, float, const float alpha = ((const struct opt_leaky_relu *)arg)->alpha, v > 0 ? v : v * alpha)
MAP_ROW(elu_f32, float, float, NO_SETUP, v < 0 ? expm1f(v) : v)
MAP_ROW(tanh_f32, float, float, NO_SETUP, tanhf(v))
MAP_ROW(hard_swish_f32, float, float, NO_SETUP, v * AT_MOST(6.0f, AT_LEAST(0.0f, v + 3.0f)) / 6.0f)

/* Beyond the cut-offs 1 / (1 + exp(-v)) is 1, or exp(v), to float precision. */
static float logistic(float v)
{
    if (v > 16.619047164916992188f)
        return 1.0f;
    return v < -9.0f ? expf(v) : 1.0f / (1.0f + expf(-v));
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

MAP_ROW(logistic_f32, float, float, NO_SETUP, logistic(v))
MAP_ROW(gelu_f32, float, float, const bool approximate = ((const struct opt_gelu *)arg)->approximate,
        approximate ? gelu_tanh(v) : gelu(v))

static const map_row relu_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = relu_f32 };
static const map_row relu6_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = relu6_f32 };
static const map_row relu_n1_to_1_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = relu_n1_to_1_f32 };
static const map_row leaky_relu_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = leaky_relu_f32 };
static const map_row elu_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = elu_f32 };
static const map_row tanh_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = tanh_f32 };
static const map_row logistic_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = logistic_f32 };
static const map_row hard_swish_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = hard_swish_f32 };
static const map_row gelu_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = gelu_f32 };

#define NONLINEAR(op)                                                                                                          \
    static enum status op##_prepare(struct cpu_call *c, struct err *err)                                                       \
    {                                                                                                                          \
        return map_types(c, op##_rows, err);                                                                                   \
    }                                                                                                                          \
    static enum status op##_run(struct cpu_call *c, struct err *err)                                                           \
    {                                                                                                                          \
        (void)err;                                                                                                             \
        map_run(c, op##_rows[c->node->in[0]->type], c->node->opt);                                                             \
        return ST_OK;                                                                                                          \
    }                                                                                                                          \
    const struct cpu_kernel cpu_##op = { .shape = shape_unary, .prepare = op##_prepare, .run = op##_run };

NONLINEAR(relu)
NONLINEAR(relu6)
NONLINEAR(relu_n1_to_1)
NONLINEAR(leaky_relu)
NONLINEAR(elu)
NONLINEAR(tanh)
NONLINEAR(logistic)
NONLINEAR(hard_swish)
NONLINEAR(gelu)

BINARY_ROW(prelu_f32, float, float, NO_SETUP, a >= 0 ? a : a * b)

static const broadcast_row prelu_rows[TYPE_COUNT] = { [TYPE_FLOAT32] = prelu_f32 };

static enum status prelu_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK], rank;
    enum status st = shape_arity(n, 2, 2, 1, err);

    if (st || (st = shape_broadcast(n->in[0], n->in[1], dim, &rank, err)) || (st = shape_set(n, 0, dim, rank, err)))
        return st;
    if (!tensor_same_shape(n->in[0], n->out[0]))
        return err_set(err, ST_BAD_MODEL, "the slopes %s do not broadcast to the input %s", TENSOR_TEXT(n->in[1]),
                       TENSOR_TEXT(n->in[0]));
    return ST_OK;
}

static enum status prelu_prepare(struct cpu_call *c, struct err *err)
{
    return broadcast_types(c, prelu_rows, TYPE_NONE, err);
}

static enum status prelu_run(struct cpu_call *c, struct err *err)
{
    (void)err;
    return broadcast_typed(c, prelu_rows);
}

const struct cpu_kernel cpu_prelu = { .shape = prelu_shape, .prepare = prelu_prepare, .run = prelu_run };
