/* SPDX-License-Identifier: Apache-2.0 */
/* moves.h - copies that several kernels lower to: picking along axes, joining, looking at a value under another shape. */
#ifndef DELEGAUGE_KERNELS_GL_MOVES_H
#define DELEGAUGE_KERNELS_GL_MOVES_H

#include "kinds.h"

/* Axis i of the output (0 to 3: B, H, W, C) walks along axis[i] of the input, a permutation; its k-th element is at at[i][k]
 * there. NULL: at k. Arrays are borrowed for the life of the ir, their indices are in range. */
struct pick {
    int axis[4];
    const int32_t *at[4];
};

struct ir_op *ir_pick(struct ir *ir, struct ir_value *x, const struct pick *pick, struct ir_value *y);

/* The indices begin, begin + step, ... as an array of the ir's arena. */
const int32_t *ir_range(struct ir *ir, int32_t begin, int32_t step, int32_t n);

/* y = x[from, from + extent of y) along one axis. */
struct ir_op *ir_cut(struct ir *ir, struct ir_value *x, int axis, int32_t from, struct ir_value *y);

/* y = in[0] .. in[n - 1], n >= 1, one after the other along the axis. The last operation of several where one shader cannot
 * bind so many buffers. */
struct ir_op *ir_join(struct ir *ir, struct ir_value *const *in, uint32_t n, int axis, struct ir_value *y);

/* x with another shape of as many elements, in dense order: x itself where it has that shape. */
struct ir_value *ir_view(struct ir *ir, struct ir_value *x, struct ir_shape shape);

/* For operations whose natural output shape differs from that of y: they write ir_draft(), which is y itself where the shapes
 * agree, and ir_settle() makes y of it. False: out of memory. */
struct ir_value *ir_draft(struct ir *ir, struct ir_value *y, struct ir_shape shape);
bool ir_settle(struct ir *ir, struct ir_value *draft, struct ir_value *y);

/* Inputs first to end - 1 (omitted ones aside) and all outputs are stored as one type. */
bool gl_one_type(const struct node *n, uint32_t first, uint32_t end, struct reason *why);

/* Inputs first to end - 1 can be stored on the device; what is made at run time was checked before, constants were not. */
bool gl_stored(const struct gl_limits *lim, const struct node *n, uint32_t first, uint32_t end, struct reason *why);

/* Reads constant input i as one axis of a tensor of that rank. */
bool gl_axis(const struct node *n, uint32_t i, int32_t rank, int32_t *axis, struct reason *why);

/* A kernel for data of any type that is stored. */
#define TAKES_ANY (TAKES_FLOAT | TAKES_INT | TAKES_BOOL)

/* VEC and SCALAR: the GLSL types of elements. For what a kernel stores that is op->stores: epilogues may change the type. */
void gl_define_types(struct gl_shader *p, enum ir_type type);

/* The extent along B, H, W or C (0 to 3), to be written. */
static inline int32_t *ir_dim_at(struct ir_shape *s, int axis)
{
    return (int32_t *[]){&s->b, &s->h, &s->w, &s->c}[axis];
}

static inline struct ir_shape ir_with(struct ir_shape s, int axis, int32_t extent)
{
    *ir_dim_at(&s, axis) = extent;
    return s;
}

#endif
