/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - the comparison of the test side's error with the emulation's. */
#include "lib/compare/explain.h"

enum explained explain_by_half(const struct diff *test, const struct diff *emulated)
{
    if (test->shapes_differ)
        return EXPLAIN_NOT;
    if (test->unequal) /* their errors are no numbers */
        return emulated->unequal ? EXPLAIN_HALF : EXPLAIN_NOT;
    if (!test->different)
        return EXPLAIN_NO_ERROR;
    if (emulated->unequal) /* halves overflow, and nothing tells what a side that has kept numbers there should have */
        return EXPLAIN_UNKNOWN;
    return diff_rms(test) <= EXPLAIN_FACTOR * diff_rms(emulated) && diff_max_abs(test) <= EXPLAIN_FACTOR * diff_max_abs(emulated)
               ? EXPLAIN_HALF
               : EXPLAIN_NOT;
}

const char *explain_text(enum explained e)
{
    static const char *const texts[] = {
        [EXPLAIN_NO_ERROR] = "is none",
        [EXPLAIN_HALF] = "is what rounding stored values to float16 explains",
        [EXPLAIN_NOT] = "is NOT explained by rounding stored values to float16",
        [EXPLAIN_UNKNOWN] = "cannot be judged: rounding stored values to float16 gives no numbers where this side has some",
    };

    return texts[e];
}

const char *explain_word(enum explained e)
{
    static const char *const words[] = {
        [EXPLAIN_NO_ERROR] = "no_error", [EXPLAIN_HALF] = "half", [EXPLAIN_NOT] = "not_half", [EXPLAIN_UNKNOWN] = "unknown"};

    return words[e];
}
