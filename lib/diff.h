/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h - how far one tensor is from another: sums that grow with every comparison, and where the worst element is. */
#ifndef DELEGAUGE_DIFF_H
#define DELEGAUGE_DIFF_H

#include "tensor.h"

struct diff {
    uint64_t comparisons;      /* calls of diff_add */
    uint64_t elems, different; /* finite on both sides; of them, those that are not equal */
    uint64_t nan_reference, nan_test, inf_reference, inf_test;
    uint64_t broken;        /* finite in the reference alone */
    uint64_t unequal;       /* not finite on one side at least, and not the same on both: wrong whatever the tolerance */
    uint64_t shapes_differ; /* comparisons that could not be made */

    double sum_abs; /* of |reference - test| over finite pairs, as all below */
    double max_abs;
    size_t worst; /* its index in row-major order */
    double worst_reference, worst_test;
    uint64_t worst_comparison; /* 0: the first */

    double max_reference; /* max |reference| */
    double dot, reference_sq, test_sq, error_sq;
};

/* Compares element by element and adds to *d; equal infinities and NaN on both sides are no difference. Integers are
 * subtracted as such; with `dequantize`, quantized ones as the real numbers they stand for. Returns the mean absolute error of
 * this comparison: NAN where an element is `unequal`, shapes differ, or no element of several is finite on both sides. */
double diff_add(struct diff *d, const struct tensor *reference, const struct tensor *test, bool dequantize);

/* True where something must not be: more than `tolerance` apart, NaN or infinite where the other side is not the same, another
 * shape. A negative tolerance allows any distance. */
bool diff_exceeds(const struct diff *d, double tolerance);

/* Figures of the whole comparison. All are NAN where diff_add returns that for one of its comparisons: max_abs and the sums are
 * those of the finite pairs, and to tell them alone would call a wrong result right. 0 where tensors have no elements. */
double diff_mean_abs(const struct diff *d);
double diff_max_abs(const struct diff *d);
double diff_rms(const struct diff *d);      /* root of the mean squared error */
double diff_relative(const struct diff *d); /* max_abs / max_reference; 0 where both are 0 */
double diff_cosine(const struct diff *d);   /* of the angle between the two; 1 where both are all zeros */
double diff_snr_db(const struct diff *d);   /* INFINITY where they are equal */

/* Writes the indices of element `index` of a tensor of that shape, outermost first: t->rank of them. */
void diff_index(const struct tensor *t, size_t index, int32_t at[TENSOR_MAX_RANK]);

/* "[0,12,3]": element `index` of a tensor of that shape. Returns `out`. */
const char *diff_index_text(const struct tensor *t, size_t index, char *out, size_t size);

#endif
