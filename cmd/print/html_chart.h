/* SPDX-License-Identifier: Apache-2.0 */
/* html_chart.h - charts of an HTML page, as SVG within it: values over time, how often each comes, shares of a whole, errors that
 * lie decades apart, and where in a tensor they lie.
 *
 * A chart is as wide as its page; its lines and its text keep their size. Values that are not finite are left out, where it does
 * not say otherwise. */
#ifndef DELEGAUGE_CMD_HTML_CHART_H
#define DELEGAUGE_CMD_HTML_CHART_H

#include <stdint.h>

#include "cmd/print/html_axes.h"

/* One or two series over a common axis, with a key. Of more than some hundred values a chart shows the least and the greatest of
 * each stretch, so that no peak is lost. Nothing where there is no value. */
void html_lines(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes);

/* How many of the n values lie in each of at most 40 ranges of equal width between the least and the 99th percentile; the last bar
 * has all that lie above. Nothing for n below 2. Fails only with ST_NOMEM. */
enum status html_histogram(struct html *h, const double *values, size_t n, const struct html_axes *axes, struct err *err);

/* Points over their places, on a logarithmic axis: one or two series of values that are not negative. 0 lies on a line of its own
 * at the foot, INFINITY on one at the top, in another colour; NAN is no value. Of more than HTML_MAX_POINTS of a series the
 * greatest of each stretch are shown. The axis has no more than 24 decades below the greatest: what is less lies on its lowest.
 * Nothing where there is no value. */
enum { HTML_MAX_POINTS = 1000 };
void html_points(struct html *h, const struct html_series *series, size_t n, const struct html_axes *axes);

/* Where something lies: numbers that are not negative in rows and columns. */
struct html_grid {
    const float *cells; /* [rows][columns], borrowed for the call */
    uint32_t rows, columns;
    double aspect;    /* of the picture: width over height */
    const char *what; /* for who does not see it */
};

/* A picture of it: of the numbers above 0 each has one of 8 shades, the greatest the strongest; one of them is half a power of ten,
 * and the weakest has all that is below. INFINITY has a colour of its own. Below it the shades with the numbers at which they
 * change. */
void html_map(struct html *h, const struct html_grid *g);

/* One bar of several, below one another: `share` of the whole, from 0 to 1, beside words. `second`: in the other colour. */
void html_bar(struct html *h, const char *label, double share, bool second, const char *value);

#endif
