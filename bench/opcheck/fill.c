/* SPDX-License-Identifier: Apache-2.0 */
/* fill.c - seeded content of test tensors, with special values in front where a case asks for them. */
#include "bench/opcheck/fill.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lib/base/splitmix.h"
#include "lib/tensor/element.h"

#define MAX_BYTES ((size_t)64 << 20)

/* The first ones are those that a tensor must have whatever the seed is. */
static const float special[] = {
    NAN,    INFINITY, -INFINITY, -0.0f, 1e-42f, 0.0f, -1e-42f, FLT_MIN, FLT_MAX, -FLT_MAX,      1e30f,          -1e30f,
    1e-30f, 1.0f,     -1.0f,     0.5f,  -0.5f,  1.5f, -2.5f,   88.0f,   -88.0f,  2147483648.0f, -2147483648.0f,
};

static uint64_t hash_text(uint64_t h, const char *s)
{
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3;
    return (h ^ 0xff) * 0x100000001b3; /* so that "ab","c" and "a","bc" differ */
}

uint64_t fill_seed(const char *kernel, const char *name, uint32_t tensor, uint64_t seed)
{
    uint64_t h = hash_text(hash_text(0xcbf29ce484222325, kernel), name) + tensor;

    h = splitmix_next(&h) ^ seed;
    return splitmix_next(&h);
}

static size_t string_bytes(const struct case_tensor *t, size_t elems)
{
    const char *const *s = t->data;
    size_t bytes = 4 * (elems + 2);

    for (size_t i = 0; s && i < elems; i++)
        bytes += strlen(s[i]);
    return bytes;
}

enum status fill_bytes(const struct case_tensor *t, size_t *bytes, struct err *err)
{
    size_t elems;
    enum status st;

    *bytes = 0;
    if ((st = shape_elems(t->dim, t->rank, &elems, err)))
        return st;
    if (elems > MAX_BYTES)
        return err_set(err, ST_NOMEM, "a test tensor of %zu elements; the most is %zu", elems, MAX_BYTES);
    *bytes = t->type == TYPE_STRING ? string_bytes(t, elems) : type_bytes(t->type, elems);
    return ST_OK;
}

/* TFLite's layout of a string tensor: count, count + 1 offsets from the start, the characters; all counts int32. */
static void fill_strings(const struct case_tensor *t, size_t elems, uint8_t *out)
{
    const char *const *s = t->data;
    int32_t at = (int32_t)(4 * (elems + 2)), count = (int32_t)elems;

    memcpy(out, &count, 4);
    for (size_t i = 0; i < elems; i++) {
        size_t n = s ? strlen(s[i]) : 0;

        memcpy(out + 4 * (i + 1), &at, 4);
        if (n)
            memcpy(out + at, s[i], n);
        at += (int32_t)n;
    }
    memcpy(out + 4 * (elems + 1), &at, 4);
}

/* The range of an integer type, as doubles; 64-bit ends are cut to what converts back. */
static void int_range(enum tensor_type type, double *lo, double *hi)
{
    uint32_t bits = type_bits(type);
    bool is_unsigned = type == TYPE_UINT8 || type == TYPE_UINT16 || type == TYPE_UINT32 || type == TYPE_UINT64 ||
                       type == TYPE_UINT4;

    if (type == TYPE_BOOL)
        bits = 1, is_unsigned = true;
    *lo = is_unsigned ? 0 : -ldexp(1, (int)bits - 1);
    *hi = ldexp(1, is_unsigned ? (int)bits : (int)bits - 1) - 1;
    if (bits == 64)
        *hi = is_unsigned ? 0x1.fffffffffffffp63 : 0x1.fffffffffffffp62;
}

static double uniform(const struct case_tensor *t, uint64_t *state)
{
    double lo = t->lo, hi = t->hi;

    if (lo == 0 && hi == 0)
        lo = -1, hi = 1;
    return lo + (hi - lo) * (double)(splitmix_next(state) >> 40) * 0x1p-24;
}

struct dealer {
    uint64_t state; /* of splitmix64 */
    uint32_t dealt; /* special values so far */
    bool mixes;     /* special values with uniform ones: not where elements are few */
};

/* Which of `n` special values comes next: each of the first `needed` ones, then any. */
static uint64_t deal(struct dealer *d, uint64_t r, uint32_t needed, uint32_t n)
{
    return d->dealt < needed ? d->dealt++ : r % n;
}

/* Of the 128 bits of a product, for which 32-bit machines have no type. */
static uint64_t upper_half(uint64_t a, uint64_t b)
{
    const uint64_t a_high = a >> 32, a_low = (uint32_t)a, b_high = b >> 32, b_low = (uint32_t)b;
    const uint64_t first = a_high * b_low + (a_low * b_low >> 32);
    const uint64_t second = a_low * b_high + (uint32_t)first;

    return a_high * b_high + (first >> 32) + (second >> 32);
}

/* What is subnormal in float32 becomes what is so in the type. */
static double special_float(enum tensor_type type, uint64_t i)
{
    double v = (double)special[i];

    if (!(fabs(v) <= 1e-41) || v == 0)
        return v;
    return copysign(type == TYPE_FLOAT16 ? 1e-6 : type == TYPE_FLOAT64 ? 1e-310 : 1e-42, v);
}

static double any_of_powers(const struct case_tensor *t, uint64_t *state)
{
    const uint64_t r = splitmix_next(state), exponents = (uint64_t)(t->hi - t->lo);
    const double magnitude = ldexp(1 + (double)(r >> 41) * 0x1p-23, (int)t->lo + (int)((r >> 1) % exponents));

    return r & 1 ? -magnitude : magnitude;
}

static double next_float(const struct case_tensor *t, struct dealer *d)
{
    uint64_t r = t->fill == FILL_SPECIAL ? splitmix_next(&d->state) : 1;

    if (t->fill == FILL_POWERS)
        return any_of_powers(t, &d->state);
    if ((r & 1) && d->mixes)
        return t->whole ? floor(uniform(t, &d->state)) : (double)(float)uniform(t, &d->state);
    return special_float(t->type, deal(d, r >> 1, 5, sizeof special / sizeof *special));
}

static int64_t next_int(const struct case_tensor *t, struct dealer *d)
{
    double lo = t->lo, hi = t->hi, min, max;
    uint64_t r = t->fill == FILL_SPECIAL ? splitmix_next(&d->state) : 1, range;

    int_range(t->type, &min, &max);
    if (!(r & 1) || !d->mixes) {
        /* Unsigned 64-bit ends wrap to what they are as bits. */
        int64_t low = (int64_t)min, high = type_bits(t->type) < 64 ? (int64_t)max : min < 0 ? INT64_MAX : -1;
        const int64_t ends[] = {low, high, low + 1, high - 1, 0, 1, t->zero_point};

        return ends[deal(d, r >> 1, 2, sizeof ends / sizeof *ends)];
    }
    if (lo == 0 && hi == 0) {
        lo = type_bits(t->type) >= 32 ? 0 : min;
        hi = type_bits(t->type) >= 32 ? 9 : max;
    }
    range = (uint64_t)(hi - lo) + 1;
    /* Wide ranges wrap. */
    return (int64_t)((uint64_t)(int64_t)lo + upper_half(splitmix_next(&d->state), range));
}

static void put_bits(uint8_t *out, size_t i, uint32_t bits, int64_t v)
{
    uint32_t mask = (1u << bits) - 1, shift = (uint32_t)(i * bits % 8);

    out[i * bits / 8] |= (uint8_t)(((uint32_t)v & mask) << shift);
}

static void put_float(void *out, size_t i, enum tensor_type type, double d)
{
    const float v = (float)d;
    const uint16_t h = type == TYPE_FLOAT16 ? half_from_float(v) : bfloat_from_float(v);

    switch (type) {
    case TYPE_FLOAT16:
    case TYPE_BFLOAT16: memcpy((uint16_t *)out + i, &h, 2); break;
    case TYPE_FLOAT64:
    case TYPE_COMPLEX128: memcpy((double *)out + i, &d, 8); break;
    default: memcpy((float *)out + i, &v, 4); break;
    }
}

void fill_tensor(const struct case_tensor *t, uint64_t state, void *out)
{
    size_t elems = 1, bytes;
    uint32_t bits = type_bits(t->type);
    struct dealer d = {.state = state};

    for (int32_t i = 0; i < t->rank; i++)
        elems *= (size_t)t->dim[i];
    bytes = type_bytes(t->type, elems);
    d.mixes = t->fill != FILL_SPECIAL || elems >= 12;
    if (t->type == TYPE_STRING) {
        fill_strings(t, elems, out);
        return;
    }
    if (t->fill == FILL_GIVEN) {
        if (bytes)
            memcpy(out, t->data, bytes);
        return;
    }
    memset(out, 0, bytes);
    if (element_is_float(t->type)) {
        for (size_t i = 0; i < (type_is_complex(t->type) ? 2 * elems : elems); i++)
            put_float(out, i, t->type, next_float(t, &d));
        return;
    }
    for (size_t i = 0; i < elems; i++) {
        int64_t v = next_int(t, &d);

        if (bits < 8)
            put_bits(out, i, bits, v);
        else
            memcpy((uint8_t *)out + i * (bits / 8), &v, bits / 8);
    }
}
