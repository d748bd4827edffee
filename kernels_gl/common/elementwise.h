/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.h - the shared part of kernels of elementwise functions, which differ in a struct ir_fn alone. */
#ifndef DELEGAUGE_KERNELS_GL_ELEMENTWISE_H
#define DELEGAUGE_KERNELS_GL_ELEMENTWISE_H

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"
#include "lib/gl/lower/activation.h"

#define FLOAT_OR_INT (TAKES_FLOAT | TAKES_INT)

/* Functions that other families' kernels apply too. */
extern const struct ir_fn fn_add, fn_equal, fn_mul, fn_pow, fn_select, fn_sqrt, fn_square;

/* Check that operands and output are all integers or all floats; int64 is not stored. */
bool elementwise_one_type(const struct node *n, struct reason *why);

/* Check that no element of a constant divisor, input 1, is 0, which ends a run of the CPU. Looks at FLOAT32 if `floats`, and at
 * integers. */
bool elementwise_divisor_fits(const struct node *n, bool floats, struct reason *why);

/* Check that constants among all inputs can be stored, and that a shader can bind inputs and output. */
bool elementwise_operands_fit(const struct gl_limits *lim, const struct node *n, struct reason *why);

/* Operands, which broadcast to y: values, and their extents along the axes of y. */
struct operands {
    uint32_t arity;
    int32_t inner; /* so many last axes do not broadcast, and each is one of the four: rows and columns of products */
    int32_t rank, y_dim[TENSOR_MAX_RANK], dim[3][TENSOR_MAX_RANK];
    struct ir_value *in[3], *y;
    struct ir_value
        *natural; /* of elementwise_fold: the value that ir_map is to compute of in[], and that ir_end_reshape makes y of */
};

/* Return the node's first operands and its output. */
struct operands elementwise_operands(struct ir *ir, const struct node *n, uint32_t arity);

/* Give in[] shapes that broadcast to that of o->natural along four axes. If they broadcast along more by turns, they are copied to
 * the extents of y first. False if memory runs out. */
bool elementwise_fold(struct ir *ir, struct operands *o);

/* y = fn(inputs), followed by a fused activation. p: see struct ir_epilogue; may be NULL. */
enum status elementwise_map(struct ir *ir, const struct node *n, const struct ir_fn *fn, const float p[4], enum activation act,
                            struct err *err);

/* The functions of a kernel whose arg is its struct ir_fn and whose operands are of the output's type. */
bool elementwise_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why);
enum status elementwise_lower(struct ir *ir, const struct node *n, struct err *err);

/* Initializes such a struct gl_kernel; the second of one that gives the CPU's integers among reals, too (gl_kernel.quantized). */
#define ELEMENTWISE(function, types, version)                     ELEMENTWISE_QUANTIZED(function, types, version, 0)
#define ELEMENTWISE_QUANTIZED(function, types, version, integers) ELEMENTWISE_INT64(function, types, version, integers, NULL)
#define ELEMENTWISE_INT64(function, types, version, integers, words)                                                               \
    {                                                                                                                              \
        .max_version = version, .quantized = integers, .in_types = types, .out_types = types, .accept = elementwise_accept,        \
        .lower = elementwise_lower, .arg = &(function), .int64 = (words)                                                           \
    }

#endif
