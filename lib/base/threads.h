/* SPDX-License-Identifier: Apache-2.0 */
/* threads.h - a pool of worker threads for CPU kernels.
 *
 * Work is an index range cut into fixed pieces, so results do not depend on the assignment of pieces to threads. If there is a
 * processor for each thread, idle workers poll for a millisecond after a job before they sleep. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

struct threads;

/* Return the number of processors on which the calling thread may run, at least 1. Respects taskset and a container's cpuset, but
 * not a container's time share (cpu.max). */
int threads_processors(void);

/* Return true if the process's address space is limited (ulimit -v), of which a thread's heap reserves some 100 MB. */
bool threads_have_bounded_memory(void);

/* threads_leave: detach a thread whose call may never return. threads_left: return the number of such threads; a process that has
 * any must end by _exit, because exit() would destroy memory that they still use. */
void threads_leave(pthread_t thread);
unsigned threads_left(void);

/* Make a pool of n threads, the caller's included; n < 1 means 1. */
enum status threads_new(int n, struct threads **out, struct err *err);

/* Join the workers and free the pool; accepts NULL. */
void threads_free(struct threads *t);

/* Call fn(arg, begin, end) on all threads, for disjoint pieces of at most `grain` (>= 1) indices that cover [0, n); return when all
 * are done. Must not be called from fn. */
void threads_for(struct threads *t, size_t n, size_t grain, void (*fn)(void *arg, size_t begin, size_t end), void *arg);
