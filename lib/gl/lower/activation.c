/* SPDX-License-Identifier: Apache-2.0 */
/* activation.c - the fused activations as elementwise functions.
 *
 * Comparisons instead of min, max and clamp: those may turn NaN into anything. */
#include "lib/gl/lower/activation.h"
#include "lib/gl/lower/integers.h"

#include <math.h>

const struct ir_clamp ir_clamps[] = {
    [IR_CLAMP_NONE] = {-INFINITY, INFINITY},
    [IR_CLAMP_RELU] = {0, INFINITY},
    [IR_CLAMP_RELU6] = {0, 6},
    [IR_CLAMP_N1_TO_1] = {-1, 1},
    [IR_CLAMP_0_TO_1] = {0, 1},
};

const struct ir_fn fn_relu = {
    "RELU", "mix(a, vec4(0.0), lessThan(a, vec4(0.0)))", "max(a, ivec4(0))", .keeps_nan = true, .arity = 1, .clamp = IR_CLAMP_RELU};
const struct ir_fn fn_relu6 = {"RELU6",
                               "mix(mix(a, vec4(0.0), lessThan(a, vec4(0.0))), vec4(6.0), greaterThan(a, vec4(6.0)))",
                               "clamp(a, ivec4(0), ivec4(6))",
                               .arity = 1,
                               .keeps_nan = true,
                               .clamp = IR_CLAMP_RELU6};
const struct ir_fn fn_relu_n1_to_1 = {"RELU_N1_TO_1",
                                      "mix(mix(a, vec4(-1.0), lessThan(a, vec4(-1.0))), vec4(1.0), greaterThan(a, vec4(1.0)))",
                                      "clamp(a, ivec4(-1), ivec4(1))",
                                      .arity = 1,
                                      .keeps_nan = true,
                                      .clamp = IR_CLAMP_N1_TO_1};
/* exp overflows long before tanh differs from +-1. */
const struct ir_fn fn_tanh = {"TANH", "mix(tanh(clamp(a, vec4(-20.0), vec4(20.0))), a, isnan(a))", NULL, .arity = 1, .full = true};
const struct ir_fn fn_logistic = {"LOGISTIC", "vec4(1.0) / (vec4(1.0) + exp(-a))", NULL, .arity = 1};

static const struct ir_fn fn_sign_bit = {"SIGN_BIT", "vec4(lessThan(floatBitsToInt(a), ivec4(0)))", NULL, .arity = 1, .full = true};

static const struct ir_fn *const fns[] = {
    [ACT_RELU] = &fn_relu, [ACT_RELU_N1_TO_1] = &fn_relu_n1_to_1, [ACT_RELU6] = &fn_relu6,
    [ACT_TANH] = &fn_tanh, [ACT_SIGN_BIT] = &fn_sign_bit,         [ACT_SIGMOID] = &fn_logistic,
};

static const struct ir_fn *activation_fn(enum activation act)
{
    return (unsigned)act < sizeof fns / sizeof *fns ? fns[act] : NULL;
}

bool gl_activation(enum activation act, struct reason *why)
{
    if (act == ACT_NONE || activation_fn(act))
        return true;
    return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "fused activation %d has no shader", (int)act);
}

/* Plain integers wrap before. */
bool ir_activation(struct ir *ir, struct ir_op *op, enum activation act)
{
    const struct tensor *y = ir->lowering.node ? node_out(ir->lowering.node, 0) : NULL;

    if (!op || act == ACT_NONE)
        return op != NULL;
    if (y && tensor_is_plain(y) && !gl_integers_wrap_op(ir, op, y->type))
        return false;
    return ir_apply(ir, op, activation_fn(act), NULL, NULL, op->out->type);
}
