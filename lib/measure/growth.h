/* SPDX-License-Identifier: Apache-2.0 */
/* growth.h - whether a value grows from repetition to repetition: bytes in use, open files, threads. */
#pragma once

#include "lib/measure/significance.h"

struct growth {
    double slope;             /* median of the slopes of all pairs, per repetition */
    struct interval interval; /* its 95 % confidence interval; NAN below 4 values */
};

/* Compute the growth of v[n], values of repetitions in their order. Steps and outliers count little, since the slope is a median.
 * Takes memory for n * n / 2 slopes. Fails with ST_NOMEM. Source: Sen, "Estimates of the regression coefficient based on Kendall's
 * tau", 1968. */
enum status growth_of(const double *v, size_t n, struct growth *out, struct err *err);
