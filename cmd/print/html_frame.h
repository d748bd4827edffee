/* SPDX-License-Identifier: Apache-2.0 */
/* html_frame.h - the surroundings of a chart's values: a field with levels and their numbers, places below it, a key.
 *
 * A field is HTML_CHART_HEIGHT pixels high and as wide as the page. `share` is a part of its width from the left, or of its height
 * from its foot. Shapes that stretch with it are drawn into an inner picture of HTML_INNER_X by HTML_INNER_Y units. */
#pragma once

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

/* Begin and end a chart. `what`: a text for readers who do not see it. */
void html_chart_begin(struct html *h, const struct html_axes *axes, const char *what);
void html_chart_end(struct html *h);

/* Draw a line across at that height, with a word or number at its left; the second draws all levels of an axis, the third a level
 * that stands out, without words. */
void html_chart_level(struct html *h, double share, const char *text);
void html_chart_levels(struct html *h, const struct html_axis *y);
void html_chart_mark(struct html *h, double share);

/* Write a number below the field, with so many significant digits; numbers at its ends stay within it. The second writes round
 * numbers of the places `from` to `to`, which the field spans. */
void html_chart_below(struct html *h, double share, double value, int digits);
void html_chart_places(struct html *h, size_t from, size_t to);

/* Begin and end the inner picture. */
void html_inner_begin(struct html *h);
void html_inner_end(struct html *h);

/* Draw the key: the names of series that have values, and of the mark. `points`: the chart has points, not lines. */
void html_chart_key(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes, bool points);
