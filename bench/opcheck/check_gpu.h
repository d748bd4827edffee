/* SPDX-License-Identifier: Apache-2.0 */
/* check_gpu.h - checks a case on the GPU in every mode: is it taken as recorded, and are its results the CPU's? */
#pragma once

#include "bench/opcheck/check.h"

/* Check a case whose operator has a GL kernel and report the results, or record its entry if k->recording. `want`: outputs of the
 * reference kernel on one thread. */
void check_gpu(struct check *k, const struct case_ref *ref, const struct case_model *m, const struct case_outputs *want);

/* Record both judges' answers in k->refusals if the case has 8- or 16-bit tensors. */
void check_gpu_refusals(struct check *k, const struct case_ref *ref, const struct case_model *m);

/* Check that the GPU refuses a case whose CPU session cannot be prepared, with the same sentence (one_check.h). */
void check_gpu_refused(struct check *k, const struct case_ref *ref, const struct case_model *m);

/* Finish after all cases of these operators. Recorded entries that did not occur fail, and operators of the GPU without a row in
 * accuracy.def. `all`: ops[n] are all operators, so entries of any other operator fail. */
void check_gpu_finish(struct check *k, const char *const *ops, size_t n, bool all);

/* Return the tolerance of the case's floats (compare.h): its own, or its operator's in accuracy.def. */
double check_gpu_tolerance(const struct case_ref *ref, enum precision p);
