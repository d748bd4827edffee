/* SPDX-License-Identifier: Apache-2.0 */
/* exact_requant.c - see exact_requant.h */
#include "kernels_gl/quant/exact_requant.h"

#include <math.h>
#include <string.h>

#include "lib/gl/codegen/shader.h"

/* Real scales are 53 bits times 2^-shift. The shader shifts by more than a word; from the most on products round to 0. */
#define REAL_SHIFT_LEAST 33
#define REAL_SHIFT_MOST  87

struct exact_real exact_real_of(double scale)
{
    struct exact_real r = {0};
    int exponent;
    double part;

    if (!(scale > 0) || !isnormal(scale))
        return r;
    part = frexp(scale, &exponent);
    r.shift = 53 - exponent;
    if (r.shift < REAL_SHIFT_LEAST)
        return (struct exact_real){0};
    if (r.shift > REAL_SHIFT_MOST)
        return (struct exact_real){.shift = REAL_SHIFT_MOST};
    r.whole = (uint64_t)ldexp(part, 53);
    return r;
}

static enum status real_check(const struct exact_requant *q, struct err *err)
{
    for (size_t i = 0; i < q->channels; i++)
        if (!exact_real_of(q->r.scale[i]).shift)
            return err_set(err, ST_UNSUPPORTED, "channel %zu scales its sum by %g, not normal and below 2^20", i, q->r.scale[i]);
    return ST_OK;
}

static enum status sums_check(const struct exact_requant *q, uint64_t most, struct err *err)
{
    if (q->r.kind == REQUANT_FIXED || (q->r.kind == REQUANT_REAL && q->r.type != TYPE_INT16))
        return ST_OK;
    if (q->bias_value)
        return err_set(err, ST_UNSUPPORTED, "sums of more than 32 bits with a bias that is computed at run time");
    for (size_t i = 0; i < q->channels; i++)
        if (most > INT32_MAX || q->r.bias_wide[i] > INT32_MAX - (int64_t)most || q->r.bias_wide[i] < (int64_t)most - INT32_MAX)
            return err_set(err, ST_UNSUPPORTED, "sums of up to %llu may leave 32 bits", (unsigned long long)most);
    return ST_OK;
}

enum status exact_requant_init(struct exact_requant *q, const struct requant_spec *spec, uint64_t most, struct arena *a,
                               struct err *err)
{
    struct layout l = {0};
    size_t at = requant_layout(&l, spec->channels);
    char *memory = arena_alloc(a, l.bytes + 64, 1);
    enum status st;

    *q = (struct exact_requant){.channels = spec->channels, .bias_value = spec->bias && !spec->bias->is_const};
    if (!memory)
        return err_set(err, ST_NOMEM, "out of memory");
    memory += 64 - (uintptr_t)memory % 64;
    if ((st = requant_init(&q->r, spec, memory + at, err)))
        return st;
    requant_set_bias(&q->r, q->bias_value ? NULL : spec->bias, spec->channels);
    st = sums_check(q, most, err);
    return st || q->r.kind != REQUANT_REAL ? st : real_check(q, err);
}

bool exact_requant_fixed(struct exact_requant *q, size_t channels, const int32_t *bias, const struct fixed_mul *m, size_t m_step,
                         struct range_i32 range, struct arena *a)
{
    int32_t *bias_of = ARENA_ARRAY(a, channels, int32_t), *mult = ARENA_ARRAY(a, channels, int32_t);
    int32_t *shift = ARENA_ARRAY(a, channels, int32_t);

    if (!bias_of || !mult || !shift)
        return false;
    for (size_t i = 0; i < channels; i++) {
        bias_of[i] = bias ? bias[i] : 0;
        mult[i] = m[i * m_step].mult;
        shift[i] = m[i * m_step].shift;
    }
    *q = (struct exact_requant){
        .channels = channels,
        .r = {.kind = REQUANT_FIXED, .type = TYPE_INT16, .range = range, .bias = bias_of, .mult = mult, .shift = shift}};
    return true;
}

/* What there is of each channel. */
enum row { ROW_BIAS, ROW_MULT, ROW_SHIFT, ROW_HIGH, ROWS };

static bool is_one_scale(const struct exact_requant *q)
{
    return q->scale && !q->scale_step && !q->bias;
}

size_t exact_requant_vectors(const struct exact_requant *q)
{
    return is_one_scale(q) ? 0 : ROWS * ((q->channels + 3) / 4);
}

static int32_t fixed(const struct exact_requant *q, enum row row, size_t c)
{
    return row == ROW_MULT ? q->r.mult[c] : row == ROW_SHIFT ? q->r.shift[c] : 0;
}

/* fixed_scale64 in other words: 15 bits of the multiplier, and one shift. */
static int32_t wide(const struct exact_requant *q, enum row row, size_t c)
{
    int32_t mult, shift;

    fixed_scale64_parts((struct fixed_mul){q->r.mult[c], q->r.shift[c]}, &mult, &shift);
    return row == ROW_MULT ? mult : row == ROW_SHIFT ? shift : 0;
}

static int32_t real(const struct exact_requant *q, enum row row, size_t c)
{
    const struct exact_real r = exact_real_of(q->r.scale[c]);

    return row == ROW_SHIFT ? r.shift : (int32_t)(uint32_t)(row == ROW_HIGH ? r.whole >> 32 : r.whole);
}

struct exact_requant exact_requant_hybrid(const struct tensor *filter, const struct tensor *bias, size_t channels)
{
    return (struct exact_requant){.channels = channels,
                                  .scale = filter->quant.scale,
                                  .scale_step = filter->quant.n > 1,
                                  .bias = bias && bias->is_const && filter->is_const ? bias->data : NULL};
}

static int32_t bits(float f)
{
    int32_t v;

    memcpy(&v, &f, sizeof v);
    return v;
}

static int32_t number(const struct exact_requant *q, enum row row, size_t c)
{
    if (q->scale)
        return row == ROW_MULT ? bits(q->scale[c * q->scale_step]) : row == ROW_SHIFT && q->bias ? bits(q->bias[c]) : 0;
    if (row == ROW_BIAS)
        return q->r.kind == REQUANT_FIXED || q->r.type != TYPE_INT16 ? q->r.bias[c] : (int32_t)q->r.bias_wide[c];
    return q->r.kind == REQUANT_FIXED ? fixed(q, row, c) : q->r.kind == REQUANT_FIXED_WIDE ? wide(q, row, c) : real(q, row, c);
}

void exact_requant_pack(const struct exact_requant *q, size_t i, int32_t to[4])
{
    for (size_t lane = 0; lane < 4; lane++) {
        const size_t c = 4 * (i / ROWS) + lane;

        to[lane] = number(q, (enum row)(i % ROWS), q->first + (c < q->channels ? c : q->channels - 1));
    }
}

void exact_source(struct gl_shader *p, const struct exact_requant *q, const char *template)
{
    struct text t = {.arena = p->arena};

    text_add(&t, "%s%s", q->scale ? exact_rounded_comp : exact_fixed_comp, q->scale ? "" : exact_wide_comp);
    text_add(&t, "%s%s%s", q->scale ? "" : exact_real_comp, exact_requant_comp, template);
    p->failed |= t.failed;
    gl_source(p, t.failed ? template : t.s);
    GL_DEFINES(p, "HYBRID REQUANT EXACT_ROWS ONE_SCALE", q->scale != NULL, (int32_t)q->r.kind, ROWS, is_one_scale(q));
    if (is_one_scale(q))
        gl_param(p, "SCALE_BITS", bits(*q->scale));
    GL_DEFINES(p, "HALVES_UP BIAS_VALUE", q->halves_up, q->bias_value);
    gl_param(p, "EXACT_HEAD", (int32_t)exact_requant_vectors(q));
    if (q->scale) {
        GL_DEFINES(p, "ADDS_BIAS CHANNEL_FIRST", q->bias != NULL, q->channel_first);
        return;
    }
    GL_PARAMS(p, "ZERO LEAST MOST", q->r.zero, q->r.range.lo, q->r.range.hi);
}
