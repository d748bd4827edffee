/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - see window.h */
#include "kernels_gl/common/window.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lib/gl/codegen/shader.h"
#include "lib/gl/lower/quantized.h"

bool window_inputs(const struct node *n, struct reason *why)
{
    if (!gl_runtime(n, 0, "input", why) || !gl_constant(n, 1, "filter", why) ||
        (ir_has_in(n, 2) && !gl_constant(n, 2, "bias", why)))
        return false;
    if (n->in[0]->rank == 4 && n->in[1]->rank == 4)
        return true;
    return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "input and filter have ranks %d and %d instead of 4", n->in[0]->rank,
                      n->in[1]->rank);
}

static uint64_t slices(int64_t channels)
{
    return ((uint64_t)channels + 3) / 4;
}

/* Weights in vector k behind the heads. */
struct place {
    size_t i, tap, o, set; /* input channel, tap, first of four output channels; position of a transformed tile */
};

static struct place place_of(const struct filter *f, size_t k)
{
    const size_t n_in = slices(f->n_in), n_out = slices(f->n_out), per_slice = (size_t)f->taps * n_in;
    const size_t beside = f->beside ? (size_t)f->beside : 1, set = k / 4 / (n_out * per_slice), block = k / 4 % (n_out * per_slice);
    const size_t first = block / (beside * per_slice) * beside, left = n_out - first, n = left < beside ? left : beside;
    const size_t at = block - first * per_slice, step = at / n;

    return (struct place){4 * (step % n_in) + k % 4, step / n_in, 4 * (first + at % n), set};
}

/* Pack one input channel's weights for four output channels. */
static void pack_weights(const struct filter *f, size_t k, float to[4])
{
    const struct place at = place_of(f, k);
    const size_t n_in = (size_t)f->n_in, n_out = (size_t)f->n_out, taps = (size_t)f->taps, i = at.i, tap = at.tap;
    size_t o = at.o;

    for (size_t lane = 0; lane < 4; lane++, o++)
        if (i >= n_in || o >= n_out)
            to[lane] = 0;
        else if (f->unit)
            to[lane] = window_multiple(f->w[(o * taps + tap) * n_in + i], f->unit[o]) - f->offset;
        else
            to[lane] = f->w[(o * taps + tap) * n_in + i] - f->offset;
}

/* Weight `position` of a filter of 3x3 whose weight at row i, column k is w[(3 * i + k) * step], transformed (winograd.h). */
static float transformed_weight(const float *w, size_t step, int32_t tile, int32_t position)
{
    static const double factors[2][6][3] = {
        {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}},
        {{1. / 4, 0, 0},
         {-1. / 6, -1. / 6, -1. / 6},
         {-1. / 6, 1. / 6, -1. / 6},
         {1. / 24, 1. / 12, 1. / 6},
         {1. / 24, -1. / 12, 1. / 6},
         {0, 0, 1}},
    };
    const double *row = factors[tile == 4][position / (tile + 2)], *column = factors[tile == 4][position % (tile + 2)];
    double sum = 0;

    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            sum += row[i] * column[k] * (double)w[(3 * i + k) * step];
    return (float)sum;
}

/* Pack one input channel's transformed weights for four output channels; the filters of a position are consecutive. */
static void pack_transformed(const struct filter *f, size_t k, float to[4])
{
    const struct place at = place_of(f, k);
    const size_t n_in = (size_t)f->n_in, n_out = (size_t)f->n_out;
    size_t o = at.o;

    for (size_t lane = 0; lane < 4; lane++, o++)
        to[lane] = at.i >= n_in || o >= n_out ? 0 : transformed_weight(f->w + o * 9 * n_in + at.i, n_in, f->tile, (int32_t)at.set);
}

/* Pack byte vector k behind the heads: weight vector 2k plus 8 in the lower four bits, weight vector 2k + 1 in the upper four. */
static void pack_halved(const struct filter *f, size_t k, float to[4])
{
    const size_t n = (size_t)(4 * slices(f->n_out) * (uint64_t)f->taps * slices(f->n_in));
    float lower[4], upper[4] = {0};

    pack_weights(f, 2 * k, lower);
    if (2 * k + 1 < n)
        pack_weights(f, 2 * k + 1, upper);
    for (size_t lane = 0; lane < 4; lane++)
        to[lane] = lower[lane] + 8 + 16 * upper[lane];
}

void window_pack(const void *filter, size_t first, size_t n, void *to)
{
    const struct filter *f = filter;
    const size_t biases = window_heads(f->bytes, f->unit != NULL, slices(f->n_out));
    float *v = to;

    for (size_t i = first; i < first + n; i++, v += 4)
        for (size_t lane = 0; i < biases && lane < 4; lane++)
            v[lane] = window_head_number(f->bytes, f->unit, f->bias, (size_t)f->n_out, i, lane);
    v = to;
    for (size_t i = first; i < first + n; i++, v += 4)
        if (i >= biases)
            (f->tile ? pack_transformed : f->halved ? pack_halved : pack_weights)(f, i - biases, v);
}

/* Return true if all weights are from -8 to 7. */
static bool fits_4_bits(const struct filter *f)
{
    const size_t run = (size_t)f->taps * (size_t)f->n_in, n = (size_t)f->n_out * run;

    for (size_t i = 0; i < n; i++) {
        const float q = f->unit ? window_multiple(f->w[i], f->unit[i / run]) : f->w[i];

        if (!(q >= -8 && q <= 7))
            return false;
    }
    return true;
}

void window_filter(struct gl_shader *p, const struct filter *f)
{
    const uint64_t n_out = slices(f->n_out), sets = f->tile ? (uint64_t)winograd_positions(f->tile) : 1;
    const uint64_t vectors = sets * 4 * n_out * (uint64_t)f->taps * slices(f->n_in);
    const size_t biases = window_heads(f->bytes, f->unit != NULL, n_out);
    struct filter packed = *f;

    packed.halved = f->bytes && f->offset == 0 && fits_4_bits(f);
    (f->bytes ? gl_weights_bytes : gl_weights)(p, "w", biases + (size_t)(packed.halved ? (vectors + 1) / 2 : vectors), window_pack,
                                               &packed, sizeof packed);
    window_define(p, f->bytes, packed.halved, f->unit != NULL, f->offset, (int32_t)biases);
    gl_define_text(p, "WEIGHT_ROW(i, k)",
                   packed.halved || !gl_weights_in_four(p) ? "WEIGHT((i) + (k))"
                   : f->offset != 0                        ? "(loadw_w(i, k) + OFFSET)"
                                                           : "loadw_w(i, k)");
}

bool window_bytes(const float *w, size_t n, const float *bias, size_t n_out, float *offset)
{
    float least = 0, most = 0;

    for (size_t i = 0; i < n; i++) { /* not with fminf, a call each: this is asked of every filter */
        least = w[i] < least ? w[i] : least;
        most = w[i] > most ? w[i] : most;
    }
    for (size_t i = 0; bias && i < n_out; i++)
        if (!(fabsf(bias[i]) < 0x1p30f))
            return false;
    *offset = least >= -128 && most <= 127 ? 0 : least + 128;
    return most - least <= 255;
}

bool window_multiples(const struct gl_shader *p, const float *w, size_t n, size_t run, const float *unit, size_t n_out,
                      float *offset)
{
    float least = 0, most = 0;

    if (!unit || p->halves)
        return false;
    for (size_t i = 0; i < n; i++) {
        const float u = unit[i / run % n_out], q = window_multiple(w[i], u);

        if (!(fabsf(q * u - w[i]) <= 1e-6f * fabsf(w[i])) || !(isnormal(u) || w[i] == 0))
            return false;
        least = fminf(least, q);
        most = fmaxf(most, q);
    }
    *offset = least >= -128 && most <= 127 ? 0 : least + 128;
    return most - least <= 255;
}

size_t window_head(bool bytes, bool units)
{
    return units ? 8 : bytes ? 4 : 1;
}

size_t window_heads(bool bytes, bool units, size_t n)
{
    return (window_head(bytes, units) * n + 3) / 4 * 4;
}

/* Return digit i of the bias to the base 256. */
static float digit(float bias, size_t i)
{
    int64_t left = (int64_t)bias;

    for (; i > 0; i--)
        left = (left - (int8_t)left) / 256;
    return (int8_t)left;
}

static float byte_of(float f, size_t i)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return (int8_t)(uint8_t)(bits >> (8 * i));
}

float window_head_number(bool bytes, const float *unit, const float *bias, size_t n_out, size_t k, size_t lane)
{
    const size_t head = window_head(bytes, unit != NULL), o = 4 * (k / head) + lane, i = k % head;
    const float b = bias && o < n_out ? bias[o] : 0;

    if (unit)
        return i < 4 ? byte_of(o < n_out ? unit[o] : 0, i) : byte_of(b, i - 4);
    return bytes ? digit(b, i) : b;
}

/* The floats whose bytes are in four vectors. */
#define FLOATS(i)                                                                                                                  \
    "intBitsToFloat((ivec4(loadw_w(" i ")) & 255) | (ivec4(loadw_w(" i " + 1)) & 255) << 8 | (ivec4(loadw_w(" i                    \
    " + 2)) & 255) << 16 | ivec4(loadw_w(" i " + 3)) << 24)"

/* The weights of four bits of a byte vector, the floor of a 16th of which is the second of them. */
static void define_halved(struct gl_shader *p)
{
    gl_define_text(p, "BOTH(i)", "loadw_w(BIASES + (((i) - BIASES) >> 1))");
    gl_define_text(p, "WEIGHT(i)",
                   "((((i) - BIASES) & 1) != 0 ? floor(BOTH(i) * 0.0625) : BOTH(i) - 16.0 * floor(BOTH(i) * 0.0625) - 8.0)");
}

void window_define(struct gl_shader *p, bool bytes, bool halved, bool units, float offset, int32_t biases)
{
    gl_param(p, "BIASES", biases);
    if (bytes && offset != 0)
        gl_param_float(p, "OFFSET", offset);
    if (halved)
        define_halved(p);
    else
        gl_define_text(p, "WEIGHT(i)", bytes && offset != 0 ? "(loadw_w(i) + OFFSET)" : "loadw_w(i)");
    gl_define_text(p, "UNIT(s)", units ? FLOATS("8 * (s)") : "vec4(1.0)");
    gl_define_text(p, "SHIFT(s)", units ? "(ADDS_BIAS ? BIAS(s) : vec4(0.0))" : "vec4(0.0)");
    gl_define_text(p, "RESULT(v, unit, shift)", units ? "(vec4(v) * (unit) + (shift))" : "vec4(v)");
    gl_define_text(p, "START(s)", units ? "vec4(0.0)" : "(ADDS_BIAS ? BIAS(s) : vec4(0.0))");
    gl_define_text(p, "BIAS(s)",
                   units   ? FLOATS("8 * (s) + 4")
                   : bytes ? "(loadw_w(4 * (s)) + 256.0 * (loadw_w(4 * (s) + 1) + 256.0 * (loadw_w(4 * (s) + 2) + 256.0 * "
                             "loadw_w(4 * (s) + 3))))"
                           : "loadw_w(s)");
}

void window_counts(struct gl_shader *p, float to_counts)
{
    if (to_counts != 0)
        gl_param_float(p, "TO_COUNTS", to_counts);
    gl_define_text(p, "COUNTS(v)", to_counts != 0 ? "floor((v) * TO_COUNTS + 0.5)" : "(v)");
}

enum status window_of(const struct node *n, enum padding padding, struct ir_window *win, struct err *err)
{
    const struct tensor *x = n->in[0], *w = n->in[1];
    int32_t out;
    enum status st;

    win->kernel_h = w->dim[1];
    win->kernel_w = w->dim[2];
    st = shape_window(x->dim[1], win->kernel_h, win->stride_h, win->dilation_h, padding, &out, &win->pad_h, err);
    return st ? st : shape_window(x->dim[2], win->kernel_w, win->stride_w, win->dilation_w, padding, &out, &win->pad_w, err);
}

int32_t window_overlap(int32_t windows, int32_t kernel, int32_t stride, int32_t out)
{
    int64_t excess = ((int64_t)windows - 1) * stride + kernel - out;

    return excess > 0 ? (int32_t)(excess / 2) : 0;
}

enum status window_bias(struct ir *ir, const struct node *n, const float **bias, struct err *err)
{
    *bias = ir_has_in(n, 2) ? gl_quantized_bias(ir, n->in[0], n->in[1], n->in[2]) : NULL;
    return ir_has_in(n, 2) && !*bias ? ir_nomem(err) : ST_OK;
}

bool window_all_finite(const float *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(w[i]))
            return false;
    return true;
}

/* Exact but for one rounding: neither beyond the largest numbers nor among the smallest, which have fewer digits. */
static bool scales(float w, float scale, float *to)
{
    *to = w * scale;
    return isfinite(*to) && (fabsf(*to) >= FLT_MIN || w == 0 || scale == 0);
}

/* Below this halves have fewer digits. */
#define HALF_MIN 0x1p-14f

static float largest_of(const float *w, size_t n, size_t run, size_t n_out, size_t o)
{
    float most = 0;

    for (size_t first = o * run; first < n; first += run * n_out)
        for (size_t i = first; i < first + run; i++)
            most = fmaxf(most, fabsf(w[i]));
    return most;
}

/* Of each channel the largest weight keeps the digits that it has as a half; what smaller ones lose is not more than it loses. */
static bool scales_as_halves(const float *w, const float *scaled, size_t n, size_t run, size_t n_out)
{
    for (size_t o = 0; o < n_out; o++) {
        const float most = largest_of(scaled, n, run, n_out, o);

        if (most > 0 && most < HALF_MIN && largest_of(w, n, run, n_out, o) >= HALF_MIN)
            return false;
    }
    return true;
}

bool window_rescale(struct ir *ir, const float **w, size_t n, size_t run, const float **bias, const float **unit, size_t n_out,
                    const float *scale, const float *shift, bool *done)
{
    float *units = scale && *unit ? ARENA_ARRAY(ir->arena, n_out, float) : NULL;
    float *weights = scale ? ARENA_ARRAY(ir->arena, n, float) : NULL, *biases = ARENA_ARRAY(ir->arena, n_out, float);
    bool ok = true;

    *done = false;
    if ((scale && !weights) || (scale && *unit && !units) || !biases)
        return false;
    for (size_t i = 0; scale && i < n && ok; i++)
        ok = scales((*w)[i], scale[i / run % n_out], &weights[i]);
    if (ir->half && scale && ok)
        ok = scales_as_halves(*w, weights, n, run, n_out);
    for (size_t i = 0; i < n_out && ok; i++) {
        float b = *bias ? (*bias)[i] : 0;

        ok = !scale || scales(b, scale[i], &b);
        biases[i] = shift ? b + shift[i] : b;
        ok = ok && isfinite(biases[i]);
    }
    if (!ok)
        return true;
    for (size_t i = 0; units && i < n_out; i++)
        units[i] = (*unit)[i] * scale[i];
    *unit = units ? units : *unit;
    *w = scale ? weights : *w;
    *bias = biases;
    *done = true;
    return true;
}
