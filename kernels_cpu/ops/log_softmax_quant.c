/* SPDX-License-Identifier: Apache-2.0 */
/* log_softmax_quant.c - LOG_SOFTMAX on INT8 and UINT8, in fixed point. */

#include "kernels_cpu/ops/softmax.h"
#include "kernels_cpu/quant/fixed_exp.h"
#include "kernels_cpu/quant/quant_check.h"

/* Differences to the maximum, and the result, have 5 integer bits; sums of exponentials 12. */
enum { INTEGER_BITS = 5, SUM_INTEGER_BITS = 12, LOG_INTEGER_BITS = INTEGER_BITS + 1 };

static int32_t add_saturated(int32_t a, int32_t b)
{
    int64_t sum = (int64_t)a + b;

    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
}

/* (r - sqrt(sqrt(1/2))) and so on make a rational approximation of log(r) around it, in [1/2, 1). */
static void log_fraction(int32_t r, int32_t *numerator, int32_t *reciprocal)
{
    const int32_t fourth_root_half = 1805811301;
    const int32_t alpha_n = 117049297, alpha_d = 127690142, alpha_i = 1057819769, alpha_f = 638450708;
    int64_t pair = (int64_t)r + fourth_root_half;
    int32_t p = (int32_t)((pair + (pair >= 0 ? 1 : -1)) / 2);
    int32_t q = 2 * (r - fourth_root_half), square = fixed_mul_high(q, q);
    int32_t denominator = fixed_mul_high(p, alpha_i + q + fixed_mul_high(alpha_d, square)) + fixed_mul_high(alpha_f, q);

    *numerator = fixed_mul_high(q, r) + fixed_mul_high(fixed_mul_high(q, square), alpha_n);
    *reciprocal = fixed_one_over_one_plus(denominator);
}

/* log(x) with 5 integer bits for x >= 1 with 12 of them. Of x and x * sqrt(1/2), the one that lies closer above a power of two
 * is used. */
static int32_t log_q5(int32_t x)
{
    const int32_t log_2 = 1488522236, root_half = 1518500250, quarter = 1 << (29 - LOG_INTEGER_BITS);
    int32_t zeros_a = __builtin_clz((uint32_t)x);
    int32_t r_a = fixed_shift_left_saturated(fixed_mul_high(fixed_shift_left_saturated(x, zeros_a - 1), root_half), 1);
    int32_t power_a = add_saturated(fixed_shift_left_saturated(SUM_INTEGER_BITS - zeros_a, 31 - LOG_INTEGER_BITS), quarter);
    int32_t zeros_b = __builtin_clz((uint32_t)fixed_mul_high(x, root_half)) - 1;
    int32_t r_b = fixed_shift_left_saturated(x, zeros_b);
    int32_t power_b = add_saturated(fixed_shift_left_saturated(SUM_INTEGER_BITS - zeros_b, 31 - LOG_INTEGER_BITS), -quarter);
    int32_t power = power_a > power_b ? power_a : power_b, numerator, reciprocal, y;

    log_fraction(r_a < r_b ? r_a : r_b, &numerator, &reciprocal);
    y = fixed_mul_high(power, log_2) + fixed_mul_high(fixed_shift_right(numerator, LOG_INTEGER_BITS), reciprocal);
    return fixed_shift_left_saturated(y, 1);
}

/* The output has 4 integer bits and its zero at `top`. */
#define ROW(type, lowest, top)                                                                                                     \
    static void row_##type(const struct softmax_plan *p, const void *from, void *to, size_t depth)                                 \
    {                                                                                                                              \
        const type *x = from;                                                                                                      \
        type *y = to;                                                                                                              \
        int32_t max = x[0], sum = 0, log_sum, limit;                                                                               \
                                                                                                                                   \
        for (size_t i = 1; i < depth; i++)                                                                                         \
            max = x[i] > max ? x[i] : max;                                                                                         \
        for (size_t i = 0; i < depth; i++)                                                                                         \
            if (x[i] - max >= p->diff_min)                                                                                         \
                sum = add_saturated(sum, fixed_shift_right(fixed_exp_q5(softmax_rescaled(p, x[i] - max)), SUM_INTEGER_BITS));      \
        log_sum = log_q5(sum);                                                                                                     \
        limit = fixed_scale(add_saturated(log_sum, INT32_MIN), p->reverse);                                                        \
        limit = limit > p->diff_min - 1 ? limit : p->diff_min - 1;                                                                 \
        for (size_t i = 0; i < depth; i++) {                                                                                       \
            int32_t v = (int32_t)((uint32_t)softmax_rescaled(p, x[i] - max) - (uint32_t)log_sum);                                  \
                                                                                                                                   \
            v = fixed_shift_right(v, 31 - INTEGER_BITS - 4) + (top);                                                               \
            y[i] = x[i] - max > limit ? (type)fixed_clamp(v, lowest, top) : (type)(lowest);                                        \
        }                                                                                                                          \
    }

ROW(int8_t, INT8_MIN, INT8_MAX)
ROW(uint8_t, 0, UINT8_MAX)

enum status log_softmax_quant_init(struct softmax_plan *p, const struct node *n, struct err *err)
{
    const struct tensor *in = n->in[0];
    double reverse;
    enum status st;

    if (in->type != TYPE_INT8 && in->type != TYPE_UINT8)
        return cpu_bad_type(n, in, err);
    if (n->out[0]->type != in->type)
        return cpu_bad_type(n, n->out[0], err);
    if ((st = quant_check(in, err)) || (st = softmax_scale(p, (double)quant_scale(in), err)))
        return st;
    p->row = in->type == TYPE_INT8 ? row_int8_t : row_uint8_t;
    reverse = (double)(INT64_C(1) << (31 - p->scale.shift)) / (double)p->scale.mult;
    if (!fixed_from_double(reverse, &p->reverse))
        return err_set(err, ST_BAD_MODEL, "an input scale of %g is out of range", (double)quant_scale(in));
    return ST_OK;
}
