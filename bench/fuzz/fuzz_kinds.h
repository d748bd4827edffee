/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_kinds.h - other runs of gpu_fuzz besides random models: pairs, scales, networks (chains), long axes (walk). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/opcheck/case_model.h"

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

/* ---- shared by these ---- */

/* Return all cases of operators that the GPU has, [*n], for free(); NULL: out of memory. */
struct case_ref *fuzz_cases(const struct fuzz_flags *f, size_t *n);

/* Print the error, or that there is no device, for which `skipped` tests are skipped. Return the exit status. */
int fuzz_stopped(enum status st, const struct err *err, uint64_t skipped);

/* For printf's %llu. */
unsigned long long fuzz_number(uint64_t n);
