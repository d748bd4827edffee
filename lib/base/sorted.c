/* SPDX-License-Identifier: Apache-2.0 */
/* sorted.c - percentiles by position, and the binomial distribution that says which positions bound the median. */
#include "lib/base/sorted.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void sort_values(double *v, size_t n)
{
    qsort(v, n, sizeof *v, by_value);
}

double sorted_percentile(const double *sorted, size_t n, double percent)
{
    size_t i = (size_t)((double)n * percent / 100);

    return sorted[i < n ? i : n - 1];
}

double sorted_median(const double *sorted, size_t n)
{
    return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
}

/* The largest k for which k heads or fewer in n tosses are no likelier than 2.5 %; -1 where not even none is. */
static double rare_heads(double n)
{
    double below = n / 2 - 5 * sqrt(n); /* ten deviations off: what lies before has no weight in a double */
    double k = below > 0 ? floor(below) : 0, sum = 0;

    for (;; k++) {
        sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2));
        if (sum > 0.025)
            return k - 1;
    }
}

struct interval median_interval(const double *sorted, size_t n)
{
    double k = n ? rare_heads((double)n) : -1;

    if (k < 0)
        return (struct interval){NAN, NAN};
    return (struct interval){sorted[(size_t)k], sorted[n - 1 - (size_t)k]};
}
