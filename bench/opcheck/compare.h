/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - compares two sets of outputs. */
#pragma once

#include "bench/opcheck/case_run.h"

/* Largest finite FLOAT16. */
#define HALF_LIMIT 65504.0

struct tolerance {
    double tol;       /* floats: relative to max|want| of the output; 0: equal values, NaN equal to NaN */
    bool per_element; /* relative to |want| of each element, or to the median magnitude if larger: for huge values among small ones
                       */
    double infinite_from; /* > 0: floats of at least this magnitude, and infinities, need only have the same sign */
    /* `tol` is relative to this if max|want| is less: terms that cancel leave less than the values that caused the errors. */
    double typical;
    bool rounded;     /* if tol > 0, 16-bit floats may differ by one more step of their type: both sides were rounded */
    bool any_content; /* accept `want` even if a constant output would pass too: random content */
    int64_t steps;    /* quantized types of 8 and 16 bits may differ by so many steps; other integers not at all */
};

/* Return true if both agree in type, shape and values. Else `text` gets the first difference: place, values, tolerance. */
bool compare_output(const struct case_output *got, const struct case_output *want, struct tolerance tol, char *text,
                    size_t text_size);

/* Compare all outputs; `text` begins with the output's number. */
bool compare_outputs(const struct case_outputs *got, const struct case_outputs *want, struct tolerance tol, char *text,
                     size_t text_size);

/* Return true if a constant output would pass for some output that has different values: then `tol` is too large to tell
 * anything. */
bool compare_says_nothing(const struct case_outputs *want, struct tolerance tol);

/* Return the tolerance with which floats of `got` would just pass, other members of `tol` unchanged; 0 without floats, infinite if
 * none would do. Types and shapes must agree. */
double compare_distance(const struct case_outputs *got, const struct case_outputs *want, struct tolerance tol);

/* Return the number of values of an output, two for each complex element; output_float: value i. */
size_t output_numbers(const struct case_output *o);
double output_float(const struct case_output *o, size_t i);
