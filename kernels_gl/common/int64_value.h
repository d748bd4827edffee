/* SPDX-License-Identifier: Apache-2.0 */
/* int64_value.h - numbers of 64 bits in one value of 32-bit integers: the low words of all, and along B behind them the high ones.
 *
 * So a shader that computes with both words of several operands binds one buffer for each. Functions return NULL if memory runs out
 * or an argument is NULL. */
#ifndef DELEGAUGE_KERNELS_GL_INT64_VALUE_H
#define DELEGAUGE_KERNELS_GL_INT64_VALUE_H

#include "lib/gl/ir/kernel.h"

/* The shape of the words of one kind, and the other way. */
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

/* The words of one kind, with their shape. */
struct ir_value *int64_take_half(struct ir *ir, struct ir_value *x, bool high);

/* fn(a, b), a GLSL function of int64_map.comp: z has the shape of x, or is one number. */
struct ir_value *int64_map(struct ir *ir, const char *fn, struct ir_value *x, struct ir_value *z);

/* One number, constant. */
struct ir_value *int64_constant(struct ir *ir, int64_t v);

#endif
