/* SPDX-License-Identifier: Apache-2.0 */
/* embedding.c - EMBEDDING_LOOKUP: rows of a table, which GATHER's shader picks. */
#include "kernels_gl/common/data_movement.h"

static bool ids_in_range(const struct node *n, struct reason *why)
{
    size_t elems = tensor_elems(n->in[0]);

    for (size_t i = 0; i < elems; i++)
        if (tensor_int(n->in[0], i) < 0 || tensor_int(n->in[0], i) >= n->in[1]->dim[0])
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "id %zu is %lld, the table has %d rows", i,
                              (long long)tensor_int(n->in[0], i), n->in[1]->dim[0]);
    return true;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_storable(lim, n, 0, 2, why) || !gl_one_type(n, 1, 2, why))
        return false;
    if (n->in[0]->type != TYPE_INT32)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "ids of type %s", type_name(n->in[0]->type));
    return !n->in[0]->is_const || ids_in_range(n, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *t = n->in[1];
    int32_t rows = t->dim[0], picks = n->in[0]->dim[0], inner = (int32_t)(tensor_elems(t) / (size_t)rows);
    struct ir_value *table = ir_reshaped(ir, ir_in(ir, n, 1), (struct ir_shape){1, 1, rows, inner});
    struct ir_value *ids = ir_reshaped(ir, ir_in(ir, n, 0), (struct ir_shape){1, 1, picks, 1}), *y = ir_out(ir, n, 0);
    struct ir_value *natural = ir_begin_reshape(ir, y, (struct ir_shape){1, 1, picks, inner});

    return ir_op_new(ir, &gl_kind_gather, IR_INS(table, ids), natural, 0) && ir_end_reshape(ir, natural, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_embedding_lookup = {
    .max_version = 5, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept, .lower = lower};
