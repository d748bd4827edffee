/* SPDX-License-Identifier: Apache-2.0 */
/* html_points.c - values decades apart: a logarithmic field between a line for 0 and one for what is not finite.
 *
 * A point is a stroke of no length with round or square ends: it keeps its size however wide the picture is stretched. */
#include "cmd/print/html_chart.h"

#include <math.h>

#include "cmd/print/html_frame.h"

enum { MAX_DECADES = 24, MAX_LEVELS = 8 };
#define BAND 0.08 /* of the field's height, for the line of 0 and for that of what is not finite */

struct field {
    double from, to;  /* powers of ten at the ends of the logarithmic part */
    double foot, top; /* where that part lies, as shares of the height */
    bool zeros, infinities;
    size_t first, last; /* places */
    bool any;
};

static void widen(struct field *f, double v, double *lo, double *hi)
{
    f->zeros |= v == 0;
    f->infinities |= isinf(v) != 0;
    if (v > 0 && isfinite(v)) {
        *lo = fmin(*lo, v);
        *hi = fmax(*hi, v);
    }
}

static struct field field_of(const struct html_series *series, size_t n, const struct html_axes *axes)
{
    struct field f = {.first = SIZE_MAX};
    double lo = INFINITY, hi = 0;

    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < series[k].n; i++) {
            f.any |= !isnan(series[k].y[i]);
            widen(&f, series[k].y[i] * axes->scale, &lo, &hi);
        }
        if (series[k].n && series[k].first < f.first)
            f.first = series[k].first;
        if (series[k].n && series[k].first + series[k].n - 1 > f.last)
            f.last = series[k].first + series[k].n - 1;
    }
    if (isfinite(axes->mark))
        widen(&f, axes->mark * axes->scale, &lo, &hi);
    if (lo > hi)
        lo = hi = 1;
    f.to = ceil(log10(hi));
    f.from = fmax(floor(log10(lo)), f.to - MAX_DECADES);
    if (f.from == f.to)
        f.from--;
    f.foot = f.zeros ? BAND : 0;
    f.top = f.infinities ? 1 - BAND : 1;
    return f;
}

static double share_of(const struct field *f, double v)
{
    if (v == 0)
        return 0;
    if (!isfinite(v))
        return 1;
    return f->foot + (f->top - f->foot) * fmax(0, (log10(v) - f->from) / (f->to - f->from));
}

static void put_levels(struct html *h, const struct field *f)
{
    const int step = (int)ceil((f->to - f->from) / MAX_LEVELS);
    char text[32];

    for (int e = (int)f->from; e <= (int)f->to; e += step) {
        if (e < -2 || e > 3)
            snprintf(text, sizeof text, "1e%d", e);
        else
            snprintf(text, sizeof text, "%g", pow(10, e));
        html_chart_level(h, share_of(f, pow(10, e)), text);
    }
    if (f->zeros)
        html_chart_level(h, 0, "0");
    if (f->infinities)
        html_chart_level(h, 1, "NaN, Inf");
}

static void put_point(struct html *h, const struct html_series *s, size_t i, bool second, const struct field *f, double scale)
{
    const double x = f->last > f->first ? (double)(s->first + i - f->first) / (double)(f->last - f->first) : 0;
    const double v = s->y[i] * scale;

    html_raw(h, "<path class=\"%s\" d=\"M%.0f %.0fh0\"",
             !isfinite(v) ? "r"
             : second     ? "q"
                          : "p",
             HTML_INNER_X * x, HTML_INNER_Y * (1 - share_of(f, v)));
    if (s->labels) {
        html_raw(h, "><title>");
        html_text(h, s->labels[i]);
        html_raw(h, "</title></path>\n");
    } else {
        html_raw(h, "/>\n");
    }
}

/* The place of the greatest of values [from, to); `to` where there is none. */
static size_t greatest(const double *y, size_t from, size_t to)
{
    size_t best = to;

    for (size_t i = from; i < to; i++)
        if (!isnan(y[i]) && (best == to || y[i] > y[best]))
            best = i;
    return best;
}

static void put_series(struct html *h, const struct html_series *s, bool second, const struct field *f, double scale)
{
    const size_t stretches = s->n > HTML_MAX_POINTS ? HTML_MAX_POINTS : s->n;

    for (size_t k = 0; k < stretches; k++) {
        const size_t from = s->n / stretches * k + s->n % stretches * k / stretches;
        const size_t to = s->n / stretches * (k + 1) + s->n % stretches * (k + 1) / stretches, at = greatest(s->y, from, to);

        if (at < to)
            put_point(h, s, at, second, f, scale);
    }
}

void html_points(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes)
{
    const struct field f = field_of(series, n, axes);

    if (!f.any)
        return;
    html_chart_begin(h, axes, "values by their places, on a logarithmic axis");
    put_levels(h, &f);
    html_chart_places(h, f.first, f.last);
    if (isfinite(axes->mark))
        html_chart_mark(h, share_of(&f, axes->mark * axes->scale));
    html_inner_begin(h);
    for (size_t k = 0; k < n; k++)
        put_series(h, &series[k], k > 0, &f, axes->scale);
    html_inner_end(h);
    html_chart_end(h);
    html_chart_key(h, series, n, axes, true);
}
