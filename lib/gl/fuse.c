/* SPDX-License-Identifier: Apache-2.0 */
/* fuse.c - the pass "fuse maps": elementwise functions become epilogues of the operation whose result they take.
 *
 * A map that reads its input several times, as x * sigmoid(x) does once its functions are in one map, reads it once: the others are
 * values computed so far (ir_epilogue.back). So it is the input's only reader, and fuses like any other. */
#include "choose.h"
#include "passes.h"

static uint32_t position(const struct ir *ir, const struct ir_op *op)
{
    uint32_t i = 0;

    while (i < ir->n_ops && ir->ops[i] != op)
        i++;
    return i;
}

static uint32_t count_buffers(const struct ir_op *op)
{
    uint32_t n = op->n_in + 1 + (op->out2 != NULL) + op->kind->constants;

    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            n += e->operand[i] && !ir_is_scalar(e->operand[i]);
    return n;
}

/* Everything but its input that `map` reads is there when the op at `at` runs. */
static bool operands_ready(const struct ir *ir, const struct ir_op *map, uint32_t at)
{
    for (const struct ir_epilogue *e = map->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++) {
            const struct ir_value *v = e->operand[i];

            if (v && v->producer && position(ir, v->producer) >= at)
                return false;
        }
    return true;
}

static bool can_fuse(const struct ir *ir, const struct ir_op *map, const struct gl_limits *lim)
{
    const struct ir_value *x = map->in[0];
    const struct ir_op *to = x->producer;

    if (!to || to->out2 || x->n_uses != 1 || !ir_same_shape(x->shape, map->out->shape) || !gl_may_merge(ir, to, map))
        return false;
    return count_buffers(to) + count_buffers(map) - 2 <= lim->storage_blocks && operands_ready(ir, map, position(ir, to));
}

/* Makes v the map's input: the functions that read it take it as computed so far, those that took the old input read that. */
static void set_input(struct ir_op *map, struct ir_value *v)
{
    struct ir_value *old = map->in[0];
    uint16_t k = 0;

    for (struct ir_epilogue *e = map->epilogue; e; e = e->next, k++)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (e->operand[i] == v) {
                e->operand[i] = NULL;
                e->back[i] = k;
            } else if (!e->operand[i] && e->back[i] == k && v != old) {
                e->operand[i] = old;
            }
    map->in[0] = v;
}

/* Brings the operand whose producer can take the map to the front: of a + b only the one computed last can. */
static bool find_fusable(struct ir *ir, struct ir_op *map, const struct gl_limits *lim)
{
    struct ir_value *const x = map->in[0];

    if (can_fuse(ir, map, lim))
        return true;
    for (struct ir_epilogue *e = map->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++) {
            struct ir_value *v = e->operand[i];

            if (!v || v->type != x->type || v->data || !ir_same_shape(v->shape, map->out->shape))
                continue;
            set_input(map, v);
            ir_link(ir);
            if (can_fuse(ir, map, lim))
                return true;
            set_input(map, x);
            ir_link(ir);
        }
    return false;
}

/* All that they compute, `to` stores. */
static bool fuse(struct ir *ir, struct ir_op *map, struct ir_op *to)
{
    struct ir_epilogue **end;

    if (!ir_merge_nodes(ir, to, map))
        return false;
    for (end = &to->epilogue; *end; end = &(*end)->next)
        ;
    *end = map->epilogue;
    to->out = map->out;
    ir_remove(ir, map);
    if (to->kind->role == IR_MAP)
        set_input(to, to->in[0]);
    ir_link(ir);
    return true;
}

enum status gl_fuse_maps(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (ir->ops[i]->kind->role == IR_MAP)
            set_input(ir->ops[i], ir->ops[i]->in[0]);
    ir_link(ir);
    for (uint32_t i = 0; i < ir->n_ops;) {
        struct ir_op *map = ir->ops[i], *to;

        if (map->kind->role != IR_MAP || !find_fusable(ir, map, lim)) {
            i++;
            continue;
        }
        to = map->in[0]->producer;
        if (!fuse(ir, map, to))
            return ir_nomem(err);
        if (to->kind->role == IR_MAP)
            i = position(ir, to); /* may fuse in turn, now that it reads less */
    }
    return ST_OK;
}
