/* SPDX-License-Identifier: Apache-2.0 */
/* scales.c - the pass "fold scales": constants for each channel, by which a convolution's result is multiplied or which are added
 * to it, go into its weights and biases.
 *
 * Each weight is rounded once more than before, and the sums are those of other numbers: float32 noise, a relative 2^-24 a term. */
#include <math.h>

#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/passes.h"

/* The constant beside the map's input in its first function, one element or one a channel, all finite; NULL: something else. */
static const struct ir_value *constant_of(const struct ir_op *map)
{
    const struct ir_epilogue *e = map->epilogue;
    const struct ir_shape y = map->out->shape;
    const struct ir_value *v;

    if (!e || e->fn->role == IR_FN_OTHER || e->out != IR_FLOAT || !e->operand[0] == !e->operand[1])
        return NULL;
    v = e->operand[0] ? e->operand[0] : e->operand[1];
    if (!v->data || v->type != IR_FLOAT || (v->shape.c != y.c && v->shape.c != 1) || ir_elems(v->shape) != (uint64_t)v->shape.c)
        return NULL;
    for (int32_t i = 0; i < v->shape.c; i++)
        if (!isfinite(((const float *)v->data)[i]))
            return NULL;
    return v;
}

/* A later function takes the input as it was before the first. */
static bool is_read_again(const struct ir_op *map)
{
    uint32_t k = 1;

    for (const struct ir_epilogue *e = map->epilogue->next; e; e = e->next, k++)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (!e->operand[i] && e->back[i] == k)
                return true;
    return false;
}

static bool can_fold(const struct ir *ir, const struct ir_op *map)
{
    const struct ir_value *x = map->in[0];
    const struct ir_op *to = map->kind->role == IR_MAP ? x->producer : NULL;

    return to && ir_traits(to)->rescale && !to->epilogue && !to->out2 && x->n_uses == 1 && x->type == IR_FLOAT &&
           ir_same_shape(x->shape, map->out->shape) && constant_of(map) && !is_read_again(map) && gl_may_merge(ir, to, map);
}

/* The first function becomes part of the weights; a map of which nothing is left goes. */
static bool fold(struct ir *ir, struct ir_op *map, bool *done)
{
    struct ir_op *to = map->in[0]->producer;
    const struct ir_value *v = constant_of(map);
    const bool product = map->epilogue->fn->role == IR_FN_PRODUCT;
    const uint32_t n = (uint32_t)map->out->shape.c;
    float *each = ARENA_ARRAY(ir->arena, n, float);

    for (uint32_t i = 0; each && i < n; i++)
        each[i] = ((const float *)v->data)[v->shape.c == 1 ? 0 : i];
    if (!each || !ir_traits(to)->rescale(ir, to, product ? each : NULL, product ? NULL : each, done))
        return false;
    if (!*done)
        return true;
    map->epilogue = map->epilogue->next;
    if (map->epilogue)
        return true;
    if (!ir_merge_nodes(ir, to, map))
        return false;
    to->out = map->out;
    ir_remove(ir, map);
    ir_link(ir);
    return true;
}

enum status gl_fold_scales(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim;
    for (uint32_t i = 0; i < ir->n_ops;) {
        struct ir_op *map = ir->ops[i];
        bool done = false;

        if (can_fold(ir, map) && !fold(ir, map, &done))
            return ir_nomem(err);
        i += !done; /* what comes after it has taken its place, or its next function has */
    }
    return ST_OK;
}
