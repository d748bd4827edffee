/* SPDX-License-Identifier: Apache-2.0 */
/* tune.h - the fastest way to compute the nodes of a partition on this device, found by trying.
 *
 * The choices for a node (pick.h) are tried one after the other: variants, bilinear resizes by themselves or by their readers, an
 * operation's own choice if rules have it share a program, workgroups, numbers in the text or in a buffer, the objects through
 * which buffers are read, constants by themselves, and values in textures or in buffers. For each number of each the partition is
 * compiled and its dispatches are timed in batches; a unit takes the number whose dispatches took least, if that saves a few
 * percent, and goes on from there. A unit is a node, or nodes that some trial computes in one dispatch, or of equal work. For
 * textures the whole partition is one unit, dispatches that move inputs and outputs counted in, but as nothing if the CPU moves
 * them (policy.host_layout), and not if another partition takes them over: all units have textures, or none, or, if some gain and
 * some lose, the ones that do not lose (if rules have textures: that do not gain by buffers). A unit that takes only the time that
 * the device needs at least is left alone. At last all dispatches run one after the other, as picked and as they were: if that is
 * not less, nothing is picked. The times are of the device with nothing else to do: only a benchmark tells the gain.
 *
 * FAST is for as long as 50 inferences would take, beyond the time that a start takes untuned, compiling included. So a trial is of
 * one unit, units that take most come first, and none begins that would end too late, by the time that compiling a program has
 * taken so far; the picks are judged within that time, too. It is exceeded by as much as the last trial takes longer than was
 * foretold: the programs of one variant, most often a single one, that no cache has. The next start tries the choices left untried,
 * if starts are stored, and so it does if tuning was stopped (delegate.stopped), which is asked for before each trial. */
#pragma once

#include "lib/gl/cache/tuning.h"
#include "lib/gl/compile/compile.h"

/* The result of tuning. The programs stay built until gl_tuned_free, so that compiling the chosen picks compiles none. */
struct gl_tuned {
    struct gl_pick *picks;           /* malloc, [graph nodes] gl_settings.picks */
    uint32_t nodes;                  /* number of nodes of the partition that are not computed as they would be untuned */
    struct gl_tuning *tuning;        /* malloc; to be stored */
    uint32_t trials;                 /* builds that were timed, but for the untuned one */
    uint32_t compiled;               /* programs that were built from source */
    uint64_t ns, beyond_ns;          /* time that tuning took; time beyond a start untuned */
    uint64_t bound_ns;               /* FAST: bound that beyond_ns should not exceed; 0: there is no bound */
    uint64_t trial_ns, program_ns;   /* FAST: time of a trial for which there was no time; of that, compiling */
    struct gl_program_set *programs; /* malloc, [n_programs] */
    uint32_t n_programs;
};

/* Tune the partition for `set`, whose `picks` are not looked at, as set->tuning says: FAST, or EXHAUSTIVE: every node, more
 * batches, and delegate_tell says how long it may take. Goes on from the stored tuning. The context is current. A choice is no pick
 * if the driver refuses it, or takes it only as other operations than the untuned ones, or if the device has no room for it.
 * ST_NOMEM; ST_FAILED if the device fails or does not answer in time. *out is to be freed in any case. */
enum status gl_tune(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_tuned *out,
                    struct err *err);

/* Free the result of tuning; a zeroed one is accepted. The context is current. */
void gl_tuned_free(struct gl_context *c, struct gl_tuned *t);
