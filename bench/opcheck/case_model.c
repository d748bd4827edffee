/* SPDX-License-Identifier: Apache-2.0 */
/* case_model.c - builds a case's model and fills its inputs. */
#include "bench/opcheck/case_model.h"

#include <stdlib.h>
#include <string.h>

#include "bench/models/builder.h"
#include "bench/opcheck/fill.h"
#include "bench/opcheck/flex_text.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* A model under construction: one subgraph with one op. */
struct build {
    const struct case_ref *ref;
    uint64_t seed;
    struct case_model *out;
    struct model model;
    struct model_subgraph graph;
    struct model_op op;
    struct model_opcode opcode;
    struct tensor tensors[64];
    struct model_buffer buffers[64];
    int32_t inputs[CASE_INPUTS], op_in[CASE_INPUTS], op_mid[16], op_out[8];
};

static enum status no_memory(const struct build *b, struct err *err)
{
    return err_set(err, ST_NOMEM, "case \"%s\": out of memory", b->ref->c->name);
}

static enum status set_quant(struct build *b, struct tensor *t, const struct case_tensor *ct, struct err *err)
{
    bool per_channel = ct->scales && ct->channel_dim >= 0 && ct->channel_dim < ct->rank;
    uint32_t n = per_channel ? (uint32_t)ct->dim[ct->channel_dim] : ct->scale > 0;
    float *scale = ARENA_ARRAY(&b->out->arena, n, float);
    int64_t *zero = ARENA_ARRAY(&b->out->arena, n, int64_t);

    if (!scale || !zero)
        return no_memory(b, err);
    for (uint32_t i = 0; i < n; i++) {
        scale[i] = per_channel ? ct->scales[i] : ct->scale;
        zero[i] = ct->zero_point;
    }
    t->quant = (struct quant){.n = n, .dim = per_channel ? ct->channel_dim : 0, .scale = scale, .zero_point = zero};
    return ST_OK;
}

/* Adds a tensor without content; its index is the number of tensors before. */
static enum status add_tensor(struct build *b, const struct case_tensor *ct, const char *prefix, uint32_t i, struct err *err)
{
    uint32_t index = b->graph.n_tensors++;
    struct tensor *t = &b->tensors[index];

    t->name = arena_printf(&b->out->arena, "%s%u", prefix, i);
    if (!t->name)
        return no_memory(b, err);
    t->index = index;
    t->type = ct->type;
    t->rank = ct->rank;
    memcpy(t->dim, ct->dim, sizeof t->dim);
    t->has_rank = true;
    t->is_variable = ct->variable;
    return set_quant(b, t, ct, err);
}

static enum status fill_input(struct build *b, uint32_t i, void **data, size_t *bytes, struct err *err)
{
    const struct case_tensor *ct = &b->ref->c->in[i];
    enum status st = fill_bytes(ct, bytes, err);

    /* A shape too large to fill is a test of the loader and the graph, which must refuse it. */
    if (st)
        return b->ref->c->fails ? ST_OK : st;
    if (!(*data = arena_alloc(&b->out->arena, *bytes, 1)))
        return no_memory(b, err);
    fill_tensor(ct, fill_seed(b->ref->kernel, b->ref->c->name, i, b->seed), *data);
    return ST_OK;
}

static enum status add_input(struct build *b, uint32_t i, struct err *err)
{
    const struct case_tensor *ct = &b->ref->c->in[i];
    struct case_model *out = b->out;
    struct tensor *t = &b->tensors[b->graph.n_tensors];
    void *data = NULL;
    size_t bytes;
    enum status st;

    b->op_in[i] = (int32_t)b->graph.n_tensors;
    if ((st = add_tensor(b, ct, "x", i, err)) || ct->variable)
        return st;
    if ((st = fill_input(b, i, &data, &bytes, err)))
        return st;
    if (ct->constant) {
        t->buffer = b->model.n_buffers++;
        b->buffers[t->buffer] = (struct model_buffer){.data = bytes ? data : NULL, .bytes = bytes};
        t->data = data;
        t->bytes = bytes;
        t->is_const = t->is_known = true;
        return ST_OK;
    }
    b->inputs[out->n_inputs] = b->op_in[i];
    out->slot[out->n_inputs] = i;
    out->input[out->n_inputs] = data;
    out->input_bytes[out->n_inputs++] = bytes;
    return ST_OK;
}

static enum status add_inputs(struct build *b, struct err *err)
{
    const struct op_case *c = b->ref->c;
    enum status st;

    for (uint32_t i = 0; i < COUNT(c->in); i++)
        if (c->in[i].type != TYPE_NONE)
            b->op.n_inputs = i + 1;
    if (c->n_in > b->op.n_inputs && c->n_in <= COUNT(c->in))
        b->op.n_inputs = c->n_in;
    for (uint32_t i = 0; i < b->op.n_inputs; i++)
        if (c->in[i].type == TYPE_NONE)
            b->op_in[i] = -1;
        else if ((st = add_input(b, i, err)))
            return st;
    return ST_OK;
}

static enum status add_outputs(struct build *b, struct err *err)
{
    const struct op_case *c = b->ref->c;
    struct case_tensor like = {.type = c->in[0].type, .scale = c->in[0].scale, .zero_point = c->in[0].zero_point};
    const struct case_tensor *out = c->out[0].type == TYPE_NONE ? &like : c->out;
    enum status st;

    for (uint32_t i = 0; i < COUNT(c->mid) && c->mid[i].type != TYPE_NONE; i++) {
        b->op_mid[b->op.n_intermediates++] = (int32_t)b->graph.n_tensors;
        if ((st = add_tensor(b, &c->mid[i], "mid", i, err)))
            return st;
    }
    for (uint32_t i = 0; i < COUNT(c->out) && (i == 0 || c->out[i].type != TYPE_NONE); i++) {
        b->op_out[b->op.n_outputs++] = (int32_t)b->graph.n_tensors;
        if ((st = add_tensor(b, &out[i], "y", i, err)))
            return st;
    }
    return ST_OK;
}

static void connect(struct build *b)
{
    const struct op_case *c = b->ref->c;
    const struct op *op = b->ref->op;
    bool custom = op->builtin == BUILTIN_CUSTOM;

    b->opcode = (struct model_opcode){op->builtin, custom ? op->name : NULL, c->version ? c->version : 1};
    b->op.inputs = b->op_in;
    b->op.outputs = b->op_out;
    b->op.intermediates = b->op_mid;
    b->op.options_kind = builtin_options(op->builtin);
    b->op.options = c->opt;
    b->op.custom = c->custom;
    b->op.n_custom = c->n_custom;
    b->graph.name = "main";
    b->graph.tensors = b->tensors;
    b->graph.ops = &b->op;
    b->graph.n_ops = 1;
    b->graph.inputs = b->inputs;
    b->graph.n_inputs = b->out->n_inputs;
    b->graph.outputs = b->op_out;
    b->graph.n_outputs = b->op.n_outputs;
    b->graph.debug_metadata_index = -1;
    b->model.version = 3;
    b->model.description = c->name;
    b->model.opcodes = &b->opcode;
    b->model.n_opcodes = 1;
    b->model.subgraphs = &b->graph;
    b->model.n_subgraphs = 1;
    b->model.buffers = b->buffers;
}

static enum status serialize_one_op(struct build *b, struct err *err)
{
    enum status st = add_outputs(b, err);

    if (st)
        return st;
    connect(b);
    if (b->ref->c->flex && !(b->op.custom = flex_from_text(b->ref->c->flex, &b->out->arena, &b->op.n_custom)))
        return no_memory(b, err);
    return model_serialize(&b->model, &b->out->file, &b->out->file_bytes, err);
}

static enum status serialize_built(struct case_model *out, const struct op_case *c, struct err *err)
{
    struct builder b;
    enum status st;

    builder_init(&b, c->name);
    c->build(&b);
    st = builder_serialize(&b, &out->file, &out->file_bytes, err);
    builder_fini(&b);
    return st;
}

enum status case_model_init(struct case_model *out, const struct case_ref *ref, uint64_t seed, struct err *err)
{
    struct build *b = calloc(1, sizeof *b);
    enum status st;

    *out = (struct case_model){0};
    if (!b)
        return err_set(err, ST_NOMEM, "case \"%s\": out of memory", ref->c->name);
    b->ref = ref;
    b->seed = seed;
    b->out = out;
    b->model.n_buffers = 1; /* the empty one */
    st = add_inputs(b, err);
    if (!st)
        st = ref->c->build ? serialize_built(out, ref->c, err) : serialize_one_op(b, err);
    free(b);
    if (!st)
        st = model_parse(out->file, out->file_bytes, "test case", &out->model, err);
    return st;
}

void case_model_fini(struct case_model *m)
{
    model_close(m->model);
    free(m->file);
    arena_free(&m->arena);
    *m = (struct case_model){0};
}

bool case_is_hybrid(const struct op_case *c)
{
    bool floats = false, filter = false;

    for (size_t i = 0; i < CASE_INPUTS; i++) {
        floats |= c->in[i].type == TYPE_FLOAT32 && !c->in[i].constant;
        filter |= (c->in[i].constant || i == 1) && (c->in[i].scale > 0 || c->in[i].scales);
    }
    return floats && filter;
}
