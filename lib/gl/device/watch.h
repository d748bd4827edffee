/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - a watchdog: a thread runs jobs that may never end, and is abandoned when a job makes no progress.
 *
 * A driver's compiler cannot be interrupted. An abandoned thread goes on, is never joined, and keeps its memory and its context.
 * The process must then end by _exit (threads_left), because exit() would tear down memory that the thread still uses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A thread that waits for jobs. */
struct gl_watch;

/* A job: run(arg, w) does it. If the caller has given up waiting, the thread calls drop(arg) after run returns. */
struct gl_job {
    void (*run)(void *arg, struct gl_watch *w);
    void (*drop)(void *arg);
    void *arg;
};

/* Starts the thread. Returns NULL if no thread can be started, and if ulimit bounds the memory of the process: a thread's heap
 * reserves some 100 MB. */
struct gl_watch *gl_watch_new(void);

/* Runs the job on the thread and waits for it. Returns false if the job neither ended nor called gl_watch_tick for timeout_ms,
 * which is above 0: then the thread is abandoned and owns `w` and `arg`. */
bool gl_watch_run(struct gl_watch *w, struct gl_job job, uint32_t timeout_ms);

/* Call from a job that has made progress: its time starts anew. Accepts NULL. */
void gl_watch_tick(struct gl_watch *w);

/* Call from a job: true if it was abandoned and should return. False for NULL. */
bool gl_watch_is_left(struct gl_watch *w);

/* Ends the thread, which has no job. Accepts NULL. */
void gl_watch_free(struct gl_watch *w);
