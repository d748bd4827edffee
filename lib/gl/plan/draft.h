/* SPDX-License-Identifier: Apache-2.0 */
/* draft.h - a partition while it is compiled: its dispatches, then their places in memory, from which the plan (plan.h) is made.
 *
 * gl_generate fills a draft; the functions below, in this order, give its dispatches all that a plan needs. It lives no longer. */
#pragma once

#include "lib/gl/codegen/shader.h"
#include "lib/gl/device/program.h"
#include "lib/gl/plan/plan.h"

struct gl_tuning;

/* A range of a buffer, bound to one binding point. offset + bytes is within the buffer, offset a multiple of the alignment that the
 * device asks of that kind of binding. */
struct gl_range {
    enum gl_store store;
    uint64_t offset, bytes;
    uint64_t skip, tail; /* of these, bytes at the beginning and end that are not touched: a view binds all of its root */
    bool write;
};

struct gl_dispatch {
    struct gl_shader shader;
    const char *kind, *label;                /* "CONV_2D", "conv 4x1 +RELU6"; for profiles and messages */
    const char *why_copy;                    /* gl_why_copy; "" for a transfer */
    const struct tensor *border;             /* see delegate_timing */
    struct gl_range ranges[GL_MAX_BINDINGS]; /* [shader.n_bind] */
    uint64_t numbers;                        /* offset of shader.numbers in their buffer */
    uint32_t program;                        /* index in gl_draft.programs, set by gl_build */
    bool barrier; /* the dispatch is the first, or reads or overwrites data written since the last barrier */
};

/* The place of a tensor's bytes in the staging buffer, or of a variable that stays in the state buffer, at an offset in bytes; the
 * tensor is the graph's. */
struct gl_transfer {
    struct tensor *tensor;
    uint64_t offset;
    bool stays;
};

/* Zeroed to begin with. It stays where it is: the ir in its arena points to that. One that gl_generate alone filled is freed with
 * arena_free(&draft.arena); gl_compile makes others, see there. */
struct gl_draft {
    /* Set by gl_generate. */
    struct arena arena; /* holds all of it, and the ir that the shaders point into */
    const struct graph *graph;
    const struct partition *part;
    struct gl_dispatch *dispatches; /* uploads, then operations, then downloads */
    uint32_t n_dispatches, n_uploads, n_downloads;
    struct gl_transfer *uploads, *downloads; /* of the partition's inputs and outputs; an input that nothing reads has none */
    uint32_t n_values;                       /* number of values of the ir */
    uint32_t variants;                       /* the largest choice of variants that an operation had */

    /* Set by gl_build. */
    struct gl_program_set programs;
    uint32_t apart; /* nodes that were not merged with others, since no program could compute both */

    /* Set by gl_keep_on_gpu and gl_place. */
    uint32_t *memory_of; /* [n_values] memory that holds the value; counted over all partitions of the graph */
    uint64_t bytes[GL_STORES];
    struct gl_plan_texture *textures; /* [n_textures] textures of all partitions of the graph */
    uint32_t n_textures;
    uint64_t texture_bytes;
    uint64_t staging_read;          /* staging holds uploads below this offset, downloads from it on */
    uint64_t weights[GL_STORED];    /* as in gl_plan, with the bounds */
    uint64_t lower_bound, unshared; /* of the memory of all partitions: in the first of them; else 0 */

    /* To be stored (cache_entries.h). */
    struct gl_tuning *tuning; /* malloc: how the partition was tuned; NULL: it was not */
    bool keeps_packed;        /* gl_load_plans leaves a copy of the constants, */
    char *packed;             /* malloc; NULL: there was no memory for that */
};

/* Give each value of the partitions of a graph a memory, the same one if a tensor goes from one partition to another and nobody
 * else reads it; its transfers are dropped. Variables that one partition alone reads and updates stay, too: their transfers are
 * then between its values and a buffer of their own. */
enum status gl_keep_on_gpu(struct gl_draft *const *drafts, uint32_t n, struct err *err);

/* Give every binding of the dispatches its range, the values of all partitions of a graph together: drafts[n] in the order in which
 * they run; `repeated`: the dispatches of a run come several times. Needs memory_of, and the value of every binding placed once,
 * whatever reads it. From then on each partition is good only beside the others: they count on the data that one leaves for the
 * next. */
enum status gl_place(struct gl_draft *const *drafts, uint32_t n, const struct gl_limits *lim, bool repeated, struct err *err);

/* Give the numbers of every dispatch their offset, a multiple of `align`; equal ones share it. Fails only with ST_NOMEM. */
enum status gl_place_uniforms(struct gl_draft *draft, uint32_t align, struct err *err);

/* Set `barrier` of each dispatch that needs one, and of no other. The first dispatch needs one: nobody waits between two runs. */
void gl_plan_barriers(struct gl_dispatch *d, uint32_t n);

/* Store the bindings, counted over all dispatches, that bind the value of dispatch `dispatch`, an upload or download that has its
 * ranges, to compute with it, so that a buffer of the caller's could be bound there instead. Return their number; 0: it could not.
 * bindings[] has room for all there are. *dense: the value lies as the tensor does in host memory. */
uint32_t gl_direct_bindings(const struct gl_draft *draft, uint32_t dispatch, uint32_t *bindings, bool *dense);

/* Make the plan of dispatches that have their place and their barriers; *out is malloc. Fails with ST_NOMEM, and if gl_plan_check
 * fails. */
enum status gl_plan_make(struct gl_draft *draft, struct gl_plan **out, struct err *err);

/* Write the constants to `to`, their buffer's mapped memory, on all processors. Fails only with ST_NOMEM. */
enum status gl_pack_constants(const struct gl_draft *draft, char *to, struct err *err);
