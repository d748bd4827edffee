/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_op_faults.c - faults of single operators that GPU delegates were reported to have.
 *
 * The comment above each fault names the report, sums it up, and says what is planted and what is left out. */
#include "lib/delegates/dummy/dummy_op_faults.h"

#include <math.h>
#include <string.h>

static const char *refuse_not_float(const struct node *n)
{
    return n->out[0]->type == TYPE_FLOAT32 && n->out[0]->bytes ? NULL : "its output is not FLOAT32";
}

/* Copy the first `bytes` at `at` over the n - 1 blocks of as many bytes behind them. */
static void repeat_first(char *at, int32_t n, size_t bytes)
{
    for (int32_t i = 1; i < n; i++)
        memcpy(at + (size_t)i * bytes, at, bytes);
}

/* google-ai-edge/LiteRT#9272: PAD of rank 3 along the first or second axis moves rows by one along the first axis. Row 0 becomes
 * zeros. Planted: all of it. */
static const char *refuse_no_pad_rows(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_PAD || n->in[0]->rank != 3)
        return "it is no PAD of rank 3";
    if (n->in[0]->dim[0] == n->out[0]->dim[0] && n->in[0]->dim[1] == n->out[0]->dim[1])
        return "it pads only the innermost axis";
    return refuse_not_float(n);
}

static enum status spoil_pad_rows(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    const size_t row = y->bytes / (size_t)y->dim[0];

    (void)f, (void)kept, (void)err;
    memmove((char *)y->data + row, y->data, y->bytes - row);
    memset(y->data, 0, row);
    return ST_OK;
}

/* bench/RUNTIMES.md, ops/t2o_relu6-power.float32: LiteRT's GPU accelerator on lavapipe gives POW(0, 0) = 0. Planted: all of it. */
static const char *refuse_no_pow(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_POW || n->in[0]->bytes != n->out[0]->bytes || n->in[1]->bytes != n->out[0]->bytes)
        return "it is no POW of two tensors of one shape";
    return refuse_not_float(n);
}

static enum status spoil_pow_zero(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct node *n = c->node;
    const float *base = n->in[0]->data, *exponent = n->in[1]->data;

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < n->out[0]->bytes / sizeof(float); i++)
        if (base[i] == 0 && exponent[i] == 0)
            ((float *)n->out[0]->data)[i] = 0;
    return ST_OK;
}

/* google-ai-edge/LiteRT#8975: ADD of [20,128,128] and [1,1,128,128] takes the former for BHWC(20,1,128,128), not for
 * BHWC(1,20,128,128). Its H of 1 is then broadcast. Planted: all blocks of H have the sum of the first. Left out: the report says
 * that operands may be swapped as well. */
static bool is_mixed(const struct tensor *low, const struct tensor *high)
{
    return low->rank == 3 && low->dim[0] > 1 && high->rank == 4 && high->dim[0] == 1 && high->dim[1] == 1;
}

static const char *refuse_no_mixed_ranks(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_ADD || !(is_mixed(n->in[0], n->in[1]) || is_mixed(n->in[1], n->in[0])))
        return "it is no ADD of a tensor [n,h,w] and one of [1,1,h,w]";
    return refuse_not_float(n);
}

static enum status spoil_mixed_ranks(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];

    (void)f, (void)kept, (void)err;
    repeat_first(y->data, y->dim[1], y->bytes / (size_t)y->dim[1]);
    return ST_OK;
}

/* google-ai-edge/LiteRT#9249: SUM adds up in float16, so that a total beyond 65504 becomes NaN. Planted: these NaN. Left out: the
 * rounding of smaller totals. */
static const char *refuse_no_sum(const struct graph *g, const struct node *n)
{
    (void)g;
    return n->builtin == BUILTIN_SUM ? refuse_not_float(n) : "it is no SUM";
}

static enum status spoil_sum_nan(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    float *v = y->data;

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < y->bytes / sizeof *v; i++)
        if (fabsf(v[i]) > 65504)
            v[i] = NAN;
    return ST_OK;
}

/* google-ai-edge/LiteRT#8980: tensors of rank 3 get another layout than BHWC needs. No known report says which elements of a
 * FULLY_CONNECTED are wrong. Planted: the kernel reads one row of each batch, so that all rows of a batch have the result of its
 * row 0. */
static const char *refuse_no_rows(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_FULLY_CONNECTED || n->in[0]->rank != 3 || n->in[0]->dim[2] != n->in[1]->dim[1] ||
        n->in[0]->dim[1] < 2)
        return "it is no FULLY_CONNECTED of a tensor [batch,rows,depth]";
    return refuse_not_float(n);
}

static enum status spoil_fc_rows(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    const size_t batch = y->bytes / (size_t)x->dim[0];

    (void)f, (void)kept, (void)err;
    for (int32_t i = 0; i < x->dim[0]; i++)
        repeat_first((char *)y->data + (size_t)i * batch, x->dim[1], batch / (size_t)x->dim[1]);
    return ST_OK;
}

/* tensorflow/tensorflow#55606: channels are stored in groups of four. DIV of three channels leaves 0 / 0 in the fourth place, and
 * the CONV_2D that reads it gives nothing but NaN. Planted in DIV: the channels of an incomplete group are NaN. */
static const char *refuse_full_lanes(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_DIV || !n->out[0]->rank || n->out[0]->dim[n->out[0]->rank - 1] % 4 == 0)
        return "it is no DIV with a number of channels that 4 does not divide";
    return refuse_not_float(n);
}

static enum status spoil_div_lanes(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    const size_t channels = (size_t)y->dim[y->rank - 1], full = channels - channels % 4;

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < y->bytes / sizeof(float); i++)
        if (i % channels >= full)
            ((float *)y->data)[i] = NAN;
    return ST_OK;
}

/* google-ai-edge/LiteRT#8619: attention at rank 3, with the heads as the batch, gives a mask whose correlation with the CPU's is
 * 0.265. At rank 4 it is right. The report names no operator. Planted in BATCH_MATMUL: all heads have the product of the first. */
static const char *refuse_no_heads(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_BATCH_MATMUL || n->out[0]->rank != 3 || n->out[0]->dim[0] < 2)
        return "it is no BATCH_MATMUL of rank 3 with more than one head";
    return refuse_not_float(n);
}

static enum status spoil_matmul_heads(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];

    (void)f, (void)kept, (void)err;
    repeat_first(y->data, y->dim[0], y->bytes / (size_t)y->dim[0]);
    return ST_OK;
}

/* google-ai-edge/LiteRT#8593: ADD of scores [1,heads,h,w] from a BATCH_MATMUL and of a mask [1,1,h,w] respects the mask, but gives
 * wrong scores. The report does not say which. Planted: all heads have the sum of the first. Left out: only the outputs of
 * BATCH_MATMUL are added wrong. */
static bool is_masked(const struct tensor *scores, const struct tensor *mask)
{
    return scores->rank == 4 && scores->dim[0] == 1 && scores->dim[1] > 1 && mask->rank == 4 && mask->dim[0] == 1 &&
           mask->dim[1] == 1;
}

static const char *refuse_no_mask(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_ADD || !(is_masked(n->in[0], n->in[1]) || is_masked(n->in[1], n->in[0])))
        return "it is no ADD of tensors [1,heads,h,w] and [1,1,h,w]";
    return refuse_not_float(n);
}

static enum status spoil_matmul_mask(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];

    (void)f, (void)kept, (void)err;
    repeat_first(y->data, y->dim[1], y->bytes / (size_t)y->dim[1]);
    return ST_OK;
}

/* google-ai-edge/LiteRT#8913 and #8912: BATCH_MATMUL ignores adj_x and adj_y. Planted: all of it, for square matrices. Left out:
 * other matrices, of which no result is reported. */
static const char *refuse_no_adj(const struct graph *g, const struct node *n)
{
    const struct opt_batch_matmul *o = n->opt;
    const struct tensor *y = n->out[0];

    (void)g;
    if (n->builtin != BUILTIN_BATCH_MATMUL || !(o->adj_x || o->adj_y) || y->dim[y->rank - 1] != y->dim[y->rank - 2] ||
        !tensor_same_shape(n->in[0], y) || !tensor_same_shape(n->in[1], y))
        return "it is no BATCH_MATMUL of square matrices, as many on both sides, with adj_x or adj_y";
    return n->in[0]->type == TYPE_FLOAT32 && n->in[1]->type == TYPE_FLOAT32 ? refuse_not_float(n) : "its inputs are not FLOAT32";
}

static enum status spoil_matmul_adj(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct node *n = c->node;
    const float *x = n->in[0]->data, *w = n->in[1]->data;
    const size_t side = (size_t)n->out[0]->dim[n->out[0]->rank - 1];
    float *y = n->out[0]->data;

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < n->out[0]->bytes / sizeof *y; i++) {
        const size_t row = i / side * side, first = i / (side * side) * side * side, column = i % side;

        y[i] = 0;
        for (size_t k = 0; k < side; k++)
            y[i] += x[row + k] * w[first + k * side + column];
    }
    return ST_OK;
}

/* google-ai-edge/LiteRT#8599: the sum of an ADD is an output of the model, and another node reads it. The output holds one of the
 * operands, while that node reads the sum. Planted: whoever reads the sum gets the first operand. */
static uint32_t count(struct tensor *const *list, uint32_t n, const struct tensor *t)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++)
        found += list[i] == t;
    return found;
}

static const char *refuse_read_once(const struct graph *g, const struct node *n)
{
    const struct tensor *y = n->out[0];
    uint32_t readers = count(g->outputs, g->n_outputs, y);

    if (n->builtin != BUILTIN_ADD || n->in[0]->bytes != y->bytes)
        return "it is no ADD of two tensors of one shape";
    for (uint32_t i = 0; i < g->n_nodes; i++)
        readers += count(g->nodes[i].in, g->nodes[i].n_in, y);
    return readers > 1 ? NULL : "its output is read once";
}

static enum status spoil_alias(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    (void)f, (void)kept, (void)err;
    memcpy(c->node->out[0]->data, c->node->in[0]->data, c->node->out[0]->bytes);
    return ST_OK;
}

/* tensorflow/tensorflow#58255 and #58182: RELU_N1_TO_1 clips to 0 and 1, not to -1 and 1. Planted: all of it, for the operator.
 * Left out: the same activation fused into another operator. */
static const char *refuse_no_relu_n1(const struct graph *g, const struct node *n)
{
    (void)g;
    return n->builtin == BUILTIN_RELU_N1_TO_1 ? refuse_not_float(n) : "it is no RELU_N1_TO_1";
}

static enum status spoil_relu_n1_zero(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *y = c->node->out[0];
    float *v = y->data;

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < y->bytes / sizeof *v; i++)
        v[i] = fmaxf(v[i], 0);
    return ST_OK;
}

/* pytorch/executorch#22323, which explains Whisper's NaN in #22322: GELU does not clamp the argument of its tanh. A driver that
 * divides exponentials for tanh has inf / inf where the argument is beyond 88, for inputs below about -13. Planted: that formula.
 * By it inputs above 13 give NaN, too. */
static const char *refuse_no_gelu(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_GELU || !((const struct opt_gelu *)n->opt)->approximate)
        return "it is no GELU by tanh";
    return refuse_not_float(n);
}

static enum status spoil_gelu_nan(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < y->bytes / sizeof(float); i++) {
        const float v = ((const float *)x->data)[i], at = 0.7978846f * (v + 0.044715f * v * v * v);

        ((float *)y->data)[i] = v / 2 * (1 + (expf(at) - expf(-at)) / (expf(at) + expf(-at)));
    }
    return ST_OK;
}

/* tensorflow/tensorflow#61594: where one channel is broadcast to many, each group of four channels reads the value, 0, 0 and 1. The
 * report names no operator. Planted: all of it, in MUL. */
static bool is_one_channel(const struct tensor *one, const struct tensor *y)
{
    return y->rank > 0 && one->rank == y->rank && one->dim[one->rank - 1] == 1 && y->dim[y->rank - 1] > 1;
}

static const char *refuse_no_channel(const struct graph *g, const struct node *n)
{
    const struct tensor *y = n->out[0];

    (void)g;
    if (n->builtin != BUILTIN_MUL || !is_one_channel(n->in[1], y) || n->in[0]->bytes != y->bytes ||
        n->in[1]->bytes * (size_t)y->dim[y->rank - 1] != y->bytes)
        return "it is no MUL of a tensor and one with a single channel in the place of its channels";
    return refuse_not_float(n);
}

static enum status spoil_mul_channel(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *y = n->out[0];
    const size_t channels = (size_t)y->dim[y->rank - 1];

    (void)f, (void)kept, (void)err;
    for (size_t i = 0; i < y->bytes / sizeof(float); i++) {
        const float lanes[] = {((const float *)n->in[1]->data)[i / channels], 0, 0, 1};

        ((float *)y->data)[i] = ((const float *)n->in[0]->data)[i] * lanes[i % channels % 4];
    }
    return ST_OK;
}

const struct dummy_fault_kind dummy_op_faults[] = {
    {"pad_rows", NULL, refuse_no_pad_rows, spoil_pad_rows},
    {"pow_zero", NULL, refuse_no_pow, spoil_pow_zero},
    {"mixed_ranks", NULL, refuse_no_mixed_ranks, spoil_mixed_ranks},
    {"sum_nan", NULL, refuse_no_sum, spoil_sum_nan},
    {"fc_rows", NULL, refuse_no_rows, spoil_fc_rows},
    {"div_lanes", NULL, refuse_full_lanes, spoil_div_lanes},
    {"matmul_heads", NULL, refuse_no_heads, spoil_matmul_heads},
    {"matmul_mask", NULL, refuse_no_mask, spoil_matmul_mask},
    {"matmul_adj", NULL, refuse_no_adj, spoil_matmul_adj},
    {"alias", NULL, refuse_read_once, spoil_alias},
    {"relu_n1_zero", NULL, refuse_no_relu_n1, spoil_relu_n1_zero},
    {"gelu_nan", NULL, refuse_no_gelu, spoil_gelu_nan},
    {"mul_channel", NULL, refuse_no_channel, spoil_mul_channel},
    {NULL, NULL, NULL, NULL},
};
