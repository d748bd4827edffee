/* SPDX-License-Identifier: Apache-2.0 */
/* growth.c - Sen's slope. */
#include "lib/measure/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status growth_of(const double *v, size_t n, struct growth *out, struct err *err)
{
    const size_t pairs = n / 2 * (n - 1) + (n % 2) * ((n - 1) / 2);
    double *slopes, *sorted, reach, equal;
    size_t k = 0;

    *out = (struct growth){NAN, {NAN, NAN}};
    if (n < 2)
        return ST_OK;
    slopes = malloc(pairs * sizeof *slopes);
    sorted = malloc(n * sizeof *sorted);
    if (!slopes || !sorted) {
        free(slopes);
        free(sorted);
        return err_set(err, ST_NOMEM, "out of memory for %zu slopes", pairs);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            slopes[k++] = (v[j] - v[i]) / (double)(j - i);
    sort_values(slopes, pairs);
    out->slope = sorted_median(slopes, pairs);
    memcpy(sorted, v, n * sizeof *sorted);
    sort_values(sorted, n);
    reach = 1.959963984540054 * sqrt(fmax(kendall_variance(sorted, n, &equal), 0));
    if (n >= 4) {
        const double low = floor(((double)pairs - reach) / 2), high = ceil(((double)pairs + reach) / 2);

        out->interval = (struct interval){slopes[low > 0 ? (size_t)low : 0],
                                          slopes[high < (double)pairs - 1 ? (size_t)high : pairs - 1]};
    }
    free(slopes);
    free(sorted);
    return ST_OK;
}
