/* SPDX-License-Identifier: Apache-2.0 */
/* diff.h - the distance between two tensors: sums over all comparisons, and the place of the worst element.
 *
 * numpy and scikit-image compute the same figures from the same values (scripts/reference/golden_diff.py). */
#pragma once

#include "lib/compare/error_map.h"
#include "lib/compare/tolerance.h"
#include "lib/tensor/tensor.h"

/* Number of bins of a histogram of absolute errors, by powers of ten: bin 0 counts errors of 0; bin b > 0 counts errors from
 * diff_bin_end(b - 1) to below diff_bin_end(b). */
enum { DIFF_BINS = 15 };

/* Return the upper end of a bin: 1e-9 for bin 1 up to 1e3 for bin DIFF_BINS - 2; 0 for bin 0 and INFINITY for the last. */
double diff_bin_end(int bin);

/* Zeroed to begin with; the caller may set `allowed` and `map` before the first comparison. */
struct diff {
    struct error_map *map;     /* borrowed: collects the places of errors; NULL: none wanted */
    struct tolerance allowed;  /* limits for `beyond` */
    uint64_t comparisons;      /* calls of diff_add */
    uint64_t elems, different; /* pairs that are finite on both sides; the unequal ones among them */
    uint64_t nan_reference, nan_test, inf_reference, inf_test;
    uint64_t broken;        /* elements that are finite in the reference alone */
    uint64_t unequal;       /* elements not finite on at least one side and not the same on both: beyond any tolerance */
    uint64_t shapes_differ; /* comparisons that were impossible because shapes differ */

    uint64_t beyond; /* finite pairs beyond `allowed`, except its `share`, which diff_failed_on checks */
    /* Rows of the last dimension; rows in which the sides disagree on the largest element, both without a tie. */
    uint64_t rows, top1_different;
    uint64_t histogram[DIFF_BINS]; /* of |reference - test| over finite pairs, as all members below */

    double sum_abs;
    double max_abs;
    size_t worst; /* row-major index of the element with max_abs */
    double worst_reference, worst_test;
    uint64_t worst_comparison; /* number of that comparison, from 0 */

    double max_reference, sum_reference; /* of |reference| */
    double low[2], high[2];              /* least and greatest value of the reference, of the test side */
    double max_ulp, sum_ulp;             /* distance in units in the last place; integers: in steps; 0 for dequantized values */
    double dot, reference_sq, test_sq, error_sq;
};

/* Compare two tensors element by element and add to *d. Equal infinities, and NaN on both sides, are no difference. Integers are
 * subtracted as integers; with `dequantize`, quantized ones as real numbers. Returns the mean absolute error of this comparison:
 * NAN if an element is `unequal`, if shapes differ, or if there are elements but no finite pair. */
double diff_add(struct diff *d, const struct tensor *reference, const struct tensor *test, bool dequantize);

/* Return the FAIL_ON_* bits that `allowed` selects and that failed; FAIL_ON_NAN is always selected. 0: everything is within the
 * limits. */
unsigned diff_failed_on(const struct diff *d);

/* Write the limits (tolerance_text), or the floor alone where only that lets the errors pass: "6.1e-05, the least normal float16
 * (preset fp16)". Returns `out`. */
const char *diff_allowed_text(const struct diff *d, char *out, size_t size);

/* Return the side whose elements are all equal over all comparisons, if the other side's are not: a dead output. */
enum diff_silent { DIFF_NOT_SILENT, DIFF_SILENT_REFERENCE, DIFF_SILENT_TEST };
enum diff_silent diff_silent(const struct diff *d);

/* Return true if elements are more than `tolerance` apart, or are NaN or infinite without being the same on both sides, or if
 * shapes differ. A negative tolerance allows any distance. */
bool diff_exceeds(const struct diff *d, double tolerance);

/* Return figures over all comparisons. All are NAN if diff_add returned NAN for any comparison: sums over the finite pairs alone
 * would call a wrong result right. 0 if tensors have no elements. */
double diff_mean_abs(const struct diff *d);
double diff_max_abs(const struct diff *d);
double diff_rms(const struct diff *d);      /* root of the mean squared error */
double diff_relative(const struct diff *d); /* max_abs / max_reference; 0 if both are 0 */
/* Return diff_relative, but INFINITY if an element is NaN or infinite on one side and not the same on the other, and 0 if no
 * element is finite and all are the same. */
double diff_relative_bound(const struct diff *d);
/* Return diff_relative_bound, but 0 if no number is off by more than `floor` (tolerance_floor). */
double diff_relative_above(const struct diff *d, double floor);
double diff_cosine(const struct diff *d); /* cosine of the angle between the two tensors; 1 if both are all zeros */
double diff_snr_db(const struct diff *d); /* INFINITY if they are equal */
double diff_psnr_db(
    const struct diff *d); /* peak is the highest less the lowest value of the reference, noise is diff_rms; INFINITY if equal */
double diff_max_ulp(const struct diff *d);
double diff_mean_ulp(const struct diff *d);

/* Write the indices of element `index` of a tensor shaped as `t`, outermost dimension first: t->rank of them. */
void diff_index(const struct tensor *t, size_t index, int32_t at[TENSOR_MAX_RANK]);

/* Write these indices as "[0,12,3]". Returns `out`. */
const char *diff_index_text(const struct tensor *t, size_t index, char *out, size_t size);
