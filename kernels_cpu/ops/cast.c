/* SPDX-License-Identifier: Apache-2.0 */
/* cast.c - CAST between any two numeric types.
 *
 * Elements go in chunks through int64_t (from integers and BOOL) or double (from floats; of complex numbers the real part).
 * Both hold every value of their sources exactly, so that the one rounding is that of the direct conversion. Floats beyond an
 * integer type saturate, NaN gives its largest value; integers wrap around. */
#include <string.h>

#include "kernels_cpu/common/map.h"
#include "kernels_cpu/quant/packed_int.h"

#define CHUNK 256

typedef void (*load_fn)(const void *x, size_t at, size_t n, void *chunk);
typedef void (*store_fn)(const void *chunk, void *y, size_t at, size_t n);

/* How one type is read and written; `real` says that it is read into doubles. */
struct cast_type {
    bool real;
    load_fn load;
    store_fn store_int, store_real;
};

/* Of the types below 64 bits the bounds are exact doubles. */
static int64_t saturate(double v, double lo, double hi)
{
    return v < lo ? (int64_t)lo : v < hi ? (int64_t)v : (int64_t)hi;
}

static int64_t saturate_i64(double v)
{
    return v < -0x1p63 ? INT64_MIN : v < 0x1p63 ? (int64_t)v : INT64_MAX;
}

static uint64_t saturate_u64(double v)
{
    return v < 0 ? 0 : v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}

#define LOAD(name, t, wide, expr)                                                                                                  \
    static void name##_load(const void *x, size_t at, size_t n, void *chunk)                                                       \
    {                                                                                                                              \
        const t *from = (const t *)x + at;                                                                                         \
        wide *to = chunk;                                                                                                          \
                                                                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                                                           \
            const t v = from[i];                                                                                                   \
            to[i] = (wide)(expr);                                                                                                  \
        }                                                                                                                          \
    }
#define STORE(name, suffix, wide, t, expr)                                                                                         \
    static void name##_store_##suffix(const void *chunk, void *y, size_t at, size_t n)                                             \
    {                                                                                                                              \
        const wide *from = chunk;                                                                                                  \
        t *to = (t *)y + at;                                                                                                       \
                                                                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                                                           \
            const wide v = from[i];                                                                                                \
            to[i] = (t)(expr);                                                                                                     \
        }                                                                                                                          \
    }

#define INT_CAST(name, t, from_real)                                                                                               \
    LOAD(name, t, int64_t, v)                                                                                                      \
    STORE(name, int, int64_t, t, v)                                                                                                \
    STORE(name, real, double, t, from_real)
#define REAL_CAST(name, t, to_real, from)                                                                                          \
    LOAD(name, t, double, to_real)                                                                                                 \
    STORE(name, int, int64_t, t, from)                                                                                             \
    STORE(name, real, double, t, from)

INT_CAST(i8, int8_t, saturate(v, INT8_MIN, INT8_MAX))
INT_CAST(u8, uint8_t, saturate(v, 0, UINT8_MAX))
INT_CAST(i16, int16_t, saturate(v, INT16_MIN, INT16_MAX))
INT_CAST(u16, uint16_t, saturate(v, 0, UINT16_MAX))
INT_CAST(i32, int32_t, saturate(v, INT32_MIN, INT32_MAX))
INT_CAST(u32, uint32_t, saturate(v, 0, UINT32_MAX))
INT_CAST(i64, int64_t, saturate_i64(v))
INT_CAST(u64, uint64_t, saturate_u64(v))
REAL_CAST(f32, float, v, v)
REAL_CAST(f64, double, v, v)
REAL_CAST(f16, uint16_t, half_to_float(v), half_from_float((float)v))
REAL_CAST(bf16, uint16_t, bfloat_to_float(v), bfloat_from_float((float)v))

LOAD(bool, uint8_t, int64_t, v != 0)
STORE(bool, int, int64_t, uint8_t, v != 0)
STORE(bool, real, double, uint8_t, v != 0)

struct c64 {
    float re, im;
};

LOAD(c64, struct c64, double, v.re)

#define COMPLEX_STORE(suffix, wide)                                                                                                \
    static void c64_store_##suffix(const void *chunk, void *y, size_t at, size_t n)                                                \
    {                                                                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                             \
            ((struct c64 *)y)[at + i] = (struct c64){(float)((const wide *)chunk)[i], 0};                                          \
    }
COMPLEX_STORE(int, int64_t)
COMPLEX_STORE(real, double)

/* Sub-byte integers convert from and to floats only, as in TFLite. */
#define PACKED_CAST(name, type, lo, hi)                                                                                            \
    static void name##_load(const void *x, size_t at, size_t n, void *chunk)                                                       \
    {                                                                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                             \
            ((int64_t *)chunk)[i] = packed_int_get(type, x, at + i);                                                               \
    }                                                                                                                              \
    static void name##_store_real(const void *chunk, void *y, size_t at, size_t n)                                                 \
    {                                                                                                                              \
        for (size_t i = 0; i < n; i++)                                                                                             \
            packed_int_put(type, y, at + i, (int32_t)saturate(((const double *)chunk)[i], lo, hi));                                \
    }
PACKED_CAST(i2, TYPE_INT2, -2, 1)
PACKED_CAST(i4, TYPE_INT4, -8, 7)
PACKED_CAST(u4, TYPE_UINT4, 0, 15)

#define CAST_TYPE(real, name)                                                                                                      \
    {                                                                                                                              \
        real, name##_load, name##_store_int, name##_store_real                                                                     \
    }

static const struct cast_type cast_types[TYPE_COUNT] = {
    [TYPE_INT8] = CAST_TYPE(false, i8),
    [TYPE_UINT8] = CAST_TYPE(false, u8),
    [TYPE_INT16] = CAST_TYPE(false, i16),
    [TYPE_UINT16] = CAST_TYPE(false, u16),
    [TYPE_INT32] = CAST_TYPE(false, i32),
    [TYPE_UINT32] = CAST_TYPE(false, u32),
    [TYPE_INT64] = CAST_TYPE(false, i64),
    [TYPE_UINT64] = CAST_TYPE(false, u64),
    [TYPE_BOOL] = CAST_TYPE(false, bool),
    [TYPE_FLOAT32] = CAST_TYPE(true, f32),
    [TYPE_FLOAT64] = CAST_TYPE(true, f64),
    [TYPE_FLOAT16] = CAST_TYPE(true, f16),
    [TYPE_BFLOAT16] = CAST_TYPE(true, bf16),
    [TYPE_COMPLEX64] = CAST_TYPE(true, c64),
    [TYPE_INT2] = {false, i2_load, NULL, i2_store_real},
    [TYPE_INT4] = {false, i4_load, NULL, i4_store_real},
    [TYPE_UINT4] = {false, u4_load, NULL, u4_store_real},
};

struct cast {
    load_fn load;
    store_fn store;
};

static enum status cast_find(const struct node *n, struct cast *out, struct err *err)
{
    const struct cast_type *x = &cast_types[n->in[0]->type], *y = &cast_types[n->out[0]->type];

    if (!x->load)
        return cpu_bad_type(n, n->in[0], err);
    out->load = x->load;
    out->store = x->real ? y->store_real : y->store_int;
    return out->store ? ST_OK : cpu_bad_type(n, n->out[0], err);
}

static enum status cast_prepare(struct cpu_call *c, struct err *err)
{
    return cast_find(c->node, &(struct cast){0}, err);
}

static void cast_row(const void *arg, void *y, const void *x, size_t n)
{
    const struct cast *cast = arg;
    double chunk[CHUNK]; /* or int64_t */

    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t k = n - at < CHUNK ? n - at : CHUNK;

        cast->load(x, at, k, chunk);
        cast->store(chunk, y, at, k);
    }
}

static enum status cast_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct cast cast;
    enum status st = cast_find(c->node, &cast, err);

    if (st)
        return st;
    if (x->type == y->type) /* keeps imaginary parts and the bits of NaN */
        memcpy(y->data, x->data, y->bytes);
    else
        map_run(c, cast_row, &cast);
    return ST_OK;
}

const struct cpu_kernel cpu_cast = {.shape = shape_unary, .prepare = cast_prepare, .run = cast_run};
