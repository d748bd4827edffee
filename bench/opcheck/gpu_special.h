/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_special.h - the promises of GPU kernels about NaN, infinities, signed zeros and huge values, which GLSL leaves to the
 * driver. */
#ifndef DELEGAUGE_BENCH_GPU_SPECIAL_H
#define DELEGAUGE_BENCH_GPU_SPECIAL_H

#include "bench/opcheck/case_model.h"
#include "bench/opcheck/case_run.h"

/* Return true if an input holds such values, or an integer one the ends of its range. Huge values stand among small ones there, and
 * a tolerance from the largest would let everything pass. */
bool case_has_extremes(const struct op_case *c);

/* Return true if a float input holds such values. Integers have none: their ends are numbers like others. */
bool case_has_specials(const struct op_case *c);

/* Return NULL if the kernel promises the CPU's result for special inputs; else, in a word, why it does not: of nothing in the case,
 * or, *partly, of elements whose inputs are neither ordinary numbers nor, if the table says so, NaN. Whatever the table of
 * exceptions does not name is promised. */
const char *gpu_special_open(const struct case_ref *ref, bool *partly);

/* Return true if even promised results are lost on devices whose shaders cannot say `precise` (GL_EXT_gpu_shader5). */
bool gpu_special_is_imprecise(const struct case_ref *ref);

/* Overwrites the elements of got's first output of which nothing is promised with the wanted values. `m` holds the inputs. */
void gpu_special_leave_open(const struct case_ref *ref, const struct case_model *m, const struct case_outputs *want,
                            struct case_outputs *got);

/* Return true if only the first variant of a kernel promises the result: others sum in another order. */
bool gpu_special_open_in_variants(const struct case_ref *ref);

#endif
