/* SPDX-License-Identifier: Apache-2.0 */
/* html_frame.c - fields of charts: text keeps its size, lines are in per cent of the width. */
#include "cmd/print/html_frame.h"

#include <math.h>

enum { MAX_TICKS = 6 };

struct html_axis html_axis_of(double lo, double hi)
{
    struct html_axis a;
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

static uint32_t ticks_of(const struct html_axis *a)
{
    return (uint32_t)lround(fmin((a->to - a->from) / a->step, 2 * MAX_TICKS));
}

double html_axis_share(const struct html_axis *a, double v)
{
    return (v - a->from) / (a->to - a->from);
}

void html_chart_begin(struct html *h, const struct html_axes *axes, const char *what)
{
    const int height = HTML_CHART_TOP + HTML_CHART_HEIGHT + HTML_CHART_BELOW;

    html_between(h);
    html_raw(h, "<div class=\"chart\"><svg role=\"img\" height=\"%d\" style=\"margin-left:56px;width:calc(100%% - 56px)\"><title>",
             height);
    html_text(h, what);
    html_raw(h, "</title>\n<text x=\"-8\" y=\"10\" text-anchor=\"end\">");
    html_text(h, axes->y);
    html_raw(h, "</text>\n<text x=\"50%%\" y=\"%d\" text-anchor=\"middle\">", height - 6);
    html_text(h, axes->x);
    html_raw(h, "</text>\n");
}

void html_chart_end(struct html *h)
{
    html_raw(h, "</svg></div>\n");
}

static double pixels(double share)
{
    return HTML_CHART_TOP + HTML_CHART_HEIGHT * (1 - share);
}

void html_chart_level(struct html *h, double share, const char *text)
{
    html_raw(h, "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", pixels(share), pixels(share));
    html_raw(h, "<text x=\"-8\" y=\"%.1f\" text-anchor=\"end\">", pixels(share) + 4);
    html_text(h, text);
    html_raw(h, "</text>\n");
}

void html_chart_levels(struct html *h, const struct html_axis *y)
{
    char text[32];

    for (uint32_t i = 0; i <= ticks_of(y); i++) {
        const double v = y->from + i * y->step;

        snprintf(text, sizeof text, "%.6g", fabs(v) < y->step / 2 ? 0 : v);
        html_chart_level(h, html_axis_share(y, v), text);
    }
}

void html_chart_mark(struct html *h, double share)
{
    html_raw(h, "<line class=\"mid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>\n", pixels(share), pixels(share));
}

void html_chart_below(struct html *h, double share, double value, int digits)
{
    html_raw(h, "<text x=\"%.3f%%\" y=\"%d\" text-anchor=\"%s\">%.*g</text>\n", 100 * share,
             HTML_CHART_TOP + HTML_CHART_HEIGHT + 16,
             share > 0.95   ? "end"
             : share < 0.05 ? "start"
                            : "middle",
             digits, value);
}

void html_chart_places(struct html *h, size_t from, size_t to)
{
    const struct html_axis x = html_axis_of((double)from, (double)to);

    for (uint32_t i = 0; i <= ticks_of(&x); i++) {
        const double v = x.from + i * x.step;

        if (v >= (double)from && v <= (double)to && v == floor(v))
            html_chart_below(h, to > from ? (v - (double)from) / (double)(to - from) : 0, v, 7);
    }
}

void html_inner_begin(struct html *h)
{
    html_raw(h, "<svg y=\"%d\" width=\"100%%\" height=\"%d\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">\n", HTML_CHART_TOP,
             HTML_CHART_HEIGHT, HTML_INNER_X, HTML_INNER_Y);
}

void html_inner_end(struct html *h)
{
    html_raw(h, "</svg>\n");
}

static void put_entry(struct html *h, const char *kind, const char *name)
{
    html_raw(h, "<span><i class=\"%s\"></i>", kind);
    html_text(h, name);
    html_raw(h, "</span>");
}

void html_chart_key(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes, bool points)
{
    html_raw(h, "<p class=\"key dim\">");
    for (size_t k = 0; k < n; k++)
        if (series[k].n)
            put_entry(h, points ? (k ? "kq" : "kp") : (k ? "kb" : "ka"), series[k].name);
    if (isfinite(axes->mark))
        put_entry(h, "km", axes->mark_name);
    html_raw(h, "</p>\n");
}
