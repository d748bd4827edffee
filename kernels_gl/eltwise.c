/* SPDX-License-Identifier: Apache-2.0 */
/* eltwise.c - operators that work on each element by itself.
 *
 * Formulas are those of the CPU kernels; comparisons and mix() stand where min, max and clamp would lose a NaN. */
#include <math.h>

#include "../lib/gl/activation.h"
#include "kinds.h"

#define ANY (TAKES_FLOAT | TAKES_INT)

static const struct ir_fn *fn_of(const struct node *n)
{
    return n->op->gl->arg;
}

static bool all_same_type(const struct node *n, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if ((n->in[i]->type == TYPE_INT32) != (n->out[0]->type == TYPE_INT32) || n->in[i]->type == TYPE_INT64)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s, the output %s", i,
                              type_name(n->in[i]->type), type_name(n->out[0]->type));
    return true;
}

static bool constants_fit(const struct node *n, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i]->rank > 4)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "input %u is %s, at most rank 4 is supported", i,
                              TENSOR_TEXT(n->in[i]));
    return true;
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    uint32_t arity = fn_of(n)->arity;

    (void)g;
    return gl_arity(n, arity, arity, 1, why) && all_same_type(n, why) && constants_fit(n, why) &&
           gl_storage_blocks(lim, arity + 1, why);
}

static enum status lower_with(struct ir *ir, const struct node *n, const float p[4], enum activation act, struct err *err)
{
    struct ir_value *in[3] = {NULL, NULL, NULL};
    struct ir_op *op;

    for (uint32_t i = 0; i < n->n_in; i++)
        in[i] = ir_in(ir, n, i);
    op = ir_map(ir, fn_of(n), in, p, ir_out(ir, n, 0));
    return ir_activation(ir, op, act) ? ST_OK : ir_nomem(err);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower_with(ir, n, NULL, ACT_NONE, err);
}

#define KERNEL(name, function, types, version)                                                                                     \
    const struct gl_kernel gl_##name = {                                                                                           \
        .max_version = version, .in_types = types, .out_types = types, .accept = accept, .lower = lower, .arg = &function}

/* ---- arithmetic, with a fused activation ---- */

static enum activation fused_activation(const struct node *n)
{
    switch (n->options_kind) {
    case OPTIONS_ADD: return ((const struct opt_add *)n->opt)->activation;
    case OPTIONS_SUB: return ((const struct opt_sub *)n->opt)->activation;
    case OPTIONS_MUL: return ((const struct opt_mul *)n->opt)->activation;
    case OPTIONS_DIV: return ((const struct opt_div *)n->opt)->activation;
    default: return ACT_NONE;
    }
}

static bool arith_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    return accept(lim, g, n, why) && gl_activation(fused_activation(n), why);
}

static enum status arith_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower_with(ir, n, NULL, fused_activation(n), err);
}

#define ARITH(name, types, version)                                                                                                \
    const struct gl_kernel gl_##name = {.max_version = version,                                                                    \
                                        .in_types = types,                                                                         \
                                        .out_types = types,                                                                        \
                                        .accept = arith_accept,                                                                    \
                                        .lower = arith_lower,                                                                      \
                                        .arg = &fn_##name}

static const struct ir_fn fn_add = {"ADD", 2, "a + b", "a + b"};
static const struct ir_fn fn_sub = {"SUB", 2, "a - b", "a - b"};
static const struct ir_fn fn_mul = {"MUL", 2, "a * b", "a * b"};
static const struct ir_fn fn_div = {"DIV", 2, "a / b", NULL};

ARITH(add, ANY, 5);
ARITH(sub, ANY, 5);
ARITH(mul, ANY, 7);
ARITH(div, TAKES_FLOAT, 2);

/* ---- two operands ---- */

/* pow() is exp2(b * log2(a)): wrong for negative bases and where 0 * infinity arises. */
#define POW1                                                                                                                       \
    "float pow1(float a, float b)\n{\n"                                                                                            \
    "    float r;\n"                                                                                                               \
    "    if (b == 0.0 || a == 1.0)\n        return 1.0;\n"                                                                         \
    "    if (a == 0.0)\n        r = b > 0.0 ? 0.0 : uintBitsToFloat(0x7f800000u);\n"                                               \
    "    else\n        r = pow(abs(a), b);\n"                                                                                      \
    "    if (a >= 0.0 || isinf(b))\n        return r;\n"                                                                           \
    "    if (b != floor(b))\n        return isinf(a) ? r : uintBitsToFloat(0x7fc00000u);\n"                                        \
    "    return mod(b, 2.0) == 1.0 ? -r : r;\n}\n"
static const struct ir_fn fn_pow = {"POW", 2, "vec4(pow1(a.x, b.x), pow1(a.y, b.y), pow1(a.z, b.z), pow1(a.w, b.w))", NULL,
                                    .helper = POW1};
/* One exponent for all elements that is almost whole counts as whole, as in TFLite. */
static const struct ir_fn fn_pow_one = {
    "POW", 2, "vec4(pow1(a.x, whole(b.x)), pow1(a.y, whole(b.x)), pow1(a.z, whole(b.x)), pow1(a.w, whole(b.x)))", NULL,
    .helper = POW1 "float whole(float b)\n{\n    return b > 0.5 && abs(b - round(b)) < 1e-5 ? round(b) : b;\n}\n"};
static const struct ir_fn fn_maximum = {"MAXIMUM", 2, "mix(b, a, greaterThan(a, b))", "max(a, b)"};
static const struct ir_fn fn_minimum = {"MINIMUM", 2, "mix(b, a, lessThan(a, b))", "min(a, b)"};
static const struct ir_fn fn_squared_difference = {"SQUARED_DIFFERENCE", 2, "(a - b) * (a - b)", "(a - b) * (a - b)"};
static const struct ir_fn fn_floor_div = {"FLOOR_DIV", 2, "floor(a / b)", NULL};
static const struct ir_fn fn_floor_mod = {"FLOOR_MOD", 2, "a - b * floor(a / b)", NULL};
static const struct ir_fn fn_prelu = {"PRELU", 2, "mix(a * b, a, greaterThanEqual(a, vec4(0.0)))", NULL};

KERNEL(maximum, fn_maximum, ANY, 4);
KERNEL(minimum, fn_minimum, ANY, 4);
KERNEL(squared_difference, fn_squared_difference, ANY, 2);
KERNEL(floor_div, fn_floor_div, TAKES_FLOAT, 3);
KERNEL(floor_mod, fn_floor_mod, TAKES_FLOAT, 2);
KERNEL(prelu, fn_prelu, TAKES_FLOAT, 1);

/* ---- one operand ---- */

static const struct ir_fn fn_abs = {"ABS", 1, "abs(a)", "abs(a)"};
static const struct ir_fn fn_ceil = {"CEIL", 1, "ceil(a)", NULL};
static const struct ir_fn fn_cos = {"COS", 1, "cos(a)", NULL};
static const struct ir_fn fn_elu = {"ELU", 1, "mix(a, exp(a) - vec4(1.0), lessThan(a, vec4(0.0)))", NULL};
static const struct ir_fn fn_exp = {"EXP", 1, "exp(a)", NULL};
static const struct ir_fn fn_floor = {"FLOOR", 1, "floor(a)", NULL};
static const struct ir_fn fn_hard_swish = {"HARD_SWISH", 1,
                                           "a * (min(max(a + vec4(3.0), vec4(0.0)), vec4(6.0)) * vec4(0.16666667))", NULL};
static const struct ir_fn fn_log = {"LOG", 1, "log(a)", NULL};
static const struct ir_fn fn_neg = {"NEG", 1, "-a", "-a"};
static const struct ir_fn fn_relu_0_to_1 = {
    "RELU_0_TO_1", 1, "mix(mix(a, vec4(0.0), lessThan(a, vec4(0.0))), vec4(1.0), greaterThan(a, vec4(1.0)))", NULL};
static const struct ir_fn fn_round = {"ROUND", 1, "roundEven(a)", NULL};
static const struct ir_fn fn_rsqrt = {"RSQRT", 1, "inversesqrt(a)", NULL};
static const struct ir_fn fn_sign = {"SIGN", 1, "sign(a)", NULL};
static const struct ir_fn fn_sin = {"SIN", 1, "sin(a)", NULL};
static const struct ir_fn fn_sqrt = {"SQRT", 1, "sqrt(a)", NULL};
static const struct ir_fn fn_square = {"SQUARE", 1, "a * a", "a * a"};

KERNEL(abs, fn_abs, ANY, 5);
KERNEL(ceil, fn_ceil, TAKES_FLOAT, 1);
KERNEL(cos, fn_cos, TAKES_FLOAT, 1);
KERNEL(elu, fn_elu, TAKES_FLOAT, 1);
KERNEL(exp, fn_exp, TAKES_FLOAT, 2);
KERNEL(floor, fn_floor, TAKES_FLOAT, 1);
KERNEL(hard_swish, fn_hard_swish, TAKES_FLOAT, 1);
KERNEL(log, fn_log, TAKES_FLOAT, 2);
KERNEL(logistic, fn_logistic, TAKES_FLOAT, 3);
KERNEL(neg, fn_neg, ANY, 2);
KERNEL(relu, fn_relu, TAKES_FLOAT, 2);
KERNEL(relu6, fn_relu6, TAKES_FLOAT, 2);
KERNEL(relu_0_to_1, fn_relu_0_to_1, TAKES_FLOAT, 1);
KERNEL(relu_n1_to_1, fn_relu_n1_to_1, TAKES_FLOAT, 1);
KERNEL(round, fn_round, TAKES_FLOAT, 1);
KERNEL(rsqrt, fn_rsqrt, TAKES_FLOAT, 2);
KERNEL(sign, fn_sign, TAKES_FLOAT, 2);
KERNEL(sin, fn_sin, TAKES_FLOAT, 1);
KERNEL(sqrt, fn_sqrt, TAKES_FLOAT, 2);
KERNEL(square, fn_square, ANY, 2);
KERNEL(tanh, fn_tanh, TAKES_FLOAT, 3);

/* ---- with parameters ---- */

static const struct ir_fn fn_leaky_relu = {"LEAKY_RELU", 1, "mix(a, a * p.x, lessThan(a, vec4(0.0)))", NULL, .params = true};

static enum status leaky_relu_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_leaky_relu *o = n->opt;

    return lower_with(ir, n, (float[4]){o->alpha}, ACT_NONE, err);
}

const struct gl_kernel gl_leaky_relu = {.max_version = 2, .accept = accept, .lower = leaky_relu_lower, .arg = &fn_leaky_relu};

/* erf by Abramowitz and Stegun 7.1.26: within 1.5e-7. */
static const struct ir_fn fn_gelu = {
    "GELU", 1, "vec4(0.5) * a * (vec4(1.0) + erf4(a * 0.70710678))", NULL,
    .helper = "vec4 erf4(vec4 a)\n{\n"
              "    vec4 x = abs(a), t = vec4(1.0) / (vec4(1.0) + 0.3275911 * x);\n"
              "    vec4 q = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;\n"
              "    return sign(a) * (vec4(1.0) - q * exp(-x * x));\n}\n"};
static const struct ir_fn fn_gelu_tanh = {
    "GELU", 1, "vec4(0.5) * a * (vec4(1.0) + tanh(clamp(0.79788456 * (a + 0.044715 * a * a * a), vec4(-20.0), vec4(20.0))))", NULL};

static enum status gelu_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_gelu *o = n->opt;
    struct ir_value *x = ir_in(ir, n, 0), *in[3] = {x, NULL, NULL};

    return ir_map(ir, o->approximate ? &fn_gelu_tanh : &fn_gelu, in, NULL, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_gelu = {.max_version = 2, .accept = accept, .lower = gelu_lower, .arg = &fn_gelu};

static enum status pow_lower(struct ir *ir, const struct node *n, struct err *err)
{
    bool one = tensor_elems(n->in[1]) == 1 && !tensor_same_shape(n->in[0], n->in[1]);
    struct ir_value *in[3] = {ir_in(ir, n, 0), ir_in(ir, n, 1), NULL};

    return ir_map(ir, one ? &fn_pow_one : &fn_pow, in, NULL, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_pow = {.max_version = 2, .accept = accept, .lower = pow_lower, .arg = &fn_pow};

/* ---- ADD_N: any number of operands, added one after the other ---- */

static bool add_n_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 1, UINT32_MAX, 1, why) && gl_runtime(n, 0, "first operand", why) && all_same_type(n, why);
}

static enum status add_n_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *sum = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);

    if (n->n_in == 1)
        return ir_copy(ir, sum, y) ? ST_OK : ir_nomem(err);
    for (uint32_t i = 1; i < n->n_in && sum && y; i++) {
        struct ir_value *to = i + 1 < n->n_in ? ir_temp(ir, y->type, y->shape) : y;

        sum = ir_map(ir, &fn_add, (struct ir_value *[3]){sum, ir_in(ir, n, i), NULL}, NULL, to) ? to : NULL;
    }
    return sum ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_add_n = {
    .max_version = 2, .in_types = ANY, .out_types = ANY, .accept = add_n_accept, .lower = add_n_lower};
