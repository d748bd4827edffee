/* SPDX-License-Identifier: Apache-2.0 */
/* large.h - cases beyond every tile, panel and thread split of the fast kernels: sizes are odd and above a multiple of each.
 *
 * They compare packed loops with plain ones (op_case.large). Scales make results spread over their type. */
#pragma once

#include "bench/opcheck/opcheck.h"

#define LARGE_SCALES_16 \
    .02f, .013f, .0371f, .005f, .029f, .017f, .011f, .041f, .023f, .0193f, .031f, .007f, .0277f, .0153f, .0117f, .0331f

/* Scales for filters of up to 144 channels. */
static const float large_scales[] = { LARGE_SCALES_16, LARGE_SCALES_16, LARGE_SCALES_16, LARGE_SCALES_16, LARGE_SCALES_16,
                                      LARGE_SCALES_16, LARGE_SCALES_16, LARGE_SCALES_16, LARGE_SCALES_16 };

/* A constant filter with one scale for each index of dimension dim_. */
#define LARGE_FILTER(type, dim_, ...) \
    {TYPE_##type, CASE_DIMS(__VA_ARGS__), .constant = true, .scales = large_scales, .channel_dim = (dim_)}
