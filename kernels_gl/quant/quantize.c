/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - QUANTIZE to 8-bit tensors: what lib/gl/lower/quantized.h does to every quantized output is all there is to do. */
#include "kernels_gl/quant/requantize.h"
#include "lib/gl/lower/exact.h"
#include "lib/gl/lower/quantized.h"

static bool quantize_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why) && gl_quantized_fits(n->out[0], why);
}

/* Of an integer of 16 bits, the float by which it is multiplied is not exact enough. */
bool gl_reals_quantize(const struct node *n)
{
    return !ir_is_quantized(n->in[0]) || (n->in[0]->type != TYPE_INT16 && n->out[0]->type != TYPE_INT16);
}

static enum status quantize_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const double in = n->in[0]->quant.n ? (double)n->in[0]->quant.scale[0] : 0;
    enum activation act = ACT_NONE;

    if (ir_is_quantized(n->in[0]) && requantize_by(ir, n, in, in / (double)n->out[0]->quant.scale[0], &act, err))
        return ST_NOMEM;
    return ir_copy(ir, ir_in(ir, n, 0), ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_quantize = {.max_version = 6,
                                      .out_types = 1u << TYPE_INT8 | 1u << TYPE_UINT8,
                                      .quantized = TAKES_QUANTIZED,
                                      .accept = quantize_accept,
                                      .lower = quantize_lower};
