/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_agree.h - a check that a session does, node by node, as op_coverage says of a graph.
 *
 * Both sides are asked for the same partitions. They differ if a node is covered by one alone, or by different partitions, or if
 * the reasons are not the same to the letter: ST_FAILED, with the first such node and both sides' words. */
#ifndef DELEGAUGE_BENCH_GPU_AGREE_H
#define DELEGAUGE_BENCH_GPU_AGREE_H

#include "lib/coverage/coverage.h"
#include "lib/session/session.h"

/* Compare op_coverage's answer for an inferred graph by `judge`, which may have no device, with the partitions that a session makes
 * of it for `d`; each must then generate, without a driver. */
enum status agree_on_graph(struct graph *g, struct delegate *judge, struct delegate *d, const struct partition_options *opt,
                           struct err *err);

/* The same against a session that has been prepared. */
enum status agree_with_session(const struct session *s, struct graph *g, struct delegate *judge,
                               const struct partition_options *opt, struct err *err);

/* Files: for each, op_coverage's answer by pairs[..][0] is held against sessions for pairs[..][1]. */
struct agree_files {
    struct delegate *pairs[3][2];
    bool verbose;                               /* print each */
    uint64_t models, sessions, invalid, failed; /* out: counts; sessions that were prepared; files that hold no model */
};

/* Print the differences for one file. */
void agree_on_file(struct agree_files *f, const char *path);

/* Of a whole model: op_coverage's answer, and a session that is prepared for `d`, its shaders compiled. If op_coverage says that it
 * cannot run, no session must be. If none can be for another reason, as that a node has no CPU kernel, `missing` has it, else "",
 * and the answer is held as agree_on_graph does. *nodes: number of covered nodes. */
enum status agree_on_model(const struct model *m, struct delegate *judge, struct delegate *d, uint32_t *nodes, struct err *missing,
                           struct err *err);

#endif
