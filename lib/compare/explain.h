/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - tells if half precision of stored values alone explains an error.
 *
 * Two sides are compared with the float32 reference: the test side, and an emulation, the reference kernels with SESSION_FP16
 * (session.h), which store values in half precision and compute as before. If the test side is off by about as much, nothing else
 * need be wrong; if it is off by far more, something is. Sums in 16 bits (fp16 arithmetic of some drivers) are not emulated: such a
 * device may be off by more. */
#pragma once

#include "lib/compare/diff.h"

/* Largest multiple of the emulation's error that half precision explains. A driver may round toward zero while the emulation rounds
 * to nearest: twice the error at each step, all in one direction. */
#define EXPLAIN_FACTOR 4.0

enum explained {
    EXPLAIN_NO_ERROR, /* nothing to explain: the test side is equal to the reference */
    /* Root mean square and largest error are both at most EXPLAIN_FACTOR times the emulation's; if elements are NaN or infinite
     * unlike the reference's, the emulation has such elements too. */
    EXPLAIN_HALF,
    EXPLAIN_NOT,
    /* Only the emulation has elements that are not finite: it cannot tell how far the test side's finite ones may be off. */
    EXPLAIN_UNKNOWN
};

/* Judge the error of the test side. Both arguments compare the same output with the float32 reference, over the same runs. */
enum explained explain_by_half(const struct diff *test, const struct diff *emulated);

/* Return the end of a sentence that begins with "the error ": "is what rounding stored values to float16
 * explains". Static text. */
const char *explain_text(enum explained e);

/* Return one word for JSON: "no_error", "half", "not_half", "unknown". */
const char *explain_word(enum explained e);
