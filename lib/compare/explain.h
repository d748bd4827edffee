/* SPDX-License-Identifier: Apache-2.0 */
/* explain.h - the question if half precision alone explains an error.
 *
 * Two sides are held against the float32 reference: the test side, and the reference kernels with SESSION_FP16 (session.h), which
 * store values in half precision and compute as before. If the test side is off by about as much, nothing else need be wrong with
 * it; if it is off by far more, something is. Sums of halves (fp16 arithmetic, if a driver has it) are not emulated: a device that
 * computes so may be off by more than is explained here. */
#ifndef DELEGAUGE_EXPLAIN_H
#define DELEGAUGE_EXPLAIN_H

#include "lib/compare/diff.h"

/* Multiple of the emulation's error that half precision is held to explain. A driver may round toward zero while the emulation
 * rounds to the nearest: twice the error at each step, all in one direction. */
#define EXPLAIN_FACTOR 4.0

enum explained {
    EXPLAIN_NO_ERROR, /* nothing to explain: the test side is equal to the reference */
    EXPLAIN_HALF, /* root mean square and largest error are both at most EXPLAIN_FACTOR times the emulation's; and if elements are
                     not finite as the reference's are, there are such in the emulation too */
    EXPLAIN_NOT,
    EXPLAIN_UNKNOWN /* the emulation alone has elements that are not finite: it does not tell how far a side that has numbers there
                       may be off */
};

/* Judge the error of the test side. Both are differences of the same output to the float32 reference, over the same runs. */
enum explained explain_by_half(const struct diff *test, const struct diff *emulated);

/* Return the words that follow "the error " in a message, such as "is what half precision explains". Static text. */
const char *explain_text(enum explained e);

/* Return one word for JSON: "no_error", "half", "not_half", "unknown". */
const char *explain_word(enum explained e);

#endif
