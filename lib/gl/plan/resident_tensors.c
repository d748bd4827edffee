/* SPDX-License-Identifier: Apache-2.0 */
/* resident_tensors.c - tensors that go from one partition to others, or as variables from run to run of one, and that nobody else
 * reads stay on the GPU: no download, no uploads.
 *
 * The partitions of a graph are placed together, so what is needed is one memory for the value that one partition makes and the
 * values that others take for it. A variable lies in a buffer that no value shares (GL_STORE_STATE), in host order: what brought it
 * from the host then brings it from there, and what took it to the host leaves it there. */
#include <string.h>

#include "lib/delegate/partition.h"
#include "lib/gl/plan/draft.h"
#include "lib/graph/resource.h"
#include "schema/options.h"

/* ---- users of a resource variable outside one partition ----
 *
 * Other nodes, called subgraphs, and subgraphs that receive the handle may all use a variable by its name. If none does, its
 * content need not leave the delegate between two runs. */

static bool within(const struct partition *p, const struct node *n)
{
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (p->nodes[i] == n)
            return true;
    return false;
}

static bool takes_handle(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type == TYPE_RESOURCE)
            return true;
    return false;
}

/* A node that takes a handle and whose variable is not known may mean any. */
static bool is_used_beside(const struct graph *g, const struct partition *p, const struct tensor *variable)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        if (!n->folded && takes_handle(n) && (!n->variable || (n->variable == variable && !within(p, n))))
            return true;
    }
    return false;
}

static bool names(const struct model *m, const struct model_subgraph *s, const char *variable)
{
    static const struct opt_var_handle nameless = {0};
    char name[RESOURCE_NAME_MAX];

    for (uint32_t i = 0; i < s->n_ops; i++) {
        const struct model_op *op = &s->ops[i];

        if (m->opcodes[op->opcode].builtin != BUILTIN_VAR_HANDLE)
            continue;
        resource_variable_name(op->options && op->options_kind == OPTIONS_VAR_HANDLE ? op->options : &nameless, name);
        if (!strcmp(name, variable))
            return true;
    }
    return false;
}

static bool calls(const struct model_op *op, uint32_t subgraph)
{
    struct model_calls w = {.op = op};
    uint32_t to;

    while (model_next_call(&w, &to))
        if (to == subgraph)
            return true;
    return false;
}

static bool is_called(const struct model *m, uint32_t subgraph)
{
    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        for (uint32_t k = 0; k < m->subgraphs[i].n_ops; k++)
            if (calls(&m->subgraphs[i].ops[k], subgraph))
                return true;
    return false;
}

/* Whether a session on g may run the subgraph after the first content of variables is set. Subgraphs that nobody calls have
 * sessions, and variables, of their own. */
static bool may_run(const struct graph *g, uint32_t subgraph)
{
    const struct model *m = g->model;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!g->nodes[i].folded && calls(&m->subgraphs[g->subgraph].ops[g->nodes[i].index], subgraph))
            return true;
    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        for (uint32_t k = 0; i != g->subgraph && k < m->subgraphs[i].n_ops; k++)
            if (calls(&m->subgraphs[i].ops[k], subgraph) && is_called(m, i))
                return true;
    return false;
}

/* Return true if only nodes of p read or assign `variable`, a tensor of g that stands for a resource variable, in a session on g
 * after the initial assignments of CALL_ONCE (variable_init_only). g is inferred. Return false for a graph that others call: its
 * session may be prepared again while variables keep their content. */
static bool variable_is_private(const struct graph *g, const struct partition *p, const struct tensor *variable)
{
    const struct model *m = g->model;

    if (is_used_beside(g, p, variable) || is_called(m, g->subgraph))
        return false;
    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        if (i != g->subgraph && names(m, &m->subgraphs[i], variable->name) && may_run(g, i))
            return false;
    return true;
}

/* ---- tensors that partitions hand on ---- */

struct handing {
    struct gl_draft *const *drafts;
    uint32_t n;
    bool *read; /* [graph tensors] by somebody who is none of drafts */
};

/* What the partitions bring to and fetch from the host, as bound in the dispatches of the transfers. */
static const struct gl_binding *uploaded(const struct gl_draft *draft, uint32_t i)
{
    return &draft->dispatches[i].shader.bind[1];
}

static const struct gl_binding *downloaded(const struct gl_draft *draft, uint32_t i)
{
    return &draft->dispatches[draft->n_dispatches - draft->n_downloads + i].shader.bind[0];
}

static void mark(bool *set, struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (t[i])
            set[t[i]->index] = true;
}

static enum status find_readers(struct handing *h, struct arena *a, struct err *err)
{
    const struct graph *g = h->drafts[0]->graph;
    bool *ours = ARENA_ARRAY(a, g->n_nodes, bool);

    h->read = ARENA_ARRAY(a, g->n_tensors, bool);
    if (!ours || !h->read)
        return ir_nomem(err);
    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t j = 0; j < h->drafts[i]->part->n_nodes; j++)
            ours[h->drafts[i]->part->nodes[j] - g->nodes] = true;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!ours[i] && !g->nodes[i].folded)
            mark(h->read, g->nodes[i].in, g->nodes[i].n_in);
    mark(h->read, g->outputs, g->n_outputs);
    for (uint32_t i = 0; i < h->n; i++)
        if (h->drafts[i]->part->watched)
            mark(h->read, h->drafts[i]->part->outputs, h->drafts[i]->part->n_outputs);
    return ST_OK;
}

/* Whether what was made as `from` can be read as `to`. */
static bool alike(const struct gl_binding *from, const struct gl_binding *to)
{
    const struct ir_value *a = from->value, *b = to->value;

    return !a->data && ir_root(a) == a && ir_root(b) == b && a->type == b->type && ir_same_shape(a->shape, b->shape) &&
           from->format == to->format && (a->storage == GL_STORAGE_TEXTURE) == (b->storage == GL_STORAGE_TEXTURE);
}

/* Whether everybody after drafts[from] who takes the tensor can read it as `made`. */
static bool all_alike(const struct handing *h, uint32_t from, const struct tensor *t, const struct gl_binding *made)
{
    for (uint32_t i = from + 1; i < h->n; i++)
        for (uint32_t j = 0; j < h->drafts[i]->n_uploads; j++)
            if (h->drafts[i]->uploads[j].tensor == t && !alike(made, uploaded(h->drafts[i], j)))
                return false;
    return true;
}

/* Takes dispatch `at` out of the list. */
static void drop_dispatch(struct gl_draft *draft, uint32_t at)
{
    memmove(draft->dispatches + at, draft->dispatches + at + 1, (--draft->n_dispatches - at) * sizeof *draft->dispatches);
}

static void drop_upload(struct gl_draft *draft, uint32_t i)
{
    drop_dispatch(draft, i);
    memmove(draft->uploads + i, draft->uploads + i + 1, (--draft->n_uploads - i) * sizeof *draft->uploads);
}

static void drop_download(struct gl_draft *draft, uint32_t i)
{
    drop_dispatch(draft, draft->n_dispatches - draft->n_downloads + i);
    memmove(draft->downloads + i, draft->downloads + i + 1, (--draft->n_downloads - i) * sizeof *draft->downloads);
}

static struct gl_transfer *upload_of(struct gl_draft *draft, const struct tensor *t)
{
    for (uint32_t i = 0; i < draft->n_uploads; i++)
        if (draft->uploads[i].tensor == t)
            return &draft->uploads[i];
    return NULL;
}

/* Download j of drafts[from] is the new content of a variable: it stays where the partition takes it from, and nobody else does. */
static void keep_variable(const struct handing *h, uint32_t from, uint32_t j)
{
    struct gl_transfer *down = &h->drafts[from]->downloads[j], *up = upload_of(h->drafts[from], down->tensor);

    for (uint32_t i = 0; i < h->n; i++)
        if (i != from && upload_of(h->drafts[i], down->tensor))
            return;
    if (down->tensor->is_resource && !variable_is_private(h->drafts[from]->graph, h->drafts[from]->part, down->tensor))
        return;
    if (up && !h->read[down->tensor->index])
        up->stays = down->stays = true;
}

/* The tensor's memory goes from drafts[from] to all who take it. */
static void hand_on(const struct handing *h, uint32_t from, const struct tensor *t, uint32_t memory)
{
    for (uint32_t i = from + 1; i < h->n; i++)
        for (uint32_t j = h->drafts[i]->n_uploads; j--;)
            if (h->drafts[i]->uploads[j].tensor == t) {
                h->drafts[i]->memory_of[uploaded(h->drafts[i], j)->value->id] = memory;
                drop_upload(h->drafts[i], j);
            }
}

enum status gl_keep_on_gpu(struct gl_draft *const *drafts, uint32_t n, struct err *err)
{
    struct handing h = {drafts, n, NULL};
    struct arena scratch = {0};
    uint32_t memory = 0;
    enum status st = find_readers(&h, &scratch, err);

    for (uint32_t i = 0; i < n && !st; i++) {
        if (!(drafts[i]->memory_of = ARENA_ARRAY(&drafts[i]->arena, drafts[i]->n_values, uint32_t)))
            st = ir_nomem(err);
        for (uint32_t v = 0; v < drafts[i]->n_values && !st; v++)
            drafts[i]->memory_of[v] = memory++;
    }
    for (uint32_t i = 0; i < n && !st; i++)
        for (uint32_t j = drafts[i]->n_downloads; j--;) {
            const struct gl_binding *made = downloaded(drafts[i], j);
            const struct tensor *t = drafts[i]->downloads[j].tensor;

            if (t->is_variable)
                keep_variable(&h, i, j);
            if (h.read[t->index] || t->is_variable || !all_alike(&h, i, t, made))
                continue;
            hand_on(&h, i, t, drafts[i]->memory_of[made->value->id]);
            drop_download(drafts[i], j);
        }
    arena_free(&scratch);
    return st;
}
