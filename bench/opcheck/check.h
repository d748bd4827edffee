/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - runs one case every way it can be run and holds the results against each other. */
#ifndef DELEGAUGE_BENCH_CHECK_H
#define DELEGAUGE_BENCH_CHECK_H

#include "bench/opcheck/accuracy.h"
#include "bench/opcheck/golden.h"
#include "bench/opcheck/gpu_record.h"
#include "bench/opcheck/gpus.h"
#include "bench/opcheck/refusals.h"

/* The result of a check. */
enum check_result {
    CHECK_PASS,
    CHECK_FAIL,
    CHECK_SKIP,    /* not run, because something is missing here */
    CHECK_REFUSED, /* refused, or a driver's fault, exactly as on record */
    CHECK_OPEN,    /* not run, because nobody says which result is right */
    CHECK_RESULTS
};

struct check {
    uint64_t seed; /* 0: the inputs the golden files were made from */
    bool cpu, gpu; /* the backends to check */
    bool time, verbose;
    bool recording;        /* note in `now` which cases the GPU takes instead of checking */
    bool recording_faults; /* note in `now` the cases that fail on this driver */
    struct gpus gpus;
    struct gpu_record record, faults, now; /* the entries that must be, the driver's faults, the entries met */
    struct refusals *refusals;             /* NULL: the cases are checked; else only the GPU's refusals of them are counted */
    struct accuracy_met accuracy;
    char fault_way[256]; /* how the case in hand failed on the GPU */
    uint32_t count[CHECK_RESULTS], seeds_passed_over;
};

/* Frees the GPU and the records. */
void check_close(struct check *k);

/* Check one case on the CPU (reference and fast, one thread and three) and, if the op has a GL kernel, on the GPU. Print the
 * failures, and count the results. */
void check_case(struct check *k, const struct case_ref *ref, const struct golden *golden);

/* The same for a model that is there already: ref->c describes it (name, runs, in[]). */
void check_model(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct case_model *m);

/* Counts and prints a case that could not even be loaded. */
void check_failed(struct check *k, const struct case_ref *ref, const char *why);

/* Count the result `what`, and print it if it is a failure or k->verbose is set. `how`: "cpu", "gpu least.fp32". */
void check_report(struct check *k, enum check_result what, const struct case_ref *ref, const char *how, const char *text);

#endif
