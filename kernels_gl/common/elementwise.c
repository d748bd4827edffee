/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.c - see elementwise.h */
#include "kernels_gl/common/elementwise.h"

#include <string.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "lib/gl/ir/fold.h"

bool elementwise_one_type(const struct node *n, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if ((n->in[i]->type == TYPE_INT32) != (n->out[0]->type == TYPE_INT32) || n->in[i]->type == TYPE_INT64)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s, the output %s", i,
                              type_name(n->in[i]->type), type_name(n->out[0]->type));
    return true;
}

bool elementwise_divisor_fits(const struct node *n, bool floats, struct reason *why)
{
    const struct tensor *b = n->in[1];
    const uint32_t types = TAKES_QUANTIZED | TAKES_INT | (floats ? 1u << TYPE_FLOAT32 : 0);

    for (size_t i = 0; b->is_const && types >> b->type & 1 && i < tensor_elems(b); i++)
        if (b->type == TYPE_FLOAT32 ? ((const float *)b->data)[i] == 0 : tensor_int(b, i) == 0)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "division by zero at element %zu of input 1", i);
    return true;
}

bool elementwise_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return elementwise_one_type(n, why);
}

/* ---- operands of any rank ---- */

struct operands elementwise_operands(struct ir *ir, const struct node *n, uint32_t arity)
{
    struct operands o = {.arity = arity, .rank = n->out[0]->rank, .y = ir_out(ir, n, 0)};

    memcpy(o.y_dim, n->out[0]->dim, sizeof o.y_dim);
    for (uint32_t k = 0; k < arity; k++) {
        const struct tensor *t = n->in[k];

        o.in[k] = ir_in(ir, n, k);
        for (int32_t i = 0; i < o.rank; i++)
            o.dim[k][i] = i < o.rank - t->rank ? 1 : t->dim[i - (o.rank - t->rank)];
    }
    return o;
}

/* Axes along which the same operands broadcast are one. */
static bool fold(const struct operands *o, struct ir_fold *f)
{
    struct ir_folded t[4] = {{.dim = o->y_dim, .stored = o->y->shape}};
    int32_t key[TENSOR_MAX_RANK], outer = o->rank - o->inner;

    for (uint32_t k = 0; k < o->arity; k++)
        t[k + 1] = (struct ir_folded){.dim = o->dim[k], .stored = o->in[k]->shape, .free = o->in[k]->data};
    for (int32_t i = 0; i < o->rank; i++) {
        key[i] = i >= outer ? 8 + i : o->y_dim[i] == 1 ? -1 : 0;
        for (uint32_t k = 0; k < o->arity && i < outer && o->y_dim[i] > 1; k++)
            key[i] |= (o->dim[k][i] == 1) << k;
    }
    return ir_fold_best(o->rank, ir_fold_apart(key, o->rank), t, o->arity + 1, f);
}

/* Operand k with the extents of the result, where it has not got them. */
static bool broadcast(struct ir *ir, struct operands *o, uint32_t k)
{
    struct axis_gather gather = axis_gather_of(o->rank, o->dim[k], o->dim[k]);
    struct ir_value *y;
    struct ir_fold f;

    memcpy(gather.y, o->y_dim, (size_t)(o->rank - o->inner) * sizeof *gather.y);
    if (!memcmp(gather.x, gather.y, sizeof gather.x))
        return true;
    for (int32_t i = 0; i < o->rank; i++)
        if (gather.x[i] != gather.y[i] && !(gather.at[i] = ir_range(ir, 0, 0, gather.y[i])))
            return false;
    f = ir_fold_stored(gather.y, o->rank);
    y = ir_temp(ir, o->in[k]->type, ir_fold_shape(&f, gather.y));
    if (!ir_axis_gather(ir, o->in[k], &gather, y))
        return false;
    o->in[k] = y;
    memcpy(o->dim[k], gather.y, sizeof gather.y);
    return true;
}

bool elementwise_fold(struct ir *ir, struct operands *o)
{
    struct ir_fold f;

    if (!o->y)
        return false;
    for (uint32_t k = 0; k < o->arity; k++)
        if (!o->in[k])
            return false;
    for (uint32_t k = 0; !fold(o, &f); k++)
        if (!broadcast(ir, o, k))
            return false;
    for (uint32_t k = 0; k < o->arity; k++)
        o->in[k] = ir_reshaped(ir, o->in[k], ir_fold_shape(&f, o->dim[k]));
    o->natural = ir_begin_reshape(ir, o->y, ir_fold_shape(&f, o->y_dim));
    return o->natural != NULL;
}

enum status elementwise_map(struct ir *ir, const struct node *n, const struct ir_fn *fn, const float p[4], enum activation act,
                            struct err *err)
{
    struct operands o = elementwise_operands(ir, n, fn->arity);

    if (!elementwise_fold(ir, &o) || !ir_activation(ir, ir_map(ir, fn, o.in, p, o.natural), act) ||
        !ir_end_reshape(ir, o.natural, o.y))
        return ir_nomem(err);
    return ST_OK;
}

enum status elementwise_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return elementwise_map(ir, n, n->op->gl->arg, NULL, ACT_NONE, err);
}
