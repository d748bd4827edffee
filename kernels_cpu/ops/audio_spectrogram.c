/* SPDX-License-Identifier: Apache-2.0 */
/* audio_spectrogram.c - AudioSpectrogram: magnitudes of the frequencies in windows that slide over audio samples. */
#include "kernels_cpu/common/fft.h"
#include "lib/base/flexbuffer.h"
#include "lib/graph/kernel.h"
#include "lib/graph/macs.h"

#include <math.h>

struct options {
    int32_t window, stride;
    bool squared;
};

static enum status read_options(const struct node *n, struct options *o, struct err *err)
{
    struct flex_map m;
    enum status st = flex_open(n->custom, n->n_custom, &m, err);

    if (st)
        return st;
    *o = (struct options){flex_int(&m, "window_size", 0), flex_int(&m, "stride", 0), flex_int(&m, "magnitude_squared", 0) != 0};
    /* 2^30 is the longest transform whose size fits a dimension */
    if (o->window < 2 || o->window > 1 << 30 || o->stride < 1)
        return err_set(err, ST_BAD_MODEL, "windows of %d samples, stride %d, expected 2 to 2^30 samples and a positive stride",
                       o->window, o->stride);
    return ST_OK;
}

static enum status spectrogram_shape(struct node *n, struct err *err)
{
    enum status st;
    int32_t points = 2, windows;
    const struct tensor *x = n->in[0];
    struct options o;

    if ((st = read_options(n, &o, err)))
        return st;
    if (x->rank != 2)
        return err_set(err, ST_BAD_MODEL, "sound is %s, expected [samples,channels]", TENSOR_TEXT(x));
    while (points < o.window)
        points *= 2;
    windows = x->dim[0] < o.window ? 0 : 1 + (x->dim[0] - o.window) / o.stride;
    return shape_set(n, 0, (int32_t[]){x->dim[1], windows, points / 2 + 1}, 3, err);
}

/* The packed constants: the transform's table, then the window, a Hann window of that period. */
struct spectrogram {
    struct options o;
    size_t points, kept;
    struct fft_number *table;
    double *window;
};

static enum status describe(const struct cpu_call *c, struct spectrogram *s, struct err *err)
{
    enum status st = read_options(c->node, &s->o, err);

    if (st)
        return st;
    s->kept = (size_t)c->node->out[0]->dim[2];
    s->points = 2 * (s->kept - 1);
    s->table = c->packed;
    s->window = s->table ? (double *)(s->table + fft_table_size(s->points)) : NULL;
    return ST_OK;
}

static enum status spectrogram_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct spectrogram s;
    enum status st;

    if (!n->out[0]->bytes)
        return ST_OK;
    if ((st = describe(c, &s, err)) ||
        (st = cpu_pack(c, fft_table_size(s.points) * sizeof *s.table + (size_t)s.o.window * sizeof *s.window, err)) ||
        (st = describe(c, &s, err)))
        return st;
    fft_table(s.table, s.points);
    for (int32_t i = 0; i < s.o.window; i++)
        s.window[i] = 0.5 - 0.5 * cos(2 * M_PI * i / s.o.window);
    c->scratch_bytes = s.points * sizeof *s.table;
    return ST_OK;
}

/* x points to the window's first sample of a channel; further ones are `channels` apart. */
static void analyse(const struct spectrogram *s, const float *x, size_t channels, struct fft_number *line, float *y)
{
    const size_t window = (size_t)s->o.window;

    for (size_t i = 0; i < s->points; i++)
        line[i] = (struct fft_number){i < window ? (double)x[i * channels] * s->window[i] : 0, 0};
    fft(line, s->points, s->table, s->points);
    for (size_t i = 0; i < s->kept; i++) {
        float power = (float)(line[i].re * line[i].re + line[i].im * line[i].im);

        y[i] = s->o.squared ? power : sqrtf(power);
    }
}

static enum status spectrogram_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *out = c->node->out[0];
    size_t channels = (size_t)out->dim[0], windows = (size_t)out->dim[1];
    struct spectrogram s;
    float *y = out->data;
    enum status st;

    if (!out->bytes)
        return ST_OK;
    if ((st = describe(c, &s, err)))
        return st;
    for (size_t channel = 0; channel < channels; channel++)
        for (size_t i = 0; i < windows; i++, y += s.kept)
            analyse(&s, (const float *)x->data + i * (size_t)s.o.stride * channels + channel, channels, c->scratch, y);
    return ST_OK;
}

const struct cpu_kernel cpu_audio_spectrogram = {.arity = {1, 1, 1},
                                                 .shape = spectrogram_shape,
                                                 .in = {CPU_F32},
                                                 .out = {CPU_F32},
                                                 .prepare = spectrogram_prepare,
                                                 .run = spectrogram_run,
                                                 .macs = macs_unknown};
