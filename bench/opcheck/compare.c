/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - first difference between two outputs. */
#include "bench/opcheck/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/sorted.h"
#include "lib/tensor/element.h"

size_t output_numbers(const struct case_output *o)
{
    size_t n = type_is_complex(o->type) ? 2 : 1;

    for (int32_t i = 0; i < o->rank; i++)
        n *= (size_t)o->dim[i];
    return n;
}

double output_float(const struct case_output *o, size_t i)
{
    switch (o->type) {
    case TYPE_FLOAT16: return (double)half_to_float(((const uint16_t *)o->data)[i]);
    case TYPE_BFLOAT16: return (double)bfloat_to_float(((const uint16_t *)o->data)[i]);
    case TYPE_FLOAT64:
    case TYPE_COMPLEX128: return ((const double *)o->data)[i];
    default: return (double)((const float *)o->data)[i];
    }
}

/* The bits of element i, of packed types without their neighbours'. */
static uint64_t element_bits(const struct case_output *o, size_t i)
{
    const uint32_t width = type_bits(o->type);
    uint64_t bits = 0;

    if (width < 8)
        return ((const uint8_t *)o->data)[i * width / 8] >> (i * width % 8) & ((1u << width) - 1);
    memcpy(&bits, (const uint8_t *)o->data + i * (width / 8), width / 8);
    return bits;
}

static const char *value_text(const struct case_output *o, size_t i, char *text, size_t size)
{
    const uint32_t width = type_bits(o->type);
    bool is_unsigned = o->type == TYPE_UINT64 || o->type == TYPE_UINT32 || o->type == TYPE_UINT16 || o->type == TYPE_UINT8;

    if (element_is_float(o->type)) {
        snprintf(text, size, "%.9g", output_float(o, i));
        return text;
    }
    if (is_unsigned || o->type == TYPE_UINT4)
        snprintf(text, size, "%" PRIu64, element_bits(o, i));
    else
        snprintf(text, size, "%" PRId64, (int64_t)(element_bits(o, i) << (64 - width)) >> (64 - width));
    return text;
}

static void place_text(const struct case_output *o, size_t i, char *text, size_t size)
{
    int32_t at[TENSOR_MAX_RANK];
    size_t rest = type_is_complex(o->type) ? i / 2 : i;

    for (int32_t d = o->rank - 1; d >= 0; d--) {
        at[d] = (int32_t)(rest % (size_t)o->dim[d]);
        rest /= (size_t)o->dim[d];
    }
    shape_text(at, o->rank, text, size);
}

static double largest_magnitude(const struct case_output *o)
{
    const size_t n = output_numbers(o);
    double result = 0;

    for (size_t i = 0; i < n; i++) {
        const double a = fabs(output_float(o, i));

        if (isfinite(a) && a > result)
            result = a;
    }
    return result;
}

/* Of those that are not 0. */
static double median_magnitude(const struct case_output *o)
{
    size_t n = output_numbers(o), found = 0;
    double *v = malloc((n + 1) * sizeof *v), result = 0;

    for (size_t i = 0; v && i < n; i++) {
        double a = fabs(output_float(o, i));

        if (isfinite(a) && a > 0)
            v[found++] = a;
    }
    if (found) {
        sort_values(v, found);
        result = v[found / 2];
    }
    free(v);
    return result;
}

/* What a tolerance is a part of: the largest finite magnitude, or among special values the median. 0 where all are 0, and then
 * nothing but 0 will do: an absolute floor would let zeros stand for small numbers. */
static double magnitude(const struct case_output *o, bool median)
{
    return median ? median_magnitude(o) : largest_magnitude(o);
}

static bool floats_match(double got, double want, struct tolerance tol, double allowed)
{
    if (tol.infinite_from > 0 && fabs(got) >= tol.infinite_from && fabs(want) >= tol.infinite_from && (got > 0) == (want > 0))
        return true;
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want);
    return got == want || fabs(got - want) <= allowed;
}

static int64_t small_int(const struct case_output *o, size_t i)
{
    switch (o->type) {
    case TYPE_INT8: return ((const int8_t *)o->data)[i];
    case TYPE_UINT8: return ((const uint8_t *)o->data)[i];
    default: return ((const int16_t *)o->data)[i];
    }
}

static bool counts_steps(enum tensor_type type)
{
    return type == TYPE_INT8 || type == TYPE_UINT8 || type == TYPE_INT16;
}

static bool ints_match(const struct case_output *got, const struct case_output *want, size_t i, int64_t steps)
{
    if (steps && counts_steps(want->type))
        return llabs(small_int(got, i) - small_int(want, i)) <= steps;
    return element_bits(got, i) == element_bits(want, i);
}

/* Between the numbers of a type of 16-bit floats about `x`; 0 of another, whose roundings count as errors. */
static double step_of(enum tensor_type type, double x, struct tolerance tol)
{
    if (!tol.rounded || !(tol.tol > 0) || !isfinite(x))
        return 0;
    return type == TYPE_FLOAT16 ? fmax(ldexp(fabs(x), -10), 0x1p-24) : type == TYPE_BFLOAT16 ? ldexp(fabs(x), -7) : 0;
}

/* How far an element of `want` may be missed by; `scale` is the output's magnitude. */
static double allowance(double want, struct tolerance tol, double scale)
{
    return tol.tol * (tol.per_element && isfinite(want) ? fmax(scale, fabs(want)) : scale);
}

/* The same of numbers as the output's type has them: what is infinite there, too. */
static struct tolerance as_stored(enum tensor_type type, struct tolerance tol)
{
    if (tol.rounded && tol.infinite_from > HALF_LIMIT && type == TYPE_FLOAT16)
        tol.infinite_from = HALF_LIMIT;
    return tol;
}

static double scale_of(const struct case_output *want, struct tolerance tol)
{
    return element_is_float(want->type) && tol.tol > 0 ? fmax(magnitude(want, tol.per_element), tol.typical) : 0;
}

static bool find_difference(const struct case_output *got, const struct case_output *want, struct tolerance tol, size_t *at,
                            double *allowed)
{
    const size_t n = output_numbers(want);
    double scale;

    if (want->bytes && !memcmp(got->data, want->data, want->bytes))
        return false;
    scale = scale_of(want, tol);
    tol = as_stored(want->type, tol);
    *allowed = 0;
    for (*at = 0; *at < n; ++*at) {
        if (element_is_float(want->type)) {
            double w = output_float(want, *at);

            *allowed = allowance(w, tol, scale) + step_of(want->type, w, tol);
            if (!floats_match(output_float(got, *at), w, tol, *allowed))
                return true;
        } else if (!ints_match(got, want, *at, tol.steps)) {
            *allowed = (double)tol.steps;
            return true;
        }
    }
    return false;
}

/* Whether an output without content would match as well: zeros, or one value throughout. Nothing can be held against a `want` that
 * is such itself. */
static bool says_nothing(const struct case_output *want, struct tolerance tol)
{
    bool is_float = element_is_float(want->type), zeros = is_float;
    double scale = scale_of(want, tol), lo = INFINITY, hi = -INFINITY, room = is_float ? tol.tol * scale : (double)tol.steps;

    if (room == 0 || (!is_float && !counts_steps(want->type)))
        return false;
    for (size_t i = 0; i < output_numbers(want); i++) {
        double w = is_float ? output_float(want, i) : (double)small_int(want, i);

        if (!isfinite(w))
            return false;
        zeros &= fabs(w) <= allowance(w, tol, scale);
        lo = fmin(lo, w);
        hi = fmax(hi, w);
    }
    return lo < hi && (zeros || (!tol.per_element && hi - lo <= 2 * room));
}

bool compare_says_nothing(const struct case_outputs *want, struct tolerance tol)
{
    for (uint32_t i = 0; i < want->n; i++)
        if (want->out[i].type != TYPE_STRING && says_nothing(&want->out[i], tol))
            return true;
    return false;
}

bool compare_output(const struct case_output *got, const struct case_output *want, struct tolerance tol, char *text,
                    size_t text_size)
{
    char g[96], w[96], place[96];
    size_t at;
    double allowed;

    if (got->type != want->type || got->rank != want->rank || memcmp(got->dim, want->dim, (size_t)want->rank * sizeof *want->dim)) {
        snprintf(text, text_size, "is %s%s, expected %s%s", type_name(got->type), shape_text(got->dim, got->rank, g, sizeof g),
                 type_name(want->type), shape_text(want->dim, want->rank, w, sizeof w));
        return false;
    }
    if (want->type == TYPE_STRING) {
        if (got->bytes == want->bytes && !memcmp(got->data, want->data, want->bytes))
            return true;
        snprintf(text, text_size, "holds other strings than expected (%zu and %zu bytes)", got->bytes, want->bytes);
        return false;
    }
    if (got->bytes != want->bytes) {
        snprintf(text, text_size, "has %zu bytes, expected %zu", got->bytes, want->bytes);
        return false;
    }
    if (!find_difference(got, want, tol, &at, &allowed)) {
        if (tol.any_content || !says_nothing(want, tol))
            return true;
        snprintf(text, text_size, "agrees, but so would one value throughout: tolerance %g, %lld steps", tol.tol,
                 (long long)tol.steps);
        return false;
    }
    place_text(want, at, place, sizeof place);
    snprintf(text, text_size, "at %s is %s, expected %s (tolerance %.3g)", place, value_text(got, at, g, sizeof g),
             value_text(want, at, w, sizeof w), allowed);
    return false;
}

bool compare_outputs(const struct case_outputs *got, const struct case_outputs *want, struct tolerance tol, char *text,
                     size_t text_size)
{
    if (got->n != want->n) {
        snprintf(text, text_size, "%u outputs, expected %u", got->n, want->n);
        return false;
    }
    for (uint32_t i = 0; i < want->n; i++) {
        int n = snprintf(text, text_size, "output %u ", i);

        if (!compare_output(&got->out[i], &want->out[i], tol, text + n, text_size - (size_t)n))
            return false;
    }
    return true;
}

static double distance(const struct case_output *got, const struct case_output *want, struct tolerance tol)
{
    double scale = scale_of(want, tol), most = 0;

    tol = as_stored(want->type, tol);
    for (size_t i = 0; i < output_numbers(want); i++) {
        double g = output_float(got, i), w = output_float(want, i), step = step_of(want->type, w, tol);

        if (!floats_match(g, w, tol, step))
            most = fmax(most, isfinite(g) && isfinite(w) ? (fabs(g - w) - step) / allowance(w, tol, scale) : INFINITY);
    }
    return most;
}

double compare_distance(const struct case_outputs *got, const struct case_outputs *want, struct tolerance tol)
{
    double most = 0;

    tol.tol = 1;
    for (uint32_t i = 0; i < want->n; i++)
        if (element_is_float(want->out[i].type))
            most = fmax(most, distance(&got->out[i], &want->out[i], tol));
    return most;
}
