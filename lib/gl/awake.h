/* SPDX-License-Identifier: Apache-2.0 */
/* awake.h - keeps the processors from sleeping while a driver computes on them.
 *
 * The threads of such a driver sleep between dispatches, and where their processor sleeps, too, to wake it takes longer than many a
 * dispatch. Spinning threads of the idle class (SCHED_IDLE) leave no processor idle, and give way at once to whoever else in
 * their group of the scheduler wants it. */
#ifndef DELEGAUGE_GL_AWAKE_H
#define DELEGAUGE_GL_AWAKE_H

#include <stdint.h>

struct gl_awake;

/* A thread for each processor that the caller may run on, 16 at most, all asleep. NULL where that is a single one, and where memory
 * is short: all else accepts that, and does nothing. */
struct gl_awake *gl_awake_new(void);

/* Joins the threads. */
void gl_awake_free(struct gl_awake *a);

/* Between these two they spin. Neither waits for them. */
void gl_awake_begin(struct gl_awake *a);
void gl_awake_end(struct gl_awake *a);

/* How many do so now, and how often they were told to. */
uint32_t gl_awake_spinning(const struct gl_awake *a);
uint32_t gl_awake_begun(const struct gl_awake *a);

#endif
