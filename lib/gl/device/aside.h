/* SPDX-License-Identifier: Apache-2.0 */
/* aside.h - lends a GL context to a watched thread (watch.h), and replaces the context if that thread hangs. */
#pragma once

#include "lib/gl/device/context.h"
#include "lib/gl/device/watch.h"

/* Runs a job that compiles on the watched thread, with the context current there, and waits for it. *left becomes true if the job
 * made no progress for compile_timeout_ms: the thread is left behind (gl_watch_run), and c has a new context that shares the
 * objects. The calling thread runs the job itself if c has no time limit, if no thread can be started, and if c was adopted from a
 * host. ST_FAILED: EGL refuses, or the driver makes no second context; c must not be used any more. */
enum status gl_aside(struct gl_context *c, struct gl_job job, bool *left, struct err *err);
