/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_agree.h - checks that a session partitions a graph as op_coverage says, node by node.
 *
 * Fails with ST_FAILED at the first node that only one side covers, that is in different partitions, or whose reasons differ in any
 * letter; the message has both sides' words. */
#pragma once

#include "lib/coverage/coverage.h"
#include "lib/session/session.h"

/* Compare op_coverage's answer by `judge`, which needs no device, for an inferred graph with the partitions that a session makes
 * for `d`; each partition must then generate, without a driver. */
enum status agree_on_graph(struct graph *g, struct delegate *judge, struct delegate *d, const struct partition_options *opt,
                           struct err *err);

/* Compare op_coverage's answer with a prepared session. */
enum status agree_with_session(const struct session *s, struct graph *g, struct delegate *judge,
                               const struct partition_options *opt, struct err *err);

/* Settings and counts for files: op_coverage's answer by pairs[i][0] is compared with sessions on pairs[i][1]. */
struct agree_files {
    struct delegate *pairs[3][2];
    bool verbose;                               /* print each file */
    uint64_t models, sessions, invalid, failed; /* results: models; prepared sessions; files without a model; failures */
};

/* Check one file and print its differences. */
void agree_on_file(struct agree_files *f, const char *path);
