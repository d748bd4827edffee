/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_special.h - what GPU kernels promise about NaN, infinities, signed zeros and huge values, which GLSL leaves to the driver. */
#ifndef DELEGAUGE_BENCH_GPU_SPECIAL_H
#define DELEGAUGE_BENCH_GPU_SPECIAL_H

#include "case_model.h"

/* True where an input holds such values, or an integer one the ends of its range. Huge values stand among small ones there, and a
 * tolerance from the largest would let everything pass. */
bool case_has_extremes(const struct op_case *c);

/* True where a float input holds such values. Integers have none: their ends are numbers like others. */
bool case_has_specials(const struct op_case *c);

/* NULL where the kernel promises the CPU's result for special inputs; else, in a word, why nothing is promised. Whatever the
 * table of exceptions does not name is promised. */
const char *gpu_special_open(const struct case_ref *ref);

#endif
