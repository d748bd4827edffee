/* SPDX-License-Identifier: Apache-2.0 */
/* html_axes.h - the series of a chart and the labels at its sides. */
#pragma once

#include "cmd/print/html.h"

/* Values at `first`, `first` + 1, … of the axis below. */
struct html_series {
    const char *name;
    const double *y; /* [n], borrowed for the call */
    size_t n, first;
    const char *const *labels; /* [n] texts of points, shown when a pointer rests on one; NULL: none */
};

struct html_axes {
    const char *x, *y; /* "run", "ms" */
    double scale;      /* factor by which each y is multiplied before it is shown: 1e-3 for microseconds as "ms" */
    double mark;       /* a level that is drawn across, in the unit of y; NAN for none */
    const char *mark_name;
};
