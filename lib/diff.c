/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - elements of any type read as doubles or as integers, and the sums of their distances. */
#include "diff.h"

#include <math.h>
#include <string.h>

static bool is_float(enum tensor_type type)
{
    return type == TYPE_FLOAT16 || type == TYPE_BFLOAT16 || type == TYPE_FLOAT32 || type == TYPE_FLOAT64 ||
           type == TYPE_COMPLEX64 || type == TYPE_COMPLEX128;
}

static bool is_complex(enum tensor_type type)
{
    return type == TYPE_COMPLEX64 || type == TYPE_COMPLEX128;
}

static double read_float(const struct tensor *t, size_t i)
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

static bool is_signed(enum tensor_type type)
{
    return type == TYPE_INT2 || type == TYPE_INT4 || type == TYPE_INT8 || type == TYPE_INT16 || type == TYPE_INT32 ||
           type == TYPE_INT64;
}

/* Two's complement, so that unsigned 64-bit numbers are the one type that may come out wrong: as their negative twin, with
 * which they share all differences. */
static int64_t read_int(const struct tensor *t, size_t i)
{
    const uint8_t *data = t->data;
    uint32_t bits = type_bits(t->type);
    uint64_t v = 0;

    if (bits < 8)
        v = data[i * bits / 8] >> (i * bits % 8) & ((1u << bits) - 1);
    for (uint32_t k = 0; k < bits / 8; k++)
        v |= (uint64_t)data[i * (bits / 8) + k] << (8 * k);
    if (is_signed(t->type) && bits < 64 && v >> (bits - 1) & 1)
        v |= UINT64_MAX << bits;
    return (int64_t)v;
}

static size_t channel_of(const struct tensor *t, size_t i)
{
    size_t inner = 1;

    if (t->quant.n < 2)
        return 0;
    for (int32_t k = t->quant.dim + 1; k < t->rank; k++)
        inner *= (size_t)t->dim[k];
    return i / inner % t->quant.n;
}

static double dequantized(const struct tensor *t, size_t i)
{
    size_t c = channel_of(t, i);

    return (double)t->quant.scale[c] * ((double)read_int(t, i) - (double)t->quant.zero_point[c]);
}

static double integer_distance(int64_t a, int64_t b)
{
    return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
}

static void add_pair(struct diff *d, double a, double b, double distance, size_t i)
{
    d->elems++;
    d->different += distance != 0;
    d->sum_abs += distance;
    d->max_reference = fmax(d->max_reference, fabs(a));
    d->dot += a * b;
    d->reference_sq += a * a;
    d->test_sq += b * b;
    d->error_sq += distance * distance;
    if (distance > d->max_abs) {
        d->max_abs = distance;
        d->worst = i;
        d->worst_reference = a;
        d->worst_test = b;
        d->worst_comparison = d->comparisons;
    }
}

static void add_float(struct diff *d, double a, double b, size_t i)
{
    d->nan_reference += isnan(a);
    d->nan_test += isnan(b);
    d->inf_reference += isinf(a) != 0;
    d->inf_test += isinf(b) != 0;
    if (isfinite(a) && isfinite(b))
        add_pair(d, a, b, fabs(a - b), i);
    else {
        d->broken += isfinite(a);
        d->unequal += !(isnan(a) && isnan(b)) && a != b;
    }
}

static void add_elements(struct diff *d, const struct tensor *reference, const struct tensor *test, bool dequantize)
{
    size_t n = tensor_elems(reference) * (is_complex(reference->type) ? 2 : 1);
    bool as_float = is_float(reference->type), real = dequantize && reference->quant.n && test->quant.n;

    for (size_t i = 0; i < n; i++) {
        if (as_float)
            add_float(d, read_float(reference, i), read_float(test, i), i);
        else if (real)
            add_float(d, dequantized(reference, i), dequantized(test, i), i);
        else
            add_pair(d, (double)read_int(reference, i), (double)read_int(test, i),
                     integer_distance(read_int(reference, i), read_int(test, i)), i);
    }
}

/* Whether figures of the finite pairs would hide what the comparison says. */
static bool unknown(const struct diff *d)
{
    return d->unequal || d->shapes_differ || (!d->elems && (d->nan_reference || d->inf_reference));
}

static double mean_since(const struct diff *d, const struct diff *before)
{
    struct diff one = {.elems = d->elems - before->elems,
                       .nan_reference = d->nan_reference - before->nan_reference,
                       .inf_reference = d->inf_reference - before->inf_reference,
                       .unequal = d->unequal - before->unequal,
                       .shapes_differ = d->shapes_differ - before->shapes_differ,
                       .sum_abs = d->sum_abs - before->sum_abs};

    return diff_mean_abs(&one);
}

double diff_add(struct diff *d, const struct tensor *reference, const struct tensor *test, bool dequantize)
{
    struct diff before = *d;

    if (reference->type != test->type || !tensor_same_shape(reference, test) || reference->bytes != test->bytes)
        d->shapes_differ++;
    else if (is_float(reference->type) || type_bits(reference->type))
        add_elements(d, reference, test, dequantize);
    else if (reference->bytes) /* strings: all or nothing */
        add_pair(d, 0, 0, memcmp(reference->data, test->data, reference->bytes) != 0, 0);
    d->comparisons++;
    return mean_since(d, &before);
}

bool diff_exceeds(const struct diff *d, double tolerance)
{
    return d->unequal || d->shapes_differ || (tolerance >= 0 && d->max_abs > tolerance);
}

double diff_max_abs(const struct diff *d)
{
    return unknown(d) ? NAN : d->max_abs;
}

double diff_mean_abs(const struct diff *d)
{
    if (unknown(d))
        return NAN;
    return d->elems ? d->sum_abs / (double)d->elems : 0;
}

double diff_rms(const struct diff *d)
{
    if (unknown(d))
        return NAN;
    return d->elems ? sqrt(d->error_sq / (double)d->elems) : 0;
}

double diff_relative(const struct diff *d)
{
    if (unknown(d))
        return NAN;
    if (d->max_reference > 0)
        return d->max_abs / d->max_reference;
    return d->max_abs > 0 ? INFINITY : 0;
}

double diff_cosine(const struct diff *d)
{
    if (unknown(d))
        return NAN;
    if (d->reference_sq == 0 && d->test_sq == 0)
        return 1;
    return d->reference_sq > 0 && d->test_sq > 0 ? d->dot / sqrt(d->reference_sq) / sqrt(d->test_sq) : 0;
}

double diff_snr_db(const struct diff *d)
{
    if (unknown(d))
        return NAN;
    if (d->error_sq == 0)
        return INFINITY;
    return d->reference_sq > 0 ? 10 * log10(d->reference_sq / d->error_sq) : -INFINITY;
}

void diff_index(const struct tensor *t, size_t index, int32_t at[TENSOR_MAX_RANK])
{
    for (int32_t k = t->rank - 1; k >= 0; k--) {
        size_t dim = t->dim[k] > 0 ? (size_t)t->dim[k] : 1;

        at[k] = (int32_t)(index % dim);
        index /= dim;
    }
}

const char *diff_index_text(const struct tensor *t, size_t index, char *out, size_t size)
{
    int32_t at[TENSOR_MAX_RANK];

    diff_index(t, index, at);
    return shape_text(at, t->rank, out, size);
}
