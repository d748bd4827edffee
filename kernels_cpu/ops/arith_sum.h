/* SPDX-License-Identifier: Apache-2.0 */
/* arith_sum.h - ADD and SUB of 8-bit tensors in float, with the bits of the fixed-point arithmetic.
 *
 * A sum in float is off by far less than a scale unit of the output, so both round alike unless it lies within its error of the
 * middle between two units. The exact row function recomputes the few chunks that contain such a sum. So CPU_FAST is bit-exact at
 * the speed of floats; CPU_REFERENCE has the exact row function alone. */
#pragma once

#include "kernels_cpu/common/broadcast.h"
#include "kernels_cpu/quant/fused_activation.h"

/* The head of the row functions' `arg`. */
struct sum_plan {
    struct broadcast_plan plan;
    broadcast_row exact; /* the fixed-point arithmetic, element by element, with the same `arg` */
    float a, b, c;       /* y minus its zero point, in scale units, is a * x0 + b * x1 + c */
    float margin;        /* largest distance of a sum from an integer at which its rounding is certain */
    int32_t zero, lo, hi;
};

/* Parameters of the fixed-point arithmetic: inputs minus their zero points, shifted left by 20 bits, scaled by a and b (at most
 * 1/2), added, scaled by y. */
struct sum_fixed {
    int32_t a_zero, b_zero, y_zero;
    struct fixed_mul a, b, y;
    struct range_i32 range;
    bool subtract;
};

/* Replace p->plan.row by the float loop and keep the old row as p->exact, if type is INT8 or UINT8 and the float sums are off by at
 * most 2^-10 of an output unit (arith_sum.c bounds the error). Else leave *p as it is: right, only slower. */
void sum_plan_fast(struct sum_plan *p, enum tensor_type type, const struct sum_fixed *f);
