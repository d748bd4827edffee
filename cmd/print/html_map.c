/* SPDX-License-Identifier: Apache-2.0 */
/* html_map.c - a grid as one path of each shade, cells of a row that follow one another as one rectangle: small enough for a page.
 */
#include "cmd/print/html_chart.h"

#include <math.h>

#include "cmd/print/html_frame.h"

enum { SHADES = 8, NOT_FINITE = SHADES + 1 };

/* 0: none. Shade s has what is above greatest / 10^((SHADES + 1 - s) / 2), up to the limit of the next. */
static int shade_of(double v, double greatest)
{
    int s = SHADES;

    if (!(v > 0))
        return 0;
    if (isinf(v))
        return NOT_FINITE;
    while (s > 1 && v <= greatest / pow(10, (SHADES + 1 - s) / 2.0))
        s--;
    return s;
}

/* The runs of that shade within a row. */
static void put_row(struct html *h, const struct html_grid *g, uint32_t row, int shade, double most)
{
    const float *cells = g->cells + (size_t)row * g->columns;

    for (uint32_t from = 0, to; from < g->columns; from = to) {
        const int s = shade_of(cells[from], most);

        for (to = from + 1; to < g->columns && shade_of(cells[to], most) == s; to++)
            ;
        if (s == shade)
            html_raw(h, "M%u %uh%uv1h-%uz", from, row, to - from, to - from);
    }
}

static void put_label(struct html *h, double percent, double value)
{
    html_raw(h, "<text x=\"%.1f%%\" y=\"28\" text-anchor=\"middle\">%.3g</text>", percent, value);
}

/* Numbers stand at every second limit, which are powers of ten apart. */
static void put_shades(struct html *h, double most, bool not_finite)
{
    html_raw(h, "<svg class=\"shades\" role=\"img\" height=\"34\"><title>the shades and their numbers</title>");
    html_raw(h, "<rect class=\"h0\" x=\"0%%\" width=\"5%%\" height=\"14\"/>");
    put_label(h, 2.5, 0);
    for (int s = 1; s <= SHADES && most > 0; s++) {
        html_raw(h, "<rect class=\"h%d\" x=\"%.1f%%\" width=\"9%%\" height=\"14\"/>", s, 7 + 9.0 * (s - 1));
        if (s % 2 == 0)
            put_label(h, 7 + 9.0 * s, most / pow(10, (SHADES - s) / 2.0));
    }
    if (not_finite)
        html_raw(h,
                 "<rect class=\"h%d\" x=\"90%%\" width=\"10%%\" height=\"14\"/>"
                 "<text x=\"95%%\" y=\"28\" text-anchor=\"middle\">NaN, Inf</text>",
                 NOT_FINITE);
    html_raw(h, "</svg>");
}

void html_map(struct html *h, const struct html_grid *g)
{
    bool seen[NOT_FINITE + 1] = {false};
    double most = 0;

    for (size_t i = 0; i < (size_t)g->rows * g->columns; i++)
        if (isfinite(g->cells[i]))
            most = fmax(most, g->cells[i]);
    for (size_t i = 0; i < (size_t)g->rows * g->columns; i++)
        seen[shade_of(g->cells[i], most)] = true;
    html_between(h);
    html_raw(h,
             "<div class=\"map\"><svg role=\"img\" viewBox=\"0 0 %u %u\" preserveAspectRatio=\"none\" style=\"aspect-ratio:%.3f\">"
             "<title>",
             g->columns, g->rows, g->aspect);
    html_text(h, g->what);
    html_raw(h, "</title>\n");
    for (int s = 1; s <= NOT_FINITE; s++) {
        if (!seen[s])
            continue;
        html_raw(h, "<path class=\"h%d\" shape-rendering=\"crispEdges\" d=\"", s);
        for (uint32_t row = 0; row < g->rows; row++)
            put_row(h, g, row, s, most);
        html_raw(h, "\"/>\n");
    }
    html_raw(h, "</svg>");
    put_shades(h, most, seen[NOT_FINITE]);
    html_raw(h, "</div>\n");
}
