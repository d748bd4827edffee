/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - a watchdog: jobs that may never end run on a thread of their own, which is left behind when one makes no headway.
 *
 * A driver's compiler cannot be interrupted. So the thread that runs it goes on, is never joined, and keeps what it works with; the
 * process ends by _exit then (threads_left), as what exit() tears down is still in use. */
#ifndef DELEGAUGE_GL_WATCH_H
#define DELEGAUGE_GL_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* A thread that waits for jobs. */
struct gl_watch;

/* What it does. Where nobody waits for it any more, drop(arg) comes after it. */
struct gl_job {
    void (*run)(void *arg, struct gl_watch *w);
    void (*drop)(void *arg);
    void *arg;
};

/* Starts the thread. NULL where there is none to be had, and where the memory of the process is bounded: a thread's heap reserves
 * some 100 MB of it. */
struct gl_watch *gl_watch_new(void);

/* Runs the job on the thread and waits for its end. False: for timeout_ms, above 0, it has neither ended nor called gl_watch_tick,
 * and is left behind: `w` and what `arg` leads to belong to the thread then. */
bool gl_watch_run(struct gl_watch *w, struct gl_job job, uint32_t timeout_ms);

/* For jobs: it makes headway. NULL: nobody watches. */
void gl_watch_tick(struct gl_watch *w);

/* For jobs: it was left behind, and is to return. NULL: it was not. */
bool gl_watch_is_left(struct gl_watch *w);

/* Ends the thread, which has no job. Accepts NULL. */
void gl_watch_free(struct gl_watch *w);

#endif
