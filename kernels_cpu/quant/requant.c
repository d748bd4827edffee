/* SPDX-License-Identifier: Apache-2.0 */
/* requant.c - from integer sums to quantized outputs: scales and biases of each channel, made once. */
#include <math.h>

#include "kernels_cpu/quant/requant.h"
#include "kernels_cpu/quant/requant_store.h"

size_t requant_layout(struct layout *l, size_t channels)
{
    size_t at = layout_add(l, channels, sizeof(double));

    layout_add(l, channels, sizeof(int64_t));
    for (int i = 0; i < 3; i++)
        layout_add(l, channels, sizeof(int32_t));
    return at;
}

/* Return the next array, in the order of requant_layout, and advance *memory. */
static void *take(char **memory, size_t channels, size_t size)
{
    struct layout l = {0};
    char *at = *memory;

    layout_add(&l, channels, size);
    *memory += l.bytes;
    return at;
}

static double channel_scale(const struct requant_spec *s, size_t i)
{
    float in = quant_scale(s->input), whole = quant_scale(s->filter);
    float filter = s->filter->quant.n > 1 ? s->filter->quant.scale[i] : whole;
    double product = s->float_product ? (double)(in * whole) : (double)in * (double)filter;

    return product / (double)quant_scale(s->output);
}

/* Wide sums saturate from a scale of 2^14 on (fixed_scale64), so larger scales need no limit; REQUANT_REAL has none. */
static bool scale_fixed(enum requant_kind kind, double real, struct fixed_mul *m)
{
    if (kind != REQUANT_FIXED && fabs(real) >= 0x1p30)
        real = copysign(0x1.fffffffcp29, real); /* the largest multiplier */
    return fixed_from_double(real, m);
}

enum status requant_init(struct requant *r, const struct requant_spec *s, char *memory, struct err *err)
{
    double *scale = take(&memory, s->channels, sizeof *scale);
    int64_t *bias_wide = take(&memory, s->channels, sizeof *bias_wide);
    int32_t *bias = take(&memory, s->channels, sizeof *bias);
    int32_t *mult = take(&memory, s->channels, sizeof *mult), *shift = take(&memory, s->channels, sizeof *shift);

    *r = (struct requant){.kind = s->kind,
                          .type = s->output->type,
                          .zero = quant_zero(s->output),
                          .bias = bias,
                          .bias_wide = bias_wide,
                          .mult = mult,
                          .shift = shift,
                          .scale = scale};
    requant_choose_store(r);
    for (size_t i = 0; i < s->channels; i++) {
        struct fixed_mul m;

        scale[i] = channel_scale(s, i);
        if (!isfinite(scale[i]) || !scale_fixed(s->kind, scale[i], &m))
            return err_set(err, ST_BAD_MODEL, "channel %zu scales its sum by %g, beyond fixed point", i, scale[i]);
        mult[i] = m.mult;
        shift[i] = m.shift;
    }
    return activation_range_quant(s->activation, s->output, &r->range, err);
}

void requant_set_bias(struct requant *r, const struct tensor *bias, size_t channels)
{
    int32_t *narrow = (int32_t *)r->bias;
    int64_t *wide = (int64_t *)r->bias_wide;

    for (size_t i = 0; i < channels; i++) {
        wide[i] = bias ? tensor_int(bias, i) : 0;
        narrow[i] = (int32_t)((uint32_t)wide[i] + (r->offset ? (uint32_t)r->offset[i] : 0));
    }
}

struct requant requant_from(const struct requant *r, size_t first)
{
    struct requant out = *r;

    out.bias += first;
    out.bias_wide += first;
    out.mult += first;
    out.shift += first;
    out.scale += first;
    return out;
}
