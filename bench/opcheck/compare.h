/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - holds one set of outputs against another. */
#ifndef DELEGAUGE_BENCH_COMPARE_H
#define DELEGAUGE_BENCH_COMPARE_H

#include "bench/opcheck/case_run.h"

/* The largest number of FLOAT16. */
#define HALF_LIMIT 65504.0

struct tolerance {
    double tol;           /* floats: of max|want| over the output; 0: the same value, NaN equal to NaN */
    bool per_element;     /* of |want|, or the median magnitude if that is larger: for huge values among small ones */
    double infinite_from; /* > 0: floats of this size or more, and infinities, are the same but for the sign */
    double typical;   /* `tol` is relative to this if max|want| is less: terms that cancel leave less than the values their errors
                         stem from */
    bool rounded;     /* if tol > 0, outputs of 16-bit floats: one step of their type more, as both were rounded to it */
    bool any_content; /* also if one value throughout would agree: chance, in random content that nobody chose */
    int64_t steps;    /* quantized types (8 and 16 bits): so many steps apart; other integers are exact */
};

/* Return true if both agree in type, shape and value. Else `text` tells the first difference: place, both values, tolerance. */
bool compare_output(const struct case_output *got, const struct case_output *want, struct tolerance tol, char *text,
                    size_t text_size);

/* The same over all outputs; `text` begins with the output's number. */
bool compare_outputs(const struct case_outputs *got, const struct case_outputs *want, struct tolerance tol, char *text,
                     size_t text_size);

/* Return true if one value throughout would agree with some output, too, though that holds several: then `tol` tells nothing. */
bool compare_says_nothing(const struct case_outputs *want, struct tolerance tol);

/* Return the tolerance that floats of `got` would just pass, all else of `tol` being as it is; 0 if there are none, infinite if
 * none would do. For outputs that agree in type and shape. */
double compare_distance(const struct case_outputs *got, const struct case_outputs *want, struct tolerance tol);

/* Numbers in an output, two per complex element, and the i-th of them. */
size_t output_numbers(const struct case_output *o);
double output_float(const struct case_output *o, size_t i);
bool output_is_float(enum tensor_type type);

#endif
