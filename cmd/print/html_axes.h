/* SPDX-License-Identifier: Apache-2.0 */
/* html_axes.h - what a chart shows and what stands at its sides. */
#ifndef DELEGAUGE_CMD_HTML_AXES_H
#define DELEGAUGE_CMD_HTML_AXES_H

#include "cmd/print/html.h"

/* Values at `first`, `first` + 1, … of the axis below. */
struct html_series {
    const char *name;
    const double *y; /* [n], borrowed for the call */
    size_t n, first;
    const char *const *labels; /* [n] of points: what is shown where a pointer rests; NULL: nothing */
};

struct html_axes {
    const char *x, *y; /* "run", "ms" */
    double scale;      /* what each y is multiplied by before it is shown: 1e-3 for microseconds as "ms" */
    double mark;       /* a level that is drawn across, in the unit of y; NAN for none */
    const char *mark_name;
};

#endif
