/* SPDX-License-Identifier: Apache-2.0 */
/* exact_weights.c - see exact_weights.h */
#include "exact_weights.h"

#include <stdlib.h>

#include "../kernels_cpu/quant/packed_int.h"

static int32_t element(const struct exact_weights *f, size_t o, size_t tap, size_t i)
{
    int32_t v;

    if (o >= f->n_out || tap >= f->taps || i >= f->n_in)
        return f->zero;
    packed_int_load(f->type, f->data, (f->first + o) * f->step_o + tap * f->step_t + i, 1, &v);
    return v;
}

static int32_t word(const int32_t v[4])
{
    uint32_t bits = 0;

    for (int i = 0; i < 4; i++)
        bits |= ((uint32_t)v[i] & 255) << 8 * i;
    return (int32_t)bits;
}

static size_t slices(size_t channels)
{
    return (channels + 3) / 4;
}

static void dense_vector(const struct exact_weights *f, size_t i, int32_t to[4])
{
    const size_t z = i % slices(f->n_in), tap = i / slices(f->n_in) % f->taps, s = i / slices(f->n_in) / f->taps;

    for (size_t o = 0; o < 4; o++) {
        int32_t v[4];

        for (size_t k = 0; k < 4; k++)
            v[k] = element(f, 4 * s + o, tap, 4 * z + k);
        to[o] = word(v);
    }
}

static void depthwise_vector(const struct exact_weights *f, size_t i, int32_t to[4])
{
    const size_t first = 4 * (i % slices(f->taps)), s = i / slices(f->taps);

    for (size_t tap = 0; tap < 4; tap++) {
        int32_t v[4];

        for (size_t k = 0; k < 4; k++)
            v[k] = element(f, 4 * s + k, first + tap, 0);
        to[tap] = word(v);
    }
}

static void pack(const struct exact_weights *f, size_t first, size_t n, int32_t *to,
                 void (*vector)(const struct exact_weights *f, size_t i, int32_t to[4]))
{
    const size_t head = exact_requant_vectors(f->q);

    for (size_t i = first; i < first + n; i++, to += 4)
        if (i < head)
            exact_requant_pack(f->q, i, to);
        else
            vector(f, i - head, to);
}

static void pack_dense(const void *arg, size_t first, size_t n, void *to)
{
    pack(arg, first, n, to, dense_vector);
}

static void pack_depthwise(const void *arg, size_t first, size_t n, void *to)
{
    pack(arg, first, n, to, depthwise_vector);
}

static void bind(struct gl_shader *p, const struct exact_weights *f, size_t vectors, gl_packer packer)
{
    gl_table_packed(p, "w", exact_requant_vectors(f->q) + vectors, vectors, packer, f, sizeof *f);
    gl_define(p, "SIGNED_WEIGHTS", f->type != TYPE_UINT8);
    gl_param(p, "WEIGHT_ZERO", f->zero);
}

void exact_weights_dense(struct gl_shader *p, const struct exact_weights *f)
{
    bind(p, f, slices(f->n_out) * f->taps * slices(f->n_in), pack_dense);
}

void exact_weights_depthwise(struct gl_shader *p, const struct exact_weights *f)
{
    bind(p, f, slices(f->n_out) * slices(f->taps), pack_depthwise);
}

uint64_t exact_weights_most(const struct exact_weights *f, uint64_t x)
{
    uint64_t most = 0;

    for (size_t o = 0; o < f->n_out; o++) {
        uint64_t sum = 0;

        for (size_t tap = 0; tap < f->taps; tap++)
            for (size_t i = 0; i < f->n_in; i++)
                sum += (uint64_t)abs(element(f, o, tap, i) - f->zero);
        most = sum > most ? sum : most;
    }
    return most * x;
}
