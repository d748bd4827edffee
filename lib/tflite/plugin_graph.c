/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_graph.c - tensors and nodes of TFLite's structs become a model of one subgraph, and that a graph. */
#include "lib/tflite/plugin_graph.h"

#include <string.h>

#include "lib/graph/graph_infer.h"
#include "lib/graph/kernel.h"
#include "lib/graph/whole_floats.h"
#include "lib/model/tflite_options.h"

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the graph");
}

/* ---- tensors ---- */

static enum status read_blocks(const struct tflite_tensor *from, struct quant *q)
{
    const struct tflite_blockwise_quantization *p = from->quantization.params;

    if (!p || p->block_size < 1)
        return ST_UNSUPPORTED;
    q->dim = p->quantized_dimension;
    q->block_size = p->block_size;
    q->block_scales = p->scale;
    q->block_zero_points = p->zero_point;
    return ST_OK;
}

/* A copy, zero points as int64. ST_UNSUPPORTED where ours cannot say it. */
static enum status read_quant(struct arena *a, const struct tflite_tensor *from, struct quant *q, struct err *err)
{
    const struct tflite_affine_quantization *p = from->quantization.params;
    const bool single = from->quantization.type != TFLITE_AFFINE_QUANTIZATION || !p || !p->scale || p->scale->size < 1;
    const int n_zeros = single || !p->zero_point ? 0 : p->zero_point->size;
    int64_t *zeros;
    float *scale;

    if (from->quantization.type == TFLITE_BLOCKWISE_QUANTIZATION)
        return read_blocks(from, q);
    if (single && !(from->params.scale > 0))
        return ST_OK;
    q->n = single ? 1 : (uint32_t)p->scale->size;
    q->dim = single ? 0 : p->quantized_dimension;
    if (!single && n_zeros != 1 && n_zeros != p->scale->size)
        return ST_UNSUPPORTED;
    /* The host's array of tensors moves when it adds some, and a scale that stands there with it. */
    q->zero_point = zeros = ARENA_ARRAY(a, q->n, int64_t);
    q->scale = scale = ARENA_ARRAY(a, q->n, float);
    if (!zeros || !scale)
        return no_memory(err);
    for (uint32_t i = 0; i < q->n; i++) {
        scale[i] = single ? from->params.scale : p->scale->data[i];
        zeros[i] = single ? from->params.zero_point : p->zero_point->data[n_zeros == 1 ? 0 : i];
    }
    return q->n == 1 || (q->dim >= 0 && q->dim < from->dims->size && (uint32_t)from->dims->data[q->dim] == q->n) ? ST_OK
                                                                                                                 : ST_UNSUPPORTED;
}

/* Gives t the content of a constant. False where the host has another number of bytes than its shape says. */
static bool read_content(const struct tflite_tensor *from, struct tensor *t)
{
    static const uint64_t nothing;

    if (from->allocation_type != TFLITE_MMAP_RO)
        return true;
    if (t->type == TYPE_STRING)
        t->bytes = from->bytes;
    t->data = from->data ? from->data : (void *)&nothing;
    return from->bytes == t->bytes && (from->data || !t->bytes);
}

/* ST_UNSUPPORTED: it cannot be said, and *t is a scalar of no type. */
static enum status read_tensor(struct arena *a, const struct tflite_tensor *from, uint32_t index, struct tensor *t, struct err *err)
{
    const struct tflite_int_array *open = from->dims_signature;
    enum status st = ST_UNSUPPORTED;

    *t = (struct tensor){.index = index, .type = (enum tensor_type)from->type, .has_rank = true, .is_variable = from->is_variable};
    t->name = from->name ? from->name : "";
    if (from->type > TYPE_NONE && from->type < TYPE_COUNT && from->dims && !from->sparsity &&
        !tensor_set_shape(t, from->dims->data, from->dims->size, NULL) && !(st = read_quant(a, from, &t->quant, err)) &&
        read_content(from, t)) {
        if (open && open->size == t->rank) {
            t->signature = open->data;
            t->n_signature = (uint32_t)open->size;
        }
        return ST_OK;
    }
    *t = (struct tensor){.index = index, .type = TYPE_NONE, .name = t->name};
    return st ? st : ST_UNSUPPORTED;
}

/* *known[i]: tensor i is what the host says. */
static enum status read_tensors(const struct tflite_context *c, struct plugin_graph *g, struct model_subgraph *s, bool **known,
                                struct err *err)
{
    enum status st = ST_OK;

    if (c->tensors_size > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "the host has %zu tensors", c->tensors_size);
    s->n_tensors = (uint32_t)c->tensors_size;
    s->tensors = ARENA_ARRAY(&g->arena, s->n_tensors, struct tensor);
    *known = ARENA_ARRAY(&g->arena, s->n_tensors, bool);
    if (!s->tensors || !*known)
        return no_memory(err);
    for (uint32_t i = 0; i < s->n_tensors && st != ST_NOMEM; i++) {
        st = read_tensor(&g->arena, &c->tensors[i], i, &s->tensors[i], err);
        (*known)[i] = !st;
    }
    return st == ST_NOMEM ? st : ST_OK;
}

/* ---- nodes ---- */

static bool all_known(const struct tflite_int_array *list, const bool *known)
{
    for (int i = 0; list && i < list->size; i++)
        if (list->data[i] >= 0 && !known[list->data[i]])
            return false;
    return true;
}

static enum status check_indices(const struct tflite_int_array *list, int32_t lowest, uint32_t n_tensors, int node, struct err *err)
{
    for (int i = 0; list && i < list->size; i++)
        if (list->data[i] < lowest || (list->data[i] >= 0 && (uint32_t)list->data[i] >= n_tensors))
            return err_set(err, ST_BAD_MODEL, "node %d has tensor %d of %u", node, list->data[i], n_tensors);
    return ST_OK;
}

static void read_list(const struct tflite_int_array *list, const int32_t **to, uint32_t *n)
{
    *to = list ? list->data : NULL;
    *n = list ? (uint32_t)list->size : 0;
}

/* A name that no kernel has, for one that stays with the host. */
static const char *name_for_host(struct arena *a, const struct tflite_registration *r)
{
    const char *name = r->custom_name;

    if (r->builtin_code != TFLITE_BUILTIN_CUSTOM || !name)
        name = builtin_name(r->builtin_code);
    return arena_printf(a, "%s of the host", name ? name : "an operator");
}

static enum status read_node(struct plugin_graph *g, const struct tflite_node *n, const struct tflite_registration *r, int number,
                             const bool *known, struct model_op *op, struct model_opcode *code, struct err *err)
{
    const uint32_t n_tensors = g->model.subgraphs->n_tensors;
    const bool custom = r->builtin_code == TFLITE_BUILTIN_CUSTOM;
    enum status st;

    if ((st = check_indices(n->inputs, -1, n_tensors, number, err)) ||
        (st = check_indices(n->outputs, -1, n_tensors, number, err)) ||
        (st = check_indices(n->intermediates, -1, n_tensors, number, err)))
        return st;
    read_list(n->inputs, &op->inputs, &op->n_inputs);
    read_list(n->outputs, &op->outputs, &op->n_outputs);
    read_list(n->intermediates, &op->intermediates, &op->n_intermediates);
    *code = (struct model_opcode){r->builtin_code, NULL, r->version, NULL};
    if (n->delegate || !tflite_same_options(r->builtin_code) || !all_known(n->inputs, known) || !all_known(n->outputs, known) ||
        !all_known(n->intermediates, known)) {
        code->builtin = BUILTIN_CUSTOM;
        code->name = code->custom = name_for_host(&g->arena, r);
        return code->name ? ST_OK : no_memory(err);
    }
    code->custom = custom ? r->custom_name : NULL;
    code->name = custom ? r->custom_name : builtin_name(r->builtin_code);
    if (custom) {
        op->custom = n->custom_initial_data;
        op->n_custom = n->custom_initial_data && n->custom_initial_data_size > 0 ? (size_t)n->custom_initial_data_size : 0;
    } else if ((op->options_kind = builtin_options(r->builtin_code)) != OPTIONS_NONE) {
        op->options = n->builtin_data;
    }
    return ST_OK;
}

static enum status read_nodes(struct tflite_context *c, struct plugin_graph *g, const bool *known, struct err *err)
{
    struct model_subgraph *s = g->model.subgraphs;
    struct tflite_int_array *plan = NULL;
    enum status st = ST_OK;

    if (c->get_execution_plan(c, &plan) || !plan)
        return err_set(err, ST_BAD_MODEL, "the host gives no execution plan");
    s->n_ops = g->model.n_opcodes = (uint32_t)plan->size;
    s->ops = ARENA_ARRAY(&g->arena, s->n_ops, struct model_op);
    g->model.opcodes = ARENA_ARRAY(&g->arena, s->n_ops, struct model_opcode);
    g->host_node = ARENA_ARRAY(&g->arena, s->n_ops, int);
    if (!s->ops || !g->model.opcodes || !g->host_node)
        return no_memory(err);
    memcpy(g->host_node, plan->data, s->n_ops * sizeof *g->host_node);
    for (uint32_t i = 0; i < s->n_ops && !st; i++) {
        struct tflite_registration *r = NULL;
        struct tflite_node *n = NULL;

        if (c->get_node_and_registration(c, g->host_node[i], &n, &r) || !n || !r)
            return err_set(err, ST_BAD_MODEL, "the host gives no node %d", g->host_node[i]);
        s->ops[i].opcode = i;
        st = read_node(g, n, r, g->host_node[i], known, &s->ops[i], &g->model.opcodes[i], err);
    }
    return st;
}

/* ---- what goes in and comes out ---- */

static void mark(bool *set, const int32_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] >= 0)
            set[list[i]] = true;
}

/* Outputs of the graph are what the host says comes out of all nodes together. */
static enum status find_outputs(struct tflite_context *c, struct plugin_graph *g, bool *out, struct err *err)
{
    struct tflite_int_array *all = arena_alloc(&g->arena, 1, sizeof *all + g->model.subgraphs->n_ops * sizeof all->data[0]);
    struct tflite_delegate_params *parts = NULL;
    int n = 0;

    if (!all)
        return no_memory(err);
    all->size = (int)g->model.subgraphs->n_ops;
    memcpy(all->data, g->host_node, (size_t)all->size * sizeof all->data[0]);
    if (all->size && (!c->preview_delegate_partitioning || c->preview_delegate_partitioning(c, all, &parts, &n)))
        return err_set(err, ST_BAD_MODEL, "the host cannot say how it would partition the graph");
    for (int i = 0; i < n; i++)
        if (check_indices(parts[i].output_tensors, 0, g->model.subgraphs->n_tensors, -1, err))
            return ST_BAD_MODEL;
        else if (parts[i].output_tensors)
            mark(out, parts[i].output_tensors->data, (uint32_t)parts[i].output_tensors->size);
    return ST_OK;
}

static enum status find_ends(struct tflite_context *c, struct plugin_graph *g, struct err *err)
{
    struct model_subgraph *s = g->model.subgraphs;
    bool *read = ARENA_ARRAY(&g->arena, s->n_tensors, bool), *written = ARENA_ARRAY(&g->arena, s->n_tensors, bool);
    bool *out = ARENA_ARRAY(&g->arena, s->n_tensors, bool);
    int32_t *inputs = ARENA_ARRAY(&g->arena, s->n_tensors, int32_t), *outputs = ARENA_ARRAY(&g->arena, s->n_tensors, int32_t);
    enum status st;

    if (!read || !written || !out || !inputs || !outputs)
        return no_memory(err);
    for (uint32_t i = 0; i < s->n_ops; i++) {
        mark(read, s->ops[i].inputs, s->ops[i].n_inputs);
        mark(written, s->ops[i].outputs, s->ops[i].n_outputs);
    }
    if ((st = find_outputs(c, g, out, err)))
        return st;
    for (uint32_t i = 0; i < s->n_tensors; i++) {
        const struct tensor *t = &s->tensors[i];

        if (read[i] && !written[i] && !t->data && !t->is_variable)
            inputs[s->n_inputs++] = (int32_t)i;
        if (written[i] && out[i])
            outputs[s->n_outputs++] = (int32_t)i;
    }
    s->inputs = inputs;
    s->outputs = outputs;
    return ST_OK;
}

/* ---- shapes ---- */

/* Before the host has prepared its nodes it knows the file's shapes alone; without dimensions that may be a scalar or anything. */
static bool is_dynamic(const struct tflite_tensor *t)
{
    bool open = t->allocation_type == TFLITE_DYNAMIC || !t->dims->size;

    for (int i = 0; t->dims_signature && i < t->dims_signature->size; i++)
        open |= t->dims_signature->data[i] < 0;
    return open;
}

/* What a node of the host's makes has the shape that the host says, if it does. The handle of a variable says nothing of shapes:
 * what is read of it has the file's, or the host prepares the kernels behind it once more. */
static void shapes_of_host(const struct tflite_context *c, struct node *n)
{
    n->folded = false;
    n->dynamic = false;
    for (uint32_t i = 0; i < n->n_in; i++)
        n->dynamic |= n->in[i] && n->in[i]->is_dynamic && c->tensors[n->in[i]->index].type != TYPE_RESOURCE;
    for (uint32_t i = 0; i < n->n_out; i++) {
        struct tensor *t = n->out[i];
        const struct tflite_tensor *from = t ? &c->tensors[t->index] : NULL;

        if (t && (t->type == TYPE_NONE || is_dynamic(from) || tensor_set_shape(t, from->dims->data, from->dims->size, NULL)))
            n->dynamic = t->is_dynamic = true;
    }
    for (uint32_t i = 0; i < n->n_out && n->dynamic; i++)
        if (n->out[i])
            n->out[i]->is_dynamic = true;
}

static void note_by_shape(struct plugin_graph *g, const struct node *n)
{
    bool by_shape = false;

    for (uint32_t i = 0; i < n->n_in; i++)
        by_shape |= n->in[i] && (!n->in[i]->is_const || g->by_shape[n->in[i]->index]);
    for (uint32_t i = 0; i < n->n_out && n->folded; i++)
        if (n->out[i])
            g->by_shape[n->out[i]->index] = by_shape;
}

/* A node that refuses its operands in our eyes is the host's to judge. */
static void infer(struct plugin_graph *g, const struct tflite_context *c, struct node *n)
{
    if (!n->op || graph_infer_node(g->graph, n, NULL)) {
        n->op = NULL;
        shapes_of_host(c, n);
        return;
    }
    note_by_shape(g, n);
}

static enum status make_graph(struct plugin_graph *g, const struct tflite_context *c, struct err *err)
{
    enum status st = graph_new(&g->model, 0, &g->graph, err);

    if (st)
        return st;
    if (!(g->by_shape = ARENA_ARRAY(&g->arena, g->graph->n_tensors, bool)))
        return no_memory(err);
    for (uint32_t i = 0; i < g->graph->n_nodes; i++)
        infer(g, c, &g->graph->nodes[i]);
    whole_floats_mark(g->graph);
    return ST_OK;
}

enum status plugin_graph_read(struct tflite_context *c, struct plugin_graph *out, struct err *err)
{
    struct model_subgraph *s = out->model.subgraphs = ARENA_NEW(&out->arena, struct model_subgraph);
    enum status st;
    bool *known = NULL;

    if (!s)
        return no_memory(err);
    s->name = out->model.description = "";
    out->model.version = 3;
    out->model.n_subgraphs = 1;
    if ((st = read_tensors(c, out, s, &known, err)) || (st = read_nodes(c, out, known, err)) || (st = find_ends(c, out, err)))
        return st;
    return make_graph(out, c, err);
}

/* ---- other shapes ---- */

bool plugin_same_shape(const struct tensor *t, const struct tflite_tensor *host)
{
    return host->dims && host->dims->size == t->rank && !memcmp(host->dims->data, t->dim, (size_t)t->rank * sizeof t->dim[0]);
}

static bool is_among(const struct node *n, struct node *const *part, uint32_t n_part)
{
    for (uint32_t i = 0; i < n_part; i++)
        if (part[i] == n)
            return true;
    return false;
}

static bool reads_by_shape(const struct plugin_graph *g, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && (!n->in[i]->is_const || g->by_shape[n->in[i]->index]))
            return true;
    return false;
}

enum status plugin_graph_reshape(struct plugin_graph *g, const struct tflite_context *c, struct node *const *part, uint32_t n_part,
                                 struct err *err)
{
    struct graph *graph = g->graph;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < graph->n_inputs && !st; i++) {
        const struct tflite_int_array *dims = c->tensors[graph->inputs[i]->index].dims;

        if (graph->inputs[i]->type != TYPE_NONE)
            st = tensor_set_shape(graph->inputs[i], dims->data, dims->size, err);
    }
    for (uint32_t i = 0; i < graph->n_nodes && !st; i++) {
        struct node *n = &graph->nodes[i];

        if (is_among(n, part, n_part)) {
            st = graph_infer_node(graph, n, err);
            if (!st && (n->dynamic || n->folded))
                st = node_err(n, err_set(err, ST_UNSUPPORTED, "it cannot be computed for these shapes"), err);
        } else if (!n->folded) {
            shapes_of_host(c, n);
        } else if (reads_by_shape(g, n)) {
            st = graph_infer_node(graph, n, err);
        }
    }
    return st;
}

void plugin_graph_fini(struct plugin_graph *g)
{
    graph_free(g->graph);
    arena_free(&g->arena);
    *g = (struct plugin_graph){0};
}
