/* SPDX-License-Identifier: Apache-2.0 */
/* stats.c - percentiles are read off a sorted copy, moments are summed in the order of time. */
#include "lib/measure/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void moments(const double *v, size_t n, struct stats *s)
{
    double squares = 0;

    s->min = s->max = v[0];
    for (size_t i = 0; i < n; i++) {
        s->sum += v[i];
        s->min = v[i] < s->min ? v[i] : s->min;
        s->max = v[i] > s->max ? v[i] : s->max;
    }
    s->avg = s->sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (v[i] - s->avg) * (v[i] - s->avg);
    s->std = sqrt(squares / (double)n);
    s->cv = s->avg != 0 ? s->std / fabs(s->avg) : 0;
}

static void order(double *sorted, size_t n, struct stats *s)
{
    s->p5 = sorted_percentile(sorted, n, 5);
    s->p25 = sorted_percentile(sorted, n, 25);
    s->p50 = sorted_percentile(sorted, n, 50);
    s->median = sorted_median(sorted, n);
    s->p75 = sorted_percentile(sorted, n, 75);
    s->p90 = sorted_percentile(sorted, n, 90);
    s->p95 = sorted_percentile(sorted, n, 95);
    s->p99 = sorted_percentile(sorted, n, 99);
    s->median_interval = median_interval(sorted, n);
}

static double median_of(double *scratch, const double *v, size_t n)
{
    memcpy(scratch, v, n * sizeof *v);
    sort_values(scratch, n);
    return sorted_median(scratch, n);
}

static void spread(double *scratch, const double *v, size_t n, struct stats *s)
{
    double far;

    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(v[i] - s->median);
    sort_values(scratch, n);
    s->mad = sorted_median(scratch, n);
    far = 3.5 * 1.4826 * s->mad;
    for (size_t i = 0; i < n; i++)
        s->outliers += s->mad > 0 && scratch[i] > far;
}

static bool any_nan(const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(v[i]))
            return true;
    return false;
}

static struct stats stats_unknown(size_t n)
{
    return (struct stats){
        .count = n,
        .first = NAN,
        .last = NAN,
        .min = NAN,
        .max = NAN,
        .avg = NAN,
        .sum = NAN,
        .std = NAN,
        .p5 = NAN,
        .p25 = NAN,
        .p50 = NAN,
        .median = NAN,
        .p75 = NAN,
        .p90 = NAN,
        .p95 = NAN,
        .p99 = NAN,
        .median_interval = {NAN, NAN},
        .mad = NAN,
        .cv = NAN,
        .drift = NAN,
        .trend = {NAN, NAN},
    };
}

enum status stats_of(const double *samples, size_t n, struct stats *out, struct err *err)
{
    double *scratch;

    *out = (struct stats){.count = n};
    if (!n)
        return ST_OK;
    if (any_nan(samples, n)) {
        *out = stats_unknown(n);
        return ST_OK;
    }
    if (!(scratch = malloc(n * sizeof *scratch)))
        return err_set(err, ST_NOMEM, "out of memory for sorting %zu samples", n);
    out->first = samples[0];
    out->last = samples[n - 1];
    moments(samples, n, out);
    median_of(scratch, samples, n);
    order(scratch, n, out);
    spread(scratch, samples, n, out);
    if (n >= 8) {
        double early = median_of(scratch, samples, n / 4);

        out->drift = early != 0 ? median_of(scratch, samples + n - n / 4, n / 4) / early - 1 : 0;
    }
    free(scratch);
    return mann_kendall(samples, n, &out->trend, err);
}

enum status stats_percentiles(const double *samples, size_t n, const double *percent, size_t n_percents, double *out,
                              struct err *err)
{
    double *sorted = malloc((n + 1) * sizeof *sorted);

    if (!sorted)
        return err_set(err, ST_NOMEM, "out of memory for sorting %zu samples", n);
    if (n)
        memcpy(sorted, samples, n * sizeof *sorted);
    sort_values(sorted, n);
    for (size_t k = 0; k < n_percents; k++)
        out[k] = n ? sorted_percentile(sorted, n, percent[k]) : NAN;
    free(sorted);
    return ST_OK;
}

const char *stats_avg(double avg, char out[STATS_AVG_SIZE])
{
    snprintf(out, STATS_AVG_SIZE, avg >= 999999.5 ? "%.0f" : "%g", avg);
    return out;
}

const char *stats_line(const struct stats *s, bool percentiles, char *out, size_t size)
{
    char head[224], tail[96] = "", avg[STATS_AVG_SIZE];

    if (!s->count)
        snprintf(head, sizeof head, "count=0");
    else if (s->min == s->max)
        snprintf(head, sizeof head, "count=%zu curr=%.0f%s", s->count, s->last, s->count > 1 ? "(all same)" : "");
    else
        snprintf(head, sizeof head, "count=%zu first=%.0f curr=%.0f min=%.0f max=%.0f avg=%s std=%.0f", s->count, s->first, s->last,
                 s->min, s->max, stats_avg(s->avg, avg), s->std);
    if (percentiles)
        snprintf(tail, sizeof tail, " p5=%.0f median=%.0f p95=%.0f", s->p5, s->p50, s->p95);
    snprintf(out, size, "%s%s", head, tail);
    return out;
}
