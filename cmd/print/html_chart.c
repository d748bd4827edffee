/* SPDX-License-Identifier: Apache-2.0 */
/* html_chart.c - what stretches with the page is in per cent, or in an inner picture that is stretched; text never is. */
#include "cmd/print/html_chart.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "cmd/print/html_frame.h"
#include "lib/base/sorted.h"

enum { STRETCHES = 400 }; /* of a line, where there are more values than twice as many */

struct extent {
    double lo, hi;   /* of the values; lo > hi where there are none */
    size_t from, to; /* of the places on the axis below */
};

static struct extent extent_of(const struct html_series *series, size_t n)
{
    struct extent e = {INFINITY, -INFINITY, SIZE_MAX, 0};

    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < series[k].n; i++) {
            double y = series[k].y[i];

            if (!isfinite(y))
                continue;
            e.lo = fmin(e.lo, y);
            e.hi = fmax(e.hi, y);
        }
        if (series[k].n && series[k].first < e.from)
            e.from = series[k].first;
        if (series[k].n && series[k].first + series[k].n - 1 > e.to)
            e.to = series[k].first + series[k].n - 1;
    }
    return e;
}

static void put_point(struct html *h, const struct html_series *s, size_t i, const struct extent *e, const struct html_axis *y,
                      double scale)
{
    double width = e->to > e->from ? (double)(e->to - e->from) : 1;

    html_raw(h, "%.0f,%.1f ", HTML_INNER_X * (double)(s->first + i - e->from) / width,
             HTML_INNER_Y * (1 - html_axis_share(y, s->y[i] * scale)));
}

/* The places of the least and the greatest of values [from, to), in the order of time; both are `to` where none is finite. */
static void extremes(const double *y, size_t from, size_t to, size_t out[2])
{
    size_t lo = to, hi = to;

    for (size_t i = from; i < to; i++) {
        if (!isfinite(y[i]))
            continue;
        lo = lo == to || y[i] < y[lo] ? i : lo;
        hi = hi == to || y[i] > y[hi] ? i : hi;
    }
    out[0] = lo < hi ? lo : hi;
    out[1] = lo < hi ? hi : lo;
}

static void put_line(struct html *h, const struct html_series *s, bool second, const struct extent *e, const struct html_axis *y,
                     double scale)
{
    size_t stretches = s->n > 2 * (size_t)STRETCHES ? STRETCHES : s->n;

    html_raw(h, "<polyline class=\"%s\" vector-effect=\"non-scaling-stroke\" stroke-width=\"1.5\" points=\"", second ? "b" : "a");
    for (size_t k = 0; k < stretches; k++) {
        size_t from = s->n / stretches * k + s->n % stretches * k / stretches;
        size_t to = s->n / stretches * (k + 1) + s->n % stretches * (k + 1) / stretches, at[2];

        extremes(s->y, from, to, at);
        if (at[0] < to)
            put_point(h, s, at[0], e, y, scale);
        if (at[1] < to && at[1] != at[0])
            put_point(h, s, at[1], e, y, scale);
    }
    html_raw(h, "\"/>\n");
}

void html_lines(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes)
{
    struct extent e = extent_of(series, n);
    struct html_axis y;

    if (e.lo > e.hi)
        return;
    y = html_axis_of(e.lo * axes->scale, e.hi * axes->scale);
    html_chart_begin(h, axes, "values in the order of time");
    html_chart_levels(h, &y);
    html_chart_places(h, e.from, e.to);
    if (isfinite(axes->mark))
        html_chart_mark(h, html_axis_share(&y, axes->mark * axes->scale));
    html_inner_begin(h);
    for (size_t k = 0; k < n; k++)
        put_line(h, &series[k], k > 0, &e, &y, axes->scale);
    html_inner_end(h);
    html_chart_end(h);
    html_chart_key(h, series, n, axes, false);
}

enum { MAX_BINS = 40 };

struct histogram {
    double from, width;                     /* of the bins, in the unit of the values */
    size_t bins, count[MAX_BINS + 1], most; /* one bin more: what lies above the others */
};

/* Of sorted values. As many bins as the square root of their number, within bounds that a narrow page can show. */
static struct histogram histogram_of(const double *sorted, size_t n)
{
    struct histogram g = {.from = sorted[0], .bins = (size_t)sqrt((double)n)};
    double to = sorted_percentile(sorted, n, 99);

    g.bins = g.bins < 5 ? 5 : g.bins > MAX_BINS ? MAX_BINS : g.bins;
    /* Part by part: the difference of two numbers that a double holds may be none. */
    g.width = to / (double)g.bins - g.from / (double)g.bins;
    if (!(g.width > 0))
        g.width = fmax(fabs(g.from), 1) * 0.01;
    for (size_t i = 0; i < n; i++) {
        double bin = floor((sorted[i] - g.from) / g.width);
        size_t k = sorted[i] <= to && bin >= (double)g.bins ? g.bins - 1 : bin > (double)g.bins ? g.bins : (size_t)bin;

        g.most = ++g.count[k] > g.most ? g.count[k] : g.most;
    }
    return g;
}

static void put_bins(struct html *h, const struct histogram *g, size_t shown, const struct html_axis *y,
                     const struct html_axes *axes)
{
    for (size_t k = 0; k < shown; k++) {
        double height = HTML_CHART_HEIGHT * html_axis_share(y, (double)g->count[k]),
               from = (g->from + (double)k * g->width) * axes->scale;

        html_raw(h, "<rect class=\"%s\" x=\"%.3f%%\" y=\"%.1f\" width=\"%.3f%%\" height=\"%.1f\"><title>",
                 k == g->bins ? "fb" : "fa", 100.0 * (double)k / (double)shown, HTML_CHART_TOP + HTML_CHART_HEIGHT - height,
                 92.0 / (double)shown, height);
        if (k == g->bins)
            html_raw(h, "%zu above %.6g ", g->count[k], from);
        else
            html_raw(h, "%zu from %.6g to %.6g ", g->count[k], from, from + g->width * axes->scale);
        html_text(h, axes->x);
        html_raw(h, "</title></rect>\n");
    }
    for (size_t k = 0; k <= g->bins; k += (g->bins + 2) / 3)
        html_chart_below(h, (double)k / (double)shown, (g->from + (double)k * g->width) * axes->scale, 3);
}

enum status html_histogram(struct html *h, const double *values, size_t n, const struct html_axes *axes, struct err *err)
{
    double *sorted = n ? malloc(n * sizeof *sorted) : NULL;
    size_t finite = 0;

    if (n && !sorted)
        return err_set(err, ST_NOMEM, "out of memory for a histogram of %zu values", n);
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            sorted[finite++] = values[i];
    if (finite > 1) {
        struct histogram g;
        struct html_axis y;

        sort_values(sorted, finite);
        g = histogram_of(sorted, finite);
        y = html_axis_of(0, (double)g.most);
        html_chart_begin(h, axes, "how many values lie in each range");
        html_chart_levels(h, &y);
        put_bins(h, &g, g.bins + (g.count[g.bins] > 0), &y, axes);
        html_chart_end(h);
    }
    free(sorted);
    return ST_OK;
}

void html_bar(struct html *h, const char *label, double share, bool second, const char *value)
{
    double width = share > 0 ? fmin(100 * share, 100) : 0;

    html_between(h);
    html_raw(h, "<div class=\"bar\"><span>");
    html_text(h, label);
    html_raw(h, "</span><svg height=\"12\"><rect class=\"%s\" width=\"%.3f%%\" height=\"12\"/></svg><span class=\"n\">",
             second ? "fb" : "fa", width);
    html_text(h, value);
    html_raw(h, "</span></div>\n");
}
