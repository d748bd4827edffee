/* SPDX-License-Identifier: Apache-2.0 */
/* arith.h - quantized ADD, SUB, MUL and DIV, and the parameters of similar functions of two operands.
 *
 * With a, b and y minus their zero points, in fixed point and rounded at each step as in TFLite's reference_integer_ops:
 *
 *   sum:       y = (a * 2^left * sa / (2 max(sa, sb)) +- b * 2^left * sb / (2 max(sa, sb))) * 2 max(sa, sb) / (2^left * sy)
 *   product:   y = a * b * (sa * sb / sy)
 *   quotient:  y = a / b * (sa / (sb * sy))
 *
 * sa, sb, sy are the scales, left is 20 for 8 bits and 15 for 16. The functions fail with ST_BAD_MODEL if scales or zero points do
 * not allow this, and if types differ. */
#pragma once

#include "kernels_cpu/common/broadcast.h"
#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/quant/fused_activation.h"

/* Return true if the node's output has a type of these functions: INT8, UINT8, or INT16 with a scale. */
bool arith_is_quantized(const struct node *n);

/* Parameters of a sum or a product, computed by the functions below. */
struct arith_numbers {
    int32_t a_zero, b_zero, y_zero;
    int32_t left;                         /* left shift of the summands, in bits */
    struct fixed_mul a_mul, b_mul, y_mul; /* products use y_mul alone */
    struct range_i32 r;                   /* of the output */
    bool by_shifts;                       /* sums: shift a and b right instead, each rounded, by -a_mul.shift and -b_mul.shift */
    bool fractions;                       /* products: the high half of the product of two 16-bit fractions, to an 8-bit output */
};

enum status arith_sum_numbers(const struct node *n, enum activation act, bool pot, struct arith_numbers *out, struct err *err);
enum status arith_mul_numbers(const struct node *n, enum activation act, struct arith_numbers *out, struct err *err);

/* Compute the parameters of INT8 SQUARED_DIFFERENCE: y = (a * 2^left - b * 2^left, scaled as for a sum)^2 * y_mul. */
enum status squared_difference_numbers(const struct node *n, struct arith_numbers *out, struct err *err);

/* Compute the parameters of PRELU: a is x, b the slopes. x minus its zero point is scaled by a_mul if it is not negative; else its
 * product with the slope is scaled by y_mul. */
enum status prelu_numbers(const struct node *n, struct arith_numbers *out, struct err *err);

/* cpu_kernel.prepare; run with broadcast_plan_run. `pot` selects ADD's and SUB's older 16-bit arithmetic, by shifts, if all scales
 * are powers of two. */
enum status arith_prepare_sum(struct cpu_call *c, enum activation act, bool pot, struct err *err);
enum status arith_prepare_mul(struct cpu_call *c, enum activation act, struct err *err);
enum status arith_prepare_div(struct cpu_call *c, enum activation act, struct err *err);
