/* SPDX-License-Identifier: Apache-2.0 */
/* diff_figures.c - figures computed from the sums of a comparison. */
#include "lib/compare/diff.h"

#include <math.h>

/* Whether figures of the finite pairs would hide what the comparison says. */
static bool unknown(const struct diff *d)
{
    return d->unequal || d->shapes_differ || (!d->elems && (d->nan_reference || d->inf_reference));
}

bool diff_exceeds(const struct diff *d, double tolerance)
{
    return d->unequal || d->shapes_differ || (tolerance >= 0 && d->max_abs > tolerance);
}

unsigned diff_failed_on(const struct diff *d)
{
    const struct tolerance *t = &d->allowed;
    const double mean_reference = d->elems ? d->sum_reference / (double)d->elems : 0;
    const double share = fmax(t->share * d->max_reference, t->floor);
    unsigned failed = 0;

    if (t->limited) {
        if (d->beyond || (t->share > 0 && d->max_abs > share))
            failed |= FAIL_ON_MAX;
        if (diff_mean_abs(d) > t->atol + t->rtol * mean_reference + share && !(t->max_ulp >= 0 && diff_mean_ulp(d) <= t->max_ulp))
            failed |= FAIL_ON_MEAN;
    }
    if (d->top1_different)
        failed |= FAIL_ON_TOP1;
    failed &= t->fail_on;
    if (d->unequal || d->shapes_differ)
        failed |= FAIL_ON_NAN;
    if (diff_silent(d) && !(t->limited && t->fail_on & (FAIL_ON_MAX | FAIL_ON_MEAN)))
        failed |= FAIL_ON_SILENT;
    return failed;
}

enum diff_silent diff_silent(const struct diff *d)
{
    const bool flat[2] = {d->low[0] == d->high[0], d->low[1] == d->high[1]};

    if (d->elems < 2 || flat[0] == flat[1])
        return DIFF_NOT_SILENT;
    return flat[1] ? DIFF_SILENT_TEST : DIFF_SILENT_REFERENCE;
}

double diff_bin_end(int bin)
{
    static const double ends[DIFF_BINS] = {0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, INFINITY};

    return ends[bin];
}

const char *diff_allowed_text(const struct diff *d, char *out, size_t size)
{
    const struct tolerance *t = &d->allowed;

    if (!(t->floor > 0) || !(t->fail_on & (FAIL_ON_MAX | FAIL_ON_MEAN)) || d->unequal || d->max_abs > t->floor ||
        d->max_abs <= t->share * d->max_reference)
        return tolerance_text(t, out, size);
    snprintf(out, size, "%.3g, the least normal %s (preset %s)", t->floor, t->floor > 1e-6 ? "float16" : "float32", t->preset);
    return out;
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

double diff_relative_bound(const struct diff *d)
{
    if (d->unequal || d->shapes_differ)
        return INFINITY;
    return unknown(d) ? 0 : diff_relative(d);
}

double diff_relative_above(const struct diff *d, double floor)
{
    return !d->unequal && !d->shapes_differ && d->max_abs <= floor ? 0 : diff_relative_bound(d);
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

double diff_psnr_db(const struct diff *d)
{
    const double range = d->high[0] - d->low[0];

    if (unknown(d))
        return NAN;
    if (d->error_sq == 0)
        return INFINITY;
    return range > 0 ? 20 * log10(range / diff_rms(d)) : -INFINITY;
}

double diff_max_ulp(const struct diff *d)
{
    return unknown(d) ? NAN : d->max_ulp;
}

double diff_mean_ulp(const struct diff *d)
{
    if (unknown(d))
        return NAN;
    return d->elems ? d->sum_ulp / (double)d->elems : 0;
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
