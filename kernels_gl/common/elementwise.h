/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.h - lowering of elementwise operators, which differ only in a struct ir_fn, and broadcasting of their operands. */
#pragma once

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"
#include "lib/gl/lower/activation.h"

#define FLOAT_OR_INT (TAKES_FLOAT | TAKES_INT)

/* Functions that other kernels apply too. */
extern const struct ir_fn fn_add, fn_equal, fn_mul, fn_pow, fn_select, fn_sqrt, fn_square;

/* Check that operands and output are all INT32, or none is; INT64 operands fail. False: *why. */
bool elementwise_one_type(const struct node *n, struct reason *why);

/* Check that no element of a constant divisor, input 1, is 0, which makes a run fail on the CPU. Checks integers, and FLOAT32 if
 * `floats`. False: *why. */
bool elementwise_divisor_fits(const struct node *n, bool floats, struct reason *why);

/* Operands that broadcast to y: values, and their extents along the axes of y. */
struct operands {
    uint32_t arity;
    int32_t inner; /* this many last axes do not broadcast and are not merged: rows and columns of products */
    int32_t rank, y_dim[TENSOR_MAX_RANK], dim[3][TENSOR_MAX_RANK];
    struct ir_value *in[3], *y;
    struct ir_value *natural; /* set by elementwise_fold: the output of ir_map, which ir_end_reshape turns into y */
};

/* Return the node's first `arity` operands and its output. */
struct operands elementwise_operands(struct ir *ir, const struct node *n, uint32_t arity);

/* Give in[] shapes of four axes that broadcast to o->natural's. Operands whose broadcast axes alternate too often for four axes are
 * first copied to y's extents. False if memory runs out. */
bool elementwise_fold(struct ir *ir, struct operands *o);

/* Append y = fn(inputs) and a fused activation. p: see struct ir_epilogue; may be NULL. Fails only with ST_NOMEM. */
enum status elementwise_map(struct ir *ir, const struct node *n, const struct ir_fn *fn, const float p[4], enum activation act,
                            struct err *err);

/* gl_kernel.accept and .lower of a kernel whose arg is its struct ir_fn and whose operands have the output's type. */
bool elementwise_accept(const struct gl_limits *lim, const struct node *n, struct reason *why);
enum status elementwise_lower(struct ir *ir, const struct node *n, struct err *err);

/* Initialize such a struct gl_kernel; `integers` are the quantized types of gl_kernel.quantized, `words` is gl_kernel.int64. */
#define ELEMENTWISE(function, types, version)                     ELEMENTWISE_QUANTIZED(function, types, version, 0)
#define ELEMENTWISE_QUANTIZED(function, types, version, integers) ELEMENTWISE_INT64(function, types, version, integers, NULL)
#define ELEMENTWISE_INT64(function, types, version, integers, words)                                                               \
    {                                                                                                                              \
        .max_version = version, .quantized = integers, .in_types = types, .out_types = types, .accept = elementwise_accept,        \
        .lower = elementwise_lower, .arg = &(function), .int64 = (words)                                                           \
    }
