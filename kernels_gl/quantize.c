/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - QUANTIZE to 8-bit tensors. */
#include "byte_quant.h"
#include "kinds.h"

/* p: scale, zero point, and the limits of the type less the zero point. */
static const struct ir_fn fn_quantize = {
    "QUANTIZE", 1, "quantize4(a / vec4(p.x), p)", NULL, .params = true, .helper = quantize_comp};

static bool quantize_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why) && byte_quant_fits(n->out[0], why);
}

static enum status quantize_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *y = n->out[0];
    struct byte_limits l = byte_limits_of(y->type);
    int32_t zero = byte_quant_zero(y);
    struct ir_value *in[3] = {ir_in(ir, n, 0), NULL, NULL};
    float p[4] = {y->quant.scale[0], (float)zero, (float)(l.lo - zero), (float)(l.hi - zero)};

    return ir_map(ir, &fn_quantize, in, p, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_quantize = {
    .max_version = 4, .out_types = TAKES_BYTES, .accept = quantize_accept, .lower = quantize_lower};
