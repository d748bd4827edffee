/* SPDX-License-Identifier: Apache-2.0 */
/* softmax_quant.c - SOFTMAX on quantized types, in fixed point. */
#include <math.h>

#include "kernels_cpu/ops/softmax.h"
#include "kernels_cpu/quant/fixed_exp.h"
#include "kernels_cpu/quant/quant_check.h"

/* Differences to the maximum have 5 integer and 26 fractional bits; sums of exponentials 12 and 19. */
enum { DIFF_INTEGER_BITS = 5, SUM_INTEGER_BITS = 12 };

enum status softmax_scale(struct softmax_plan *p, double real, struct err *err)
{
    const double limit = (double)INT32_MAX;
    double scaled = real * (1 << (31 - DIFF_INTEGER_BITS)), radius;
    int shift;
    int64_t q;

    scaled = scaled < limit ? scaled : limit;
    if (!(scaled > 1))
        return err_set(err, ST_BAD_MODEL, "an input scale times beta of %g is too small", real);
    q = (int64_t)round(frexp(scaled, &shift) * 0x1p31);
    if (q == INT64_C(1) << 31) {
        q /= 2;
        shift++;
    }
    p->scale = (struct fixed_mul){(int32_t)q, shift};
    radius = ((1 << DIFF_INTEGER_BITS) - 1) * (double)(INT64_C(1) << (31 - DIFF_INTEGER_BITS)) / (double)(INT64_C(1) << shift);
    p->diff_min = -(int32_t)floor(radius);
    return ST_OK;
}

static uint32_t add_exp(uint32_t sum, int32_t e)
{
    return sum + (uint32_t)e < sum ? UINT32_MAX : sum + (uint32_t)e;
}

/* From bytes to bytes or 16 bits. `lowest` is the output that means 0. Sums from 2^28 on, of more than 511 elements, ask 8 bits for
 * shifts of a whole word: what is left of less than half of one is 0. Sums beyond 32 bits stay at the largest. */
#define ROW(in, out, lowest, highest)                                                                                              \
    static void row_##in##_##out(const struct softmax_plan *p, const void *from, void *to, size_t depth)                           \
    {                                                                                                                              \
        const in *x = from;                                                                                                        \
        out *y = to;                                                                                                               \
        uint32_t sum = 0;                                                                                                          \
        int32_t max = x[0], reciprocal, shift, right;                                                                              \
                                                                                                                                   \
        for (size_t i = 1; i < depth; i++)                                                                                         \
            max = x[i] > max ? x[i] : max;                                                                                         \
        for (size_t i = 0; i < depth; i++)                                                                                         \
            if (x[i] - max >= p->diff_min)                                                                                         \
                sum = add_exp(sum, fixed_shift_right(fixed_exp_q5(softmax_rescaled(p, x[i] - max)), SUM_INTEGER_BITS));            \
        reciprocal = fixed_reciprocal(sum, &shift);                                                                                \
        right = shift - (31 - SUM_INTEGER_BITS) + 31 - (int32_t)sizeof(out) * 8;                                                   \
        for (size_t i = 0; i < depth; i++) {                                                                                       \
            int32_t v = 0;                                                                                                         \
                                                                                                                                   \
            if (right < 32 && x[i] - max >= p->diff_min)                                                                           \
                v = fixed_shift_right(fixed_mul_high(reciprocal, fixed_exp_q5(softmax_rescaled(p, x[i] - max))), right);           \
            y[i] = (out)fixed_clamp(v + (lowest), lowest, highest);                                                                \
        }                                                                                                                          \
    }

ROW(int8_t, int8_t, INT8_MIN, INT8_MAX)
ROW(int8_t, int16_t, INT16_MIN, INT16_MAX)
ROW(uint8_t, uint8_t, 0, UINT8_MAX)
ROW(uint8_t, int16_t, INT16_MIN, INT16_MAX)

static int16_t exp_at(const struct softmax_plan *p, int32_t diff)
{
    /* The table covers [-10, 0], moved to be symmetric. */
    int32_t scaled = fixed_scale(diff, p->scale) + INT16_MAX;

    return lut16_at(p->exp_lut, (int16_t)fixed_clamp(scaled, INT16_MIN, INT16_MAX));
}

static void row_int16(const struct softmax_plan *p, const void *from, void *to, size_t depth)
{
    const int16_t *x = from;
    int16_t *y = to, reciprocal;
    int32_t max = x[0], zeros, moved, right;
    uint32_t sum = 0;

    for (size_t i = 1; i < depth; i++)
        max = x[i] > max ? x[i] : max;
    for (size_t i = 0; i < depth; i++) {
        y[i] = exp_at(p, x[i] - max);
        sum += (uint32_t)(int32_t)y[i];
    }
    zeros = sum ? __builtin_clz(sum) : 32;
    zeros = zeros ? zeros : 1; /* a row of more than 65536 elements wraps in TFLite */
    moved = (int32_t)((((int64_t)sum << (zeros - 1)) + (1 << 13)) >> 14) - ((1 << 15) + (1 << 16));
    reciprocal = lut16_at(p->reciprocal_lut, (int16_t)fixed_clamp(moved, INT16_MIN, INT16_MAX));
    right = 31 - zeros;
    right = right < 1 ? 1 : right;
    for (size_t i = 0; i < depth; i++) {
        int64_t v = ((int64_t)y[i] * reciprocal + (INT64_C(1) << (right - 1))) >> right;

        y[i] = (int16_t)fixed_clamp((int32_t)v, 0, INT16_MAX);
    }
}

/* Samples of f over [lo, hi] in 1/32768, each moved by half the error that interpolation has half way to the next. */
static void samples_take(double lo, double hi, double (*f)(double), int16_t lut[LUT16_POINTS])
{
    const int32_t steps = LUT16_POINTS - 1;
    const double step = (hi - lo) / steps;

    for (int32_t i = 0; i < steps; i++) {
        const double at = lo + i * step, here = round(f(at) * 0x1p15), middle = round(f(at + step / 2) * 0x1p15);
        const double error = round((f(lo + (i + 1) * step) * 0x1p15 + here) / 2) - middle;

        lut[i] = (int16_t)fixed_clamp((int32_t)(here - round(error / 2)), INT16_MIN, INT16_MAX);
    }
    lut[steps] = (int16_t)fixed_clamp((int32_t)round(f(hi) * 0x1p15), INT16_MIN, INT16_MAX);
}

static double reciprocal(double x)
{
    return 1 / (1 + x);
}

static enum status int16_init(struct softmax_plan *p, const struct node *n, float beta, struct err *err)
{
    double real = (double)quant_scale(n->in[0]) * (double)beta / (10.0 / 65535.0);

    if (!fixed_from_double(real, &p->scale))
        return err_set(err, ST_BAD_MODEL, "an input scale times beta of %g is out of range", real);
    p->row = row_int16;
    samples_take(-10, 0, exp, p->exp_lut);
    samples_take(0, 1, reciprocal, p->reciprocal_lut);
    return ST_OK;
}

static softmax_row row_choose(enum tensor_type in, enum tensor_type out)
{
    if (in == TYPE_INT8)
        return out == TYPE_INT8 ? row_int8_t_int8_t : out == TYPE_INT16 ? row_int8_t_int16_t : NULL;
    if (in == TYPE_UINT8)
        return out == TYPE_UINT8 ? row_uint8_t_uint8_t : out == TYPE_INT16 ? row_uint8_t_int16_t : NULL;
    return NULL;
}

enum status softmax_quant_init(struct softmax_plan *p, const struct node *n, float beta, struct err *err)
{
    enum tensor_type in = n->in[0]->type, out = n->out[0]->type;
    enum status st;

    if (in == TYPE_INT16 && out == TYPE_INT16)
        return (st = quant_check(n->in[0], err)) ? st : int16_init(p, n, beta, err);
    p->row = row_choose(in, out);
    if (!p->row)
        return cpu_bad_type(n, in == TYPE_INT8 || in == TYPE_UINT8 ? n->out[0] : n->in[0], err);
    if ((st = quant_check(n->in[0], err)))
        return st;
    return softmax_scale(p, (double)beta * (double)quant_scale(n->in[0]), err);
}
