/* SPDX-License-Identifier: Apache-2.0 */
/* tensor.c - types, shapes and element access. */
#include "lib/tensor/tensor.h"
#include "lib/base/aligned.h"

#include <stdlib.h>
#include <string.h>

/* So few that their bits can be counted in a size_t, of 128 each. */
#define MAX_ELEMS_LOG2 (sizeof(size_t) > 4 ? 40 : 25)

static const struct {
    const char *name;
    uint32_t bits;
} types[TYPE_COUNT] = {
    [TYPE_NONE] = {"NOTYPE", 0},
    [TYPE_FLOAT32] = {"FLOAT32", 32},
    [TYPE_INT32] = {"INT32", 32},
    [TYPE_UINT8] = {"UINT8", 8},
    [TYPE_INT64] = {"INT64", 64},
    [TYPE_STRING] = {"STRING", 0},
    [TYPE_BOOL] = {"BOOL", 8},
    [TYPE_INT16] = {"INT16", 16},
    [TYPE_COMPLEX64] = {"COMPLEX64", 64},
    [TYPE_INT8] = {"INT8", 8},
    [TYPE_FLOAT16] = {"FLOAT16", 16},
    [TYPE_FLOAT64] = {"FLOAT64", 64},
    [TYPE_COMPLEX128] = {"COMPLEX128", 128},
    [TYPE_UINT64] = {"UINT64", 64},
    [TYPE_RESOURCE] = {"RESOURCE", 32},
    [TYPE_VARIANT] = {"VARIANT", 0},
    [TYPE_UINT32] = {"UINT32", 32},
    [TYPE_UINT16] = {"UINT16", 16},
    [TYPE_INT4] = {"INT4", 4},
    [TYPE_BFLOAT16] = {"BFLOAT16", 16},
    [TYPE_INT2] = {"INT2", 2},
    [TYPE_UINT4] = {"UINT4", 4},
    [TYPE_FLOAT8_E4M3FN] = {"FLOAT8_E4M3FN", 8},
    [TYPE_FLOAT8_E5M2] = {"FLOAT8_E5M2", 8},
};

const char *type_name(enum tensor_type type)
{
    return (unsigned)type < TYPE_COUNT ? types[type].name : "?";
}

enum tensor_type type_from_name(const char *name)
{
    for (int i = 1; i < TYPE_COUNT; i++)
        if (!strcmp(types[i].name, name))
            return (enum tensor_type)i;
    return TYPE_NONE;
}

uint32_t type_bits(enum tensor_type type)
{
    return (unsigned)type < TYPE_COUNT ? types[type].bits : 0;
}

enum status shape_elems(const int32_t *dim, int32_t rank, size_t *elems, struct err *err)
{
    size_t n = 1, limit = (size_t)1 << MAX_ELEMS_LOG2;
    char text[96];

    if (rank < 0 || rank > TENSOR_MAX_RANK)
        return err_set(err, ST_UNSUPPORTED, "rank %d, the most supported is %d", rank, TENSOR_MAX_RANK);
    for (int32_t i = 0; i < rank; i++) {
        if (dim[i] < 0)
            return err_set(err, ST_BAD_MODEL, "shape %s has a negative dimension", shape_text(dim, rank, text, sizeof text));
        if (dim[i] == 0)
            n = 0;
    }
    for (int32_t i = 0; i < rank && n; i++) {
        if ((size_t)dim[i] > limit)
            return err_set(err, ST_NOMEM, "shape %s has more than 2^%d elements", shape_text(dim, rank, text, sizeof text),
                           MAX_ELEMS_LOG2);
        n *= (size_t)dim[i];
        limit /= (size_t)dim[i];
    }
    *elems = n;
    return ST_OK;
}

size_t type_bytes(enum tensor_type type, size_t elems)
{
    return (elems * type_bits(type) + 7) / 8;
}

enum status tensor_set_shape(struct tensor *t, const int32_t *dim, int32_t rank, struct err *err)
{
    size_t elems;
    enum status st = shape_elems(dim, rank, &elems, err);

    if (st)
        return st;
    if (rank)
        memmove(t->dim, dim, (size_t)rank * sizeof *dim);
    t->rank = rank;
    if (t->type != TYPE_STRING)
        t->bytes = type_bytes(t->type, elems);
    return ST_OK;
}

enum status tensor_reserve(struct tensor *t, struct err *err)
{
    size_t size = (t->bytes + 64) & ~(size_t)63;

    if (t->data && t->bytes <= t->capacity)
        return ST_OK;
    free(t->data);
    t->capacity = 0;
    t->data = t->bytes < SIZE_MAX / 2 ? aligned_new(64, size) : NULL;
    if (!t->data)
        return err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(t));
    t->capacity = size;
    return ST_OK;
}

void tensor_reset(struct tensor *t)
{
    bool has_zero_point = t->type == TYPE_INT8 && t->quant.n && t->quant.zero_point;

    memset(t->data, has_zero_point ? (int8_t)t->quant.zero_point[0] : 0, t->bytes);
}

size_t shape_count(const int32_t *dim, int32_t from, int32_t to)
{
    size_t n = 1;

    for (int32_t i = from; i < to; i++)
        n *= (size_t)dim[i];
    return n;
}

size_t tensor_elems(const struct tensor *t)
{
    return shape_count(t->dim, 0, t->rank);
}

static int32_t read_i32(const uint8_t *p)
{
    int32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

enum status tensor_check_strings(const struct tensor *t, const void *data, size_t bytes, struct err *err)
{
    const uint8_t *p = data;
    const size_t elems = tensor_elems(t), header = 4 * (elems + 2);

    if (bytes < header || read_i32(p) < 0 || (size_t)read_i32(p) != elems)
        return err_set(err, ST_BAD_MODEL, "%zu strings need at least %zu bytes, its buffer has %zu and holds %d of them", elems,
                       header, bytes, bytes < 4 ? 0 : read_i32(p));
    for (size_t i = 0; i <= elems; i++) {
        const int32_t at = read_i32(p + 4 * (i + 1)), before = i ? read_i32(p + 4 * i) : (int32_t)header;

        if (at < before || (size_t)at > bytes)
            return err_set(err, ST_BAD_MODEL, "string %zu begins at %d, the one before at %d, in a buffer of %zu bytes", i, at,
                           before, bytes);
    }
    return ST_OK;
}

enum status tensor_check_bools(const struct tensor *t, struct err *err)
{
    const uint8_t *v = t->data;

    for (size_t i = 0; t->type == TYPE_BOOL && i < t->bytes; i++)
        if (v[i] > 1)
            return err_set(err, ST_BAD_MODEL, "element %zu of %s is %d, neither 0 nor 1", i, TENSOR_TEXT(t), v[i]);
    return ST_OK;
}

bool tensor_same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank && !memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim);
}

const char *shape_text(const int32_t *dim, int32_t rank, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "[");

    for (int32_t i = 0; i < rank && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, i ? ",%d" : "%d", dim[i]);
    if (n < size)
        n += (size_t)snprintf(out + n, size - n, "]");
    if (n >= size && size > 4)
        strcpy(out + size - 4, "…");
    return out;
}

const char *tensor_text(const struct tensor *t, struct tensor_text *out)
{
    int n = snprintf(out->s, sizeof out->s, "%s", type_name(t->type));

    shape_text(t->dim, t->rank, out->s + n, sizeof out->s - (size_t)n);
    return out->s;
}

/* The lowest bits of a byte first. */
static int32_t below_a_byte(const struct tensor *t, size_t i)
{
    const uint32_t bits = type_bits(t->type), shift = (uint32_t)(i * bits % 8);
    const uint32_t v = (uint32_t)((const uint8_t *)t->data)[i * bits / 8] >> shift & ((1u << bits) - 1), half = 1u << (bits - 1);

    return t->type == TYPE_UINT4 ? (int32_t)v : (int32_t)(v ^ half) - (int32_t)half; /* the sign bit is worth -half */
}

int64_t tensor_int(const struct tensor *t, size_t i)
{
    switch (t->type) {
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_UINT4: return below_a_byte(t, i);
    case TYPE_INT64:
    case TYPE_UINT64: return ((const int64_t *)t->data)[i];
    case TYPE_UINT32: return ((const uint32_t *)t->data)[i];
    case TYPE_UINT16: return ((const uint16_t *)t->data)[i];
    case TYPE_INT16: return ((const int16_t *)t->data)[i];
    case TYPE_INT8: return ((const int8_t *)t->data)[i];
    case TYPE_UINT8:
    case TYPE_BOOL: return ((const uint8_t *)t->data)[i];
    default: return ((const int32_t *)t->data)[i];
    }
}

uint16_t half_from_float(float f)
{
    uint32_t bits, sign, rest, half;
    int exp;

    memcpy(&bits, &f, 4);
    sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
        return (uint16_t)(sign | 0x7e00); /* NaN */
    if (bits >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00); /* rounds past 65504 */
    exp = (int)(bits >> 23) - 112;
    if (exp <= 0) { /* subnormal: shift the mantissa into place */
        if (exp < -10)
            return (uint16_t)sign;
        bits = (bits & 0x7fffff) | 0x800000;
        half = bits >> (14 - exp);
        rest = bits << (18 + exp); /* what was shifted out, at the top of 32 bits */
    } else {
        half = ((uint32_t)exp << 10) | (bits >> 13 & 1023);
        rest = bits << 19;
    }
    if (rest > 0x80000000 || (rest == 0x80000000 && (half & 1)))
        half++;
    return (uint16_t)(sign | half);
}

float bfloat_to_float(uint16_t b)
{
    const uint32_t bits = (uint32_t)b << 16;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

uint16_t bfloat_from_float(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    if (f != f)
        return (uint16_t)((bits >> 16 & 0x8000) | 0x7fc0);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
