/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c - the rewrites; passes.def has the order in which they run. */
#include "passes.h"
#include "choose.h"
#include "dump_ir.h"

#include <string.h>

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
        ir_forward(ir, op->out, op->in[0]);
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
