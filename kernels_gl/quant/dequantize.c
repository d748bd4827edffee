/* SPDX-License-Identifier: Apache-2.0 */
/* dequantize.c - DEQUANTIZE of 8- and 16-bit tensors: the reals that lib/gl/lower/quantized.h has made of its input; or of 16-bit
 * floats, which lowering sees as floats. */
#include "lib/gl/lower/quantized.h"

static bool dequantize_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why) && (n->in[0]->type == TYPE_FLOAT16 || gl_quantized_fits(n->in[0], why));
}

static enum status dequantize_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return ir_copy(ir, ir_in(ir, n, 0), ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_dequantize = {
    .max_version = 9, .in_types = TAKES_QUANTIZED | 1u << TYPE_FLOAT16, .accept = dequantize_accept, .lower = dequantize_lower};
