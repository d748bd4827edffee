/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - the sums over the elements of two tensors. */
#include "lib/compare/diff.h"
#include "lib/tensor/element.h"

#include <math.h>
#include <string.h>

static int bin_of(double distance)
{
    int bin = distance > 0;

    while (bin > 0 && bin < DIFF_BINS - 1 && distance >= diff_bin_end(bin))
        bin++;
    return bin;
}

static void widen(struct diff *d, int side, double v)
{
    d->low[side] = d->elems ? fmin(d->low[side], v) : v;
    d->high[side] = d->elems ? fmax(d->high[side], v) : v;
}

static void add_allowed(struct diff *d, double reference, double distance, double ulps)
{
    const struct tolerance *t = &d->allowed;

    if (t->limited && t->share <= 0)
        d->beyond += distance > t->atol + t->rtol * fabs(reference) && !(t->max_ulp >= 0 && ulps <= t->max_ulp);
}

static void add_pair(struct diff *d, double a, double b, double distance, double ulps, size_t i)
{
    widen(d, 0, a);
    widen(d, 1, b);
    d->elems++;
    d->different += distance != 0;
    d->histogram[bin_of(distance)]++;
    d->sum_abs += distance;
    d->sum_reference += fabs(a);
    d->max_reference = fmax(d->max_reference, fabs(a));
    d->sum_ulp += ulps;
    d->max_ulp = fmax(d->max_ulp, ulps);
    d->dot += a * b;
    d->reference_sq += a * a;
    d->test_sq += b * b;
    d->error_sq += distance * distance;
    if (d->map)
        error_map_add(d->map, i, distance);
    add_allowed(d, a, distance, ulps);
    if (distance > d->max_abs) {
        d->max_abs = distance;
        d->worst = i;
        d->worst_reference = a;
        d->worst_test = b;
        d->worst_comparison = d->comparisons;
    }
}

/* False where the two cannot be subtracted. */
static bool add_special(struct diff *d, double a, double b, size_t i)
{
    const bool unequal = !(isnan(a) && isnan(b)) && a != b;

    d->nan_reference += isnan(a);
    d->nan_test += isnan(b);
    d->inf_reference += isinf(a) != 0;
    d->inf_test += isinf(b) != 0;
    if (isfinite(a) && isfinite(b))
        return true;
    d->broken += isfinite(a);
    d->unequal += unequal;
    if (unequal && d->map)
        error_map_add(d->map, i, INFINITY);
    return false;
}

static void add_element(struct diff *d, const struct tensor *reference, const struct tensor *test, bool real, size_t i)
{
    const bool as_float = element_is_float(reference->type);

    if (as_float || real) {
        double a = as_float ? element_float(reference, i) : element_real(reference, i);
        double b = as_float ? element_float(test, i) : element_real(test, i);

        if (add_special(d, a, b, i))
            add_pair(d, a, b, fabs(a - b), as_float ? element_ulps(reference, test, i) : 0, i);
    } else {
        int64_t a = element_int(reference, i), b = element_int(test, i);
        double steps = element_int_distance(a, b);

        add_pair(d, (double)a, (double)b, steps, steps, i);
    }
}

static double value_at(const struct tensor *t, size_t i)
{
    return element_is_float(t->type) ? element_float(t, i) : (double)element_int(t, i);
}

/* The first of the largest ones. */
static size_t largest(const struct tensor *t, size_t from, size_t n)
{
    size_t best = from;

    for (size_t i = from + 1; i < from + n; i++)
        if (value_at(t, i) > value_at(t, best))
            best = i;
    return best;
}

/* A tie on either side leaves the choice open, so it is none. */
static void add_rows(struct diff *d, const struct tensor *reference, const struct tensor *test)
{
    const size_t n = reference->rank && reference->dim[reference->rank - 1] > 0 ? (size_t)reference->dim[reference->rank - 1] : 1;

    if (n < 2 || element_count(reference) != tensor_elems(reference))
        return;
    for (size_t at = 0; at + n <= element_count(reference); at += n) {
        size_t a = largest(reference, at, n), b = largest(test, at, n);

        d->rows++;
        d->top1_different += value_at(reference, a) > value_at(reference, b) && value_at(test, b) > value_at(test, a);
    }
}

static void add_elements(struct diff *d, const struct tensor *reference, const struct tensor *test, bool dequantize)
{
    const bool real = dequantize && reference->quant.n && test->quant.n;
    struct error_map *map = d->map;

    if (map && !error_map_begin(map, reference))
        d->map = NULL; /* for this comparison */
    for (size_t i = 0; i < element_count(reference); i++)
        add_element(d, reference, test, real, i);
    d->map = map;
    add_rows(d, reference, test);
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
    else if (element_count(reference))
        add_elements(d, reference, test, dequantize);
    else if (reference->bytes && !type_bits(reference->type)) /* strings: all or nothing */
        add_pair(d, 0, 0, memcmp(reference->data, test->data, reference->bytes) != 0, 0, 0);
    d->comparisons++;
    return mean_since(d, &before);
}
