/* SPDX-License-Identifier: Apache-2.0 */
/* html_chart.h - charts of an HTML page, as SVG within it: values over time, their frequencies, shares of a whole, errors that lie
 * decades apart, and their places in a tensor.
 *
 * A chart is as wide as its page; its lines and its text keep their size. Values that are not finite are left out, unless a
 * function says otherwise. */
#pragma once

#include <stdint.h>

#include "cmd/print/html_axes.h"

/* Draw one or two series over a common axis, with a key. Of more than some hundred values a chart shows the least and the greatest
 * of each stretch, so that no peak is lost. Draws nothing if there is no value. */
void html_lines(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes);

/* Draw how many of the n values lie in each of at most 40 ranges of equal width between the least and the 99th percentile; the last
 * bar has all that lie above. Draws nothing for n below 2. Fails only with ST_NOMEM. */
enum status html_histogram(struct html *h, const double *values, size_t n, const struct html_axes *axes, struct err *err);

/* Draw points over their places, on a logarithmic axis: one or two series of values that are not negative. 0 lies on a line of its
 * own at the foot, INFINITY on one at the top, in another colour; NAN is no value. Of more than HTML_MAX_POINTS of a series the
 * greatest of each stretch are shown. The axis has no more than 24 decades below the greatest: smaller values lie on its lowest.
 * Draws nothing if there is no value. */
enum { HTML_MAX_POINTS = 1000 };
void html_points(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes);

/* A map: numbers that are not negative, in rows and columns. */
struct html_grid {
    const float *cells; /* [rows][columns], borrowed for the call */
    uint32_t rows, columns;
    double aspect;    /* of the picture: width over height */
    const char *what; /* text for readers who do not see it */
};

/* Draw the map: each number above 0 has one of 8 shades, the greatest the strongest; a shade spans half a power of ten, and the
 * weakest has all that is below. INFINITY has a colour of its own. Below it the shades with the numbers at which they change. */
void html_map(struct html *h, const struct html_grid *g);

/* Draw one bar of several, below one another: `share` of the whole, from 0 to 1, beside words. `second`: in the other colour. */
void html_bar(struct html *h, const char *label, double share, bool second, const char *value);
