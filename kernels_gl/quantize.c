/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - QUANTIZE and DEQUANTIZE of 8-bit tensors, which cross a partition's border as bytes and are IR_INT inside. */
#include <math.h>

#include "kinds.h"

#define TAKES_BYTES (1u << TYPE_INT8 | 1u << TYPE_UINT8)

struct byte_limits {
    int32_t lo, hi;
};

static struct byte_limits limits_of(enum tensor_type type)
{
    return type == TYPE_INT8 ? (struct byte_limits){INT8_MIN, INT8_MAX} : (struct byte_limits){0, UINT8_MAX};
}

/* One scale for the whole tensor. A subnormal one may count as 0 on a GPU. */
static bool check_quant(const struct tensor *t, struct reason *why)
{
    struct byte_limits l = limits_of(t->type);
    int64_t zero;

    if (t->quant.n != 1 || t->quant.block_size > 0 || t->quant.n_axes)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s is not quantized with one scale for all elements",
                          TENSOR_TEXT(t));
    if (!(t->quant.scale[0] > 0 && isnormal(t->quant.scale[0])))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s has scale %g", TENSOR_TEXT(t), (double)t->quant.scale[0]);
    zero = t->quant.zero_point ? t->quant.zero_point[0] : 0;
    if (zero < l.lo || zero > l.hi)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "the zero point %lld of %s is not a value of its type",
                          (long long)zero, TENSOR_TEXT(t));
    return true;
}

static int32_t zero_of(const struct tensor *t)
{
    return t->quant.zero_point ? (int32_t)t->quant.zero_point[0] : 0;
}

/* p: scale, zero point. */
static const struct ir_fn fn_dequantize = {"DEQUANTIZE", 1, NULL, "(vec4(a) - vec4(p.y)) * vec4(p.x)", .params = true};

static bool dequantize_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why) && check_quant(n->in[0], why);
}

static enum status dequantize_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct ir_value *in[3] = {ir_in(ir, n, 0), NULL, NULL};

    return ir_map(ir, &fn_dequantize, in, (float[4]){x->quant.scale[0], (float)zero_of(x)}, ir_out(ir, n, 0)) ? ST_OK
                                                                                                              : ir_nomem(err);
}

const struct gl_kernel gl_dequantize = {
    .max_version = 6, .in_types = TAKES_BYTES, .accept = dequantize_accept, .lower = dequantize_lower};

/* p: scale, zero point, and the limits of the type less the zero point. Clamped first, so that every value fits an int; a NaN
 * becomes the lower limit, as on the CPU. Halves are rounded away from zero, which round() leaves open. */
static const struct ir_fn fn_quantize = {
    "QUANTIZE",
    1,
    "quantize4(a / vec4(p.x), p)",
    NULL,
    .params = true,
    .helper =
        "ivec4 quantize4(vec4 v, vec4 p)\n{\n"
        "    v = mix(vec4(p.z), v, greaterThan(v, vec4(p.z)));\n"
        "    v = mix(vec4(p.w), v, lessThan(v, vec4(p.w)));\n"
        "    ivec4 whole = ivec4(v);\n"
        "    vec4 rest = v - vec4(whole);\n"
        "    return whole + ivec4(greaterThanEqual(rest, vec4(0.5))) - ivec4(lessThanEqual(rest, vec4(-0.5))) + ivec4(p.y);\n}\n"};

static bool quantize_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why) && check_quant(n->out[0], why);
}

static enum status quantize_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *y = n->out[0];
    struct byte_limits l = limits_of(y->type);
    int32_t zero = zero_of(y);
    struct ir_value *in[3] = {ir_in(ir, n, 0), NULL, NULL};
    float p[4] = {y->quant.scale[0], (float)zero, (float)(l.lo - zero), (float)(l.hi - zero)};

    return ir_map(ir, &fn_quantize, in, p, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_quantize = {
    .max_version = 4, .out_types = TAKES_BYTES, .accept = quantize_accept, .lower = quantize_lower};
