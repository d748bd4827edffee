/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_kinds.h - other runs of gpu_fuzz besides random models: pairs, scales, networks (chains), long axes (walk). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Flags of gpu_fuzz; --help explains them. */
struct fuzz_flags {
    uint64_t count, first, run, pairs, compile, chains, scales, walk;
    unsigned share, shares; /* run share number `share` (from 1) of `shares`; shares 0: all operators */
    const char *op;
    bool verbose, agree, ranks;
};

/* Do one kind of run, and print each difference and the totals. Return the exit status. */
int fuzz_pairs(const struct fuzz_flags *f);
int fuzz_scales(const struct fuzz_flags *f);
int fuzz_chains(const struct fuzz_flags *f);
int fuzz_walk(const struct fuzz_flags *f);
