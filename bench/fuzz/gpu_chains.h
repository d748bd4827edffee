/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_chains.h - runs random networks (random_graph.h), float and quantized, on the GPU and compares them with the CPU's reference
 * kernels. */
#pragma once

#include "bench/opcheck/gpus.h"

/* Number of modes used: GPU_DEFAULT to GPU_COPIED. */
#define CHAINS_MODES (GPU_COPIED + 1)

struct chains {
    uint64_t first, count;  /* seeds */
    unsigned share, shares; /* only every `shares`th seed, from number `share` (1 to shares) on; shares 0: all */
    bool verbose;           /* print each network */
    /* Results: networks that ran, their nodes, nodes left to the CPU, dispatches for the other nodes. */
    uint64_t made, nodes, on_cpu, dispatches;
    uint64_t failed; /* result: networks that differ */
};

/* Build a float and a quantized network (INT8, UINT8 or INT16) from each seed; the quantized one runs simulated and exact. Each
 * runs in float32 in one of CHAINS_MODES modes (gpus.h), which take turns. Print seeds whose outputs differ from the CPU's by more
 * than float32 explains or, quantized, at all, and the progress on stderr after every hundredth seed. Fails with ST_NO_GPU or
 * ST_NOMEM. */
enum status chains_run(struct chains *c, struct err *err);
