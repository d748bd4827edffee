/* SPDX-License-Identifier: Apache-2.0 */
/* embedding_sparse.c - cases of EMBEDDING_LOOKUP_SPARSE. */
#include "bench/cases/inputs.h"

#define INDEX2(...)                                                                                                   \
    {TYPE_INT32, .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 8, 2}, .fill = FILL_GIVEN,                     \
     .data = (const int32_t[]){__VA_ARGS__}}

#define INDEX3(...)                                                                                                   \
    {TYPE_INT32, .rank = 2, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 12, 3}, .fill = FILL_GIVEN,                    \
     .data = (const int32_t[]){__VA_ARGS__}}
#define COMBINE(how) .opt = &(struct opt_embedding_lookup_sparse){ how }, .out = { {TYPE_FLOAT32} }
#define LOOKUPS RUN_I32S(1, 3, 0), INDEX2(0, 0, 2, 0, 2, 1), RUN_I32S(3, 2), F32_IN(0.5, 2, 3), F32(4, 3, 2)

const struct op_case embedding_lookup_sparse_cases[] = {
    { "sum", COMBINE(COMBINER_SUM), .in = { LOOKUPS } },
    { "mean", COMBINE(COMBINER_MEAN), .in = { LOOKUPS } },
    { "sqrtn", COMBINE(COMBINER_SQRTN), .in = { LOOKUPS } },
    { "indices of three", COMBINE(COMBINER_MEAN),
      .in = { RUN_I32S(1, 3, 0), INDEX3(0, 0, 0, 2, 0, 0, 2, 0, 1), RUN_I32S(3, 1, 2), F32_IN(0.5, 2, 3), F32(4, 2) } },
    { "id beyond", COMBINE(COMBINER_SUM), .in = { RUN_I32S(4), INDEX2(0, 0), RUN_I32S(3, 2), F32(1), F32(4, 2) }, .fails = "id 0 is 4" },
    { "index beyond", COMBINE(COMBINER_SUM), .in = { RUN_I32S(1), INDEX2(3, 0), RUN_I32S(3, 2), F32(1), F32(4, 2) },
      .fails = "index 0 is 3 in dimension 0" },
    { "weights missing", COMBINE(COMBINER_SUM), .in = { RUN_I32S(1, 1), INDEX2(0, 0, 1, 0), RUN_I32S(3, 2), F32(1), F32(4, 2) },
      .fails = "1 weights" },
    { 0 }
};
