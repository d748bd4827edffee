/* SPDX-License-Identifier: Apache-2.0 */
/* loop_condition.h - the condition of a loop, found by the CPU ahead of what the device does.
 *
 * Most conditions count: they read a few integers and truths, and the body makes each of these of such (counters). The CPU kernels
 * compute them a second time, beside the body, so that no round waits for the device: its results are the same bits.
 *
 * The condition's graph itself does not run then, so nothing may be in it but what its answer is computed from. */
#ifndef DELEGAUGE_LOOP_CONDITION_H
#define DELEGAUGE_LOOP_CONDITION_H

#include "lib/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct loop_condition;
struct session;

/* Of the prepared sessions of a condition and of a body. *out is NULL where the condition needs something else than counters or
 * does something else (assigns a variable, calls), where its parts cannot be made, or where no delegate computes it. Belongs to
 * `body`, as long as that is prepared so; asked again for the same condition it is the same. ST_NOMEM. */
enum status loop_condition_find(const struct session *cond, struct session *body, struct loop_condition **out, struct err *err);

/* Whether loop value i is a counter; before the first round each of these gets its content, in host memory. */
bool loop_condition_needs(const struct loop_condition *a, uint32_t i);
void loop_condition_set(struct loop_condition *a, uint32_t i, const void *data);

/* The counter as it is: until the next step what the body has as its input i. A loop within the body may count from it, so that
 * this does not wait either. */
const void *loop_condition_value(const struct loop_condition *a, uint32_t i);

/* What the condition says of the counters as they are. ST_BAD_MODEL where it is no truth. */
enum status loop_condition_ask(struct loop_condition *a, bool *more, struct err *err);

/* The counters after one more round. */
enum status loop_condition_step(struct loop_condition *a, struct err *err);

/* Accepts NULL. */
void loop_condition_free(struct loop_condition *a);

#endif
