/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid.c - float activations times 8-bit weights: CPU_FAST's quantization of a row, and the scaling of its sums to floats. */
#include "kernels_cpu/quant/hybrid.h"

#include <math.h>
#include <string.h>

#include "kernels_cpu/common/clones.h"
#include "kernels_cpu/quant/hybrid_plain.h"

/* Convert a float to an integer as x86 does: truncated, INT32_MIN for NaN and values that do not fit, as in the compiled TFLite. */
static inline int32_t truncate(float x)
{
    return fabsf(x) < 0x1p31f ? (int32_t)x : INT32_MIN;
}

/* TFLite quantizes eight values at a time by adding a half and truncating, so that the float below one half becomes 1, and the
 * remaining values by roundf. Only for these is the zero point added as a float, which matters if the product is beyond int32. */
enum { TOGETHER = 8 };

/* Store out[i] = x[i] * inverse, rounded half away from zero, + zero, clamped to lo .. 127, - zero. */
static CLONES void quantize_all(const float *restrict x, size_t n, float inverse, int32_t zero, int32_t lo, int16_t *restrict out)
{
    size_t together = n / TOGETHER * TOGETHER;

    for (size_t i = 0; i < together; i++) {
        float p = x[i] * inverse;
        int32_t q = (int32_t)((uint32_t)truncate(p + copysignf(0.5f, p)) + (uint32_t)zero);

        out[i] = (int16_t)(fixed_clamp(q, lo, 127) - zero);
    }
    for (size_t i = together; i < n; i++)
        out[i] = (int16_t)(fixed_clamp(truncate((float)zero + roundf(x[i] * inverse)), lo, 127) - zero);
}

static float quantize_symmetric(const float *x, size_t n, float range, int16_t *out)
{
    float inverse = 127 / range;

    if (range == 0) {
        memset(out, 0, n * sizeof *out);
        return 1;
    }
    quantize_all(x, n, inverse, 0, -127, out);
    return range / 127;
}

static float quantize_asymmetric(const float *x, size_t n, float min, float max, int16_t *out, int32_t *zero)
{
    float lo = min < 0 ? min : 0, hi = max > 0 ? max : 0;
    double exact = (double)(hi - lo) / 255; /* the width rounds to float, as in TFLite's vector code */
    float scale = (float)exact, inverse = scale == 0 ? 0 : 1 / scale;

    *zero = 0;
    if (lo == hi) {
        memset(out, 0, n * sizeof *out);
        return 1;
    }
    *zero = hybrid_zero_point((double)lo, (double)hi, exact);
    quantize_all(x, n, inverse, *zero, -128, out);
    return scale;
}

enum { LANES = 16 };

/* Smallest and largest of n floats without NaN. */
static CLONES void find_range(const float *x, size_t n, float *min, float *max)
{
    float lo[LANES], hi[LANES];
    size_t i = 0;

    for (size_t k = 0; k < LANES; k++)
        lo[k] = hi[k] = x[0];
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            lo[k] = x[i + k] < lo[k] ? x[i + k] : lo[k];
            hi[k] = x[i + k] > hi[k] ? x[i + k] : hi[k];
        }
    for (size_t k = 0; i + k < n; k++) {
        lo[k] = x[i + k] < lo[k] ? x[i + k] : lo[k];
        hi[k] = x[i + k] > hi[k] ? x[i + k] : hi[k];
    }
    *min = lo[0];
    *max = hi[0];
    for (size_t k = 1; k < LANES; k++) {
        *min = lo[k] < *min ? lo[k] : *min;
        *max = hi[k] > *max ? hi[k] : *max;
    }
}

static CLONES bool has_nan(const float *x, size_t n)
{
    int32_t nan = 0;

    for (size_t i = 0; i < n; i++)
        nan |= x[i] != x[i];
    return nan;
}

/* Find the smallest and largest value with NaNs among them. TFLite's comparisons drop a NaN from the minimum (x < min is false) and
 * let the next value replace it in the maximum (x < max is false), but a first value that is NaN stays the minimum: the order
 * decides. */
static void find_range_nan(const float *x, size_t n, float *min, float *max)
{
    *min = *max = x[0];
    for (size_t i = 1; i < n; i++) {
        *min = x[i] < *min ? x[i] : *min;
        *max = x[i] < *max ? *max : x[i];
    }
}

float hybrid_quantize(enum cpu_mode mode, const float *x, size_t n, bool asymmetric, int16_t *out, int32_t *zero)
{
    int32_t unused;
    float min = 0, max = 0;

    if (mode == CPU_REFERENCE)
        return hybrid_quantize_plain(x, n, asymmetric, out, zero);
    if (n)
        (has_nan(x, n) ? find_range_nan : find_range)(x, n, &min, &max);
    if (asymmetric)
        return quantize_asymmetric(x, n, min, max, out, zero ? zero : &unused);
    if (zero)
        *zero = 0;
    min = fabsf(min);
    max = fabsf(max);
    return quantize_symmetric(x, n, min < max ? max : min, out);
}

struct tensor hybrid_filter(const struct tensor *filter)
{
    struct tensor t = *filter;

    if (t.type == TYPE_UINT8)
        t.type = TYPE_INT8;
    return t;
}

static inline void scale_sums(const struct hybrid_post *p, const float *scale, size_t scale_step, float factor, const int32_t *sum,
                              float *restrict y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float s = scale[i * scale_step];

        y[i] = p->order == HYBRID_CHANNEL_FIRST ? (float)sum[i] * s * factor : (float)sum[i] * (factor * s);
    }
}

/* Store y[i] from the sum of channel `first` + i. */
static CLONES void finish_row(const struct hybrid_post *p, size_t first, float factor, const int32_t *sum, float *restrict y,
                              size_t count)
{
    struct range_f32 r;

    if (p->scale_step)
        scale_sums(p, p->scale + first, 1, factor, sum, y, count);
    else
        scale_sums(p, p->scale, 0, factor, sum, y, count);
    for (size_t i = 0; p->bias && i < count; i++)
        y[i] += p->bias[first + i];
    if (p->like_rnn || activation_range(p->activation, &r, NULL))
        activation_apply(y, count, p->activation);
    else
        for (size_t i = 0; i < count; i++)
            y[i] = activation_clamp(y[i], r);
}

static void store(const struct gemm *g, const int32_t *sum, void *y, size_t channel, size_t count)
{
    const struct hybrid_post *p = g->post;
    size_t position = p->factor_step ? (size_t)((char *)y - (char *)g->y) / g->y_col : 0;

    finish_row(p, channel, p->factor[position * p->factor_step], sum, (float *)y + channel, count);
}

void hybrid_post_init(struct hybrid_post *p)
{
    p->post = (struct gemm_i16_post){.store = store};
}
