/* SPDX-License-Identifier: Apache-2.0 */
/* reverse.c - REVERSE_V2: the elements along some axes in reverse order; and REVERSE_SEQUENCE. */
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/ops/roll.h"

static bool reverse_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    int32_t axes[TENSOR_MAX_RANK], axis;
    uint32_t count;

    if (!gl_one_type(n, 0, 1, why))
        return false;
    if (!n->in[1]->is_const)
        return roll_at_fits(lim, n, 2, why);
    if (!gl_accept_arranged(lim, n, why) || !gl_ints(n, 1, "axes", axes, TENSOR_MAX_RANK, &count, why))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (shape_axis(axes[i], n->in[0]->rank, &axis, NULL))
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "axis %d of rank %d", axes[i], n->in[0]->rank);
    return true;
}

static enum status reverse_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct axis_gather gather = axis_gather_of(x->rank, x->dim, x->dim);

    if (!n->in[1]->is_const)
        return roll_at_lower(ir, n, err);
    for (size_t i = 0; i < tensor_elems(n->in[1]); i++) {
        int32_t axis = (int32_t)tensor_int(n->in[1], i);

        axis = axis < 0 ? axis + x->rank : axis;
        if (!(gather.at[axis] = ir_range(ir, x->dim[axis] - 1, -1, x->dim[axis])))
            return ir_nomem(err);
    }
    return ir_axis_gather(ir, ir_in(ir, n, 0), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_reverse_v2 = {.max_version = 4, MOVES_ANY, .accept = reverse_accept, .lower = reverse_lower};

/* ---- REVERSE_SEQUENCE: so many elements from the first of each sequence on as a number computed at run time says ---- */

/* x is seen with the two dimensions and what is before, between and behind them: [before, sequence, between * batch, behind], or
 * where the batch comes first [before, batch * between, sequence, behind]. */
struct sequence {
    bool along_h;
    int32_t sequences, middle;
    struct ir_shape seen;
};

static void emit_sequence(struct gl_shader *p, const struct ir_op *op)
{
    const struct sequence *q = op->attr;

    gl_source(p, reverse_sequence_comp);
    gl_define(p, "ALONG_H", q->along_h);
    gl_param(p, q->along_h ? "SEQUENCES" : "MIDDLE", q->along_h ? q->sequences : q->middle);
    gl_operands(p, "x lengths");
}

static const struct gl_variant variants[] = {{"slices", NULL, emit_sequence}};
const struct ir_kind gl_kind_reverse_sequence = {.name = "reverse_sequence", GL_VARIANTS(variants)};

static struct sequence sequence_of(const struct node *n)
{
    const struct opt_reverse_sequence *o = n->opt;
    const struct tensor *x = n->in[0];
    const int32_t first = o->seq_dim < o->batch_dim ? o->seq_dim : o->batch_dim;
    const int32_t last = o->seq_dim < o->batch_dim ? o->batch_dim : o->seq_dim;
    struct sequence q = {o->seq_dim < o->batch_dim, x->dim[o->batch_dim], (int32_t)shape_count(x->dim, first + 1, last), {0}};

    q.seen = (struct ir_shape){(int32_t)shape_count(x->dim, 0, first), x->dim[first] * (q.along_h ? 1 : q.middle),
                               x->dim[last] * (q.along_h ? q.middle : 1), (int32_t)shape_count(x->dim, last + 1, x->rank)};
    return q;
}

static bool sequence_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_reverse_sequence *o = n->opt;
    const struct tensor *lengths;

    if (!gl_one_type(n, 0, 1, why) || !gl_storable(lim, n, 0, 2, why))
        return false;
    lengths = n->in[1];
    for (size_t i = 0; lengths->is_const && i < tensor_elems(lengths); i++)
        if (tensor_int(lengths, i) > n->in[0]->dim[o->seq_dim])
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "length %zu is %lld, dimension %d is %d long", i,
                              (long long)tensor_int(lengths, i), o->seq_dim, n->in[0]->dim[o->seq_dim]);
    return true;
}

static enum status sequence_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct sequence q = sequence_of(n);
    struct ir_value *x = ir_reshaped(ir, ir_in(ir, n, 0), q.seen), *y = ir_out(ir, n, 0),
                    *natural = ir_begin_reshape(ir, y, q.seen);
    struct ir_value *lengths = ir_reshaped(ir, ir_in(ir, n, 1), (struct ir_shape){1, 1, q.sequences, 1});
    return ir_op_with(ir, &gl_kind_reverse_sequence, IR_INS(x, lengths), natural, &q, sizeof q) && ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_reverse_sequence = {.max_version = 1, MOVES_ANY, .accept = sequence_accept, .lower = sequence_lower};
