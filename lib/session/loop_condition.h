/* SPDX-License-Identifier: Apache-2.0 */
/* loop_condition.h - the condition of a WHILE, computed by the CPU ahead of the device.
 *
 * Most conditions depend on counters alone: loop values, integer or BOOL, that the body computes from counters alone. CPU kernels
 * compute the counters a second time beside the body, with the same bits, so that no round waits for the device. The condition's
 * graph does not run then, so it must compute nothing but the condition. */
#pragma once

#include "lib/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct loop_condition;
struct session;

/* Make *out for the prepared sessions of a condition and a body, or find the one made before for this pair. *out is NULL if the
 * condition depends on more than counters or does more (assigns a variable, calls), if a session of its parts cannot be made, or if
 * no delegate computes the condition. *out belongs to `body` until that is prepared again. Fails only with ST_NOMEM. */
enum status loop_condition_find(const struct session *cond, struct session *body, struct loop_condition **out, struct err *err);

/* loop_condition_needs: return true if loop value i is a counter. loop_condition_set: copy the counter's content, from host memory,
 * before the first round. */
bool loop_condition_needs(const struct loop_condition *a, uint32_t i);
void loop_condition_set(struct loop_condition *a, uint32_t i, const void *data);

/* Return the content of counter i: until the next step, that of the body's input i. An inner loop may start its counters from it,
 * so that it does not wait for the device either. */
const void *loop_condition_value(const struct loop_condition *a, uint32_t i);

/* Compute the condition from the current counters into *more. Fails with ST_BAD_MODEL if its result is not one BOOL. */
enum status loop_condition_ask(struct loop_condition *a, bool *more, struct err *err);

/* Advance the counters by one round. */
enum status loop_condition_step(struct loop_condition *a, struct err *err);

/* Free it; accepts NULL. */
void loop_condition_free(struct loop_condition *a);
