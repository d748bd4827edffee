/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - two errors side by side. */
#include "explain.h"

#include <math.h>

enum explained explain_by_half(const struct diff *test, const struct diff *emulated)
{
    if (test->shapes_differ)
        return EXPLAIN_NOT;
    if (test->unequal) /* their errors are no numbers */
        return emulated->unequal ? EXPLAIN_HALF : EXPLAIN_NOT;
    if (!test->different)
        return EXPLAIN_NO_ERROR;
    if (emulated->unequal) /* halves overflow there, and the test side has kept its values */
        return EXPLAIN_HALF;
    return diff_rms(test) <= EXPLAIN_FACTOR * diff_rms(emulated) && diff_max_abs(test) <= EXPLAIN_FACTOR * diff_max_abs(emulated)
               ? EXPLAIN_HALF
               : EXPLAIN_NOT;
}

const char *explain_text(enum explained e)
{
    static const char *const texts[] = {
        [EXPLAIN_NO_ERROR] = "is none",
        [EXPLAIN_HALF] = "is what half precision alone explains",
        [EXPLAIN_NOT] = "is NOT explained by half precision",
    };

    return texts[e];
}

const char *explain_word(enum explained e)
{
    static const char *const words[] = {[EXPLAIN_NO_ERROR] = "no_error", [EXPLAIN_HALF] = "half", [EXPLAIN_NOT] = "not_half"};

    return words[e];
}
