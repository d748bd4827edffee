/* SPDX-License-Identifier: Apache-2.0 */
/* html_chart.c - what stretches with the page is in per cent, or in an inner picture that is stretched; text never is. */
#include "html_chart.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/sorted.h"
#include "html_impl.h"

enum { TOP = 22, HEIGHT = 200, BELOW = 42 }; /* of a chart, in pixels: above, its field, and under it */
enum { MAX_TICKS = 6, STRETCHES = 400 };     /* STRETCHES: of a line, where there are more values than twice as many */
enum { INNER_X = 10000, INNER_Y = 1000 };    /* units of the picture that is stretched */

/* A range of an axis that begins and ends at multiples of `step`: 1, 2 or 5 times a power of ten. */
struct axis {
    double from, to, step;
};

static struct axis axis_of(double lo, double hi)
{
    struct axis a;
    double raw, power;

    /* A range so small that its ticks would be the same number is none. */
    if (!(hi - lo > 1e-9 * fmax(fabs(lo), fabs(hi))))
        hi = lo + (lo != 0 ? fabs(lo) * 0.1 : 1);
    raw = (hi - lo) / (MAX_TICKS - 1);
    power = pow(10, floor(log10(raw)));
    a.step = raw <= power ? power : raw <= 2 * power ? 2 * power : raw <= 5 * power ? 5 * power : 10 * power;
    a.from = floor(lo / a.step) * a.step;
    a.to = ceil(hi / a.step) * a.step;
    return a;
}

static uint32_t ticks_of(const struct axis *a)
{
    return (uint32_t)lround(fmin((a->to - a->from) / a->step, 2 * MAX_TICKS));
}

static double share_of(const struct axis *a, double v)
{
    return (v - a->from) / (a->to - a->from);
}

static void chart_begin(struct html *h, const struct html_axes *axes, const struct axis *y, const char *what)
{
    html_between(h);
    html_raw(h, "<div class=\"chart\"><svg role=\"img\" height=\"%d\" style=\"margin-left:56px;width:calc(100%% - 56px)\"><title>",
             TOP + HEIGHT + BELOW);
    html_text(h, what);
    html_raw(h, "</title>\n<text x=\"-8\" y=\"10\" text-anchor=\"end\">");
    html_text(h, axes->y);
    html_raw(h, "</text>\n<text x=\"50%%\" y=\"%d\" text-anchor=\"middle\">", TOP + HEIGHT + BELOW - 6);
    html_text(h, axes->x);
    html_raw(h, "</text>\n");
    for (uint32_t i = 0; i <= ticks_of(y); i++) {
        double v = y->from + i * y->step, at = TOP + HEIGHT * (1 - share_of(y, v));

        html_raw(h, "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", at, at);
        html_raw(h, "<text x=\"-8\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", at + 4, fabs(v) < y->step / 2 ? 0 : v);
    }
}

static void chart_end(struct html *h)
{
    html_raw(h, "</svg></div>\n");
}

/* A label below the field, with so many digits that count; those at its ends stay within it. */
static void label_below(struct html *h, double share, double value, int digits)
{
    html_raw(h, "<text x=\"%.3f%%\" y=\"%d\" text-anchor=\"%s\">%.*g</text>\n", 100 * share, TOP + HEIGHT + 16,
             share > 0.95   ? "end"
             : share < 0.05 ? "start"
                            : "middle",
             digits, value);
}

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

static void put_point(struct html *h, const struct html_series *s, size_t i, const struct extent *e, const struct axis *y,
                      double scale)
{
    double width = e->to > e->from ? (double)(e->to - e->from) : 1;

    html_raw(h, "%.0f,%.1f ", INNER_X * (double)(s->first + i - e->from) / width, INNER_Y * (1 - share_of(y, s->y[i] * scale)));
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

static void put_line(struct html *h, const struct html_series *s, bool second, const struct extent *e, const struct axis *y,
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

static void put_key(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes)
{
    html_raw(h, "<p class=\"key dim\">");
    for (size_t k = 0; k < n; k++) {
        if (!series[k].n)
            continue;
        html_raw(h, "<span><i%s></i>", k ? " class=\"kb\"" : "");
        html_text(h, series[k].name);
        html_raw(h, "</span>");
    }
    if (isfinite(axes->mark)) {
        html_raw(h, "<span><i class=\"km\"></i>");
        html_text(h, axes->mark_name);
        html_raw(h, "</span>");
    }
    html_raw(h, "</p>\n");
}

void html_lines(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes)
{
    struct extent e = extent_of(series, n);
    struct axis x, y;

    if (e.lo > e.hi)
        return;
    y = axis_of(e.lo * axes->scale, e.hi * axes->scale);
    x = axis_of((double)e.from, (double)e.to);
    chart_begin(h, axes, &y, "values in the order of time");
    for (uint32_t i = 0; i <= ticks_of(&x); i++) {
        double v = x.from + i * x.step;

        if (v >= (double)e.from && v <= (double)e.to && v == floor(v))
            label_below(h, e.to > e.from ? (v - (double)e.from) / (double)(e.to - e.from) : 0, v, 7);
    }
    if (isfinite(axes->mark)) {
        double at = TOP + HEIGHT * (1 - share_of(&y, axes->mark * axes->scale));

        html_raw(h, "<line class=\"mid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", at, at);
    }
    html_raw(h, "<svg y=\"%d\" width=\"100%%\" height=\"%d\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">\n", TOP, HEIGHT,
             INNER_X, INNER_Y);
    for (size_t k = 0; k < n; k++)
        put_line(h, &series[k], k > 0, &e, &y, axes->scale);
    html_raw(h, "</svg>\n");
    chart_end(h);
    put_key(h, series, n, axes);
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

static void put_bins(struct html *h, const struct histogram *g, size_t shown, const struct axis *y, const struct html_axes *axes)
{
    for (size_t k = 0; k < shown; k++) {
        double height = HEIGHT * share_of(y, (double)g->count[k]), from = (g->from + (double)k * g->width) * axes->scale;

        html_raw(h, "<rect class=\"%s\" x=\"%.3f%%\" y=\"%.1f\" width=\"%.3f%%\" height=\"%.1f\"><title>",
                 k == g->bins ? "fb" : "fa", 100.0 * (double)k / (double)shown, TOP + HEIGHT - height, 92.0 / (double)shown,
                 height);
        if (k == g->bins)
            html_raw(h, "%zu above %.6g ", g->count[k], from);
        else
            html_raw(h, "%zu from %.6g to %.6g ", g->count[k], from, from + g->width * axes->scale);
        html_text(h, axes->x);
        html_raw(h, "</title></rect>\n");
    }
    for (size_t k = 0; k <= g->bins; k += (g->bins + 2) / 3)
        label_below(h, (double)k / (double)shown, (g->from + (double)k * g->width) * axes->scale, 3);
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
        struct axis y;

        sort_values(sorted, finite);
        g = histogram_of(sorted, finite);
        y = axis_of(0, (double)g.most);
        chart_begin(h, axes, &y, "how many values lie in each range");
        put_bins(h, &g, g.bins + (g.count[g.bins] > 0), &y, axes);
        chart_end(h);
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
