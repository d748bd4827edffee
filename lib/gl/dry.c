/* SPDX-License-Identifier: Apache-2.0 */
/* dry.c - lowering and generating for nobody. */
#include "dry.h"
#include "choose.h"
#include "compiled.h"
#include "passes.h"

/* The partition that `n` alone would be, but for what readers of its outputs would take of it. */
static bool partition_of(const struct node *n, struct arena *a, struct partition *p)
{
    *p = (struct partition){.inputs = ARENA_ARRAY(a, n->n_in, struct tensor *),
                            .outputs = ARENA_ARRAY(a, n->n_in + n->n_out, struct tensor *)};
    if (!p->inputs || !p->outputs)
        return false;
    for (uint32_t i = 0; i < n->n_in; i++) {
        uint32_t k = 0;

        while (k < p->n_inputs && p->inputs[k] != n->in[i])
            k++;
        if (k < p->n_inputs || !n->in[i] || n->in[i]->is_const)
            continue;
        p->inputs[p->n_inputs++] = n->in[i];
        if (n->in[i]->is_variable)
            p->outputs[p->n_outputs++] = n->in[i];
    }
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i])
            p->outputs[p->n_outputs++] = n->out[i];
    return true;
}

static enum status check_values(const struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct reason why;

    for (uint32_t i = 0; i < ir->n_values; i++)
        if ((ir->values[i]->n_uses || ir->values[i]->producer) && !gl_fits(lim, ir->values[i]->type, ir->values[i]->shape, &why))
            return err_set(err, ST_UNSUPPORTED, "a value of %s", why.text);
    return ST_OK;
}

static enum status check_shader(struct gl_shader *p, const char *label, struct err *err)
{
    enum status st = gl_shader_finish(p, err);

    return st ? st : gl_shader_fits(p, label, err);
}

static enum status generate_op(const struct gl_dry *dry, struct arena *a, const struct ir_op *op, struct err *err)
{
    struct gl_shader *p = ARENA_NEW(a, struct gl_shader);

    if (!p)
        return ir_nomem(err);
    gl_shader_init(p, a, dry->limits, dry->half, op);
    op->variant->emit(p, op);
    if (op->variant->iterations)
        gl_iterations(p, op->variant->iterations(op));
    return check_shader(p, op->kind->name, err);
}

static enum status generate_transfers(const struct gl_dry *dry, struct arena *a, struct tensor *const *tensors,
                                      struct ir_value *const *values, uint32_t n, bool up, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < n && !st; i++) {
        struct gl_shader *p = ARENA_NEW(a, struct gl_shader);

        if (!p)
            return ir_nomem(err);
        gl_shader_init(p, a, dry->limits, dry->half, NULL);
        (up ? gl_emit_upload : gl_emit_download)(p, tensors[i], values[i]);
        st = check_shader(p, up ? "upload" : "download", err);
    }
    return st;
}

static enum status generate(const struct gl_dry *dry, struct arena *a, const struct ir *ir, const struct partition *part,
                            struct err *err)
{
    enum status st = check_values(ir, dry->limits, err);

    if (!st)
        st = generate_transfers(dry, a, part->inputs, ir->inputs, ir->n_inputs, true, err);
    for (uint32_t i = 0; i < ir->n_ops && !st; i++)
        st = generate_op(dry, a, ir->ops[i], err);
    return st ? st : generate_transfers(dry, a, part->outputs, ir->outputs, ir->n_outputs, false, err);
}

static enum status dry_run(const struct gl_dry *dry, const struct graph *g, const struct node *n, struct arena *a, struct err *err)
{
    struct gl_choice choice = {.index = dry->variant};
    struct partition part;
    struct ir *ir;
    enum status st;

    if (!partition_of(n, a, &part))
        return ir_nomem(err);
    if ((st = ir_new(a, g, part.inputs, part.n_inputs, part.outputs, part.n_outputs, &ir, err)))
        return st;
    ir->limits = dry->limits;
    ir->choice = &choice;
    ir->node = n;
    if ((st = n->op->gl->lower(ir, n, err)))
        return st;
    ir->node = NULL;
    if ((st = gl_rewrite_all(ir, dry->limits, err)))
        return st;
    return generate(dry, a, ir, &part, err);
}

enum status gl_judge(const struct gl_dry *dry, const struct graph *g, const struct node *n, struct reason *why, struct err *err)
{
    struct arena scratch = {0};
    enum status st;

    why->code = REASON_NONE;
    if (!gl_accept(dry->limits, g, n, why))
        return ST_OK;
    st = dry_run(dry, g, n, &scratch, err);
    arena_free(&scratch);
    if (st != ST_UNSUPPORTED)
        return node_err_if(n, st, err);
    reason_set(why, REASON_DEVICE_LIMIT, "%s", err->msg);
    return ST_OK;
}
