/* SPDX-License-Identifier: Apache-2.0 */
/* resize.h - the places of a resized image's pixels in the image, with the CPU's formulas, for kernels of reals and of integers. */
#ifndef DELEGAUGE_KERNELS_GL_RESIZE_H
#define DELEGAUGE_KERNELS_GL_RESIZE_H

#include <stdbool.h>
#include <stdint.h>

/* The points that are laid upon each other: the corner pixels, or else the centers of pixels, or else their upper left corners. */
struct resize_points {
    bool align_corners, half_pixel_centers;
};

/* For position i of `out` of them: t[0] and t[1], the two of `in` positions between which it falls, t[2] how far along, t[3] 0.
 * Fixed: with ten fractional bits, each rounded; float: t[2] is the bits of a float. */
void resize_fixed_tap(struct resize_points p, int32_t in, int32_t out, int32_t i, int32_t t[4]);
void resize_float_tap(struct resize_points p, int32_t in, int32_t out, int32_t i, int32_t t[4]);

#endif
