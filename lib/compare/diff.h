/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h - how far one tensor is from another: sums that grow with every comparison, and the place of the worst element.
 *
 * numpy and scikit-image compute the same figures of the same values (scripts/reference/golden_diff.py), so that the figures can be
 * held against other tools'. */
#ifndef DELEGAUGE_DIFF_H
#define DELEGAUGE_DIFF_H

#include "lib/compare/error_map.h"
#include "lib/compare/tolerance.h"
#include "lib/tensor/tensor.h"

/* Number of bins of absolute errors, by powers of ten: bin 0 counts errors of 0, bin b > 0 the errors below diff_bin_end(b) that no
 * bin before it has; the last has no end. */
enum { DIFF_BINS = 15 };

/* Return the end of a bin: 1e-9 for bin 1 up to 1e3 for bin DIFF_BINS - 2; 0 for bin 0 and INFINITY for the last. */
double diff_bin_end(int bin);

/* Zeroed to begin with, but for `allowed` and `map`, which may be set before the first comparison. */
struct diff {
    struct error_map *map;     /* borrowed: places of the errors; NULL: nobody asks */
    struct tolerance allowed;  /* limits by which `beyond` is counted */
    uint64_t comparisons;      /* calls of diff_add */
    uint64_t elems, different; /* pairs that are finite on both sides; the unequal ones among them */
    uint64_t nan_reference, nan_test, inf_reference, inf_test;
    uint64_t broken;        /* finite in the reference alone */
    uint64_t unequal;       /* not finite on one side at least, and not the same on both: wrong whatever the tolerance */
    uint64_t shapes_differ; /* comparisons that could not be made */

    uint64_t beyond; /* finite pairs beyond `allowed`, but for its share, which diff_failed_on checks */
    uint64_t rows,
        top1_different; /* rows of the last dimension; rows in which another element is the largest, on both sides clearly */
    uint64_t histogram[DIFF_BINS]; /* of |reference - test| over finite pairs, as all below */

    double sum_abs;
    double max_abs;
    size_t worst; /* its index in row-major order */
    double worst_reference, worst_test;
    uint64_t worst_comparison; /* 0: the first */

    double max_reference, sum_reference; /* of |reference| */
    double low[2], high[2];              /* least and greatest value: reference, test */
    double max_ulp, sum_ulp;             /* units in the last place, of integers steps; 0 of dequantized values */
    double dot, reference_sq, test_sq, error_sq;
};

/* Compare element by element and add to *d; equal infinities and NaN on both sides are no difference. Integers are subtracted as
 * such; with `dequantize`, quantized ones as the real numbers they stand for. Returns the mean absolute error of this comparison:
 * NAN if an element is `unequal`, shapes differ, or no element of several is finite on both sides. */
double diff_add(struct diff *d, const struct tensor *reference, const struct tensor *test, bool dequantize);

/* Return the bits of FAIL_ON_* that `allowed` asks for and that failed; FAIL_ON_NAN is always asked for. 0 if everything is within
 * the limits. */
unsigned diff_failed_on(const struct diff *d);

/* Return the side whose elements are all equal, if the other side's are not, over all comparisons: a dead output rather than a
 * distance. */
enum diff_silent { DIFF_NOT_SILENT, DIFF_SILENT_REFERENCE, DIFF_SILENT_TEST };
enum diff_silent diff_silent(const struct diff *d);

/* Return true if there is a forbidden difference: elements more than `tolerance` apart, NaN or infinite unless the other side is
 * the same, another shape. A negative tolerance allows any distance. */
bool diff_exceeds(const struct diff *d, double tolerance);

/* Figures of the whole comparison. All are NAN if diff_add returned NAN for one of its comparisons: max_abs and the sums count the
 * finite pairs only, and to tell them alone would call a wrong result right. 0 if tensors have no elements. */
double diff_mean_abs(const struct diff *d);
double diff_max_abs(const struct diff *d);
double diff_rms(const struct diff *d);      /* root of the mean squared error */
double diff_relative(const struct diff *d); /* max_abs / max_reference; 0 if both are 0 */
/* The same, with INFINITY if one side has a NaN or infinity that the other has not, and 0 if nothing is finite and everything is
 * the same. */
double diff_relative_bound(const struct diff *d);
double diff_cosine(const struct diff *d);  /* of the angle between the two; 1 if both are all zeros */
double diff_snr_db(const struct diff *d);  /* INFINITY if they are equal */
double diff_psnr_db(const struct diff *d); /* (highest - lowest value of the reference) over diff_rms; INFINITY if equal */
double diff_max_ulp(const struct diff *d);
double diff_mean_ulp(const struct diff *d);

/* Write the indices of element `index` of a tensor of that shape, outermost first: t->rank of them. */
void diff_index(const struct tensor *t, size_t index, int32_t at[TENSOR_MAX_RANK]);

/* Write "[0,12,3]": element `index` of a tensor of that shape. Returns `out`. */
const char *diff_index_text(const struct tensor *t, size_t index, char *out, size_t size);

#endif
