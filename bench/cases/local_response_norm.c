/* SPDX-License-Identifier: Apache-2.0 */
/* local_response_norm.c - cases of LOCAL_RESPONSE_NORMALIZATION. */
#include "bench/opcheck/opcheck.h"

#define LRN(r, b, a, be) .opt = &(struct opt_local_response_normalization){ .radius = r, .bias = b, .alpha = a, .beta = be }

const struct op_case local_response_norm_cases[] = {
    { "radius 2", LRN(2, 1, .5f, .5f), .in = { F32(1, 3, 2, 7) } },
    { "radius 0", LRN(0, 2, 1, .75f), .in = { F32(1, 3, 2, 5) } },
    { "radius beyond the channels", LRN(20, .1f, 4, .5f), .in = { F32(2, 2, 2, 5) } },
    { "specials", LRN(1, 1, 1, .5f), .in = { F32_SPECIAL(2, 3, 3, 5) } },
    { "rank 3", LRN(2, 1, .5f, .5f), .in = { F32(3, 2, 7) }, .fails = "rank 4" },
    { 0 }
};
