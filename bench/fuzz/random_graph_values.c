/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph_values.c - see random_graph_values.h */
#include "bench/fuzz/random_graph_values.h"

#include <math.h>
#include <stdio.h>

#include "lib/base/splitmix.h"

uint32_t random_draw(struct random_graph *c, uint32_t n)
{
    return (uint32_t)(splitmix_next(&c->seed) >> 33) % n;
}

static float draw_float(struct random_graph *c, float most)
{
    return most * ((float)random_draw(c, 2001) / 1000.0f - 1.0f);
}

static size_t count(const int32_t *dim, int32_t rank)
{
    size_t n = 1;

    for (int32_t i = 0; i < rank; i++)
        n *= (size_t)dim[i];
    return n;
}

size_t random_elems(const struct random_value *v)
{
    return count(v->dim, v->rank);
}

struct random_value random_like(const struct random_value *x)
{
    struct random_value y = *x;

    y.read = false;
    return y;
}

struct random_value random_computed(const struct random_value *x)
{
    struct random_value y = random_like(x);

    y.scale = 0;
    return y;
}

void random_known_steps(const struct random_graph *c, struct random_value *y, bool negative)
{
    const int32_t least = c->type == TYPE_INT8 ? INT8_MIN : 0;

    y->scale = c->type == TYPE_INT16 ? 1.0f / 32768 : negative ? 1.0f / 128 : 1.0f / 256;
    y->zero = c->type == TYPE_INT16 ? 0 : negative ? least + 128 : least;
}

/* Steps that hold the bound, or down to an eighth of it: few values come near it, and some are to be clamped. */
static void draw_steps(struct random_graph *c, struct random_value *v)
{
    const float range = v->bound / (float)(1 << random_draw(c, 4));
    const int32_t zero = (int32_t)random_draw(c, 41) - 20;

    v->scale = range / (c->type == TYPE_INT16 ? 32767.0f : 107.0f);
    v->zero = c->type == TYPE_INT16 ? 0 : c->type == TYPE_UINT8 ? 128 + zero : zero;
}

struct random_value *random_add(struct random_graph *c, struct random_value v)
{
    char name[16];

    snprintf(name, sizeof name, "v%u", c->n_values);
    v.tensor = build_tensor(&c->b, name, c->type, v.dim, v.rank);
    if (c->type != TYPE_FLOAT32 && !(v.scale > 0))
        draw_steps(c, &v);
    if (c->type != TYPE_FLOAT32)
        build_quant(&c->b, v.tensor, v.scale, v.zero);
    c->values[c->n_values] = v;
    return &c->values[c->n_values++];
}

/* Floats within `most`. */
static int32_t float_constant(struct random_graph *c, const int32_t *dim, int32_t rank, float most)
{
    float data[RANDOM_ELEMS];

    for (size_t i = 0; i < count(dim, rank); i++)
        data[i] = draw_float(c, most);
    return build_const(&c->b, "constant", TYPE_FLOAT32, dim, rank, data);
}

int32_t random_integers(struct random_graph *c, enum tensor_type type, const int32_t *dim, int32_t rank, int32_t lo, int32_t hi)
{
    union {
        int8_t i8[RANDOM_ELEMS];
        uint8_t u8[RANDOM_ELEMS];
        int16_t i16[RANDOM_ELEMS];
        int32_t i32[RANDOM_ELEMS];
        int64_t i64[RANDOM_ELEMS];
    } data;

    for (size_t i = 0; i < count(dim, rank); i++) {
        const int32_t v = lo + (int32_t)random_draw(c, (uint32_t)hi - (uint32_t)lo + 1);

        switch (type) {
        case TYPE_INT8: data.i8[i] = (int8_t)v; break;
        case TYPE_UINT8: data.u8[i] = (uint8_t)v; break;
        case TYPE_INT16: data.i16[i] = (int16_t)v; break;
        case TYPE_INT32: data.i32[i] = v; break;
        default: data.i64[i] = v; break;
        }
    }
    return build_const(&c->b, "constant", type, dim, rank, &data);
}

int32_t random_constant(struct random_graph *c, struct random_value v, float most)
{
    int32_t tensor;

    if (c->type == TYPE_FLOAT32)
        return float_constant(c, v.dim, v.rank, most);
    v.bound = most;
    if (!(v.scale > 0))
        draw_steps(c, &v);
    tensor = c->type == TYPE_INT16   ? random_integers(c, c->type, v.dim, v.rank, -INT16_MAX, INT16_MAX)
             : c->type == TYPE_UINT8 ? random_integers(c, c->type, v.dim, v.rank, 0, UINT8_MAX)
                                     : random_integers(c, c->type, v.dim, v.rank, INT8_MIN, INT8_MAX);
    build_quant(&c->b, tensor, v.scale, v.zero);
    return tensor;
}

int32_t random_channels(struct random_graph *c, const struct random_value *x, float most)
{
    struct random_value v = random_computed(x);

    v.dim[0] = x->dim[x->rank - 1];
    v.rank = 1;
    return random_constant(c, v, most);
}

/* One scale for each of n channels, from `most` down to a third of it. */
static void channel_scales(struct random_graph *c, int32_t tensor, int32_t channel_dim, uint32_t n, float most)
{
    float *scale = ARENA_ARRAY(&c->b.arena, n, float);
    int64_t *zero = ARENA_ARRAY(&c->b.arena, n, int64_t);

    for (uint32_t i = 0; scale && zero && i < n; i++)
        scale[i] = most * (1 - (float)random_draw(c, 667) / 1000);
    if (scale && zero)
        build_at(&c->b, tensor)->quant = (struct quant){.n = n, .dim = channel_dim, .scale = scale, .zero_point = zero};
    else
        c->b.st = ST_NOMEM;
}

int32_t random_weights(struct random_graph *c, const int32_t dim[4], int32_t channel_dim, float most)
{
    int32_t tensor;

    if (c->type == TYPE_FLOAT32)
        return float_constant(c, dim, 4, most);
    if (c->type == TYPE_UINT8) {
        tensor = random_integers(c, TYPE_UINT8, dim, 4, 0, 255);
        build_quant(&c->b, tensor, most / 128, 128);
    } else {
        tensor = random_integers(c, TYPE_INT8, dim, 4, -127, 127);
        channel_scales(c, tensor, channel_dim, (uint32_t)dim[channel_dim], most / 127);
    }
    return tensor;
}

int32_t random_biases(struct random_graph *c, const struct random_value *x, int32_t filter, int32_t n)
{
    const struct quant q = build_at(&c->b, filter)->quant;
    int32_t tensor, most;

    if (c->type == TYPE_FLOAT32)
        return float_constant(c, &n, 1, 0.5f);
    most = (int32_t)fminf(0.5f / (x->scale * q.scale[0]), 0x1p29f);
    tensor = random_integers(c, c->type == TYPE_INT16 ? TYPE_INT64 : TYPE_INT32, &n, 1, -most, most);
    if (q.n == 1)
        build_quant(&c->b, tensor, x->scale * q.scale[0], 0);
    return tensor;
}
