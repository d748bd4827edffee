/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix.h - for tests of rewrites: a set that takes operators by their names, and a fix held against the expected one. */
#ifndef DELEGAUGE_TEST_FIX_H
#define DELEGAUGE_TEST_FIX_H

#include "lib/rewrite/fix.h"
#include "lib/testing/test_model.h"

/* The limits of the set beside names: tensors of at most that rank, 4 at first, operators of at most that version, 1 at first; with
 * same_ranks of ADD only operands of one rank; with just_four CONCATENATION and PAD in four dimensions alone, and GATHER by one row
 * of indices. It takes no STRIDED_SLICE that drops dimensions. */
extern int32_t most_rank, most_version;
extern bool same_ranks, just_four;

/* Fix the builder's model, and end the builder, for a set that takes these operators: " RELU ADD ". The test fails unless the new
 * model has the operators `after`, "RELU ADD ADD" in their order, none of them refused, and is verified; with NULL unless nothing
 * was done. Free *out with fix_free. */
void fix_for(struct builder *b, const char *takes, const char *after, struct fix *out);

#endif
