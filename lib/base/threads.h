/* SPDX-License-Identifier: Apache-2.0 */
/* threads.h - a pool of worker threads for the heavy kernels.
 *
 * Work is an index range cut into fixed pieces, so results never depend on which thread took which piece. If there is a processor
 * for each, idle workers stay awake for a millisecond after a job. */
#ifndef DELEGAUGE_THREADS_H
#define DELEGAUGE_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

struct threads;

/* Return the number of processors that the calling thread may run on: taskset, or a container's cpuset, allows fewer than there
 * are. At least 1. A container's share of time (cpu.max) is not looked at. */
int threads_processors(void);

/* True if the process's memory is bounded (ulimit -v). A thread's heap reserves some 100 MB of it. */
bool threads_have_bounded_memory(void);

/* threads_leave detaches a thread whose call may never return; threads_left counts such threads. A process that has any must end by
 * _exit, because exit() would tear down memory that they still use. */
void threads_leave(pthread_t thread);
unsigned threads_left(void);

/* Make a pool of n threads in all, the caller's included; n < 1 means 1. */
enum status threads_new(int n, struct threads **out, struct err *err);

/* Join the workers and free the pool; accepts NULL. */
void threads_free(struct threads *t);

/* Call fn(arg, begin, end) on pieces of at most `grain` (>= 1) that cover [0, n) once each, on all threads, and return when all are
 * done. Not to be called from within fn. */
void threads_for(struct threads *t, size_t n, size_t grain, void (*fn)(void *arg, size_t begin, size_t end), void *arg);

#endif
