/* SPDX-License-Identifier: Apache-2.0 */
/* wilson.c - Wilson's interval and McNemar's exact test. */
#include "lib/eval/wilson.h"

#include <math.h>

#define Z95 1.9599639845400545 /* 97.5 % of the normal distribution lie below */

struct interval wilson_interval(uint64_t k, uint64_t n)
{
    const double p = (double)k / (double)n, z2 = Z95 * Z95 / (double)n;
    const double middle = (p + z2 / 2) / (1 + z2), reach = Z95 * sqrt(p * (1 - p) / (double)n + z2 / (4 * (double)n)) / (1 + z2);

    if (!n)
        return (struct interval){NAN, NAN};
    return (struct interval){k ? fmax(middle - reach, 0) : 0, k < n ? fmin(middle + reach, 1) : 1};
}

double wilson_mcnemar(uint64_t only_a, uint64_t only_b)
{
    const uint64_t less = only_a < only_b ? only_a : only_b, n = only_a + only_b;
    double term = 1, sum = 1, largest;

    if (only_a == only_b)
        return 1;
    /* The terms of the tail fall from the last one, over which they are added: no power of two is too small. */
    for (uint64_t i = less; i > 0 && term > sum * 1e-18; i--) {
        term *= (double)i / (double)(n - i + 1);
        sum += term;
    }
    largest = lgamma((double)n + 1) - lgamma((double)less + 1) - lgamma((double)(n - less) + 1) - (double)n * M_LN2;
    return fmin(1, 2 * exp(largest) * sum);
}
