/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - runs one case every way it can be run and holds the results against each other. */
#ifndef DELEGAUGE_BENCH_CHECK_H
#define DELEGAUGE_BENCH_CHECK_H

#include "golden.h"

enum precision { PRECISION_FP32, PRECISION_FP16, PRECISION_COUNT };

struct check {
    uint64_t seed; /* 0: the inputs the golden files were made from */
    bool cpu, gpu; /* what to check */
    bool time, verbose;
    struct delegate *delegate[PRECISION_COUNT]; /* NULL: no GPU, for the reason in no_gpu */
    struct err no_gpu;
    uint32_t passed, failed, skipped;
};

/* Opens the delegate "gpu" once per precision, or notes in no_gpu why there is none. check_close frees them. */
void check_open_gpu(struct check *k);
void check_close(struct check *k);

/* Checks one case on the CPU (reference and fast, one thread and three) and, where the op has a GL kernel, on the GPU. Prints
 * what fails or is skipped, and counts. */
void check_case(struct check *k, const struct case_ref *ref, const struct golden *golden);

/* The same for a model that is there already: ref->c describes it (name, runs, in[]). */
void check_model(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct case_model *m);

/* Counts and prints a case that could not even be loaded. */
void check_failed(struct check *k, const struct case_ref *ref, const char *why);

#endif
