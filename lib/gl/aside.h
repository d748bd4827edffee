/* SPDX-License-Identifier: Apache-2.0 */
/* aside.h - a context that a watched thread has for a while (watch.h), and another in its place where that hangs. */
#ifndef DELEGAUGE_GL_ASIDE_H
#define DELEGAUGE_GL_ASIDE_H

#include "context.h"
#include "watch.h"

/* Runs a job that compiles on a thread of its own, which has the context current meanwhile, and waits for its end. *left: it has
 * made no headway for compile_timeout_ms and was left behind (gl_watch_run); another context, which shares the objects, has taken
 * the context's place. Without such a limit, and of an adopted context, which is not ours to lose, the calling thread runs the job.
 * ST_FAILED: the driver makes no other context, or EGL refuses; nothing more is done with this one. */
enum status gl_aside(struct gl_context *c, struct gl_job job, bool *left, struct err *err);

#endif
