/* SPDX-License-Identifier: Apache-2.0 */
/* quantized.c - see quantized.h */
#include "lib/gl/lower/quantized.h"

#include <math.h>

/* As far from its type's values each of them is a float, and rounded right. */
#define MOST_ZERO (1 << 20)

/* p: scale, zero point, and the limits of the type less the zero point. */
static const struct ir_fn fn_quantize = {"QUANTIZE",     "quantize4(a / vec4(p.x), p)", NULL, .arity = 1,
                                         .params = true, .helper = quantize_comp};
static const struct ir_fn fn_dequantize = {"DEQUANTIZE", NULL, "(vec4(a) - vec4(p.y)) * vec4(p.x)", .arity = 1, .params = true};
static const struct ir_fn fn_steps = {"STEPS",        "vec4(quantize4(a / vec4(p.x), vec4(p.x, 0.0, p.z, p.w))) * vec4(p.x)",
                                      NULL,           .arity = 1,
                                      .params = true, .helper = quantize_comp};

static int32_t zero_of(const struct tensor *t)
{
    return t->quant.zero_point ? (int32_t)t->quant.zero_point[0] : 0;
}

static int32_t least(enum tensor_type type)
{
    return type == TYPE_INT8 ? INT8_MIN : type == TYPE_INT16 ? INT16_MIN : 0;
}

static int32_t most(enum tensor_type type)
{
    return type == TYPE_INT8 ? INT8_MAX : type == TYPE_INT16 ? INT16_MAX : UINT8_MAX;
}

bool gl_quantized_fits(const struct tensor *t, struct reason *why)
{
    int64_t zero;

    if (t->quant.n != 1 || t->quant.block_size > 0 || t->quant.n_axes)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s is not quantized with one scale for all elements",
                          TENSOR_TEXT(t));
    if (!(t->quant.scale[0] > 0 && isnormal(t->quant.scale[0])))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s has scale %g", TENSOR_TEXT(t), (double)t->quant.scale[0]);
    zero = t->quant.zero_point ? t->quant.zero_point[0] : 0;
    if (zero < -MOST_ZERO || zero > MOST_ZERO)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "the zero point %lld of %s is beyond %d", (long long)zero,
                          TENSOR_TEXT(t), MOST_ZERO);
    return true;
}

static bool apply(struct ir *ir, struct ir_op *op, const struct ir_fn *fn, const struct tensor *t)
{
    struct reason why;
    const bool fits = gl_quantized_fits(t, &why);
    const int32_t zero = fits ? zero_of(t) : 0;
    const float p[4] = {fits ? t->quant.scale[0] : 1, (float)zero, (float)(least(t->type) - zero), (float)(most(t->type) - zero)};

    return ir_apply(ir, op, fn, NULL, p, fn == &fn_quantize ? IR_INT : IR_FLOAT);
}

bool gl_to_integers(struct ir *ir, struct ir_op *op, const struct tensor *t)
{
    return apply(ir, op, &fn_quantize, t);
}

bool gl_to_reals(struct ir *ir, struct ir_op *op, const struct tensor *t)
{
    return apply(ir, op, &fn_dequantize, t);
}

enum status gl_quantized_begin(struct ir *ir, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_inputs; i++) {
        struct ir_value *v = ir->inputs[i];
        struct ir_op *op;

        if (!ir_is_quantized(v->tensor))
            continue;
        if ((op = ir_copy(ir, v, ir_of_tensor(ir, v->tensor))))
            op->stores = IR_INT;
        if (!gl_to_reals(ir, op, v->tensor))
            return ir_nomem(err);
    }
    return ST_OK;
}

bool gl_same_steps(const struct tensor *a, const struct tensor *b)
{
    return a->type == b->type && a->quant.n == 1 && b->quant.n == 1 && a->quant.scale[0] == b->quant.scale[0] &&
           zero_of(a) == zero_of(b);
}

const float *gl_quantized_bias(struct ir *ir, const struct tensor *x, const struct tensor *filter, const struct tensor *bias)
{
    size_t n = tensor_elems(bias);
    float *out;

    if (ir->lowering.to_counts)
        return ir_counts(ir, bias);
    if (!ir_is_quantized(x) || (bias->type != TYPE_INT32 && bias->type != TYPE_INT64))
        return ir_floats(ir, bias);
    out = ARENA_ARRAY(ir->arena, n, float);
    for (size_t i = 0; out && i < n; i++) {
        double scale = filter->quant.n ? filter->quant.scale[filter->quant.n > i && filter->quant.n > 1 ? i : 0] : 1;

        out[i] = (float)((double)tensor_int(bias, i) * x->quant.scale[0] * scale);
    }
    return out;
}

/* Every element of the outputs is an element of an input with the same steps. */
static bool keeps_steps(const struct ir *ir, const struct node *n, uint32_t first)
{
    for (uint32_t i = first; i < ir->n_ops; i++)
        if (!(ir->ops[i]->kind->moves || ir->ops[i]->kind->role == IR_MAP) || ir->ops[i]->epilogue)
            return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->in[i] && n->out[k] && n->in[i]->type != TYPE_RESOURCE && ir_type_of(n->in[i]) == IR_FLOAT &&
                !gl_same_steps(n->in[i], n->out[k]))
                return false;
    return true;
}

static bool round_result(struct ir *ir, struct ir_op *op, const struct tensor *t)
{
    const struct ir_epilogue *r = ir->lowering.rounding;

    return r ? ir_apply(ir, op, r->fn, r->operand, r->p, IR_FLOAT) : apply(ir, op, &fn_steps, t);
}

/* Halves are coarser than what a node with 16-bit output makes of the steps of its inputs. */
static void keep_fine(struct ir *ir, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in && ir_is_fine(n); i++)
        if (n->in[i] && ir_is_quantized(n->in[i]) && ir->by_tensor[n->in[i]->index])
            ir->by_tensor[n->in[i]->index]->full = true;
}

enum status gl_quantized_node(struct ir *ir, const struct node *n, uint32_t first, struct err *err)
{
    keep_fine(ir, n);
    for (uint32_t k = 0; k < n->n_out; k++) {
        const struct ir_value *v;

        if (!n->out[k] || !ir_is_quantized(n->out[k]) || ir->lowering.rounded || keeps_steps(ir, n, first))
            continue;
        v = ir_of_tensor(ir, n->out[k]);
        for (uint32_t i = ir->n_ops; v && i-- > first;)
            if (ir->ops[i]->out == v && !round_result(ir, ir->ops[i], n->out[k]))
                return ir_nomem(err);
    }
    return ST_OK;
}

enum status gl_quantized_end(struct ir *ir, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        struct ir_value *v = ir->outputs[i];
        struct ir_op *op;

        /* The new content of a variable has no tensor, and is floats. */
        if (!v->tensor || !ir_is_quantized(v->tensor))
            continue;
        if ((op = ir_copy(ir, ir_of_tensor(ir, v->tensor), v)))
            op->stores = IR_FLOAT;
        if (!gl_to_integers(ir, op, v->tensor))
            return ir_nomem(err);
    }
    return ST_OK;
}
