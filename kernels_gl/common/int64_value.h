/* SPDX-License-Identifier: Apache-2.0 */
/* int64_value.h - 64-bit integers in one value of 32-bit integers: the low halves of all elements, then along B the high halves.
 *
 * A shader that computes with several 64-bit operands so binds one buffer for each. Functions return NULL if memory runs out or an
 * argument is NULL. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Return the shape of one half of a value of 64-bit integers; int64_shape returns the shape of both halves. */
static inline struct ir_shape int64_half_shape(struct ir_shape s)
{
    s.b /= 2;
    return s;
}

static inline struct ir_shape int64_shape(struct ir_shape s)
{
    s.b *= 2;
    return s;
}

struct ir_value *int64_join(struct ir *ir, struct ir_value *low, struct ir_value *high);

/* Return the low or high halves of x. */
struct ir_value *int64_take_half(struct ir *ir, struct ir_value *x, bool high);

/* Append fn(x, z), a GLSL function of int64_map.comp; z has x's shape or is one number. Returns its result. */
struct ir_value *int64_map(struct ir *ir, const char *fn, struct ir_value *x, struct ir_value *z);

/* Return a constant of one number. */
struct ir_value *int64_constant(struct ir *ir, int64_t v);
