/* SPDX-License-Identifier: Apache-2.0 */
/* variant.h - variants of cases, which every operator must pass without cases of its own for them.
 *
 *   "NAME, special values"   NaN, infinities and the like in float inputs, the ends of the range in integer inputs: for each
 *                            combination of types that no case with FILL_SPECIAL has
 *   "NAME, 0.1+1.1 empty"    dimension 1 of inputs 0 and 1 is 0: every dimension of every input, alone and with all dimensions that
 *                            have the same size at the same place
 *   "NAME, 1+2 at run time"  constants computed at run time: each alone if they are few, and all of them. A kernel may refuse it,
 *                            saying that they must be constant
 *
 * A variant that TFLite refuses must be refused. Variants that a case's `skip_golden` names may be refused, but must not crash or
 * differ between kernels; if they, or constants at run time, are refused, the result is left open. */
#pragma once

#include "bench/opcheck/gpus.h"
#include "bench/opcheck/opcheck.h"
#include "lib/base/arena.h"

/* Return the variants of all cases of an operator, a list that ends as `cases` does, in `a`; NULL if memory runs out. */
const struct op_case *variants_new(const struct op_case *cases, struct arena *a);

/* Lists the variants of GPU kernels that no case used.
 *
 * Every row of a kernel's table of variants must run in some case. That can be judged only if all modes were wanted (`turns` is
 * enough), and on a driver on which each variant fits some case: llvmpipe, on which every check runs. */

/* Print the rows that no case used, and return the number of failures. If it can be judged: for a `whole` run each is a failure,
 * "FAIL conv|4x1: no case runs this variant"; for a share none is, "not run here: conv|4x1" (scripts/test/check.sh compares the
 * shares). Else print "NOT RUN (variants): ...". */
uint32_t variant_coverage_print(const struct gpus *g, bool whole);
