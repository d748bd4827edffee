/* SPDX-License-Identifier: Apache-2.0 */
/* activation.c - activations as operators: RELU and its kin, ELU, GELU, HARD_SWISH, LEAKY_RELU, LOGISTIC, TANH.
 *
 * lib/gl/lower/activation.c has the activations that other operators fuse. Comparisons and mix() replace clamp, which could lose a
 * NaN. */
#include "kernels_gl/common/elementwise.h"

static const struct ir_fn fn_elu = {"ELU", "mix(a, exp(a) - vec4(1.0), lessThan(a, vec4(0.0)))", NULL, .arity = 1};
static const struct ir_fn fn_hard_swish = {"HARD_SWISH", "a * (min(max(a + vec4(3.0), vec4(0.0)), vec4(6.0)) * vec4(0.16666667))",
                                           NULL, .arity = 1};
static const struct ir_fn fn_relu_0_to_1 = {"RELU_0_TO_1",
                                            "mix(mix(a, vec4(0.0), lessThan(a, vec4(0.0))), vec4(1.0), greaterThan(a, vec4(1.0)))",
                                            NULL,
                                            .arity = 1,
                                            .keeps_nan = true,
                                            .clamp = IR_CLAMP_0_TO_1};

const struct gl_kernel gl_elu = ELEMENTWISE(fn_elu, TAKES_FLOAT, 1);
const struct gl_kernel gl_hard_swish = ELEMENTWISE(fn_hard_swish, TAKES_FLOAT, 1);
const struct gl_kernel gl_logistic = ELEMENTWISE(fn_logistic, TAKES_FLOAT, 3);
const struct gl_kernel gl_relu = ELEMENTWISE(fn_relu, TAKES_FLOAT, 3);
const struct gl_kernel gl_relu6 = ELEMENTWISE(fn_relu6, TAKES_FLOAT, 3);
const struct gl_kernel gl_relu_0_to_1 = ELEMENTWISE(fn_relu_0_to_1, TAKES_FLOAT, 1);
const struct gl_kernel gl_relu_n1_to_1 = ELEMENTWISE(fn_relu_n1_to_1, TAKES_FLOAT, 1);
const struct gl_kernel gl_tanh = ELEMENTWISE(fn_tanh, TAKES_FLOAT, 3);

/* ---- LEAKY_RELU ---- */

/* p: the slope. */
static const struct ir_fn fn_leaky_relu = {"LEAKY_RELU", "mix(a, a * p.x, lessThan(a, vec4(0.0)))", NULL, .arity = 1,
                                           .params = true};

static enum status leaky_relu_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_leaky_relu *o = n->opt;

    return elementwise_map(ir, n, &fn_leaky_relu, (float[4]){o->alpha}, ACT_NONE, err);
}

const struct gl_kernel gl_leaky_relu = {
    .max_version = 2, .accept = elementwise_accept, .lower = leaky_relu_lower, .arg = &fn_leaky_relu};

/* ---- GELU ---- */

static const struct ir_fn fn_gelu = {"GELU", "gelu_erf(a)", NULL, .arity = 1, .helper = gelu_comp};
static const struct ir_fn fn_gelu_tanh = {"GELU", "gelu_tanh(a)", NULL, .arity = 1, .helper = gelu_comp};

static enum status gelu_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_gelu *o = n->opt;

    return elementwise_map(ir, n, o->approximate ? &fn_gelu_tanh : &fn_gelu, NULL, ACT_NONE, err);
}

const struct gl_kernel gl_gelu = {.max_version = 3, .accept = elementwise_accept, .lower = gelu_lower, .arg = &fn_gelu};
