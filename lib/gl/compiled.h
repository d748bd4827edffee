/* SPDX-License-Identifier: Apache-2.0 */
/* compiled.h - a partition made ready to run: a list of dispatches over buffers.
 *
 * values: everything that runs write, sharing memory; constants: weights, tables, constant operands; staging: inputs and outputs
 * of the partition in host order; numbers: what shaders know by name, a uniform block per dispatch. */
#ifndef DELEGAUGE_GL_COMPILED_H
#define DELEGAUGE_GL_COMPILED_H

#include "../delegate.h"
#include "context.h"
#include "shader.h"
#include "shared.h"
#include "wait.h"

enum gl_store { GL_STORE_VALUES, GL_STORE_CONSTANTS, GL_STORE_STAGING, GL_STORE_NUMBERS, GL_STORES };

/* A range of a buffer, bound to one binding point. */
struct gl_range {
    enum gl_store store;
    uint64_t offset, bytes;
    uint64_t skip, tail; /* of these, bytes at the beginning and end that are not touched: a view binds all of its root */
    bool write;
    GLuint image; /* the texture through which it is read, or 0; belongs to the gl_compiled */
};

struct gl_dispatch {
    struct gl_shader shader;
    const char *kind, *label;                /* for profiles */
    struct gl_range ranges[GL_MAX_BINDINGS]; /* [shader.n_bind] */
    uint64_t numbers;                        /* offset of shader.numbers in their buffer */
    uint32_t program;
    bool barrier; /* it is the first, or reads or overwrites what was written since the last barrier */
};

/* A tensor's bytes in the staging buffer. */
struct gl_transfer {
    struct tensor *tensor;
    uint64_t offset;
};

struct gl_settings {
    struct gl_context *context;
    struct gl_shared *shared; /* of the delegate */
    bool half;                /* store IR_FLOAT values and weights as 16-bit floats */
    struct gl_waiting wait;
    uint32_t variant;     /* see gpu_options */
    const char *dump_dir; /* where shaders are written, or NULL */
};

/* A range seen as an image buffer. */
struct gl_view {
    struct gl_range range; /* its `image` is this one */
    GLenum format;
};

struct gl_compiled {
    struct delegate_kernel head;
    struct gl_settings set;
    struct arena arena;
    struct gl_dispatch *dispatches;
    uint32_t n_dispatches, n_uploads, n_downloads;
    uint32_t n_values; /* of the ir */
    struct gl_transfer *uploads, *downloads;
    uint64_t bytes[GL_STORES];
    uint64_t staging_read; /* staging holds uploads below this offset, downloads from it on */
    struct gl_program_set programs;
    GLuint buffers[GL_STORES]; /* values and staging are those of set.shared, as of `made` */
    uint32_t made;
    bool joined;           /* it is a user of set.shared */
    struct gl_view *views; /* [n_views] of ranges of the buffers */
    uint32_t n_views;
    uint32_t variants; /* the largest choice of variants that an operation had */
    struct delegate_memory memory;
    struct delegate_timing *timings; /* [n_dispatches] */
    GLuint *queries;                 /* [n_dispatches], made by the first profile; NULL where there are no timer queries */
};

/* Lowers, rewrites, generates, builds programs: all that needs no other partition. `refused` as in delegate_ops.init. */
enum status gl_compile(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct reason *refused,
                       struct gl_compiled **out, struct err *err);

/* Places memory, uploads constants, so that gl_run can follow. The context is current. */
enum status gl_prepare(struct gl_compiled *k, struct err *err);

/* Accepts NULL and half-built ones. Where the context is not current (on another thread), what GL holds stays until the
 * context is closed. */
void gl_compiled_free(struct gl_compiled *k);

/* One inference. */
enum status gl_run(struct gl_compiled *k, struct err *err);

/* One inference with each dispatch timed on its own into k->timings. */
enum status gl_run_timed(struct gl_compiled *k, struct err *err);

/* ---- steps of gl_compile that stand on their own ---- */

/* Gives every binding of the dispatches its range. Needs the value of every binding placed once, whatever reads it. */
enum status gl_place(struct gl_compiled *k, uint32_t n_values, struct err *err);

/* Gives the numbers of every dispatch their offset; equal ones share it. */
void gl_place_numbers(struct gl_compiled *k);

/* Writes the constants to `to`, their buffer's mapped memory, on all processors. Fails only with ST_NOMEM. */
enum status gl_pack_constants(const struct gl_compiled *k, char *to, struct err *err);

/* Takes its share of set.shared, makes the other buffers and fills them. */
enum status gl_make_buffers(struct gl_compiled *k, struct err *err);

/* How an image unit sees a binding. */
GLenum gl_image_format(const struct gl_binding *b);

/* Makes the image views that dispatches read through; the buffers are there. */
enum status gl_make_images(struct gl_compiled *k, struct err *err);

/* Takes note of shared buffers that were made anew, and lets the views see them. To be called before each run; mostly there is
 * nothing to do. */
enum status gl_follow_shared(struct gl_compiled *k, struct err *err);

/* Sets `barrier` where one is needed, and no other. The first dispatch needs one: nobody waits between two runs. */
void gl_plan_barriers(struct gl_dispatch *d, uint32_t n, uint32_t *barriers);

#endif
