/* SPDX-License-Identifier: Apache-2.0 */
/* tune.h - how the nodes of a partition are computed fastest on this device, found by trying.
 *
 * What can be picked of a node (pick.h) is tried one after the other: variants, values in textures or in buffers, workgroups,
 * numbers in the text or in a buffer, through what buffers are read, and constants by themselves. For each number of each the
 * partition is compiled and its dispatches are timed, each by itself in batches; a node takes the number whose dispatches took
 * least, if that saves a few percent, and goes on from there. Nodes that some trial computes in one dispatch take numbers together;
 * of textures all do, what moves inputs and outputs counted in, but as nothing where the CPU does that (policy.host_layout), and
 * not where another partition takes them over. At last all dispatches run one after the other, as picked and as they were: where
 * that is not less, nothing is picked. The times are of the device with nothing else to do: what is gained is told by a benchmark.
 */
#ifndef DELEGAUGE_GL_TUNE_H
#define DELEGAUGE_GL_TUNE_H

#include "compiled.h"

/* What came of it. The programs stay built until gl_tuned_free, so that compiling what was chosen compiles none. */
struct gl_tuned {
    struct gl_pick *picks;           /* malloc, [graph nodes] gl_settings.picks; NULL: nothing was tried */
    uint32_t nodes;                  /* of the partition that are not computed as they would be untuned */
    uint32_t trials;                 /* numbers that were tried, 0 included */
    uint32_t compiled;               /* programs that those which were timed built from source */
    uint64_t ns;                     /* that it took */
    struct gl_program_set *programs; /* malloc, [n_programs] */
    uint32_t n_programs;
};

/* Tunes the partition for `set`, whose `picks` are not looked at, as set->tuning says. FAST: nodes that take a part of the time
 * worth the trouble, for as long as 50 inferences would take, compiling included; what is begun then is finished, and what is
 * picked is judged. EXHAUSTIVE: every node, more batches. The context is current. What the driver refuses, or takes only as other
 * operations than those untuned, is no pick, nor what the device has no room for. ST_NOMEM; ST_FAILED where the device fails or
 * does not answer in time. *out is to be freed in any case. */
enum status gl_tune(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_tuned *out,
                    struct err *err);

/* gl_compile of what gl_tune picked. */
enum status gl_compile_tuned(const struct gl_settings *set, const struct graph *g, const struct partition *p,
                             struct reason *refused, struct gl_compiled **out, struct err *err);

/* Notes in *m what it took. */
void gl_tuned_tell(const struct gl_tuned *t, struct delegate_memory *m);

/* The context is current. Accepts one that is zeroed. */
void gl_tuned_free(struct gl_context *c, struct gl_tuned *t);

#endif
