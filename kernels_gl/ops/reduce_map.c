/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_map.c - see reduce_map.h */
#include "kernels_gl/ops/reduce_map.h"

#include "lib/gl/passes/choose.h"

/* Return true if the function is a short expression of its operands alone. */
static bool is_plain(const struct ir_fn *fn)
{
    return fn->arity <= 2 && fn->f && !fn->params && !fn->helper && !fn->keeps_nan;
}

/* Of a map with one such function: the value of its output's shape that it reads, and the other, or NULL; *swaps: that is the
 * function's first operand. */
static void find_operands(const struct ir_op *map, struct ir_value *in[2], bool *swaps)
{
    const struct ir_epilogue *e = map->epilogue;
    const bool is_first = e->operand[0] != NULL, broadcast = !ir_same_shape(map->in[0]->shape, map->out->shape);

    in[broadcast] = map->in[0];
    in[!broadcast] = e->operand[is_first ? 0 : 1];
    *swaps = is_first != broadcast;
}

static bool is_float(const struct ir_value *v)
{
    return v->type == IR_FLOAT;
}

/* Some rows, pixels or channels alone would be zeros in the others (struct ir_epilogue). */
static bool is_all_or_one(struct ir_shape s, struct ir_shape of)
{
    for (int axis = 0; axis < 4; axis++)
        if (ir_dim(s, axis) != 1 && ir_dim(s, axis) != ir_dim(of, axis))
            return false;
    return true;
}

/* All that it makes are floats, by one function of floats. */
static bool can_take(const struct ir_op *map, struct ir_value *in[2], bool *swaps)
{
    const struct ir_epilogue *e = map->epilogue;

    if (map->kind->role != IR_MAP || !e || e->next || !is_plain(e->fn) || (e->operand[0] && e->operand[1]) || !is_float(map->out))
        return false;
    find_operands(map, in, swaps);
    return in[0] && is_float(in[0]) && ir_same_shape(in[0]->shape, map->out->shape) &&
           (!in[1] || (is_float(in[1]) && is_all_or_one(in[1]->shape, in[0]->shape)));
}

/* Each element is in one block alone, so that nothing is computed twice. */
bool reduce_map_take(struct ir *ir, struct ir_op *op, const struct ir_op *first, struct reduce_map *map, bool *done)
{
    struct ir_value **in = ARENA_ARRAY(ir->arena, 2, struct ir_value *);
    const struct ir_op apart = *op;
    bool swaps;

    if (!in)
        return false;
    *done = !map->fn && !ir->limits->policy.any_batch && can_take(first, in, &swaps) &&
            gl_fits_bindings(op, in[1] != NULL, ir->limits);
    if (!*done)
        return true;
    *map = (struct reduce_map){first->epilogue->fn, swaps};
    op->in = in;
    op->n_in = in[1] ? 2 : 1;
    op->n_nodes = op->cap_nodes = 0;
    return ir_merge_nodes(ir, op, first) && ir_merge_nodes(ir, op, &apart);
}

void reduce_map_emit(struct gl_shader *p, const struct ir_op *op, const struct reduce_map *map)
{
    const struct ir_shape s = op->in[op->n_in - 1]->shape;

    gl_define(p, "OPERANDS", map->fn ? (int32_t)op->n_in : 0);
    if (!map->fn)
        return;
    gl_define_text(p, map->swaps ? "MAP(b, a)" : "MAP(a, b)", map->fn->f);
    GL_DEFINES(p, "ALONG_B ALONG_H ALONG_W ALONG_C", s.b > 1, s.h > 1, s.w > 1, s.c > 1);
}
