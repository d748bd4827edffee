/* SPDX-License-Identifier: Apache-2.0 */
/* executable_impl.h - the steps of making an executable, and of its runs, that the files of this room share. */
#pragma once

#include "lib/gl/run/executable.h"

/* A buffer of the caller's in the place of an input or output. */
struct gl_external_buffer {
    struct delegate_buffer is; /* id 0: none, the tensor goes through host memory */
    bool direct;    /* the buffer is bound in place of the value, and the transfer's dispatch left out; else that dispatch reads
                       or writes the buffer */
    uint64_t bytes; /* number of its bytes that are bound */
    GLuint image;   /* view of these bytes, if dispatches read the buffer through one; else 0 */
};

/* ---- image.c ---- */

/* Make the image views of the plan; the buffers are there. */
enum status gl_make_images(struct gl_executable *x, struct err *err);

/* Get the textures of the plan from set.shared, of which the partition is a user already. */
enum status gl_get_textures(struct gl_executable *x, struct err *err);

/* ---- dispatch.c ---- */

/* Hand over dispatch i, which waits as the plan says; the context or one of its helpers is current, and afterwards as well.
 * gl_dispatch_turn makes the context current that gl_dispatch would, so that this takes no time of it. After the last one call
 * gl_dispatch_end: the context is current then, and its first texture unit active. */
void gl_dispatch_turn(struct gl_executable *x, uint32_t i);
void gl_dispatch(struct gl_executable *x, uint32_t i);
void gl_dispatch_end(struct gl_executable *x);

/* ---- staging.c ---- */

/* gl_crosses: return true if any input or output in `store` goes through host memory and a dispatch; gl_uses_staging: if any in the
 * staging buffer does. */
bool gl_crosses(const struct gl_executable *x, bool output, enum gl_store store);
bool gl_uses_staging(const struct gl_executable *x);

/* Return the bytes that x needs of the second set of staging; 0: nothing goes through there. */
uint64_t gl_staging_other(const struct gl_executable *x);

/* Steps of gl_submit and gl_fetch if staging has two sets (gl_run_settings.ahead). gl_staging_take, before inputs are written: take
 * the set that the last run did not take, and wait until the run that had it is over, for as long as `how` says. gl_staging_mark,
 * behind the dispatches: see to it that the next run can wait so. gl_staging_wait, of gl_fetch: wait for the run before the last
 * one, if that is not over, of which gl_executable.earlier then holds the outputs. */
enum status gl_staging_take(struct gl_executable *x, const struct gl_waiting *how, struct err *err);
enum status gl_staging_mark(struct gl_executable *x, struct err *err);
enum status gl_staging_wait(struct gl_executable *x, const struct gl_waiting *how, struct err *err);

/* ---- run.c ---- */

/* Return the number of x->queries: one of the elapsed time for each dispatch, then one of its begin, if the context has
 * timestamps. */
uint32_t gl_n_queries(const struct gl_executable *x);

/* ---- external_buffers.c ---- */

/* gl_is_skipped: return true if a dispatch is left out, as its data are in place already. gl_assigns_there: if it assigns a
 * variable in a buffer of the caller's. gl_is_by_host: if upload or download i of the plan goes through host memory. */
bool gl_is_skipped(const struct gl_executable *x, uint32_t dispatch);
bool gl_assigns_there(const struct gl_executable *x, uint32_t dispatch);
bool gl_is_by_host(const struct gl_executable *x, bool output, uint32_t i);

/* Return true if the CPU moves the value of upload or download i of the plan itself, from or to the device's layout. */
bool gl_is_laid_out(const struct gl_executable *x, bool output, uint32_t i);

/* Delete the GL objects of x->users; the context is current. */
void gl_drop_users(struct gl_executable *x);
