/* SPDX-License-Identifier: Apache-2.0 */
/* integers.c - see integers.h */
#include "lib/gl/lower/integers.h"

#include "lib/gl/lower/exact.h"
#include "lib/gl/lower/quantized.h"

static const struct ir_fn fn_wrap_int8 = {"WRAP", NULL, "a << 24 >> 24", .arity = 1};
static const struct ir_fn fn_wrap_uint8 = {"WRAP", NULL, "a & 255", .arity = 1};
static const struct ir_fn fn_wrap_int16 = {"WRAP", NULL, "a << 16 >> 16", .arity = 1};
static const struct ir_fn fn_wrap_uint16 = {"WRAP", NULL, "a & 65535", .arity = 1};

/* What crossed the border, where the tensor is still what that was. */
static struct ir_value *crossed(const struct ir *ir, const struct tensor *t)
{
    for (uint32_t i = 0; i < ir->n_inputs && !t->is_variable; i++)
        if (ir->inputs[i]->tensor == t)
            return ir->inputs[i];
    return NULL;
}

static struct ir_value *integers_of(struct ir *ir, const struct tensor *t, struct ir_value *real)
{
    struct ir_value *v = crossed(ir, t);
    struct ir_op *op;

    if (v || !real || !(v = ir_temp(ir, IR_INT, real->shape)))
        return v;
    v->tensor = t;
    if ((op = ir_copy(ir, real, v)))
        op->stores = IR_FLOAT;
    return gl_to_integers(ir, op, t) ? v : NULL;
}

enum status gl_integers_begin(struct ir *ir, const struct node *n, struct gl_integers *in, struct err *err)
{
    in->reals = ARENA_ARRAY(ir->arena, n->n_in, struct ir_value *);
    in->integers = ARENA_ARRAY(ir->arena, n->n_in, struct ir_value *);
    if (!in->reals || !in->integers)
        return ir_nomem(err);
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct tensor *t = n->in[i];

        /* The same tensor twice is what it became the first time. */
        if (!t || !ir_is_quantized(t) || !(in->reals[i] = ir_of_tensor(ir, t)) || in->reals[i]->type == IR_INT)
            continue;
        if (!(in->integers[i] = integers_of(ir, t, in->reals[i])))
            return ir_nomem(err);
        ir->by_tensor[t->index] = in->integers[i];
    }
    ir->lowering.exact = ir->lowering.raw = true;
    return ST_OK;
}

/* From here on the tensor is reals. */
static bool reals_of(struct ir *ir, const struct tensor *t)
{
    struct ir_value *v = ir->by_tensor[t->index], *real;
    struct ir_op *op;

    if (!v || v->type != IR_INT)
        return v != NULL;
    ir->by_tensor[t->index] = NULL;
    real = ir_of_tensor(ir, t);
    if ((op = ir_copy(ir, v, real)))
        op->stores = IR_INT;
    return gl_to_reals(ir, op, t);
}

enum status gl_integers_end(struct ir *ir, const struct node *n, const struct gl_integers *in, struct err *err)
{
    ir->lowering.exact = ir->lowering.raw = false;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (in->integers[i] && ir->by_tensor[n->in[i]->index] == in->integers[i])
            ir->by_tensor[n->in[i]->index] = in->reals[i];
        else if (in->integers[i] && !reals_of(ir, n->in[i])) /* a variable that the node has updated */
            return ir_nomem(err);
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && ir_is_quantized(n->out[i]) && !reals_of(ir, n->out[i]))
            return ir_nomem(err);
    return ST_OK;
}

static const struct ir_fn *wrap_of(enum tensor_type type)
{
    switch (type) {
    case TYPE_INT8: return &fn_wrap_int8;
    case TYPE_UINT8: return &fn_wrap_uint8;
    case TYPE_INT16: return &fn_wrap_int16;
    case TYPE_UINT16: return &fn_wrap_uint16;
    default: return NULL;
    }
}

bool gl_integers_wrap_op(struct ir *ir, struct ir_op *op, enum tensor_type type)
{
    return op && (!wrap_of(type) || ir_apply(ir, op, wrap_of(type), NULL, NULL, IR_INT));
}

/* It may have made numbers beyond the type of its inputs. */
static bool computes(const struct ir_op *op)
{
    return op->epilogue || !(op->kind->moves || op->kind->role == IR_MAP);
}

/* Also a quantized tensor whose integers the node counts as they are. */
static bool wraps(const struct ir *ir, const struct node *n, const struct tensor *t)
{
    return t && (tensor_is_plain(t) || (ir->lowering.exact && gl_exact_counts(n) && tensor_is_quantized(t)));
}

enum status gl_integers_wrap(struct ir *ir, const struct node *n, uint32_t first, struct err *err)
{
    bool any = false;

    /* What computes may not be what has the tensor's shape: that may be made of it by moving. */
    for (uint32_t i = first; i < ir->n_ops; i++)
        any |= ir->ops[i]->stores == IR_INT && computes(ir->ops[i]);
    for (uint32_t k = 0; k < n->n_out && any; k++)
        for (uint32_t i = first; i < ir->n_ops && wraps(ir, n, n->out[k]); i++)
            if (ir->ops[i]->out == ir->by_tensor[n->out[k]->index] && ir->ops[i]->stores == IR_INT &&
                !gl_integers_wrap_op(ir, ir->ops[i], n->out[k]->type))
                return ir_nomem(err);
    return ST_OK;
}
