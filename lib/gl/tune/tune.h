/* SPDX-License-Identifier: Apache-2.0 */
/* tune.h - how the nodes of a partition are computed fastest on this device, found by trying.
 *
 * What can be picked of a node (pick.h) is tried one after the other: variants, bilinear resizes by themselves or by who reads
 * them, an operation's own choice where rules have it share a program, workgroups, numbers in the text or in a buffer, through what
 * buffers are read, constants by themselves, and values in textures or in buffers. For each number of each the partition is
 * compiled and its dispatches are timed in batches; a unit takes the number whose dispatches took least, if that saves a few
 * percent, and goes on from there. A unit is a node, or nodes that some trial computes in one dispatch, or of equal work. Of
 * textures all is one, what moves inputs and outputs counted in, but as nothing where the CPU does that (policy.host_layout), and
 * not where another partition takes them over: all has them, or none, or, if some units gain and some lose, those that do not lose
 * (where rules have textures: that do not gain by buffers). What takes the time that the device needs at least is left alone. At
 * last all dispatches run one after the other, as picked and as they were: where that is not less, nothing is picked. The times are
 * of the device with nothing else to do: what is gained is told by a benchmark.
 *
 * FAST is for as long as 50 inferences would take, beyond what a start takes untuned, compiling included. So a trial is of one
 * unit, those that take most come first, and none begins that would end too late, by what compiling a program has taken so far;
 * what is picked is judged within that time, too. It is exceeded by as much as the last trial takes longer than was foretold: the
 * programs of one variant, most often a single one, that no cache has. What it leaves untried the next start tries, where starts
 * are stored, and so it does where tuning was stopped (delegate.stopped), which is asked for before each trial.
 */
#ifndef DELEGAUGE_GL_TUNE_H
#define DELEGAUGE_GL_TUNE_H

#include "lib/gl/cache/tuning.h"
#include "lib/gl/plan/compiled.h"

/* What came of it. The programs stay built until gl_tuned_free, so that compiling what was chosen compiles none. */
struct gl_tuned {
    struct gl_pick *picks;           /* malloc, [graph nodes] gl_settings.picks */
    uint32_t nodes;                  /* of the partition that are not computed as they would be untuned */
    struct gl_tuning *tuning;        /* malloc; to be stored */
    uint32_t trials;                 /* builds that were timed, but for the untuned one */
    uint32_t compiled;               /* programs that were built from source */
    uint64_t ns, beyond_ns;          /* that it took; beyond what a start takes untuned */
    uint64_t bound_ns;               /* FAST: what that should not exceed; 0: there is no bound */
    uint64_t trial_ns, program_ns;   /* FAST: what a trial would have taken for which there was no time; of that, compiling */
    struct gl_program_set *programs; /* malloc, [n_programs] */
    uint32_t n_programs;
};

/* Tunes the partition for `set`, whose `picks` are not looked at, as set->tuning says: FAST, or EXHAUSTIVE: every node, more
 * batches, and delegate_tell says how long it may take. Goes on from what is stored. The context is current. What the driver
 * refuses, or takes only as other operations than those untuned, is no pick, nor what the device has no room for. ST_NOMEM;
 * ST_FAILED where the device fails or does not answer in time. *out is to be freed in any case. */
enum status gl_tune(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_tuned *out,
                    struct err *err);

/* gl_compile of what gl_tune picked. */
enum status gl_compile_tuned(const struct gl_settings *set, const struct graph *g, const struct partition *p,
                             struct reason *refused, struct gl_compiled **out, struct err *err);

/* Notes in k what it took, and gives it what is to be stored. */
void gl_tuned_tell(struct gl_tuned *t, struct gl_compiled *k);

/* The context is current. Accepts one that is zeroed. */
void gl_tuned_free(struct gl_context *c, struct gl_tuned *t);

#endif
