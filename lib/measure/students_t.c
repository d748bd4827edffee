/* SPDX-License-Identifier: Apache-2.0 */
/* students_t.c - through the regularized incomplete beta function. */
#include "lib/measure/students_t.h"

#include <math.h>

/* The continued fraction of the incomplete beta function (NIST's Digital Library of Mathematical Functions, 8.17.22) by Lentz's
 * method. It converges fast where x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 / fmax(1 - (a + b) * x / (a + 1), tiny), f = d;

    for (double m = 1; m <= 1000; m++) {
        const double terms[] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                                -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
        double before = f;

        for (int i = 0; i < 2; i++) {
            d = 1 + terms[i] * d;
            c = 1 + terms[i] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            f *= c * d;
        }
        if (fabs(f - before) < 1e-15 * fabs(f))
            break;
    }
    return f;
}

/* I_x(a, b); `rest` is 1 - x, which would lose its digits where x is near 1. */
static double beta_regularized(double a, double b, double x, double rest)
{
    double front;

    if (x <= 0 || rest <= 0)
        return x <= 0 ? 0 : 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, rest) / b;
}

double students_t_p(double t, double df)
{
    return beta_regularized(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t));
}

double students_t_quantile(double p, double df)
{
    double low = 0, high = 1;

    while (students_t_p(high, df) > p && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;

        *(students_t_p(middle, df) > p ? &low : &high) = middle;
    }
    return high;
}
