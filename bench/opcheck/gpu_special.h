/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_special.h - what GPU kernels guarantee for NaN, infinities, signed zeros and huge values, which GLSL leaves to the driver. */
#pragma once

#include "bench/opcheck/case_model.h"
#include "bench/opcheck/case_run.h"

/* Return true if an input has such values, or an integer input the ends of its range. A tolerance relative to the largest value
 * would let everything pass there. */
bool case_has_extremes(const struct op_case *c);

/* Return true if a float input has such values. The ends of an integer range are ordinary numbers. */
bool case_has_specials(const struct op_case *c);

/* Return NULL if the kernel guarantees the CPU's result for special inputs; else one word for the reason. Then nothing is
 * guaranteed or, if *partly, only elements whose inputs are ordinary numbers or, for some operators, NaN. All that the table of
 * exceptions does not list is guaranteed. */
const char *gpu_special_open(const struct case_ref *ref, bool *partly);

/* Return true if even guaranteed results are lost on devices whose shaders have no `precise` (GL_EXT_gpu_shader5). */
bool gpu_special_is_imprecise(const struct case_ref *ref);

/* Overwrite the elements of got's first output that are not guaranteed with the wanted values. `m` has the inputs. */
void gpu_special_leave_open(const struct case_ref *ref, const struct case_model *m, const struct case_outputs *want,
                            struct case_outputs *got);

/* Return true if only the first variant of a kernel guarantees the result, because others sum in another order. */
bool gpu_special_open_in_variants(const struct case_ref *ref);
