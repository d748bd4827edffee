/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - from a partition to dispatches. */
#include "compiled.h"

#include <stdlib.h>

#include "passes.h"
#include "choose.h"

static enum status lower(struct ir *ir, const struct gl_limits *lim, struct gl_choice *choice, const struct partition *part,
                         struct err *err)
{
    enum status st = ST_OK;

    ir->limits = lim;
    ir->choice = choice;
    for (uint32_t i = 0; i < part->n_nodes && !st; i++) {
        ir->node = part->nodes[i];
        st = node_err_if(ir->node, ir->node->op->gl->lower(ir, ir->node, err), err);
    }
    ir->node = NULL;
    return st;
}

/* "conv direct +RELU6 +ADD" */
static const char *op_label(struct arena *a, const struct ir_op *op)
{
    struct text t = {.arena = a};

    text_add(&t, "%s", op->kind->name);
    if (op->variant->name[0])
        text_add(&t, " %s", op->variant->name);
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        text_add(&t, " +%s", e->fn->name);
    return t.failed ? NULL : t.s;
}

static enum status add_program(struct gl_compiled *k, struct gl_dispatch *d, struct err *err)
{
    enum status st = gl_shader_finish(&d->shader, err);

    if (!st)
        st = gl_shader_fits(&d->shader, d->label, err);
    return st ? st : gl_programs_add(&k->set.context->programs, &k->programs, d->shader.text, d->label, &d->program, err);
}

static enum status generate_op(struct gl_compiled *k, struct gl_dispatch *d, struct ir_op *op, struct err *err)
{
    d->kind = op->n_nodes ? op->nodes[0]->name : op->kind->name;
    if (!(d->label = op_label(&k->arena, op)))
        return ir_nomem(err);
    gl_shader_init(&d->shader, &k->arena, &k->set.context->limits, k->set.half, op);
    op->variant->emit(&d->shader, op);
    if (op->variant->iterations)
        gl_iterations(&d->shader, op->variant->iterations(op));
    return add_program(k, d, err);
}

static enum status generate_transfer(struct gl_compiled *k, struct gl_dispatch *d, struct tensor *t, const struct ir_value *v,
                                     bool up, struct err *err)
{
    d->kind = d->label = up ? "upload" : "download";
    gl_shader_init(&d->shader, &k->arena, &k->set.context->limits, k->set.half, NULL);
    (up ? gl_emit_upload : gl_emit_download)(&d->shader, t, v);
    return add_program(k, d, err);
}

/* Uploads, operations, downloads. An input that no operation reads is not uploaded. */
static enum status generate(struct gl_compiled *k, struct ir *ir, const struct partition *part, struct err *err)
{
    enum status st = ST_OK;
    struct gl_dispatch *d;

    k->dispatches = d = ARENA_ARRAY(&k->arena, ir->n_inputs + ir->n_ops + ir->n_outputs, struct gl_dispatch);
    k->uploads = ARENA_ARRAY(&k->arena, ir->n_inputs, struct gl_transfer);
    k->downloads = ARENA_ARRAY(&k->arena, ir->n_outputs, struct gl_transfer);
    if (!d || !k->uploads || !k->downloads)
        return ir_nomem(err);
    for (uint32_t i = 0; i < ir->n_inputs && !st; i++)
        if (ir->inputs[i]->n_uses) {
            k->uploads[k->n_uploads++].tensor = part->inputs[i];
            st = generate_transfer(k, d++, part->inputs[i], ir->inputs[i], true, err);
        }
    for (uint32_t i = 0; i < ir->n_ops && !st; i++)
        st = generate_op(k, d++, ir->ops[i], err);
    for (uint32_t i = 0; i < ir->n_outputs && !st; i++) {
        k->downloads[k->n_downloads++].tensor = part->outputs[i];
        st = generate_transfer(k, d++, part->outputs[i], ir->outputs[i], false, err);
    }
    k->n_dispatches = (uint32_t)(d - k->dispatches);
    return st;
}

static enum status build_programs(struct gl_compiled *k, struct err *err)
{
    enum status st = gl_programs_build(&k->programs, k->set.context->parallel_compile, k->set.dump_dir, err);

    k->memory.programs = k->programs.first;
    return st ? st : gl_context_check(k->set.context, "compiling shaders", err);
}

static enum status place(struct gl_compiled *k, uint32_t n_values, struct err *err)
{
    enum status st = gl_place(k, n_values, err);

    if (st)
        return st;
    gl_place_numbers(k);
    k->bytes[GL_STORE_VALUES] = k->memory.intermediates;
    k->bytes[GL_STORE_CONSTANTS] = k->memory.constants;
    k->bytes[GL_STORE_STAGING] = k->memory.staging;
    k->memory.constants += k->bytes[GL_STORE_NUMBERS];
    return ST_OK;
}

enum status gl_compile(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_compiled **out,
                       struct err *err)
{
    struct gl_compiled *k = calloc(1, sizeof *k);
    struct gl_choice choice = {.index = set->variant};
    struct ir *ir;
    enum status st;

    *out = NULL;
    if (!k)
        return ir_nomem(err);
    k->set = *set;
    if ((st = ir_new(&k->arena, g, part->inputs, part->n_inputs, part->outputs, part->n_outputs, &ir, err)) ||
        (st = lower(ir, &set->context->limits, &choice, part, err)) || (st = gl_rewrite_all(ir, &set->context->limits, err)) ||
        (st = generate(k, ir, part, err))) {
        gl_compiled_free(k);
        return st;
    }
    k->variants = choice.most;
    k->n_values = ir->n_values;
    *out = k;
    return ST_OK;
}

enum status gl_prepare(struct gl_compiled *k, struct err *err)
{
    enum status st;

    if ((st = build_programs(k, err)) || (st = place(k, k->n_values, err)) || (st = gl_make_buffers(k, err)) ||
        (st = gl_make_images(k, err)))
        return st;
    gl_plan_barriers(k->dispatches, k->n_dispatches, &k->memory.barriers);
    k->memory.dispatches = k->n_dispatches;
    return ST_OK;
}

void gl_compiled_free(struct gl_compiled *k)
{
    bool current = k && eglGetCurrentContext() == k->set.context->context && !k->set.context->stuck;

    if (!k)
        return;
    if (current) {
        if (k->queries)
            glDeleteQueriesEXT((GLsizei)k->n_dispatches, k->queries);
        for (uint32_t i = 0; i < k->n_views; i++)
            glDeleteTextures(1, &k->views[i].range.image);
        glDeleteBuffers(1, &k->buffers[GL_STORE_CONSTANTS]);
        glDeleteBuffers(1, &k->buffers[GL_STORE_NUMBERS]);
        if (k->joined)
            gl_shared_leave(k->set.shared);
        glUseProgram(0); /* the one in use would stay */
    }
    gl_programs_release(current ? &k->set.context->programs : NULL, &k->programs);
    arena_free(&k->arena);
    free(k);
}
