/* SPDX-License-Identifier: Apache-2.0 */
/* resize.h - positions of a resized image's pixels in its input, by the CPU's formulas, for floats and integers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Points of input and output that coincide: the corner pixels, else the centers of pixels, else their upper left corners. */
struct resize_points {
    bool align_corners, half_pixel_centers;
};

/* Store the tap of output position i of `out`: t[0] and t[1], the two of `in` input positions around it, t[2] the distance from
 * t[0], t[3] 0. Fixed: t[2] has ten fractional bits, and scale and offset are rounded; float: t[2] is the bits of a float. */
void resize_fixed_tap(struct resize_points p, int32_t in, int32_t out, int32_t i, int32_t t[4]);
void resize_float_tap(struct resize_points p, int32_t in, int32_t out, int32_t i, int32_t t[4]);
