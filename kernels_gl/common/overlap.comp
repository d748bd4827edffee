// SPDX-License-Identifier: Apache-2.0
// overlap.comp - boxes [y, x, y, x] against each other.

#define NONE uintBitsToFloat(0xff800000u)

#if IOU_MADE
#define IOU_THRESHOLD LOADC(iou_made, 0, 0, 0, 0)
#endif
#if SCORE_MADE
#define SCORE_THRESHOLD LOADC(score_made, 0, 0, 0, 0)
#endif
#if SIGMA_MADE
#define SIGMA LOADC(sigma_made, 0, 0, 0, 0)
#endif

vec4 corners(vec4 box)
{
#if AGAIN
    return vec4(min(box.xy, box.zw), max(box.xy, box.zw));
#else
    return box;
#endif
}

// Intersection over union.
float overlap(vec4 a, vec4 b)
{
    PRECISE vec2 a_size = a.zw - a.xy, b_size = b.zw - b.xy, both = max(min(a.zw, b.zw) - max(a.xy, b.xy), vec2(0.0));
    PRECISE float a_area = a_size.x * a_size.y, b_area = b_size.x * b_size.y, in_both = both.x * both.y;
    PRECISE float in_either = a_area + b_area - in_both;

    return a_area <= 0.0 || b_area <= 0.0 || in_either == 0.0 ? 0.0 : in_both / in_either;
}

// What soft suppression by sigma multiplies the square of an overlap with.
float scale_of(float sigma)
{
    return sigma > 0.0 ? -0.5 / sigma : 0.0;
}
