/* SPDX-License-Identifier: Apache-2.0 */
/* compiled.h - a partition on its way to a plan (plan.h) and GL objects, and then ready to run.
 *
 * gl_compile makes dispatches of the partition's nodes, gl_prepare gives these their place, makes the plan of them, fills buffers,
 * and then forgets all but the plan and the objects. */
#ifndef DELEGAUGE_GL_COMPILED_H
#define DELEGAUGE_GL_COMPILED_H

#include "lib/delegate/delegate.h"
#include "lib/gl/cache/serialization_cache.h"
#include "lib/gl/compile/generate.h"
#include "lib/gl/device/context.h"
#include "lib/gl/device/wait.h"
#include "lib/gl/passes/precision.h"
#include "lib/gl/plan/draft.h"
#include "lib/gl/run/shared.h"

struct gl_settings {
    struct gl_context *context;
    struct gl_shared *shared; /* buffers that the delegate's partitions share */
    struct gl_precision precision;
    struct gl_waiting wait;
    bool ahead;                       /* runs are handed over while others are pending: staging has two sets */
    uint32_t loops;                   /* number of times that gl_submit dispatches all; 0: once */
    struct delegate_traffic *traffic; /* delegate.traffic */
    uint64_t *submission_ns;          /* delegate.submission.ns, if that is counted; else NULL */
    enum gpu_quant quant;             /* see gl_recipe */
    enum gpu_tuning tuning;
    bool is_trial;       /* a trial of gl_tune: variants that a node cannot use are no news to a user */
    bool any_reads;      /* tuning may try gl_pick.reads and .constants, */
    bool any_objects;    /* and .objects */
    struct gl_pick pick; /* see gl_choice */
    const struct gl_pick *picks;
    double (*trial_ns)(const char *label); /* see gpu_options */
    const struct device_peak *trial_peak;  /* likewise */
    struct gl_forced *forced;              /* likewise; the delegate's */
    bool *met;                             /* likewise */
    const char *dump_dir;                  /* folder to which shaders are written, or NULL */
    const char *dump_ir;                   /* folder to which the operations are written after each pass, or NULL */
    struct gl_cache *stored;
};

/* A buffer of the caller's in the place of an input or output. */
struct gl_external_buffer {
    struct delegate_buffer is; /* id 0: none, the tensor goes through host memory */
    bool direct;    /* the buffer is bound in place of the value, and the transfer's dispatch left out; else that dispatch reads
                       or writes the buffer */
    uint64_t bytes; /* number of its bytes that are bound */
    GLuint image;   /* view of these bytes, if dispatches read the buffer through one; else 0 */
};

/* The recipe for gl_generate that these settings describe. */
static inline struct gl_recipe gl_recipe_of(const struct gl_settings *set)
{
    return (struct gl_recipe){.limits = &set->context->limits,
                              .precision = set->precision,
                              .pick = set->pick,
                              .picks = set->picks,
                              .forced = set->forced,
                              .met = set->met,
                              .dump_ir = set->dump_ir,
                              .quant = set->quant};
}

struct gl_compiled {
    struct delegate_kernel head;
    struct gl_settings set;
    const struct graph *graph;
    const struct partition *part;

    /* Valid until gl_prepare is through. */
    struct store_entry entry; /* if restored: the entry that the plan and the programs are from, and that has the constants; else
                                 zeroed */
    struct gl_tuning *tuning; /* malloc, to be stored: how the partition was tuned; NULL: it was not */
    char *packed;             /* malloc, to be stored: a copy of the constants; else NULL */

    struct gl_draft draft; /* valid until gl_prepare has made the plan */

    /* Valid afterwards. */
    struct arena arena;             /* of timings */
    struct gl_plan *plan;           /* malloc */
    struct gl_program_set programs; /* as in the plan */
    GLuint buffers[GL_STORES];      /* values and staging are the buffers of set.shared, as of `made`; of two sets of staging
                                       that of its last run */
    GLuint earlier;                 /* staging of the run before */
    uint32_t made;
    uint32_t compiled_ahead; /* 1 + gl_helpers.dismissals when gl_compile_ahead was done; 0: never */
    bool fetches;            /* dispatches read through texture units */
    bool joined;             /* the partition is a user of set.shared */
    bool begun;              /* the state is as a run left it; else the next run begins with the content of its tensors */
    GLuint *images;          /* malloc, [views of the plan] textures; 0: not yet made */
    GLuint *arrays;          /* malloc, [textures of the plan] textures of set.shared */

    struct gl_external_buffer *users; /* malloc, [uploads and then downloads of the plan]; NULL: no buffer was ever given */
    uint32_t *user_of; /* malloc, [bindings of the plan] 1 + the index in users of the buffer that is bound instead; 0: none */
    bool owes_barrier; /* a dispatch that was left out would have waited for writes */

    uint32_t pending;         /* number of times that its dispatches were handed over since gl_finish */
    uint32_t variants, apart; /* of the draft */
    char tuning_entry[128];   /* if restored, and tuned then: the name of the file */
    struct delegate_memory memory;
    struct delegate_timing *timings; /* [dispatches of the plan], made by the first profile */
    struct delegate_timing *shown;   /* likewise, [n_shown] of them were dispatched in the last gl_run_timed */
    uint32_t n_shown;
    struct delegate_overhead overhead; /* of the last gl_run_timed */
    GLuint *queries;                   /* likewise; NULL if there are no timer queries */
    EGLContext queries_of;             /* the context that has the queries: they are not shared */
};

/* Lower, rewrite, generate, build programs: all steps that need no other partition. `refused` as in delegate_ops.init. *out is the
 * caller's to free, NULL after a failure. The context is current. ST_NOMEM; ST_FAILED if a driver takes nothing that there is to
 * try, or breaks GL's promises; ST_IO if dump_dir cannot be written. */
enum status gl_compile(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct reason *refused,
                       struct gl_compiled **out, struct err *err);

/* Place memory and upload constants, so that gl_run can follow, for all partitions that a graph has here, in the order in which
 * they run. Memory that they share counts in the first. The context is current. ST_NOMEM, of the GPU too; ST_FAILED if a driver
 * does not map or loses data that it was given. */
enum status gl_prepare(struct gl_compiled *const *ks, uint32_t n, struct err *err);

/* A callback that receives label and source of each shader, in order. */
struct gl_seeing {
    void (*shader)(void *arg, const char *label, const char *text);
    void *arg;
};

/* Do gl_compile and gl_prepare for the n partitions of a graph without a driver, for a device with limits `lim`, and drop the
 * result. Memory plans are made and checked against the limits. `see` may be NULL. Fails as gl_compile and gl_prepare do. */
enum status gl_compile_dry(const struct gl_settings *set, const struct gl_limits *lim, const struct graph *g,
                           const struct partition *parts, uint32_t n, const struct gl_seeing *see, struct err *err);

/* Return true if the plans of n compiled partitions, at least one, agree (gl_plans_agree). False, too, if memory runs out. */
bool gl_compiled_agree(struct gl_compiled *const *ks, uint32_t n);

/* Free a compiled partition; NULL and half-built ones are accepted. If the context is not current (on another thread), the GL
 * objects stay until the context is closed. */
void gl_compiled_free(struct gl_compiled *k);

/* Run one inference in three steps, of which the first may come several times before the others. gl_submit writes inputs to the
 * staging buffer and hands over all dispatches; gl_finish waits until the device is done or its deadline is over, which counts for
 * each inference that is pending; gl_read takes outputs, of the last of them, to their tensors. The tensors' data are the caller's;
 * the context is current. ST_FAILED: a GL error, a lost context or mapping, or the deadline (wait.h); outputs are then undefined.
 */
enum status gl_submit(struct gl_compiled *k, struct err *err);
enum status gl_finish(struct gl_compiled *k, struct err *err);
enum status gl_read(struct gl_compiled *k, struct err *err);

/* delegate_kernel_ops.ahead and fetch. gl_fetch waits for the first of two runs that are pending, for no longer than both may take,
 * and takes its outputs from its set of staging to their tensors; the other run stays pending. Fails as the three above. */
uint32_t gl_ahead(const struct gl_compiled *k);
enum status gl_fetch(struct gl_compiled *k, struct err *err);

/* gl_crosses: return true if any input or output in `store` goes through host memory and a dispatch; gl_uses_staging: if any in the
 * staging buffer does. The plan is made. */
bool gl_crosses(const struct gl_compiled *k, bool output, enum gl_store store);
bool gl_uses_staging(const struct gl_compiled *k);

/* gl_staging_other: return the bytes that k needs of the second set of staging; 0: nothing goes through there. gl_staging_count:
 * count gl_compiled.memory.staging of all partitions of a graph, whose plans are made. */
uint64_t gl_staging_other(const struct gl_compiled *k);
void gl_staging_count(struct gl_compiled *const *ks, uint32_t n);

/* Steps of gl_submit and gl_fetch if staging has two sets (gl_settings.ahead). gl_staging_take, before inputs are written: take the
 * set that the last run did not take, and wait until the run that had it is over, for as long as `how` says. gl_staging_mark,
 * behind the dispatches: see to it that the next run can wait so. gl_staging_wait, of gl_fetch: wait for the run before the last
 * one, if that is not over, of which gl_compiled.earlier then holds the outputs. */
enum status gl_staging_take(struct gl_compiled *k, const struct gl_waiting *how, struct err *err);
enum status gl_staging_mark(struct gl_compiled *k, struct err *err);
enum status gl_staging_wait(struct gl_compiled *k, const struct gl_waiting *how, struct err *err);

/* Call gl_submit, gl_finish and gl_read in a row. */
enum status gl_run(struct gl_compiled *k, struct err *err);

/* Compile the programs of k that nobody has dispatched yet, if programs are compiled when they are dispatched and helpers may share
 * that work. To be called before each run, after gl_follow_shared; the second time there is nothing to do, unless helpers were
 * dismissed meanwhile. The context is current. */
enum status gl_compile_ahead(struct gl_compiled *k, struct err *err);

/* Hand over dispatch i, which waits as the plan says; the context or one of its helpers is current, and afterwards as well.
 * gl_dispatch_turn makes the context current that gl_dispatch would, so that this takes no time of it. After the last one call
 * gl_dispatch_end: the context is current then, and its first texture unit active. */
void gl_dispatch_turn(struct gl_compiled *k, uint32_t i);
void gl_dispatch(struct gl_compiled *k, uint32_t i);
void gl_dispatch_end(struct gl_compiled *k);

/* delegate_kernel_ops.reset of a struct gl_compiled. Needs no context. */
void gl_begin_anew(struct delegate_kernel *k);

/* Run one inference with each dispatch timed on its own into k->timings, each waiting for the one before: slower as a whole. Fails
 * likewise. */
enum status gl_run_timed(struct gl_compiled *k, struct err *err);

/* Run dispatches which[n] of the plan, NULL for the first n, without the ones that the CPU replaces, in this order `times` times in
 * a row from an idle device to an idle device, with whatever their buffers hold, and store the time in *ns. The time is from a
 * timer query if these are trusted and the device says that it lost no time meanwhile; else from the clock. After gl_follow_shared.
 * Fails likewise. */
enum status gl_run_repeated(struct gl_compiled *k, const uint32_t *which, uint32_t n, uint32_t times, uint64_t *ns,
                            struct err *err);

/* The functions that a session calls: gl_compiled.head.ops. */
extern const struct delegate_kernel_ops gl_kernel_ops;

/* ---- buffers of the caller's ---- */

/* delegate_kernel_ops.bind and crossing; the context is current. */
enum status gl_use_buffer(struct gl_compiled *k, const struct tensor *t, bool output, const struct delegate_buffer *b,
                          struct err *err);
bool gl_crossing(const struct gl_compiled *k, uint32_t i, struct delegate_crossing *out);

/* gl_is_skipped: return true if a dispatch is left out, as its data are in place already. gl_assigns_there: if it assigns a
 * variable in a buffer of the caller's. gl_is_by_host: if upload or download i of the plan goes through host memory. */
bool gl_is_skipped(const struct gl_compiled *k, uint32_t dispatch);
bool gl_assigns_there(const struct gl_compiled *k, uint32_t dispatch);
bool gl_is_by_host(const struct gl_compiled *k, bool output, uint32_t i);

/* Return true if the CPU moves the value itself, from or to the device's layout, in place of a dispatch. gl_is_laid_out: for upload
 * or download i of the plan; gl_is_moved_by_cpu: for the transfer that dispatch `dispatch` would make. */
bool gl_is_laid_out(const struct gl_compiled *k, bool output, uint32_t i);
bool gl_is_moved_by_cpu(const struct gl_compiled *k, uint32_t dispatch);

/* Delete the GL objects of k->users; the context is current. */
void gl_drop_users(struct gl_compiled *k);

/* ---- steps of gl_prepare that stand on their own ---- */

/* Return the packed constants of a restored partition, bytes[GL_STORE_CONSTANTS] of them, within k->entry. */
const void *gl_restored_constants(const struct gl_compiled *k);

/* Take the partition's share of set.shared, make the other buffers of the plan and fill them. */
enum status gl_make_buffers(struct gl_compiled *k, struct err *err);

/* Make the image views of the plan; the buffers are there. */
enum status gl_make_images(struct gl_compiled *k, struct err *err);

/* Get the textures of the plan from set.shared, of which the partition is a user already. */
enum status gl_get_textures(struct gl_compiled *k, struct err *err);

/* Take note of shared buffers that were made anew, and let the views see them. To be called before each run; mostly there is
 * nothing to do. */
enum status gl_follow_shared(struct gl_compiled *k, struct err *err);

#endif
