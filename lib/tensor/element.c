/* SPDX-License-Identifier: Apache-2.0 */
/* element.c - elements of any type read as doubles, as integers and as places on the float line. */
#include "lib/tensor/element.h"

#include <string.h>

bool element_is_float(enum tensor_type type)
{
    return type_is_float(type) || type_is_complex(type);
}

size_t element_count(const struct tensor *t)
{
    if (!element_is_float(t->type) && !type_bits(t->type))
        return 0;
    return tensor_elems(t) * (type_is_complex(t->type) ? 2 : 1);
}

double element_float(const struct tensor *t, size_t i)
{
    uint32_t bits;
    float f;

    switch (t->type) {
    case TYPE_FLOAT16: return half_to_float(((const uint16_t *)t->data)[i]);
    case TYPE_BFLOAT16:
        bits = (uint32_t)((const uint16_t *)t->data)[i] << 16;
        memcpy(&f, &bits, sizeof f);
        return f;
    case TYPE_FLOAT64:
    case TYPE_COMPLEX128: return ((const double *)t->data)[i];
    default: return ((const float *)t->data)[i];
    }
}

bool element_is_signed(enum tensor_type type)
{
    return type == TYPE_INT2 || type == TYPE_INT4 || type == TYPE_INT8 || type == TYPE_INT16 || type == TYPE_INT32 ||
           type == TYPE_INT64;
}

int64_t element_int(const struct tensor *t, size_t i)
{
    const uint8_t *data = t->data;
    uint32_t bits = type_bits(t->type);
    uint64_t v = 0;

    if (bits < 8)
        v = data[i * bits / 8] >> (i * bits % 8) & ((1u << bits) - 1);
    for (uint32_t k = 0; k < bits / 8; k++)
        v |= (uint64_t)data[i * (bits / 8) + k] << (8 * k);
    if (element_is_signed(t->type) && bits < 64 && v >> (bits - 1) & 1)
        v |= UINT64_MAX << bits;
    return (int64_t)v;
}

static size_t channel_of(const struct tensor *t, size_t i)
{
    return t->quant.n < 2 ? 0 : i / shape_count(t->dim, t->quant.dim + 1, t->rank) % t->quant.n;
}

void element_set_float(const struct tensor *t, size_t i, double v)
{
    switch (t->type) {
    case TYPE_FLOAT16: ((uint16_t *)t->data)[i] = half_from_float((float)v); break;
    case TYPE_BFLOAT16: ((uint16_t *)t->data)[i] = bfloat_from_float((float)v); break;
    case TYPE_FLOAT64:
    case TYPE_COMPLEX128: ((double *)t->data)[i] = v; break;
    default: ((float *)t->data)[i] = (float)v; break;
    }
}

void element_set_int(const struct tensor *t, size_t i, int64_t v)
{
    const uint32_t bits = type_bits(t->type), shift = (uint32_t)(i * bits % 8), mask = ((1u << bits % 8) - 1) << shift;
    uint8_t *to = (uint8_t *)t->data + i * bits / 8;

    if (bits >= 8)
        memcpy(to, &v, bits / 8);
    else
        *to = (uint8_t)((*to & ~mask) | ((uint32_t)v << shift & mask));
}

double element_real(const struct tensor *t, size_t i)
{
    size_t c = channel_of(t, i);

    return (double)t->quant.scale[c] * ((double)element_int(t, i) - (double)t->quant.zero_point[c]);
}

double element_int_distance(int64_t a, int64_t b)
{
    return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
}

/* The bits of a float as a whole number that rises with it: magnitude, and the sign apart. */
static uint64_t magnitude(const struct tensor *t, size_t i, bool *negative)
{
    uint64_t wide;
    uint32_t bits;
    uint16_t half;

    switch (t->type) {
    case TYPE_FLOAT16:
    case TYPE_BFLOAT16:
        memcpy(&half, (const uint16_t *)t->data + i, sizeof half);
        *negative = half >> 15;
        return half & 0x7fffu;
    case TYPE_FLOAT64:
    case TYPE_COMPLEX128:
        memcpy(&wide, (const uint64_t *)t->data + i, sizeof wide);
        *negative = wide >> 63;
        return wide & ~(1ull << 63);
    default:
        memcpy(&bits, (const uint32_t *)t->data + i, sizeof bits);
        *negative = bits >> 31;
        return bits & 0x7fffffffu;
    }
}

double element_ulps(const struct tensor *a, const struct tensor *b, size_t i)
{
    bool minus_a, minus_b;
    uint64_t ulps_a = magnitude(a, i, &minus_a), ulps_b = magnitude(b, i, &minus_b);

    if (minus_a != minus_b)
        return (double)(ulps_a + ulps_b);
    return (double)(ulps_a > ulps_b ? ulps_a - ulps_b : ulps_b - ulps_a);
}
