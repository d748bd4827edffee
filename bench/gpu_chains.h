/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_chains.h - random networks (chain.h) on the GPU against the CPU's reference kernels. */
#ifndef DELEGAUGE_BENCH_GPU_CHAINS_H
#define DELEGAUGE_BENCH_GPU_CHAINS_H

#include "../lib/gl/gpu.h"

struct chains {
    uint64_t first, count; /* seeds */
    bool verbose;          /* print each */
    uint64_t made, nodes, dispatches,
        failed; /* out: networks that ran, their operators, what the GPU ran of them; and those that were off */
};

/* Runs each on the device and, every second, on one with no more than the least any has; prints the seeds of those whose outputs
 * are further from the CPU's than float32 explains. Fails where there is no device (ST_NO_GPU), and with ST_NOMEM. */
enum status chains_run(struct chains *c, struct err *err);

#endif
