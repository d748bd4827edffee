/* SPDX-License-Identifier: Apache-2.0 */
/* wait.h - the CPU waits for the GPU, asleep or polling, not for ever. */
#pragma once

#include "lib/gl/device/context.h"

struct gl_waiting {
    bool active;         /* the CPU polls, which keeps it awake and so answers sooner; else it sleeps */
    uint32_t timeout_ms; /* longest time to wait; 0: as long as it takes */
};

/* Returns when all that the current context, c, was given so far is done. ST_FAILED where the driver does not wait, where it fails,
 * and where timeout_ms have passed: then the GPU may work on or hang, so c counts as stuck (gl_context_enter).
 *
 * Where the policy asks for glFinish, nobody can bound the time. Drivers that compute within glDispatchCompute (llvmpipe) have
 * done all the work before anybody waits. */
enum status gl_wait(struct gl_context *c, const struct gl_waiting *how, struct err *err);

/* The same for what it was given before `fence`, which stays the caller's; with a fence whatever the policy asks for. */
enum status gl_wait_fence(struct gl_context *c, GLsync fence, const struct gl_waiting *how, struct err *err);

/* A fence behind all that the current context was given, which the caller deletes. ST_FAILED where the driver makes none. */
enum status gl_fence(GLsync *fence, struct err *err);
