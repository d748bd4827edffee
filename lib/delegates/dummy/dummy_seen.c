/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_seen.c - wrong results of single operators that GPU delegates gave; comments name the reports and the parts played. */
#include "lib/delegates/dummy/dummy_seen.h"

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

/* google-ai-edge/LiteRT#9272: on GPU, PAD of rank 3 along any axis but the innermost gives rows moved by one along the outermost
 * axis, and row 0 is zeros. All of it is played. */
static const char *refuse_no_pad_rows(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_PAD || n->in[0]->rank != 3)
        return "it is no PAD of rank 3";
    if (n->in[0]->dim[0] == n->out[0]->dim[0] && n->in[0]->dim[1] == n->out[0]->dim[1])
        return "it pads only the innermost axis";
    return refuse_not_float(n);
}

static enum status run_pad_rows(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    enum status st = cpu_run(c, err);
    const struct tensor *y = c->node->out[0];
    const size_t row = y->bytes / (size_t)y->dim[0];

    (void)f, (void)kept;
    memmove((char *)y->data + row, y->data, y->bytes - row);
    memset(y->data, 0, row);
    return st;
}

/* bench/RUNTIMES.md, ops/t2o_relu6-power.float32: LiteRT's GPU accelerator on lavapipe gives POW(0, 0) = 0. All of it is played. */
static const char *refuse_no_pow(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_POW || n->in[0]->bytes != n->out[0]->bytes || n->in[1]->bytes != n->out[0]->bytes)
        return "it is no POW of two tensors of one shape";
    return refuse_not_float(n);
}

static enum status run_pow_zero(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    const struct node *n = c->node;
    const float *base = n->in[0]->data, *exponent = n->in[1]->data;
    enum status st = cpu_run(c, err);

    (void)f, (void)kept;
    for (size_t i = 0; i < n->out[0]->bytes / sizeof(float); i++)
        if (base[i] == 0 && exponent[i] == 0)
            ((float *)n->out[0]->data)[i] = 0;
    return st;
}

/* google-ai-edge/LiteRT#8975: ADD of [20,128,128] and [1,1,128,128] takes the former for BHWC(20,1,128,128), not (1,20,128,128). An
 * H of 1 is broadcast: played is that every block of H has the sum of the first. That operands are swapped is not played. */
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

static enum status run_mixed_ranks(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    enum status st = cpu_run(c, err);
    const struct tensor *y = c->node->out[0];

    (void)f, (void)kept;
    repeat_first(y->data, y->dim[1], y->bytes / (size_t)y->dim[1]);
    return st;
}

/* google-ai-edge/LiteRT#9249: SUM adds up in float16, so that a total beyond 65504 comes out as NaN. That is played; that smaller
 * totals are rounded is not. */
static const char *refuse_no_sum(const struct graph *g, const struct node *n)
{
    (void)g;
    return n->builtin == BUILTIN_SUM ? refuse_not_float(n) : "it is no SUM";
}

static enum status run_sum_nan(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    enum status st = cpu_run(c, err);
    const struct tensor *y = c->node->out[0];
    float *v = y->data;

    (void)f, (void)kept;
    for (size_t i = 0; i < y->bytes / sizeof *v; i++)
        if (fabsf(v[i]) > 65504)
            v[i] = NAN;
    return st;
}

/* google-ai-edge/LiteRT#8980: tensors of rank 3 get another layout than BHWC needs. Of FULLY_CONNECTED no report is known that says
 * which elements are wrong. Played is that the kernel reads one row of each batch [1,depth]: all rows have the result of row 0. */
static const char *refuse_no_rows(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_FULLY_CONNECTED || n->in[0]->rank != 3 || n->in[0]->dim[2] != n->in[1]->dim[1] ||
        n->in[0]->dim[1] < 2)
        return "it is no FULLY_CONNECTED of a tensor [batch,rows,depth]";
    return refuse_not_float(n);
}

static enum status run_fc_rows(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    enum status st = cpu_run(c, err);
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    const size_t batch = y->bytes / (size_t)x->dim[0];

    (void)f, (void)kept;
    for (int32_t i = 0; i < x->dim[0]; i++)
        repeat_first((char *)y->data + (size_t)i * batch, x->dim[1], batch / (size_t)x->dim[1]);
    return st;
}

/* tensorflow/tensorflow#55606: channels are stored in groups of four. DIV of 3 channels leaves 0 / 0 in the lane without a channel,
 * and the CONV_2D that reads it is NaN all over. Played in DIV itself: the channels of an incomplete group are NaN. */
static const char *refuse_full_lanes(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_DIV || !n->out[0]->rank || n->out[0]->dim[n->out[0]->rank - 1] % 4 == 0)
        return "it is no DIV with a number of channels that 4 does not divide";
    return refuse_not_float(n);
}

static enum status run_div_lanes(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    enum status st = cpu_run(c, err);
    const struct tensor *y = c->node->out[0];
    const size_t channels = (size_t)y->dim[y->rank - 1], full = channels - channels % 4;

    (void)f, (void)kept;
    for (size_t i = 0; i < y->bytes / sizeof(float); i++)
        if (i % channels >= full)
            ((float *)y->data)[i] = NAN;
    return st;
}

/* google-ai-edge/LiteRT#8619: attention whose heads are the batch of tensors of rank 3 gives a mask that correlates with the CPU's
 * by 0.265; at rank 4 it is right. The report names no operator. Played is that every head has the first head's product. */
static const char *refuse_no_heads(const struct graph *g, const struct node *n)
{
    (void)g;
    if (n->builtin != BUILTIN_BATCH_MATMUL || n->out[0]->rank != 3 || n->out[0]->dim[0] < 2)
        return "it is no BATCH_MATMUL of rank 3 with more than one head";
    return refuse_not_float(n);
}

static enum status run_matmul_heads(const struct dummy_fault *f, struct cpu_call *c, void **kept, struct err *err)
{
    enum status st = cpu_run(c, err);
    const struct tensor *y = c->node->out[0];

    (void)f, (void)kept;
    repeat_first(y->data, y->dim[0], y->bytes / (size_t)y->dim[0]);
    return st;
}

const struct dummy_fault_kind dummy_seen[] = {
    {"pad_rows", NULL, refuse_no_pad_rows, run_pad_rows},
    {"pow_zero", NULL, refuse_no_pow, run_pow_zero},
    {"mixed_ranks", NULL, refuse_no_mixed_ranks, run_mixed_ranks},
    {"sum_nan", NULL, refuse_no_sum, run_sum_nan},
    {"fc_rows", NULL, refuse_no_rows, run_fc_rows},
    {"div_lanes", NULL, refuse_full_lanes, run_div_lanes},
    {"matmul_heads", NULL, refuse_no_heads, run_matmul_heads},
    {NULL, NULL, NULL, NULL},
};
