/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - is an error what half precision alone explains?
 *
 * Two sides are held against the float32 reference: the test side, and the reference kernels with SESSION_FP16 (session.h), which
 * store what half precision stores and compute as before. Where the test side is off by about as much, nothing else need be wrong
 * with it; where it is off by far more, something is. Sums of halves (fp16 arithmetic, where a driver has it) are not emulated: a
 * device that computes so may be off by more than what is explained here. */
#ifndef DELEGAUGE_EXPLAIN_H
#define DELEGAUGE_EXPLAIN_H

#include "lib/compare/diff.h"

/* How many times the emulation's error half precision is held to explain. A driver may round toward zero where the emulation rounds
 * to the nearest: twice the error at each step, all in one direction. */
#define EXPLAIN_FACTOR 4.0

enum explained {
    EXPLAIN_NO_ERROR, /* nothing to explain: the test side is equal to the reference */
    EXPLAIN_HALF, /* root mean square and largest error are both at most EXPLAIN_FACTOR times the emulation's; and where elements
                     are not finite as the reference's are, there are such in the emulation too */
    EXPLAIN_NOT,
    EXPLAIN_UNKNOWN /* the emulation alone has elements that are not finite: how far a side that has numbers there may be off, it
                       does not say */
};

/* Both are differences of the same output to the float32 reference, over the same runs. */
enum explained explain_by_half(const struct diff *test, const struct diff *emulated);

/* "is what half precision explains" and such: what follows "the error ". Static text. */
const char *explain_text(enum explained e);

/* One word for JSON: "no_error", "half", "not_half", "unknown". */
const char *explain_word(enum explained e);

#endif
