/* SPDX-License-Identifier: Apache-2.0 */
/* resident_tensors.c - tensors that go from one partition to others, or as variables from run to run of one, and that nobody else
 * reads stay on the GPU: no download, no uploads.
 *
 * The partitions of a graph are placed together, so what is needed is one memory for the value that one partition makes and the
 * values that others take for it. A variable lies in a buffer that no value shares (GL_STORE_STATE), in host order: what brought it
 * from the host then brings it from there, and what took it to the host leaves it there. */
#include "lib/delegate/variable_users.h"
#include "lib/gl/plan/compiled.h"

#include <string.h>

struct handing {
    struct gl_compiled *const *ks;
    uint32_t n;
    bool *read; /* [graph tensors] by somebody who is none of ks */
};

/* What the partitions bring to and fetch from the host, as bound in the dispatches of the transfers. */
static const struct gl_binding *uploaded(const struct gl_compiled *k, uint32_t i)
{
    return &k->dispatches[i].shader.bind[1];
}

static const struct gl_binding *downloaded(const struct gl_compiled *k, uint32_t i)
{
    return &k->dispatches[k->n_dispatches - k->n_downloads + i].shader.bind[0];
}

static void mark(bool *set, struct tensor *const *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (t[i])
            set[t[i]->index] = true;
}

static enum status find_readers(struct handing *h, struct arena *a, struct err *err)
{
    const struct graph *g = h->ks[0]->graph;
    bool *ours = ARENA_ARRAY(a, g->n_nodes, bool);

    h->read = ARENA_ARRAY(a, g->n_tensors, bool);
    if (!ours || !h->read)
        return ir_nomem(err);
    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t j = 0; j < h->ks[i]->part->n_nodes; j++)
            ours[h->ks[i]->part->nodes[j] - g->nodes] = true;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!ours[i] && !g->nodes[i].folded)
            mark(h->read, g->nodes[i].in, g->nodes[i].n_in);
    mark(h->read, g->outputs, g->n_outputs);
    for (uint32_t i = 0; i < h->n; i++)
        if (h->ks[i]->part->watched)
            mark(h->read, h->ks[i]->part->outputs, h->ks[i]->part->n_outputs);
    return ST_OK;
}

/* Whether what was made as `from` can be read as `to`. */
static bool alike(const struct gl_binding *from, const struct gl_binding *to)
{
    const struct ir_value *a = from->value, *b = to->value;

    return !a->data && ir_root(a) == a && ir_root(b) == b && a->type == b->type && ir_same_shape(a->shape, b->shape) &&
           from->format == to->format && (a->storage == GL_STORAGE_TEXTURE) == (b->storage == GL_STORAGE_TEXTURE);
}

/* Whether everybody after ks[from] who takes the tensor can read it as `made`. */
static bool all_alike(const struct handing *h, uint32_t from, const struct tensor *t, const struct gl_binding *made)
{
    for (uint32_t i = from + 1; i < h->n; i++)
        for (uint32_t j = 0; j < h->ks[i]->n_uploads; j++)
            if (h->ks[i]->uploads[j].tensor == t && !alike(made, uploaded(h->ks[i], j)))
                return false;
    return true;
}

/* Takes dispatch `at` out of the list. */
static void drop_dispatch(struct gl_compiled *k, uint32_t at)
{
    memmove(k->dispatches + at, k->dispatches + at + 1, (--k->n_dispatches - at) * sizeof *k->dispatches);
}

static void drop_upload(struct gl_compiled *k, uint32_t i)
{
    drop_dispatch(k, i);
    memmove(k->uploads + i, k->uploads + i + 1, (--k->n_uploads - i) * sizeof *k->uploads);
}

static void drop_download(struct gl_compiled *k, uint32_t i)
{
    drop_dispatch(k, k->n_dispatches - k->n_downloads + i);
    memmove(k->downloads + i, k->downloads + i + 1, (--k->n_downloads - i) * sizeof *k->downloads);
}

static struct gl_transfer *upload_of(struct gl_compiled *k, const struct tensor *t)
{
    for (uint32_t i = 0; i < k->n_uploads; i++)
        if (k->uploads[i].tensor == t)
            return &k->uploads[i];
    return NULL;
}

/* Download j of ks[from] is the new content of a variable: it stays where the partition takes it from, and nobody else does. */
static void keep_variable(const struct handing *h, uint32_t from, uint32_t j)
{
    struct gl_transfer *down = &h->ks[from]->downloads[j], *up = upload_of(h->ks[from], down->tensor);

    for (uint32_t i = 0; i < h->n; i++)
        if (i != from && upload_of(h->ks[i], down->tensor))
            return;
    if (down->tensor->is_resource && !variable_is_private(h->ks[from]->graph, h->ks[from]->part, down->tensor))
        return;
    if (up && !h->read[down->tensor->index])
        up->stays = down->stays = true;
}

/* The tensor's memory goes from ks[from] to all who take it. */
static void hand_on(const struct handing *h, uint32_t from, const struct tensor *t, uint32_t memory)
{
    for (uint32_t i = from + 1; i < h->n; i++)
        for (uint32_t j = h->ks[i]->n_uploads; j--;)
            if (h->ks[i]->uploads[j].tensor == t) {
                h->ks[i]->memory_of[uploaded(h->ks[i], j)->value->id] = memory;
                drop_upload(h->ks[i], j);
            }
}

enum status gl_keep_on_gpu(struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    struct handing h = {ks, n, NULL};
    struct arena scratch = {0};
    uint32_t memory = 0;
    enum status st = find_readers(&h, &scratch, err);

    for (uint32_t i = 0; i < n && !st; i++) {
        if (!(ks[i]->memory_of = ARENA_ARRAY(&ks[i]->arena, ks[i]->n_values, uint32_t)))
            st = ir_nomem(err);
        for (uint32_t v = 0; v < ks[i]->n_values && !st; v++)
            ks[i]->memory_of[v] = memory++;
    }
    for (uint32_t i = 0; i < n && !st; i++)
        for (uint32_t j = ks[i]->n_downloads; j--;) {
            const struct gl_binding *made = downloaded(ks[i], j);
            const struct tensor *t = ks[i]->downloads[j].tensor;

            if (t->is_variable)
                keep_variable(&h, i, j);
            if (h.read[t->index] || t->is_variable || !all_alike(&h, i, t, made))
                continue;
            hand_on(&h, i, t, ks[i]->memory_of[made->value->id]);
            drop_download(ks[i], j);
        }
    arena_free(&scratch);
    return st;
}
