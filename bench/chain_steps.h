/* SPDX-License-Identifier: Apache-2.0 */
/* chain_steps.h - how far simulation may be off in a quantized network: from the arithmetic of its operators.
 *
 * An operator adds the steps that it may be off alone, for the same input (opcheck holds it to these), to what its inputs are off
 * times the most that it can make of them: 1 for sums, 1/4 for LOGISTIC, a filter's sum of magnitudes for convolutions. Clamping
 * never makes more of it. As reals, for an output may have far smaller steps than what it is computed from. */
#ifndef DELEGAUGE_BENCH_CHAIN_STEPS_H
#define DELEGAUGE_BENCH_CHAIN_STEPS_H

#include "../lib/graph.h"

/* Stores in off[n_tensors], by index, how many steps each tensor may be off, where each computed value may be `own` steps off what
 * its operator makes of the same inputs. The graph is inferred, and its values that are not constant all have one scale and
 * zero point. ST_UNSUPPORTED: there is no rule for an operator; ST_NOMEM. */
enum status chain_steps(const struct graph *g, double own, double *off, struct err *err);

#endif
