/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - QUANTIZE: float32 to integers, or integers to integers of another scale. */
#include "kernels_cpu/quant/channel_runs.h"
#include "kernels_cpu/quant/lut.h"
#include "kernels_cpu/quant/packed_int.h"
#include "kernels_cpu/quant/quant_check.h"

static bool is_pair(enum tensor_type x, enum tensor_type y)
{
    switch (x) {
    case TYPE_FLOAT32: return y == TYPE_INT4 || y == TYPE_INT8 || y == TYPE_UINT8 || y == TYPE_INT16;
    case TYPE_INT8:
    case TYPE_UINT8: return y == TYPE_INT8 || y == TYPE_UINT8 || y == TYPE_INT16;
    case TYPE_INT16: return y == TYPE_INT8 || y == TYPE_INT16 || y == TYPE_INT32;
    case TYPE_INT32: return y == TYPE_INT8 || y == TYPE_INT16;
    default: return false;
    }
}

/* Rounds halves away from zero and saturates; NaN gives INT32_MIN. */
static inline int32_t round_to_int(float v)
{
    const float lo = -0x1p31f, hi = 0x1.fffffep30f, in = v > lo ? (v < hi ? v : hi) : lo;
    const int32_t whole = (int32_t)in;
    const float rest = in - (float)whole;

    return whole + (rest >= 0.5f) - (rest <= -0.5f);
}

/* What is added to every value, and the bounds of values before and after, so that sums past 32 bits saturate. */
struct offset {
    int32_t zero, lo_before, hi_before;
    struct range_i32 to;
};

static struct offset offset_make(int32_t zero, enum tensor_type type)
{
    const struct range_i32 to = int_limits(type);
    const int64_t lo = (int64_t)to.lo - zero, hi = (int64_t)to.hi - zero;

    return (struct offset){zero,
                           (int32_t)(lo < INT32_MIN   ? INT32_MIN
                                     : lo > INT32_MAX ? INT32_MAX
                                                      : lo),
                           (int32_t)(hi < INT32_MIN   ? INT32_MIN
                                     : hi > INT32_MAX ? INT32_MAX
                                                      : hi),
                           to};
}

static inline int32_t add_saturated(int32_t v, struct offset o)
{
    return fixed_clamp(fixed_clamp(v, o.lo_before, o.hi_before) + o.zero, o.to.lo, o.to.hi);
}

CLONES static void quantize_chunk(const float *x, float scale, struct offset zero, size_t count, int32_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = add_saturated(round_to_int(x[i] / scale), zero);
}

static void quantize_channel(const struct node *n, size_t at, size_t count, uint32_t channel)
{
    const struct tensor *y = n->out[0];
    int32_t chunk[QUANT_CHUNK];

    quantize_chunk((const float *)n->in[0]->data + at, y->quant.scale[channel], offset_make(channel_zero(y, channel), y->type),
                   count, chunk);
    packed_int_store(y->type, y->data, at, count, chunk);
}

static void quantize_piece(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;

    channel_runs(n, n->out[0], begin, end, quantize_channel);
}

struct requantize {
    enum tensor_type x_type, y_type;
    const void *x;
    void *y;
    uint32_t x_zero;
    struct offset y_zero;
    struct fixed_mul rescale;
};

static bool rescale_find(const struct node *n, struct fixed_mul *out)
{
    return fixed_from_double((double)quant_scale(n->in[0]) / (double)quant_scale(n->out[0]), out);
}

CLONES static void requantize_chunk(const struct requantize *r, int32_t *chunk, size_t count)
{
    const struct requantize q = *r;

    for (size_t i = 0; i < count; i++)
        chunk[i] = add_saturated(fixed_scale((int32_t)((uint32_t)chunk[i] - q.x_zero), q.rescale), q.y_zero);
}

static void requantize_piece(void *arg, size_t begin, size_t end)
{
    const struct requantize *r = arg;
    int32_t chunk[QUANT_CHUNK];

    for (size_t at = begin; at < end; at += QUANT_CHUNK) {
        const size_t count = end - at < QUANT_CHUNK ? end - at : QUANT_CHUNK;

        packed_int_load(r->x_type, r->x, at, count, chunk);
        requantize_chunk(r, chunk, count);
        packed_int_store(r->y_type, r->y, at, count, chunk);
    }
}

/* Both types have 8 bits: every value is rescaled once, into a table. */
static void requantize_bytes(struct cpu_call *c, struct requantize r)
{
    uint8_t byte[256], table[256];

    for (int i = 0; i < 256; i++)
        byte[i] = (uint8_t)i;
    r.x = byte;
    r.y = table;
    requantize_piece(&r, 0, 256);
    map_run(c, lut8_map, table);
}

static void requantize_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct requantize r = {x->type, y->type, x->data, y->data, (uint32_t)quant_zero(x), offset_make(quant_zero(y), y->type),
                           {0, 0}};

    (void)rescale_find(c->node, &r.rescale); /* prepare has seen it succeed */
    if (type_bits(x->type) == 8 && type_bits(y->type) == 8 && tensor_elems(x) > 256)
        requantize_bytes(c, r);
    else
        threads_for(c->threads, tensor_elems(x), MAP_GRAIN, requantize_piece, &r);
}

/* ---- the reference: value by value ---- */

static int32_t clamped(double v, const struct tensor *y)
{
    const struct range_i32 l = int_limits(y->type);

    return !(v > l.lo) ? l.lo : v > l.hi ? l.hi : (int32_t)v;
}

/* clamp(round(x / scale) + zero point), halves away from zero. */
static void quantize_plain(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;
    const struct tensor *y = n->out[0];

    for (size_t i = begin; i < end; i++) {
        const uint32_t channel = channel_of(y, i);
        const float steps = roundf(((const float *)n->in[0]->data)[i] / y->quant.scale[channel]);
        const int32_t q = clamped((double)steps + channel_zero(y, channel), y);

        packed_int_store(y->type, y->data, i, 1, &q);
    }
}

/* clamp((x - x's zero point) * x's scale / y's scale + y's zero point), in fixed point. */
static void requantize_plain(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;
    const struct tensor *x = n->in[0], *y = n->out[0];
    struct fixed_mul rescale;

    (void)rescale_find(n, &rescale);
    for (size_t i = begin; i < end; i++) {
        int32_t v;

        packed_int_load(x->type, x->data, i, 1, &v);
        v = fixed_scale((int32_t)((uint32_t)v - (uint32_t)quant_zero(x)), rescale);
        v = clamped((double)v + quant_zero(y), y);
        packed_int_store(y->type, y->data, i, 1, &v);
    }
}

static enum status quantize_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    enum status st;

    if (!is_pair(x->type, y->type))
        return err_set(err, ST_UNSUPPORTED, "no CPU kernel quantizes %s to %s", type_name(x->type), type_name(y->type));
    if ((st = channel_runs_check(y, err)) || x->type == TYPE_FLOAT32)
        return st;
    if (x->quant.n != 1 || y->quant.n != 1 || !rescale_find(c->node, &(struct fixed_mul){0, 0}))
        return err_set(err, ST_BAD_MODEL, "cannot rescale from %u scales (first %g) to %u (first %g)", x->quant.n,
                       (double)quant_scale(x), y->quant.n, (double)quant_scale(y));
    if (x->type == TYPE_INT16 && y->type == TYPE_INT16 && (quant_zero(x) || quant_zero(y)))
        return err_set(err, ST_BAD_MODEL, "zero points %d and %d of INT16 tensors must be 0", (int)quant_zero(x),
                       (int)quant_zero(y));
    return ST_OK;
}

static void quantize_run(struct cpu_call *c)
{
    const bool from_float = c->node->in[0]->type == TYPE_FLOAT32;

    if (c->mode == CPU_REFERENCE)
        threads_for(c->threads, tensor_elems(c->node->in[0]), MAP_GRAIN, from_float ? quantize_plain : requantize_plain, c->node);
    else if (from_float)
        threads_for(c->threads, tensor_elems(c->node->in[0]), MAP_GRAIN, quantize_piece, c->node);
    else
        requantize_run(c);
}

const struct cpu_kernel cpu_quantize = {.shape = shape_unary, .prepare = quantize_prepare, .compute = quantize_run};
