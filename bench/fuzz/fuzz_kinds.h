/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_kinds.h - the runs that gpu_fuzz can make instead of random models: pairs, scales, networks, places. */
#ifndef DELEGAUGE_BENCH_FUZZ_KINDS_H
#define DELEGAUGE_BENCH_FUZZ_KINDS_H

#include <stdbool.h>
#include <stdint.h>

/* The flags of gpu_fuzz; its help explains them. */
struct fuzz_flags {
    uint64_t count, first, run, pairs, compile, chains, scales, walk;
    unsigned share, shares; /* 0: all operators */
    const char *op;
    bool verbose, agree, ranks;
};

/* Run one kind, print each difference and the sums, and return the exit status. */
int fuzz_pairs(const struct fuzz_flags *f);
int fuzz_scales(const struct fuzz_flags *f);
int fuzz_chains(const struct fuzz_flags *f);
int fuzz_walk(const struct fuzz_flags *f);

#endif
