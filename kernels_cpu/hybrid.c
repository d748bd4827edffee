/* hybrid.c - float activations times 8-bit weights. */
#include <math.h>
#include <string.h>

#include "hybrid.h"

/* What x86 makes of NaN and of floats beyond int32, as the compiled TFLite does. */
static int32_t to_int(float x)
{
    return fabsf(x) < 0x1p31f ? (int32_t)x : INT32_MIN;
}

static float quantize_symmetric(const float *x, size_t n, float range, int16_t *out)
{
    float inverse = 127 / range;

    if (range == 0) {
        memset(out, 0, n * sizeof *out);
        return 1;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)fixed_clamp(to_int(roundf(x[i] * inverse)), -127, 127);
    return range / 127;
}

/* The zero point whose rounding loses least at the ends of the range. */
static int32_t zero_point(double min, double max, double scale)
{
    double from_min = -128 - min / scale, from_max = 127 - max / scale;
    double zero = 128 + fabs(min / scale) < 127 + fabs(max / scale) ? from_min : from_max;

    return zero <= -128 ? -128 : zero >= 127 ? 127 : (int32_t)round(zero);
}

static float quantize_asymmetric(const float *x, size_t n, float min, float max, int16_t *out, int32_t *zero)
{
    float lo = min < 0 ? min : 0, hi = max > 0 ? max : 0;
    double exact = (double)(hi - lo) / 255;      /* the width rounds to float, as in TFLite's vector code */
    float scale = (float)exact, inverse = 1 / scale;

    *zero = 0;
    if (lo == hi) {
        memset(out, 0, n * sizeof *out);
        return 1;
    }
    *zero = zero_point((double)lo, (double)hi, exact);
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)(fixed_clamp(to_int(roundf((float)*zero + x[i] * inverse)), -128, 127) - *zero);
    return scale;
}

float hybrid_quantize(const float *x, size_t n, bool asymmetric, int16_t *out, int32_t *zero)
{
    int32_t unused;
    float min = n ? x[0] : 0, max = min;

    for (size_t i = 1; i < n; i++) {
        min = x[i] < min ? x[i] : min;
        max = x[i] < max ? max : x[i];
    }
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

static float activate(float x, enum activation a)
{
    struct range_f32 r;

    if (a == ACT_TANH)
        return tanhf(x);
    if (a == ACT_SIGN_BIT)
        return signbit(x) ? 1 : 0;
    return activation_range(a, &r, NULL) ? x : activation_clamp(x, r);
}

float hybrid_one(const struct hybrid_post *p, size_t channel, size_t position, int32_t sum)
{
    float scale = p->scale[channel * p->scale_step], factor = p->factor[position * p->factor_step];
    float real = p->order == HYBRID_CHANNEL_FIRST ? (float)sum * scale * factor : (float)sum * (factor * scale);

    return activate(p->bias ? real + p->bias[channel] : real, p->activation);
}

static void store(const struct gemm *g, const int32_t *sum, void *y, size_t channel, size_t count)
{
    const struct hybrid_post *p = g->post;
    size_t position = p->factor_step ? (size_t)((char *)y - (char *)g->y) / g->y_col : 0;

    for (size_t i = 0; i < count; i++)
        ((float *)y)[channel + i] = hybrid_one(p, channel + i, position, sum[i]);
}

void hybrid_post_init(struct hybrid_post *p)
{
    p->post = (struct gemm_i16_post){.store = store};
}
