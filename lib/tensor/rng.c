/* SPDX-License-Identifier: Apache-2.0 */
/* rng.c - splitmix64, and numbers of each tensor type drawn from it. */
#include "lib/tensor/rng.h"

#include <string.h>

#include "lib/tensor/element.h"

#define GOLDEN_GAMMA 0x9e3779b97f4a7c15u

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct rng rng_seed(uint64_t seed, uint64_t stream)
{
    /* Mixed twice: neighbouring seeds and streams must not give shifted copies of one sequence. */
    return (struct rng){mix(mix(seed + GOLDEN_GAMMA) + (stream + 1) * GOLDEN_GAMMA)};
}

uint64_t rng_next(struct rng *r)
{
    r->state += GOLDEN_GAMMA;
    return mix(r->state);
}

double rng_uniform(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    uint64_t limit = n ? -n % n : 0, v; /* 2^64 mod n: values below it would come up once too often */

    do
        v = rng_next(r);
    while (v < limit);
    return n ? v % n : v;
}

double rng_gauss(struct rng *r)
{
    double v;

    do {
        double sum = 0;

        for (int i = 0; i < 12; i++)
            sum += rng_uniform(r);
        v = 0.5 + (sum - 6) / 3;
    } while (v < 0 || v >= 1);
    return v;
}

bool rng_type_limits(enum tensor_type type, int64_t *lo, int64_t *hi)
{
    switch (type) {
    case TYPE_BOOL: *lo = 0, *hi = 1; return true;
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_INT64:
        *hi = INT64_MAX >> (64 - type_bits(type));
        *lo = -*hi - 1;
        return true;
    case TYPE_UINT4:
    case TYPE_UINT8:
    case TYPE_UINT16:
    case TYPE_UINT32: *lo = 0, *hi = ((int64_t)1 << type_bits(type)) - 1; return true;
    case TYPE_UINT64: *lo = 0, *hi = INT64_MAX; return true;
    default: return false;
    }
}

bool rng_default_range(enum tensor_type type, enum rng_shape shape, struct rng_range *out)
{
    double half = shape == RNG_GAUSS ? 1.0 : 0.5;

    *out = (struct rng_range){-half, half, 0, 0};
    if (element_is_float(type))
        return true;
    if (!rng_type_limits(type, &out->int_lo, &out->int_hi))
        return false;
    if (shape == RNG_GAUSS || type == TYPE_BOOL)
        return true;
    if (type_bits(type) >= 32)
        out->int_lo = 0, out->int_hi = 99;
    else if (out->int_lo < 0)
        out->int_lo++; /* -127..127 */
    else
        out->int_hi--; /* 0..254 */
    return true;
}

static double draw(struct rng *r, enum rng_shape shape)
{
    return shape == RNG_GAUSS ? rng_gauss(r) : rng_uniform(r);
}

static double draw_float(struct rng *r, enum rng_shape shape, const struct rng_range *range)
{
    double u = draw(r, shape);
    /* Not lo + u * (hi - lo), which overflows where the bounds are huge; and through memory, so that no compiler makes a
     * fused multiply-add of it on one platform and not on the next. */
    volatile double low = range->lo * (1 - u), high = range->hi * u;

    return low + high;
}

static int64_t draw_int(struct rng *r, enum rng_shape shape, const struct rng_range *range)
{
    uint64_t span = (uint64_t)range->int_hi - (uint64_t)range->int_lo + 1; /* 0: all of 2^64 */
    uint64_t off;

    if (shape == RNG_UNIFORM)
        off = rng_below(r, span);
    else
        off = (uint64_t)(rng_gauss(r) * (span ? (double)span : 0x1p64));
    /* A span that is not exact as a double may round up by one step. */
    if (span && off >= span)
        off = span - 1;
    return (int64_t)((uint64_t)range->int_lo + off);
}

enum status rng_fill(struct rng *r, const struct tensor *t, enum rng_shape shape, const struct rng_range *range, struct err *err)
{
    bool complex_type = t->type == TYPE_COMPLEX64 || t->type == TYPE_COMPLEX128;
    size_t n = tensor_elems(t) * (complex_type ? 2 : 1);
    int64_t lo, hi;

    if (element_is_float(t->type)) {
        for (size_t i = 0; i < n; i++)
            element_set_float(t, i, draw_float(r, shape, range));
    } else if (rng_type_limits(t->type, &lo, &hi)) {
        for (size_t i = 0; i < n; i++)
            element_set_int(t, i, draw_int(r, shape, range));
    } else {
        return err_set(err, ST_UNSUPPORTED, "tensor '%.100s' is of type %s, for which there is no random content", t->name,
                       type_name(t->type));
    }
    return ST_OK;
}
