/* SPDX-License-Identifier: Apache-2.0 */
/* operands.h - checks of operands and small tools for their types and shapes that kernels share. */
#ifndef DELEGAUGE_KERNELS_GL_OPERANDS_H
#define DELEGAUGE_KERNELS_GL_OPERANDS_H

#include "lib/gl/ir/kernel.h"

/* A kernel for data of any type that is stored. */
#define TAKES_ANY (TAKES_FLOAT | TAKES_INT | TAKES_BOOL)

/* Likewise, and UINT32 as its bits. */
#define TAKES_BITS (TAKES_ANY | 1u << TYPE_UINT32)

/* Integers of 32 bits with a sign, and without one, which lowering sees as their bits. */
#define TAKES_INT32 (TAKES_INT | 1u << TYPE_UINT32)

/* The checks fill *why and return false. */

/* Inputs first to end - 1 (omitted ones aside) and all outputs are stored as one type. */
bool gl_one_type(const struct node *n, uint32_t first, uint32_t end, struct reason *why);

/* Check that input 0 and output 0 have one type of tensors. */
bool gl_keeps_type(const struct node *n, struct reason *why);

/* Check that inputs first to end - 1 can be stored on the device; inputs made at run time were checked before, constants were
 * not. */
bool gl_storable(const struct gl_limits *lim, const struct node *n, uint32_t first, uint32_t end, struct reason *why);

/* Reads constant input i as one axis of a tensor of that rank, not negative. */
bool gl_axis(const struct node *n, uint32_t i, int32_t rank, int32_t *axis, struct reason *why);

/* gl_kernel.accept of a kernel that moves input 0 as constant input 1 says, with one output of the same type. */
bool gl_accept_arranged(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why);

/* Define VEC and SCALAR: the GLSL types of elements. For values that a kernel stores that is op->stores: epilogues may change the
 * type. */
void gl_define_types(struct gl_shader *p, enum ir_type type);

/* How many elements lie between one and the next along each axis: stride[rank]. */
void gl_strides(const struct tensor *t, int32_t *stride);

/* A constant of one integer. NULL: out of memory. */
struct ir_value *ir_number(struct ir *ir, int32_t v);

/* The extent along B, H, W or C (0 to 3), to be written. */
static inline int32_t *ir_dim_at(struct ir_shape *s, int axis)
{
    return (int32_t *[]){&s->b, &s->h, &s->w, &s->c}[axis];
}

/* `s` with another extent along one axis. */
static inline struct ir_shape ir_with(struct ir_shape s, int axis, int32_t extent)
{
    *ir_dim_at(&s, axis) = extent;
    return s;
}

#endif
