/* SPDX-License-Identifier: Apache-2.0 */
/* complex.h - COMPLEX64 on the device: the words of its elements are their real and imaginary parts. */
#ifndef DELEGAUGE_KERNELS_GL_COMPLEX_H
#define DELEGAUGE_KERNELS_GL_COMPLEX_H

#include "kernels_gl/int64/int64.h"

/* The real or imaginary parts of a tensor as floats. NULL: out of memory. */
struct ir_value *complex_part(struct ir *ir, const struct tensor *t, bool imaginary);

/* Return the words of the number with these parts: its real ones, and in *high its imaginary ones. NULL if memory runs out. */
struct ir_value *complex_words(struct ir *ir, struct ir_value *re, struct ir_value *im, struct ir_value **high);

#endif
