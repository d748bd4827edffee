/* SPDX-License-Identifier: Apache-2.0 */
/* executable.h - a partition that is ready to run: its plan (plan.h), its programs, and the buffers and textures that these bind.
 *
 * All of it is made from the plan; how that came to be, here nobody knows. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/gl/device/context.h"
#include "lib/gl/device/wait.h"
#include "lib/gl/plan/plan.h"
#include "lib/gl/run/shared.h"

struct gl_external_buffer;

struct gl_run_settings {
    struct gl_context *context;
    struct gl_shared *shared; /* buffers that the delegate's partitions share */
    struct gl_waiting wait;
    bool ahead;                       /* runs are handed over while others are pending: staging has two sets */
    uint32_t loops;                   /* number of times that gl_submit dispatches all; 0: once */
    struct delegate_traffic *traffic; /* delegate.traffic */
    uint64_t *submission_ns;          /* delegate.submission.ns, if that is counted; else NULL */
};

struct gl_executable {
    struct gl_run_settings set;
    const struct graph *graph;
    const struct partition *part;
    const struct gl_plan *plan;     /* malloc */
    struct gl_program_set programs; /* as in the plan */
    GLuint buffers[GL_STORES];      /* values and staging are the buffers of set.shared, as of `made`; of two sets of staging
                                       that of its last run */
    GLuint earlier;                 /* staging of the run before */
    uint32_t made;
    uint32_t compiled_ahead; /* 1 + gl_helpers.dismissals when gl_compile_ahead was done; 0: never */
    uint64_t pack_ns;        /* time that filling the buffers took */
    bool fetches;            /* dispatches read through texture units */
    bool joined;             /* the partition is a user of set.shared */
    bool begun;              /* the state is as a run left it; else the next run begins with the content of its tensors */
    GLuint *images;          /* malloc, [views of the plan] textures; 0: not yet made */
    GLuint *arrays;          /* malloc, [textures of the plan] textures of set.shared */

    struct gl_external_buffer *users; /* malloc, [uploads and then downloads of the plan]; NULL: no buffer was ever given */
    uint32_t *user_of; /* malloc, [bindings of the plan] 1 + the index in users of the buffer that is bound instead; 0: none */
    bool owes_barrier; /* a dispatch that was left out would have waited for writes */

    uint32_t pending;                /* number of times that its dispatches were handed over since gl_finish */
    struct arena arena;              /* holds the data of profiles */
    struct delegate_timing *timings; /* [dispatches of the plan], made by the first profile */
    struct delegate_timing *shown;   /* likewise, [n_shown] of them were dispatched in the last gl_run_timed */
    uint32_t n_shown;
    struct delegate_overhead overhead; /* of the last gl_run_timed */
    GLuint *queries;                   /* likewise; NULL if there are no timer queries */
    EGLContext queries_of;             /* the context that has the queries: they are not shared */
};

/* All that an executable is made from. */
struct gl_loading {
    const struct graph *graph;
    const struct partition *part;
    struct gl_plan *plan;            /* malloc, of `part` */
    struct gl_program_set *programs; /* the plan's, built */

    /* Store the constants in mapped memory: plan->store_bytes[GL_STORE_CONSTANTS] bytes. */
    enum status (*write)(void *arg, char *to, struct err *err);
    void *arg;
};

/* Make the GL objects of a plan, and fill them. Takes the plan and the programs, after failures too. The context is current. *out
 * is NULL after a failure: ST_NOMEM, of the GPU too; ST_FAILED if a driver does not map or loses data that it was given. */
enum status gl_executable_new(const struct gl_run_settings *set, const struct gl_loading *from, struct gl_executable **out,
                              struct err *err);

/* Free an executable; NULL is accepted. If the context is not current (on another thread), the GL objects stay until the context is
 * closed. */
void gl_executable_free(struct gl_executable *x);

/* Run one inference in three steps, of which the first may come several times before the others. gl_submit writes inputs to the
 * staging buffer and hands over all dispatches; gl_finish waits until the device is done or its deadline is over, which counts for
 * each inference that is pending; gl_read takes outputs, of the last of them, to their tensors. The tensors' data are the caller's;
 * the context is current. ST_FAILED: a GL error, a lost context or mapping, or the deadline (wait.h); outputs are then undefined.
 */
enum status gl_submit(struct gl_executable *x, struct err *err);
enum status gl_finish(struct gl_executable *x, struct err *err);
enum status gl_read(struct gl_executable *x, struct err *err);

/* Call gl_submit, gl_finish and gl_read in a row. */
enum status gl_run(struct gl_executable *x, struct err *err);

/* delegate_kernel_ops.ahead and fetch. gl_fetch waits for the first of two runs that are pending, for no longer than both may take,
 * and takes its outputs from its set of staging to their tensors; the other run stays pending. Fails as the three above. */
uint32_t gl_ahead(const struct gl_executable *x);
enum status gl_fetch(struct gl_executable *x, struct err *err);

/* delegate_kernel_ops.reset. Needs no context. */
void gl_begin_anew(struct gl_executable *x);

/* Take note of shared buffers that were made anew, and let the views see them. To be called before each run; mostly there is
 * nothing to do. */
enum status gl_follow_shared(struct gl_executable *x, struct err *err);

/* Compile the programs of x that nobody has dispatched yet, if programs are compiled when they are dispatched and helpers may share
 * that work. To be called before each run, after gl_follow_shared; the second time there is nothing to do, unless helpers were
 * dismissed meanwhile. The context is current. */
enum status gl_compile_ahead(struct gl_executable *x, struct err *err);

/* Run one inference with each dispatch timed on its own into x->timings, each waiting for the one before: slower as a whole. Fails
 * likewise. */
enum status gl_run_timed(struct gl_executable *x, struct err *err);

/* Run dispatches which[n] of the plan, NULL for the first n, without the ones that the CPU replaces, in this order `times` times in
 * a row from an idle device to an idle device, with whatever their buffers hold, and store the time in *ns. The time is from a
 * timer query if these are trusted and the device says that it lost no time meanwhile; else from the clock. After gl_follow_shared.
 * Fails likewise. */
enum status gl_run_repeated(struct gl_executable *x, const uint32_t *which, uint32_t n, uint32_t times, uint64_t *ns,
                            struct err *err);

/* Return true if the CPU moves a value itself in place of the transfer that dispatch `dispatch` would make. */
bool gl_is_moved_by_cpu(const struct gl_executable *x, uint32_t dispatch);

/* delegate_kernel_ops.bind and crossing; the context is current. */
enum status gl_use_buffer(struct gl_executable *x, const struct tensor *t, bool output, const struct delegate_buffer *b,
                          struct err *err);
bool gl_crossing(const struct gl_executable *x, uint32_t i, struct delegate_crossing *out);

/* Return the bytes of staging that xs[n], all partitions of a graph, share. */
uint64_t gl_staging_bytes(struct gl_executable *const *xs, uint32_t n);
