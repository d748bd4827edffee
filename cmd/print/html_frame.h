/* SPDX-License-Identifier: Apache-2.0 */
/* html_frame.h - what charts have around their values: a field with levels and their numbers, places below it, a key.
 *
 * A field is HTML_CHART_HEIGHT pixels high and as wide as the page. `share` is a part of its width from the left, or of its height
 * from its foot. What stretches with it is drawn into an inner picture of HTML_INNER_X by HTML_INNER_Y units. */
#ifndef DELEGAUGE_CMD_HTML_FRAME_H
#define DELEGAUGE_CMD_HTML_FRAME_H

#include <stdint.h>

#include "cmd/print/html_axes.h"
#include "cmd/print/html_impl.h"

enum { HTML_CHART_TOP = 22, HTML_CHART_HEIGHT = 200, HTML_CHART_BELOW = 42 }; /* pixels: above a field, of it, and under it */
enum { HTML_INNER_X = 10000, HTML_INNER_Y = 1000 };

/* A range of an axis that begins and ends at multiples of `step`: 1, 2 or 5 times a power of ten. */
struct html_axis {
    double from, to, step;
};

struct html_axis html_axis_of(double lo, double hi);
double html_axis_share(const struct html_axis *a, double v);

/* `what`: for who does not see it. */
void html_chart_begin(struct html *h, const struct html_axes *axes, const char *what);
void html_chart_end(struct html *h);

/* A line across at that height, with a word or number at its left; the second all those of an axis, the third without words, as the
 * level that is to be noticed. */
void html_chart_level(struct html *h, double share, const char *text);
void html_chart_levels(struct html *h, const struct html_axis *y);
void html_chart_mark(struct html *h, double share);

/* A number below the field, with so many digits that count; those at its ends stay within it. The second: round ones of places
 * `from` to `to`, which it spans. */
void html_chart_below(struct html *h, double share, double value, int digits);
void html_chart_places(struct html *h, size_t from, size_t to);

/* Around what goes into the inner picture. */
void html_inner_begin(struct html *h);
void html_inner_end(struct html *h);

/* The names of series that have values, and of the mark. `points`: the chart has points, not lines. */
void html_chart_key(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes, bool points);

#endif
