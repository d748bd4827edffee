/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix.h - helpers of tests of rewrites: a configurable judge, and a fix compared with the expected result. */
#pragma once

#include "lib/rewrite/fix.h"
#include "lib/testing/test_model.h"

/* Limits of the judge besides operator names: tensors of at most most_rank (initially 4), operators of at most most_version
 * (initially 1); same_ranks: ADD only of operands of one rank; just_four: CONCATENATION and PAD only in four dimensions, GATHER
 * only by a vector of indices. It never takes a STRIDED_SLICE that drops dimensions. */
extern int32_t most_rank, most_version;
extern bool same_ranks, just_four;

/* End the builder and fix its model for a judge that takes these operators: " RELU ADD ". Fail the test unless the new model has
 * exactly the operators `after` ("RELU ADD ADD", in order), none of them refused, and passes fix_verify; or, if `after` is NULL,
 * unless nothing was rewritten. Free *out with fix_free. */
void fix_for(struct builder *b, const char *takes, const char *after, struct fix *out);
