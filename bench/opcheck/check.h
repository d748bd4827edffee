/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - runs one case in every way and compares the results. */
#pragma once

#include "bench/opcheck/accuracy.h"
#include "bench/opcheck/golden.h"
#include "bench/opcheck/gpu_record.h"
#include "bench/opcheck/gpus.h"
#include "bench/opcheck/refusals.h"

/* Result of a check. */
enum check_result {
    CHECK_PASS,
    CHECK_FAIL,
    CHECK_SKIP,    /* not run: something is missing on this machine */
    CHECK_REFUSED, /* refused, or failed by the driver's fault, as recorded */
    CHECK_OPEN,    /* not run: the right result is not defined */
    CHECK_RESULTS
};

struct check {
    uint64_t seed; /* of the inputs; 0: those of the golden files */
    bool cpu, gpu; /* backends to check */
    bool time, verbose;
    bool compile_only;     /* on the GPU, compile each case and run none */
    bool recording;        /* do not check: record in `now` the cases that the GPU takes */
    bool recording_faults; /* record in `now` the cases that fail on this driver */
    struct gpus gpus;
    struct gpu_record record, faults, now; /* required entries; known faults of the driver; entries of this run */
    struct refusals *refusals;             /* do not check: count the GPU's refusals of cases; NULL: check */
    struct accuracy_met accuracy;
    char fault_way[256]; /* how the present case failed on the GPU */
    uint32_t count[CHECK_RESULTS], seeds_passed_over;
};

/* Close the GPU and free the records. */
void check_close(struct check *k);

/* Check a case on the CPU (reference and fast kernels, one thread and three) and, if the operator has a GL kernel, on the GPU.
 * Print failures and count results. */
void check_case(struct check *k, const struct case_ref *ref, const struct golden *golden);

/* Do the same for an existing model, described by ref->c (name, runs, in[]). */
void check_model(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct case_model *m);

/* Count and print a case that could not be loaded. */
void check_failed(struct check *k, const struct case_ref *ref, const char *why);

/* Count the result `what`; print it if it is a failure or k->verbose is set. `how`: "cpu", "gpu least.fp32". */
void check_report(struct check *k, enum check_result what, const struct case_ref *ref, const char *how, const char *text);
