/* SPDX-License-Identifier: Apache-2.0 */
/* mfcc.c - Mfcc: mel-frequency cepstral coefficients of a squared spectrogram.
 *
 * Each frequency counts towards the two bands on the mel scale whose centers it lies between; of the bands' logarithms a cosine
 * transform keeps the first coefficients. */
#include "lib/base/flexbuffer.h"
#include "lib/graph/kernel.h"
#include "lib/graph/macs.h"

#include <math.h>
#include <string.h>

enum { SPECTRUM, SAMPLE_RATE }; /* [channels,windows,frequencies], and samples per second */

struct options {
    int32_t upper, lower, bands, coefficients;
};

static enum status read_options(const struct node *n, struct options *o, struct err *err)
{
    struct flex_map m;
    enum status st = flex_open(n->custom, n->n_custom, &m, err);

    if (st)
        return st;
    *o = (struct options){flex_int(&m, "upper_frequency_limit", 0), flex_int(&m, "lower_frequency_limit", 0),
                          flex_int(&m, "filterbank_channel_count", 0), flex_int(&m, "dct_coefficient_count", 0)};
    if (o->lower < 0 || o->upper <= o->lower)
        return err_set(err, ST_BAD_MODEL, "frequencies from %d to %d Hz", o->lower, o->upper);
    if (o->coefficients < 1 || o->coefficients > o->bands)
        return err_set(err, ST_BAD_MODEL, "%d coefficients of %d bands", o->coefficients, o->bands);
    return ST_OK;
}

static enum status mfcc_shape(struct node *n, struct err *err)
{
    enum status st;
    const struct tensor *x = n->in[SPECTRUM];
    struct options o;

    if ((st = read_options(n, &o, err)))
        return st;
    if (x->rank != 3 || x->dim[2] < 2)
        return err_set(err, ST_BAD_MODEL, "spectrum is %s, expected [channels,windows,2 or more frequencies]", TENSOR_TEXT(x));
    if (tensor_elems(n->in[SAMPLE_RATE]) != 1)
        return err_set(err, ST_BAD_MODEL, "sample rate is %s, expected one number", TENSOR_TEXT(n->in[SAMPLE_RATE]));
    return shape_set(n, 0, (int32_t[]){x->dim[0], x->dim[1], o.coefficients}, 3, err);
}

struct share {
    double weight;
    int32_t band;
}; /* of a frequency in `band`, -1: below the first; the next one has the rest */

struct mfcc {
    struct options o;
    size_t frequencies, bands;
    size_t begin, end;       /* of the frequencies that count */
    const double *cosines;   /* [coefficients][bands] */
    double *centers, *level; /* [bands + 1]: of the bands, and the upper limit; [bands]: the result of one window */
    struct share *share;     /* [frequencies] */
};

static enum status describe(const struct cpu_call *c, struct mfcc *m, struct err *err)
{
    enum status st = read_options(c->node, &m->o, err);

    if (st)
        return st;
    m->frequencies = (size_t)c->node->in[SPECTRUM]->dim[2];
    m->bands = (size_t)m->o.bands;
    m->begin = m->end = 0;
    m->cosines = c->packed;
    m->share = c->scratch;
    m->centers = m->share ? (double *)(m->share + m->frequencies) : NULL;
    m->level = m->centers ? m->centers + m->bands + 1 : NULL;
    return ST_OK;
}

static enum status pack_cosines(struct cpu_call *c, const struct mfcc *m, struct err *err)
{
    const double scale = sqrt(2.0 / m->o.bands), step = M_PI / m->o.bands;
    size_t elems;
    enum status st = shape_elems((int32_t[]){m->o.coefficients, m->o.bands}, 2, &elems, err);
    double *out;

    if (st || (st = cpu_pack(c, elems * sizeof *out, err)))
        return st;
    out = c->packed;
    for (int32_t i = 0; i < m->o.coefficients; i++)
        for (int32_t j = 0; j < m->o.bands; j++)
            *out++ = scale * cos(i * step * (j + 0.5));
    return ST_OK;
}

static enum status mfcc_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct mfcc m;
    enum status st;

    if (!n->out[0]->bytes)
        return ST_OK;
    if ((st = describe(c, &m, err)) || (st = pack_cosines(c, &m, err)))
        return st;
    c->scratch_bytes = m.frequencies * sizeof *m.share + (2 * m.bands + 1) * sizeof *m.level;
    return ST_OK;
}

static double mel(double hertz)
{
    return 1127 * log1p(hertz / 700);
}

/* Which frequencies count for which bands, at this sample rate. */
static void place_bands(struct mfcc *m, int32_t sample_rate)
{
    const double hertz = 0.5 * sample_rate / (double)(m->frequencies - 1), low = mel(m->o.lower);
    const double step = (mel(m->o.upper) - low) / (m->o.bands + 1.0);
    const double begin = 1.5 + m->o.lower / hertz, end = m->o.upper / hertz + 1;
    int32_t band = 0;

    /* a limit beyond the spectrum stays beyond it, but fits the type */
    m->begin = begin < (double)m->frequencies ? (size_t)begin : m->frequencies;
    m->end = end < (double)m->frequencies + 1 ? (size_t)end : m->frequencies + 1;
    for (int32_t i = 0; i <= m->o.bands; i++)
        m->centers[i] = low + step * (i + 1.0);
    for (size_t i = m->begin; i < m->end && i < m->frequencies; i++) {
        double at = mel((double)i * hertz), left, right;

        while (band < m->o.bands && m->centers[band] < at)
            band++;
        left = band ? m->centers[band - 1] : low;
        right = m->centers[band];
        m->share[i] = (struct share){(right - at) / (right - left), band - 1};
    }
}

static void add_up(const struct mfcc *m, const float *x)
{
    for (size_t i = 0; i < m->bands; i++)
        m->level[i] = 0;
    for (size_t i = m->begin; i < m->end; i++) {
        double magnitude = sqrt((double)x[i]), weighted = magnitude * m->share[i].weight;
        int32_t band = m->share[i].band;

        if (band >= 0)
            m->level[band] += weighted;
        if (band + 1 < m->o.bands)
            m->level[band + 1] += magnitude - weighted;
    }
}

static void transform(const struct mfcc *m, float *y)
{
    const double *row = m->cosines;

    for (size_t i = 0; i < m->bands; i++)
        m->level[i] = log(m->level[i] < 1e-12 ? 1e-12 : m->level[i]);
    for (int32_t i = 0; i < m->o.coefficients; i++, row += m->bands) {
        double sum = 0;

        for (size_t j = 0; j < m->bands; j++)
            sum += row[j] * m->level[j];
        y[i] = (float)sum;
    }
}

static enum status mfcc_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *spectrum = c->node->in[SPECTRUM], *out = c->node->out[0];
    size_t windows = (size_t)spectrum->dim[0] * (size_t)spectrum->dim[1];
    const float *x = spectrum->data;
    struct mfcc m;
    int32_t rate;
    float *y = out->data;
    enum status st;

    if (!out->bytes)
        return ST_OK;
    if ((st = describe(c, &m, err)))
        return st;
    if ((rate = *(const int32_t *)c->node->in[SAMPLE_RATE]->data) < 1)
        return err_set(err, ST_FAILED, "sample rate %d, expected a positive one", rate);
    place_bands(&m, rate);
    if (m.end > m.frequencies) {
        /* the upper limit is beyond the spectrum: TFLite's result is zeros, and models fed with any rate should run */
        memset(y, 0, out->bytes);
        return ST_OK;
    }
    for (size_t i = 0; i < windows; i++, x += m.frequencies, y += m.o.coefficients) {
        add_up(&m, x);
        transform(&m, y);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_mfcc = {.arity = {2, 2, 1},
                                    .shape = mfcc_shape,
                                    .in = {[SPECTRUM] = CPU_F32, [SAMPLE_RATE] = CPU_I32},
                                    .out = {CPU_F32},
                                    .prepare = mfcc_prepare,
                                    .run = mfcc_run,
                                    .macs = macs_unknown};
