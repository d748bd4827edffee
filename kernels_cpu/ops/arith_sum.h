/* SPDX-License-Identifier: Apache-2.0 */
/* arith_sum.h - ADD and SUB of 8-bit tensors in float, with the bits of the fixed-point arithmetic.
 *
 * A sum in float is off by far less than a step of the output. Unless one lies as near to the middle between two steps as its error
 * reaches, both round alike; the few chunks in which one does are computed by the exact row function. So CPU_FAST keeps the promise
 * of bit-exact integers at the speed of floats; CPU_REFERENCE has the exact row function alone. */
#ifndef DELEGAUGE_KERNELS_CPU_OPS_ARITH_SUM_H
#define DELEGAUGE_KERNELS_CPU_OPS_ARITH_SUM_H

#include "kernels_cpu/common/broadcast.h"
#include "kernels_cpu/quant/fused_activation.h"

/* The head of the row functions' `arg`. */
struct sum_plan {
    struct broadcast_plan plan;
    broadcast_row exact; /* the fixed-point arithmetic, element by element, with the same `arg` */
    float a, b, c;       /* output steps, without the zero point: a * x0 + b * x1 + c */
    float margin;        /* how far from a whole step a sum may be for its rounding to be certain */
    int32_t zero, lo, hi;
};

/* The fixed-point arithmetic: inputs less their zero points, 20 bits up, scaled by a and b (at most 1/2), their sum by y. */
struct sum_fixed {
    int32_t a_zero, b_zero, y_zero;
    struct fixed_mul a, b, y;
    struct range_i32 range;
    bool subtract;
};

/* Replaces p->plan.row, which becomes the exact one, if type is INT8 or UINT8 and the float sums are off by at most 2^-10 of an
 * output step (arith_sum.c bounds the error); else leaves *p as it is, which is right, too, only slower. */
void sum_plan_fast(struct sum_plan *p, enum tensor_type type, const struct sum_fixed *f);

#endif
