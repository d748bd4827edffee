/* SPDX-License-Identifier: Apache-2.0 */
/* skip_gram.c - cases of SKIP_GRAM. */
#include "bench/opcheck/opcheck.h"

#define SENTENCE(s) {TYPE_STRING, CASE_DIMS(1), .fill = FILL_GIVEN, .data = (const char *const[]){s}}
#define GRAMS(n, skip, all) .opt = &(struct opt_skip_gram){ n, skip, all }

const struct op_case skip_gram_cases[] = {
    { "one word", GRAMS(1, 1, false), .in = { SENTENCE("The quick brown fox jumps over the lazy dog!") } },
    { "two words, none left out", GRAMS(2, 0, false), .in = { SENTENCE("The quick brown fox jumps over the lazy dog!") } },
    { "two words, one left out", GRAMS(2, 1, false), .in = { SENTENCE("The quick brown fox jumps over the lazy dog!") } },
    { "up to three words", GRAMS(3, 2, true), .in = { SENTENCE("The quick brown fox jumps") } },
    { "white space", GRAMS(2, 0, false), .in = { SENTENCE("  The   quick\tbrown \n fox  ") } },
    { "too few words", GRAMS(7, 0, true), .in = { SENTENCE("The quick") }, .no_golden = true },
    { "no words", GRAMS(1, 0, false), .in = { SENTENCE("") }, .no_golden = true },
    { "groups of none", GRAMS(0, 0, false), .in = { SENTENCE("a b") }, .fails = "groups of 0 words" },
    { 0 }
};
