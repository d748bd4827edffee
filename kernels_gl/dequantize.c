/* SPDX-License-Identifier: Apache-2.0 */
/* dequantize.c - DEQUANTIZE of 8-bit tensors: (x - zero point) * scale. */
#include "byte_quant.h"
#include "kinds.h"

/* p: scale, zero point. */
static const struct ir_fn fn_dequantize = {"DEQUANTIZE", 1, NULL, "(vec4(a) - vec4(p.y)) * vec4(p.x)", .params = true};

static bool dequantize_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why) && byte_quant_fits(n->in[0], why);
}

static enum status dequantize_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct ir_value *in[3] = {ir_in(ir, n, 0), NULL, NULL};

    return ir_map(ir, &fn_dequantize, in, (float[4]){x->quant.scale[0], (float)byte_quant_zero(x)}, ir_out(ir, n, 0))
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_dequantize = {
    .max_version = 6, .in_types = TAKES_BYTES, .accept = dequantize_accept, .lower = dequantize_lower};
