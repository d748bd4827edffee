/* SPDX-License-Identifier: Apache-2.0 */
/* builder.c - models in memory, growing in an arena. */
#include "bench/models/builder.h"

#include <string.h>

static void *alloc(struct builder *b, size_t n, size_t size)
{
    void *p = arena_alloc(&b->arena, n, size);

    if (!p)
        b->st = ST_NOMEM;
    return p;
}

static void *copy(struct builder *b, const void *data, size_t n, size_t size)
{
    void *p = alloc(b, n, size);

    return p && n && data ? memcpy(p, data, n * size) : p;
}

static const char *copy_text(struct builder *b, const char *s)
{
    return copy(b, s, strlen(s) + 1, 1);
}

/* A zeroed element at the end of an array of *n, which is moved to twice the room whenever n is a power of two; NULL when
 * memory ran out. The old arrays stay in the arena: no more than the last one again. */
static void *append(struct builder *b, void *array_ptr, uint32_t *n, size_t size)
{
    void *array;

    memcpy(&array, array_ptr, sizeof array);
    if (b->st)
        return NULL;
    if (!(*n & (*n - 1))) {
        void *more = alloc(b, *n ? 2 * (size_t)*n : 1, size);

        if (!more)
            return NULL;
        if (*n)
            memcpy(more, array, *n * size);
        array = more;
        memcpy(array_ptr, &array, sizeof array);
    }
    return (char *)array + (size_t)(*n)++ * size;
}

static uint32_t add_buffer(struct builder *b, const void *data, size_t bytes)
{
    struct model_buffer *buffer = append(b, &b->model.buffers, &b->model.n_buffers, sizeof *buffer);

    if (!buffer)
        return 0;
    buffer->data = bytes ? copy(b, data, bytes, 1) : NULL;
    buffer->bytes = bytes;
    return b->model.n_buffers - 1;
}

void builder_init(struct builder *b, const char *description)
{
    *b = (struct builder){.model = {.version = 3}};
    b->model.description = copy_text(b, description);
    add_buffer(b, NULL, 0);
    build_subgraph(b, "main");
}

void builder_fini(struct builder *b)
{
    arena_free(&b->arena);
}

uint32_t build_subgraph(struct builder *b, const char *name)
{
    struct model_subgraph *g = append(b, &b->model.subgraphs, &b->model.n_subgraphs, sizeof *g);

    if (!g)
        return 0;
    g->name = copy_text(b, name);
    g->debug_metadata_index = -1;
    b->graph = g;
    return b->model.n_subgraphs - 1;
}

int32_t build_tensor(struct builder *b, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank)
{
    struct tensor *t = b->st ? NULL : append(b, &b->graph->tensors, &b->graph->n_tensors, sizeof *t);

    if (!t)
        return 0;
    t->name = copy_text(b, name);
    t->index = b->graph->n_tensors - 1;
    t->type = type;
    t->has_rank = true;
    b->st = tensor_set_shape(t, dim, rank, NULL);
    return (int32_t)t->index;
}

int32_t build_const(struct builder *b, const char *name, enum tensor_type type, const int32_t *dim, int32_t rank, const void *data)
{
    int32_t index = build_tensor(b, name, type, dim, rank);
    struct tensor *t;

    if (b->st)
        return index;
    t = build_at(b, index);
    t->buffer = add_buffer(b, data, t->bytes);
    if (!b->st)
        t->data = (void *)b->model.buffers[t->buffer].data;
    t->is_const = t->is_known = true;
    return index;
}

struct tensor *build_at(struct builder *b, int32_t tensor)
{
    return &b->graph->tensors[tensor];
}

void build_quant(struct builder *b, int32_t tensor, float scale, int64_t zero_point)
{
    const float *s = copy(b, &scale, 1, sizeof scale);
    const int64_t *z = copy(b, &zero_point, 1, sizeof zero_point);

    if (!b->st)
        build_at(b, tensor)->quant = (struct quant){.n = 1, .scale = s, .zero_point = z};
}

static bool same_opcode(const struct model_opcode *a, const struct model_opcode *b)
{
    return a->builtin == b->builtin && a->version == b->version && !a->custom == !b->custom &&
           (!a->custom || !strcmp(a->custom, b->custom));
}

static uint32_t find_opcode(struct builder *b, const struct model_opcode *wanted)
{
    struct model_opcode *code;

    for (uint32_t i = 0; i < b->model.n_opcodes; i++)
        if (same_opcode(&b->model.opcodes[i], wanted))
            return i;
    if (!(code = append(b, &b->model.opcodes, &b->model.n_opcodes, sizeof *code)))
        return 0;
    *code = *wanted;
    if (wanted->custom)
        code->custom = copy_text(b, wanted->custom);
    return b->model.n_opcodes - 1;
}

static struct model_op *add_op(struct builder *b, const struct model_opcode *code, const int32_t *in, uint32_t n_in,
                               const int32_t *out, uint32_t n_out)
{
    struct model_op *op = b->st ? NULL : append(b, &b->graph->ops, &b->graph->n_ops, sizeof *op);

    if (!op)
        return NULL;
    op->opcode = find_opcode(b, code);
    op->inputs = copy(b, in, n_in, sizeof *in);
    op->n_inputs = n_in;
    op->outputs = copy(b, out, n_out, sizeof *out);
    op->n_outputs = n_out;
    return op;
}

void build_op(struct builder *b, enum builtin builtin, int32_t version, const void *opt, const int32_t *in, uint32_t n_in,
              const int32_t *out, uint32_t n_out)
{
    struct model_op *op = add_op(b, &(struct model_opcode){(int32_t)builtin, NULL, version}, in, n_in, out, n_out);
    const struct options_table *table;

    if (!op)
        return;
    op->options_kind = builtin_options((int32_t)builtin);
    table = options_table(op->options_kind);
    if (opt && table)
        op->options = copy(b, opt, table->size, 1);
}

void build_custom_op(struct builder *b, const char *name, const void *opt, size_t n_opt, const int32_t *in, uint32_t n_in,
                     const int32_t *out, uint32_t n_out)
{
    struct model_op *op = add_op(b, &(struct model_opcode){BUILTIN_CUSTOM, name, 1}, in, n_in, out, n_out);

    if (!op)
        return;
    op->custom = copy(b, opt, n_opt, 1);
    op->n_custom = n_opt;
}

void build_inputs(struct builder *b, const int32_t *tensors, uint32_t n)
{
    if (b->st)
        return;
    b->graph->inputs = copy(b, tensors, n, sizeof *tensors);
    b->graph->n_inputs = n;
}

void build_outputs(struct builder *b, const int32_t *tensors, uint32_t n)
{
    if (b->st)
        return;
    b->graph->outputs = copy(b, tensors, n, sizeof *tensors);
    b->graph->n_outputs = n;
}

void build_ends(struct builder *b, const int32_t *in, uint32_t n_in, const int32_t *out, uint32_t n_out)
{
    build_inputs(b, in, n_in);
    build_outputs(b, out, n_out);
}

static const char **copy_names(struct builder *b, const char *const *names, uint32_t n)
{
    const char **out = alloc(b, n, sizeof *out);

    for (uint32_t i = 0; out && i < n; i++)
        out[i] = copy_text(b, names[i]);
    return out;
}

void build_signature(struct builder *b, const char *key, const char *const *inputs, const char *const *outputs)
{
    struct model_signature *s = append(b, &b->model.signatures, &b->model.n_signatures, sizeof *s);
    const struct model_subgraph *g = b->graph;

    if (!s)
        return;
    s->key = copy_text(b, key);
    s->subgraph = (uint32_t)(g - b->model.subgraphs);
    s->n_inputs = g->n_inputs;
    s->input_names = copy_names(b, inputs, g->n_inputs);
    s->input_tensors = copy(b, g->inputs, g->n_inputs, sizeof *g->inputs);
    s->n_outputs = g->n_outputs;
    s->output_names = copy_names(b, outputs, g->n_outputs);
    s->output_tensors = copy(b, g->outputs, g->n_outputs, sizeof *g->outputs);
}

void build_metadata(struct builder *b, const char *name, const void *data, size_t bytes)
{
    struct model_metadata *m = append(b, &b->model.metadata, &b->model.n_metadata, sizeof *m);

    if (!m)
        return;
    m->name = copy_text(b, name);
    m->buffer = add_buffer(b, data, bytes);
}

static enum status sound(const struct builder *b, struct err *err)
{
    return b->st ? err_set(err, b->st, "out of memory for the model") : ST_OK;
}

enum status builder_serialize(const struct builder *b, uint8_t **out, size_t *bytes, struct err *err)
{
    enum status st = sound(b, err);

    return st ? st : model_serialize(&b->model, out, bytes, err);
}

enum status builder_write(const struct builder *b, const char *path, struct err *err)
{
    enum status st = sound(b, err);

    return st ? st : model_write(&b->model, path, err);
}
