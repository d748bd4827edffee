/* SPDX-License-Identifier: Apache-2.0 */
/* hashtable_lookup.c - cases of HASHTABLE_LOOKUP. */
#include "bench/cases/inputs.h"

#define HITS(type_) .out = { {TYPE_##type_}, {TYPE_UINT8} }

const struct op_case hashtable_lookup_cases[] = {
    /* A table without rows has no hits; TFLite refuses it. */
    { "rows", .skip_golden = ", 1.0+2.0 empty", .in = { RUN_I32S(1234, -292, -11, 0), RUN_I32S(-11, 0, 1234), F32(3, 2) }, HITS(FLOAT32) },
    { "numbers", .in = { RUN_I32S(1234, -292, -11, 0), RUN_I32S(-11, 0, 1234), F32(3) }, HITS(FLOAT32) },
    { "int32", .in = { RUN_I32S(7, 8), RUN_I32S(1, 7), TENSOR(INT32, 2, 3) }, HITS(INT32) },
    { "strings", .in = { RUN_I32S(1234, -292, -11, 0), RUN_I32S(-11, 0, 1234),
                         {TYPE_STRING, CASE_DIMS(3), .fill = FILL_GIVEN, .data = (const char *const[]){"one", "two", "three"}} },
      HITS(STRING) },
    { "int4", .in = { RUN_I32S(7, 8, 1), RUN_I32S(1, 7), TENSOR(INT4, 2, 6) }, HITS(INT4) },
    { "int4, rows of 20 bits", .in = { RUN_I32S(7, 8, 1), RUN_I32S(1, 7), TENSOR(INT4, 2, 5) }, HITS(INT4), .no_golden = true,
      .fails = "do not fill whole bytes" },
    { "keys missing", .in = { RUN_I32S(7, 8), RUN_I32S(1, 7), F32(3, 3) }, HITS(FLOAT32), .fails = "counts differ" },
    { 0 }
};
