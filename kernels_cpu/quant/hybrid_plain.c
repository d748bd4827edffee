/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid_plain.c - the reference quantization of float activations, one value at a time. */
#include "kernels_cpu/quant/hybrid_plain.h"

#include <math.h>
#include <string.h>

int32_t hybrid_zero_point(double min, double max, double scale)
{
    double from_min = -128 - min / scale, from_max = 127 - max / scale;
    double zero = 128 + fabs(min / scale) < 127 + fabs(max / scale) ? from_min : from_max;

    return zero <= -128 ? -128 : zero >= 127 ? 127 : (int32_t)round(zero);
}

/* Convert a float to an integer as x86 does: truncated, INT32_MIN for values that do not fit. */
static int32_t whole(float x)
{
    return x >= -0x1p31f && x < 0x1p31f ? (int32_t)x : INT32_MIN;
}

/* Quantize x, the i-th of n values: hybrid.h has the two roundings. */
static int16_t quantize_one(float x, size_t i, size_t n, float inverse, int32_t zero, int32_t least)
{
    const float product = x * inverse;
    int64_t q;

    if (i < n - n % 8)
        q = (int32_t)((uint32_t)whole(product < 0 ? product - 0.5f : product + 0.5f) + (uint32_t)zero);
    else
        q = whole(roundf(product) + (float)zero);
    if (q < least)
        q = least;
    if (q > 127)
        q = 127;
    return (int16_t)(q - zero);
}

float hybrid_quantize_plain(const float *x, size_t n, bool asymmetric, int16_t *out, int32_t *zero)
{
    float min = n ? x[0] : 0, max = min, largest, scale, inverse;
    int32_t z = 0;

    /* TFLite's order of comparisons, which shows where there are NaNs. */
    for (size_t i = 1; i < n; i++) {
        min = x[i] < min ? x[i] : min;
        max = x[i] < max ? max : x[i];
    }
    min = asymmetric && !(min < 0) ? 0 : min;
    max = asymmetric && !(max > 0) ? 0 : max;
    largest = fabsf(min) < fabsf(max) ? fabsf(max) : fabsf(min);
    if (zero)
        *zero = 0;
    if (asymmetric ? min == max : largest == 0) {
        memset(out, 0, n * sizeof *out);
        return 1;
    }
    if (asymmetric) {
        const double exact = (double)(max - min) / 255;

        scale = (float)exact;
        inverse = scale == 0 ? 0 : 1 / scale;
        z = hybrid_zero_point((double)min, (double)max, exact);
    } else {
        scale = largest / 127;
        inverse = 127 / largest;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = quantize_one(x[i], i, n, inverse, z, asymmetric ? -128 : -127);
    if (zero)
        *zero = z;
    return scale;
}
