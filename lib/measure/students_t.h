/* SPDX-License-Identifier: Apache-2.0 */
/* students_t.h - Student's t distribution, for means of few values with an unknown variance. */
#pragma once

/* Return the probability of a |T| of at least |t| with `df` degrees of freedom, which need not be whole; df > 0. Equals R's
 * 2 * pt(-abs(t), df) to 1e-10. */
double students_t_p(double t, double df);

/* Return the t that |T| exceeds with probability `p`: students_t_quantile(0.05, 4) is 2.776. 0 < p < 1. */
double students_t_quantile(double p, double df);
