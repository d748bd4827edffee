/* SPDX-License-Identifier: Apache-2.0 */
/* exact_table.h - the operation that looks quantized values up in a table. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_TABLE_H
#define DELEGAUGE_KERNELS_GL_EXACT_TABLE_H

#include "kernels_gl/quant/exact_run.h"

/* y = t[in[0]], or t[in[0], in[1]], which broadcast to the shape of y. Entries are borrowed for the life of the ir. NULL: out of
 * memory. */
struct ir_op *ir_exact_table(struct ir *ir, const struct exact_table *t, struct ir_value *const *in, uint32_t n_in,
                             struct ir_value *y);

#endif
