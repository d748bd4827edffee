/* SPDX-License-Identifier: Apache-2.0 */
/* complex.h - COMPLEX64 on the device: the low halves of its 64-bit elements are the real parts, the high halves the imaginary
 * parts. */
#pragma once

#include "kernels_gl/int64/int64.h"

/* Return the real or imaginary parts of a tensor as floats. NULL if memory runs out. */
struct ir_value *complex_part(struct ir *ir, const struct tensor *t, bool imaginary);

/* Return the low halves of the complex numbers with these parts, and the high halves in *high. NULL if memory runs out. */
struct ir_value *complex_words(struct ir *ir, struct ir_value *re, struct ir_value *im, struct ir_value **high);
