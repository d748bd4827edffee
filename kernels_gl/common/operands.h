/* SPDX-License-Identifier: Apache-2.0 */
/* operands.h - checks of nodes' operands, and helpers for types and shapes, that kernels share. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Types of a kernel for data of any stored type. */
#define TAKES_ANY (TAKES_FLOAT | TAKES_INT | TAKES_BOOL)

/* Initializers of the types of a kernel that puts elements elsewhere, whatever they are. */
#define MOVES_ANY .quantized = TAKES_QUANTIZED, .in_types = TAKES_ANY, .out_types = TAKES_ANY

/* Types of a kernel for data of any stored type, and UINT32 as its bits. */
#define TAKES_BITS (TAKES_ANY | 1u << TYPE_UINT32)

/* Signed and unsigned 32-bit integers; lowering sees the latter as their bits. */
#define TAKES_INT32 (TAKES_INT | 1u << TYPE_UINT32)

/* The checks return false and set *why if they fail. */

/* Check that inputs first to end - 1 (omitted ones aside) and all outputs are stored as one type. */
bool gl_one_type(const struct node *n, uint32_t first, uint32_t end, struct reason *why);

/* Check that input 0 and output 0 have one tensor type. */
bool gl_keeps_type(const struct node *n, struct reason *why);

/* Check that the constants among inputs first to end - 1 can be stored on the device; inputs made at run time were checked before.
 */
bool gl_storable(const struct gl_limits *lim, const struct node *n, uint32_t first, uint32_t end, struct reason *why);

/* Read constant input i as one axis of a tensor of that rank; a negative axis counts from the end, *axis is not negative. */
bool gl_axis(const struct node *n, uint32_t i, int32_t rank, int32_t *axis, struct reason *why);

/* Check that each index vector of `at`, a constant, `depth` numbers each, lies within the first dimensions of t. */
bool gl_indices_fit(const struct tensor *at, size_t depth, const struct tensor *t, struct reason *why);

/* gl_kernel.accept: check that input 0 is made at run time. */
bool gl_accept_one(const struct gl_limits *lim, const struct node *n, struct reason *why);

/* gl_kernel.accept: check that input 0 is made at run time and has the output's type. */
bool gl_accept_alike(const struct gl_limits *lim, const struct node *n, struct reason *why);

/* gl_kernel.accept: check that the constant inputs can be stored on the device. */
bool gl_operands_fit(const struct gl_limits *lim, const struct node *n, struct reason *why);

/* gl_kernel.accept of a kernel that rearranges input 0 by constant input 1, into one output of the same type. */
bool gl_accept_arranged(const struct gl_limits *lim, const struct node *n, struct reason *why);

/* Define VEC and SCALAR, the GLSL types of elements. Pass op->stores for the values that a kernel stores: epilogues may change the
 * type. */
void gl_define_types(struct gl_shader *p, enum ir_type type);

/* Store the row-major strides, in elements: stride[rank]. */
void gl_strides(const struct tensor *t, int32_t *stride);

/* Return a constant of one integer. NULL if memory runs out. */
struct ir_value *ir_number(struct ir *ir, int32_t v);

/* Return a pointer to the extent along B, H, W or C (0 to 3). */
static inline int32_t *ir_dim_at(struct ir_shape *s, int axis)
{
    return (int32_t *[]){&s->b, &s->h, &s->w, &s->c}[axis];
}

/* Return `s` with another extent along one axis. */
static inline struct ir_shape ir_with(struct ir_shape s, int axis, int32_t extent)
{
    *ir_dim_at(&s, axis) = extent;
    return s;
}
