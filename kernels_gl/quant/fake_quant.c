/* SPDX-License-Identifier: Apache-2.0 */
/* fake_quant.c - FAKE_QUANT: floats rounded to the values that a quantized tensor of that range could hold. */
#include "kernels_cpu/common/fake_quant.h"
#include "kernels_gl/common/elementwise.h"

/* p: lo, hi, scale, 1 / scale. What is rounded is not negative. Of NaN comes lo. */
static const struct ir_fn fn_fake_quant = {
    "FAKE_QUANT",
    "floor((mix(vec4(p.y), mix(vec4(p.x), a, greaterThan(a, vec4(p.x))), lessThan(mix(vec4(p.x), a, greaterThan(a, vec4(p.x))), "
    "vec4(p.y))) - vec4(p.x)) * vec4(p.w) + vec4(0.5)) * vec4(p.z) + vec4(p.x)",
    NULL,
    .arity = 1,
    .params = true,
    .full = true};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct fake_quant f;
    struct err err;

    (void)lim;
    if (fake_quant_of(n->opt, &f, &err))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%s", err.msg);
    return gl_runtime(n, 0, "input", why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct fake_quant f;
    enum status st = fake_quant_of(n->opt, &f, err);

    return st ? st : elementwise_map(ir, n, &fn_fake_quant, (const float[]){f.lo, f.hi, f.scale, f.per_scale}, ACT_NONE, err);
}

const struct gl_kernel gl_fake_quant = {.max_version = 2, .accept = accept, .lower = lower};
