/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL with TFLite's generator, Philox 4x32-10 (Salmon et al. 2011).
 *
 * The state lives as long as the plan, so that each run goes on where the last one stopped. TFLite draws its own seeds where both
 * are 0; here such a node gives the same numbers each time, like all else. */
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/common/philox.h"
#include "lib/graph/kernel.h"

#include <math.h>
#include <string.h>

struct philox {
    uint32_t counter[4], key[2];
};

static void philox_skip(struct philox *p, uint64_t n)
{
    uint64_t low = p->counter[0] | (uint64_t)p->counter[1] << 32, high = p->counter[2] | (uint64_t)p->counter[3] << 32;

    low += n;
    high += low < n;
    p->counter[0] = (uint32_t)low;
    p->counter[1] = (uint32_t)(low >> 32);
    p->counter[2] = (uint32_t)high;
    p->counter[3] = (uint32_t)(high >> 32);
}

static void philox_next(struct philox *p, uint32_t out[4])
{
    philox_draw(p->key, p->counter, out);
    philox_skip(p, 1);
}

/* In [0, 1), from 23 bits. */
static float to_float(uint32_t x)
{
    uint32_t bits = (x & 0x7fffff) | 127u << 23;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f - 1;
}

/* In [0, 1), from 52 bits. */
static double to_double(uint32_t high, uint32_t low)
{
    uint64_t bits = (uint64_t)(high & 0xfffff) << 32 | low | UINT64_C(1023) << 52;
    double d;

    memcpy(&d, &bits, sizeof d);
    return d - 1;
}

/* Two normal numbers from two uniform ones (Box and Muller 1958). */
static void to_normal(uint32_t a, uint32_t b, float out[2])
{
    float u = to_float(a), angle = (float)(2.0 * 3.14159265358979323846 * (double)to_float(b)), radius;

    radius = sqrtf(-2.0f * logf(u < 1e-7f ? 1e-7f : u));
    out[0] = sinf(angle) * radius;
    out[1] = cosf(angle) * radius;
}

static enum status seed(struct cpu_call *c, struct err *err)
{
    const struct opt_random *o = c->node->opt;
    uint64_t low = (uint64_t)(int64_t)o->seed, high = (uint64_t)(int64_t)o->seed2;
    enum status st;

    if (c->packed) /* prepared again for another shape */
        return ST_OK;
    if (!(st = cpu_pack(c, sizeof(struct philox), err)))
        *(struct philox *)c->packed = (struct philox){{0, 0, (uint32_t)high, (uint32_t)(high >> 32)},
                                                      {(uint32_t)low, (uint32_t)(low >> 32)}};
    return st;
}

/* ---- RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL ---- */

static enum status random_shape(struct node *n, struct err *err)
{
    enum status st;
    int32_t dim[TENSOR_MAX_RANK];
    uint32_t rank;

    if (n->in[0]->type != TYPE_INT32 || n->in[0]->rank != 1)
        return err_set(err, ST_BAD_MODEL, "the shape is %s, expected INT32[rank]", TENSOR_TEXT(n->in[0]));
    if ((st = shape_ints(n->in[0], dim, TENSOR_MAX_RANK, &rank, err)))
        return st;
    return shape_set(n, 0, dim, (int32_t)rank, err);
}

static void uniform_run(struct cpu_call *c)
{
    size_t n = tensor_elems(c->node->out[0]);
    float *y = c->node->out[0]->data;
    uint32_t word[4];

    for (size_t i = 0; i < n; i++) {
        if (i % 4 == 0)
            philox_next(c->packed, word);
        y[i] = to_float(word[i % 4]);
    }
}

static void normal_run(struct cpu_call *c)
{
    size_t n = tensor_elems(c->node->out[0]);
    float *y = c->node->out[0]->data, pair[2];
    uint32_t word[4];

    for (size_t i = 0; i < n; i++) {
        if (i % 4 == 0)
            philox_next(c->packed, word);
        if (i % 2 == 0)
            to_normal(word[i % 4], word[i % 4 + 1], pair);
        y[i] = pair[i % 2];
    }
}

/* ---- MULTINOMIAL: for each row of logits, samples of its classes ---- */

static enum status multinomial_shape(struct node *n, struct err *err)
{
    enum status st;
    int32_t samples;
    uint32_t count;

    if (n->in[0]->rank != 2 || n->in[0]->dim[1] < 1 || n->in[1]->type != TYPE_INT32 || n->in[1]->rank != 0)
        return err_set(err, ST_BAD_MODEL, "logits are %s, the number of samples is %s, expected [batch,classes] and INT32[]",
                       TENSOR_TEXT(n->in[0]), TENSOR_TEXT(n->in[1]));
    if ((st = shape_ints(n->in[1], &samples, 1, &count, err)))
        return st;
    return shape_set(n, 0, (int32_t[]){n->in[0]->dim[0], samples}, 2, err);
}

static enum status multinomial_prepare(struct cpu_call *c, struct err *err)
{
    struct layout l = {0};

    layout_add(&l, (size_t)c->node->in[0]->dim[1], sizeof(double));
    c->scratch_bytes = l.bytes;
    return seed(c, err);
}

/* Sums of the probabilities so far, not divided by their total, which is returned. Infinite and NaN logits have none. */
static double accumulate(const float *logits, int32_t n, double *sums)
{
    float max = -3.40282347e+38f;
    double total = 0;

    for (int32_t i = 0; i < n; i++)
        max = isfinite(logits[i]) && logits[i] > max ? logits[i] : max;
    for (int32_t i = 0; i < n; i++) {
        total += isfinite(logits[i]) ? exp((double)logits[i] - (double)max) : 0;
        sums[i] = total;
    }
    return total;
}

/* Return the first class whose sum is above x; n if there is none. */
static int32_t find_class(const double *sums, int32_t n, double x)
{
    int32_t lo = 0, hi = n;

    while (lo < hi) {
        int32_t middle = lo + (hi - lo) / 2;

        if (sums[middle] > x)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static void multinomial_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct philox p = *(struct philox *)c->packed;
    size_t samples = (size_t)y->dim[1], drawn = 0, at = 0;
    uint32_t word[4];

    /* As in TFLite and TensorFlow, a run draws so many numbers, whatever it needs. */
    philox_skip(c->packed, (uint64_t)x->dim[0] * ((samples + 3) / 4 * 4) * 2 * 256);
    for (int32_t b = 0; b < x->dim[0]; b++) {
        double total = accumulate((const float *)x->data + (size_t)b * (size_t)x->dim[1], x->dim[1], c->scratch);

        for (size_t i = 0; i < samples; i++, at++, drawn += 2) {
            int32_t class;

            if (drawn % 4 == 0)
                philox_next(&p, word);
            class = find_class(c->scratch, x->dim[1], to_double(word[drawn % 4], word[drawn % 4 + 1]) * total);
            if (y->type == TYPE_INT32)
                ((int32_t *)y->data)[at] = class;
            else
                ((int64_t *)y->data)[at] = class;
        }
    }
}

const struct cpu_kernel cpu_random_uniform = {
    .arity = {1, 1, 1}, .shape = random_shape, .out = {CPU_F32}, .prepare = seed, .compute = uniform_run, .stateful = true};
const struct cpu_kernel cpu_random_standard_normal = {
    .arity = {1, 1, 1},
    .shape = random_shape,
    .out = {CPU_F32},
    .prepare = seed,
    .compute = normal_run,
    .stateful = true,
};
const struct cpu_kernel cpu_multinomial = {
    .arity = {2, 2, 1},
    .shape = multinomial_shape,
    .in = {CPU_F32},
    .out = {CPU_INDEX},
    .prepare = multinomial_prepare,
    .compute = multinomial_run,
    .stateful = true,
};
