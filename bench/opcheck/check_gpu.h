/* SPDX-License-Identifier: Apache-2.0 */
/* check_gpu.h - one case on the GPU: is it taken as the record says, and are its numbers the CPU's, in every mode. */
#ifndef DELEGAUGE_BENCH_CHECK_GPU_H
#define DELEGAUGE_BENCH_CHECK_GPU_H

#include "bench/opcheck/check.h"

/* `want`: the outputs of the reference kernel on one thread. Reports, or with k->recording notes the entry to be recorded. The op
 * has a GL kernel. */
void check_gpu(struct check *k, const struct case_ref *ref, const struct case_model *m, const struct case_outputs *want);

/* Note both judges' answers for the case, if it has 8- or 16-bit tensors, in k->refusals. */
void check_gpu_refusals(struct check *k, const struct case_ref *ref, const struct case_model *m);

/* Checks a case whose CPU session cannot be prepared: the GPU must refuse the node with the same sentence (one_check.h). */
void check_gpu_refused(struct check *k, const struct case_ref *ref, const struct case_model *m);

/* Finish after all cases of these operators: an entry on record that was not met has failed, and so has an operator that the GPU
 * has and accuracy.def has not. `all`: no operator is missing, so that the record should know no other. */
void check_gpu_finish(struct check *k, const char *const *ops, size_t n, bool all);

/* Return how near to the CPU's the case's floats must be (compare.h): the tolerance that it states itself, or the table's for its
 * operator. */
double check_gpu_tolerance(const struct case_ref *ref, enum precision p);

#endif
