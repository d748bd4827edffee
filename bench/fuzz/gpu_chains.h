/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_chains.h - random networks (random_graph.h) on the GPU against the CPU's reference kernels, of floats and quantized. */
#ifndef DELEGAUGE_BENCH_GPU_CHAINS_H
#define DELEGAUGE_BENCH_GPU_CHAINS_H

#include "bench/opcheck/gpus.h"

/* GPU_DEFAULT to GPU_COPIED. */
#define CHAINS_MODES (GPU_COPIED + 1)

struct chains {
    uint64_t first, count;                    /* seeds */
    unsigned share, shares;                   /* every `shares`th of them, from number `share` (1 to shares) on; shares 0: all */
    bool verbose;                             /* print each */
    uint64_t made, nodes, on_cpu, dispatches; /* out: networks that ran, their operators, operators that the GPU did not take, and
                                                 dispatches for the others */
    uint64_t failed;                          /* out: networks that were off */
};

/* Make of each seed a network of floats and a quantized one of INT8, UINT8 or INT16, which is simulated and computed exactly. Runs
 * them in one of the modes of gpus.h, each of which is for every CHAINS_MODESth seed, in float32; prints the seeds of networks
 * whose outputs are further from the CPU's than float32 explains, or, quantized, are not the CPU's. Says on stderr after every
 * hundredth seed how far it is. Fails if there is no device (ST_NO_GPU), and with ST_NOMEM. */
enum status chains_run(struct chains *c, struct err *err);

#endif
