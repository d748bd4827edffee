/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c - the rewrites; passes.def has the order in which they run. */
#include "passes.h"
#include "choose.h"
#include "dump_ir.h"

#include <string.h>

/* Everybody who reads `from`, the border of the partition included, reads `to`. */
static void forward(struct ir *ir, struct ir_value *from, struct ir_value *to)
{
    ir_replace_uses(ir, from, to);
    for (uint32_t i = 0; i < ir->n_outputs; i++)
        if (ir->outputs[i] == from) {
            ir->outputs[i] = to;
            to->is_output = true;
        }
    from->is_output = false;
}

static bool is_identity(const struct ir_op *op)
{
    bool whole = op->n_in == 1 && !op->epilogue && ir_same_shape(op->in[0]->shape, op->out->shape) &&
                 op->in[0]->type == op->out->type;

    return whole && op->kind->role != IR_OTHER && op->kind->role != IR_CONV;
}

/* A reshape that only renames dimensions, a join of one, an empty pad. */
static enum status drop_identities(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim;
    (void)err;
    for (uint32_t i = ir->n_ops; i-- > 0;) {
        struct ir_op *op = ir->ops[i];

        /* A constant cannot be downloaded. */
        if (!is_identity(op) || op->in[0]->data)
            continue;
        forward(ir, op->out, op->in[0]);
        ir_remove(ir, op);
    }
    return ST_OK;
}

/* What nobody reads: outputs of a split that the model ignores. */
static enum status drop_unused(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim;
    (void)err;
    for (uint32_t i = ir->n_ops; i-- > 0;) {
        struct ir_op *op = ir->ops[i];

        if (op->out->n_uses || (op->out2 && op->out2->n_uses))
            continue;
        ir_remove(ir, op);
        ir_link(ir);
    }
    return ST_OK;
}

/* PAD with zeros before a convolution becomes part of its own padding. */
static enum status merge_pads(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim;
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *conv = ir->ops[i], *pad = conv->in ? conv->in[0]->producer : NULL;
        const struct ir_pad *by;
        struct ir_window *win;

        if (conv->kind->role != IR_CONV || !pad || pad->kind->role != IR_PAD || pad->epilogue || pad->out->n_uses != 1 ||
            !gl_may_merge(ir, conv, pad))
            continue;
        by = pad->attr;
        win = conv->attr;
        if (by->value != 0 || pad->in[0]->shape.c != pad->out->shape.c || pad->in[0]->shape.b != pad->out->shape.b ||
            by->before.c || by->before.b)
            continue;
        if (!ir_merge_nodes(ir, conv, pad))
            return ir_nomem(err);
        win->pad_h += by->before.h;
        win->pad_w += by->before.w;
        conv->in[0] = pad->in[0];
        conv->in[0]->n_uses++;
        pad->out->n_uses = 0;
    }
    return ST_OK;
}

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

/* Makes operand k of the first function the op's input, and the input that operand. */
static void swap_input(struct ir_op *map, uint32_t k)
{
    struct ir_epilogue *e = map->epilogue;
    struct ir_value *v = e->operand[k];

    for (uint32_t i = 0; i < e->fn->arity; i++)
        if (!e->operand[i])
            e->operand[i] = map->in[0];
        else if (e->operand[i] == v)
            e->operand[i] = NULL;
    map->in[0] = v;
}

/* Brings the operand whose producer can take the map to the front: of a + b only the one computed last can. */
static bool find_fusable(const struct ir *ir, struct ir_op *map, const struct gl_limits *lim)
{
    if (can_fuse(ir, map, lim))
        return true;
    for (uint32_t k = 0; map->epilogue && k < map->epilogue->fn->arity; k++) {
        const struct ir_value *v = map->epilogue->operand[k], *x = map->in[0];

        if (!v || v->type != x->type || v->data || !ir_same_shape(v->shape, map->out->shape))
            continue;
        swap_input(map, k);
        if (can_fuse(ir, map, lim))
            return true;
        for (uint32_t back = 0; back < map->epilogue->fn->arity; back++)
            if (map->epilogue->operand[back] == x) {
                swap_input(map, back);
                break;
            }
    }
    return false;
}

/* Elementwise functions of one operation's only reader become its epilogue. */
static enum status fuse_maps(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    for (uint32_t i = 0; i < ir->n_ops;) {
        struct ir_op *map = ir->ops[i], *to;
        struct ir_epilogue **end;

        if (map->kind->role != IR_MAP || !find_fusable(ir, map, lim)) {
            i++;
            continue;
        }
        to = map->in[0]->producer;
        if (!ir_merge_nodes(ir, to, map))
            return ir_nomem(err);
        for (end = &to->epilogue; *end; end = &(*end)->next)
            ;
        *end = map->epilogue;
        to->out = map->out;
        ir_remove(ir, map);
        ir_link(ir);
    }
    return ST_OK;
}

const struct gl_rewrite gl_rewrites[] = {
#define PASS(identifier, name, function) {name, function},
#include "passes.def"
#include "storage.def"
#undef PASS
    {NULL, NULL},
};

enum status gl_rewrite_all(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    enum status st = ir->dump_dir ? gl_dump_ir(ir, ir->dump_dir, "lowered", 0, err) : ST_OK;

    for (const struct gl_rewrite *r = gl_rewrites; r->name && !st; r++) {
        ir_link(ir);
        st = r->run(ir, lim, err);
        ir_link(ir);
        if (!st && ir->dump_dir)
            st = gl_dump_ir(ir, ir->dump_dir, r->name, (uint32_t)(r - gl_rewrites) + 1, err);
    }
    return st;
}

const struct gl_rewrite *gl_rewrite_find(const char *name)
{
    for (const struct gl_rewrite *r = gl_rewrites; r->name; r++)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}
