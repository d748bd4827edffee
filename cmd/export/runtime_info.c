/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_info.c - messages from the inside out; numbers of fields are those of TFLite's model_runtime_info.proto. */
#include "cmd/export/runtime_info.h"

#include <stdlib.h>

/* A growing list for a packed field; what does not fit in memory fails the message. */
struct ids {
    int32_t *list;
    size_t n, capacity;
    bool failed;
};

static void add_id(struct ids *ids, int32_t id)
{
    if (ids->n == ids->capacity) {
        const size_t capacity = 2 * ids->capacity + 16;
        int32_t *grown = realloc(ids->list, capacity * sizeof *grown);

        if (!grown) {
            ids->failed = true;
            return;
        }
        ids->list = grown;
        ids->capacity = capacity;
    }
    ids->list[ids->n++] = id;
}

/* Empties the list. */
static void put_ids(struct proto *p, uint32_t field, struct ids *ids)
{
    p->failed |= ids->failed;
    proto_packed(p, field, ids->list, ids->n);
    free(ids->list);
    *ids = (struct ids){0};
}

/* Omitted ones are -1, as in the file. */
static void put_tensors(struct proto *p, uint32_t field, struct tensor *const *t, uint32_t n)
{
    struct ids ids = {0};

    for (uint32_t i = 0; i < n; i++)
        add_id(&ids, t[i] ? (int32_t)t[i]->index : -1);
    put_ids(p, field, &ids);
}

/* TFLite's names of how a tensor got its memory. */
static const char *allocation(const struct tensor *t)
{
    if (t->is_const)
        return "kTfLiteMmapRo";
    if (t->is_variable)
        return "kTfLiteArenaRwPersistent";
    if (t->is_dynamic)
        return "kTfLiteDynamic";
    return t->data ? "kTfLiteArenaRw" : "kTfLiteMemNone"; /* within a delegate */
}

/* Edge; enum tensor_type has TFLite's numbers. */
static void put_edge(struct proto *subgraph, const struct tensor *t)
{
    struct proto p = {0};

    proto_int(&p, 1, t->index);
    proto_string(&p, 2, t->name);
    proto_int(&p, 3, t->type);
    proto_packed(&p, 4, t->dim, (size_t)t->rank);
    proto_string(&p, 5, allocation(t));
    proto_int(&p, 6, 0);
    proto_int(&p, 7, (int64_t)t->bytes);
    proto_message(subgraph, 2, &p);
}

/* Node of the file; `part` < 0: no delegate has it. TFLite's type is the operator's number, or a custom one's name. */
static void put_node(struct proto *subgraph, const struct graph *g, const struct node *n, int32_t part)
{
    struct proto p = {0};
    char type[16];

    snprintf(type, sizeof type, "%d", n->builtin);
    proto_int(&p, 1, n->index);
    proto_string(&p, 2, n->name);
    proto_string(&p, 3, n->builtin == BUILTIN_CUSTOM ? n->name : type);
    put_tensors(&p, 4, n->in, n->n_in);
    put_tensors(&p, 5, n->out, n->n_out);
    put_tensors(&p, 6, n->mid, n->n_mid);
    if (part >= 0)
        proto_int(&p, 9, (int64_t)g->n_nodes + part);
    proto_message(subgraph, 3, &p);
}

/* Node that stands for a partition. */
static void put_partition(struct proto *subgraph, const struct partition *part, uint32_t id)
{
    const char *name = part->delegate->type->kernel ? part->delegate->type->kernel : part->delegate->type->name;
    struct proto p = {0}, details = {0};
    struct ids replaced = {0};

    proto_int(&p, 1, id);
    proto_string(&p, 2, name);
    proto_string(&p, 3, name);
    put_tensors(&p, 4, part->inputs, part->n_inputs);
    put_tensors(&p, 5, part->outputs, part->n_outputs);
    proto_string(&details, 1, name);
    for (uint32_t i = 0; i < part->n_nodes; i++)
        add_id(&replaced, (int32_t)part->nodes[i]->index);
    put_ids(&details, 2, &replaced);
    proto_message(&p, 8, &details);
    proto_message(subgraph, 3, &p);
}

static const struct node *node_at(const struct graph *g, uint32_t index, uint32_t *at)
{
    for (*at = 0; *at < g->n_nodes; ++*at)
        if (g->nodes[*at].index == index)
            return &g->nodes[*at];
    return NULL;
}

static void put_plan(struct proto *subgraph, const struct session *s)
{
    const struct node *node;
    struct ids plan = {0};
    int32_t part;

    for (uint32_t i = 0; session_step(s, i, &node, &part); i++)
        add_id(&plan, node ? (int32_t)node->index : (int32_t)session_graph(s)->n_nodes + part);
    put_ids(subgraph, 4, &plan);
}

enum status runtime_info(const struct session *s, const char *model, struct proto *out, struct err *err)
{
    const struct partitioning *parts = session_partitioning(s);
    const struct graph *g = session_graph(s);
    struct proto p = {0};
    uint32_t at;

    proto_string(out, 1, model);
    proto_int(&p, 1, g->subgraph);
    for (uint32_t i = 0; i < g->n_tensors; i++)
        put_edge(&p, &g->tensors[i]);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = node_at(g, i, &at);

        if (n)
            put_node(&p, g, n, parts ? parts->part_of[at] : -1);
    }
    for (uint32_t i = 0; parts && i < parts->n_parts; i++)
        put_partition(&p, &parts->parts[i], g->n_nodes + i);
    put_plan(&p, s);
    proto_int(&p, 5, 1);
    proto_string(&p, 6, g->name);
    proto_message(out, 2, &p);
    return out->failed ? err_set(err, ST_NOMEM, "out of memory for the runtime info") : ST_OK;
}
