/* SPDX-License-Identifier: Apache-2.0 */
/* fix_write.c - a draft as a model: used tensors are renumbered, unused constants left out. */
#include <string.h>

#include "lib/rewrite/fix_impl.h"

struct writing {
    struct draft *d;
    int32_t *at;        /* [draft tensors] index in the new subgraph, or -1 */
    struct tensor *all; /* of the new subgraph */
    uint32_t n;
};

static void use(struct writing *w, int32_t tensor)
{
    const struct tensor *t;

    if (tensor < 0 || w->at[tensor] >= 0)
        return;
    w->at[tensor] = 0;
    t = &w->d->tensors[tensor];
    if (t->quant.block_size > 0 || t->quant.n_axes) {
        use(w, t->quant.block_scales);
        use(w, t->quant.block_zero_points);
    }
}

static void use_list(struct writing *w, const int32_t *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        use(w, list[i]);
}

/* A signature may name what is neither read nor made. */
static void use_names(struct writing *w, const struct model *m, uint32_t subgraph)
{
    for (uint32_t i = 0; i < m->n_signatures; i++) {
        const struct model_signature *s = &m->signatures[i];

        for (uint32_t k = 0; s->subgraph == subgraph && k < s->n_inputs + s->n_outputs; k++)
            use(w, (int32_t)(k < s->n_inputs ? s->input_tensors[k] : s->output_tensors[k - s->n_inputs]));
    }
}

static void use_all(struct writing *w, const struct model_subgraph *from)
{
    use_names(w, w->d->m, w->d->g->subgraph);
    use_list(w, from->inputs, from->n_inputs);
    use_list(w, from->outputs, from->n_outputs);
    for (uint32_t i = 0; i < w->d->n_ops; i++) {
        const struct model_op *op = &w->d->ops[i].op;

        use_list(w, op->inputs, op->n_inputs);
        use_list(w, op->outputs, op->n_outputs);
        use_list(w, op->intermediates, op->n_intermediates);
    }
    for (uint32_t i = 0; i < w->d->n_tensors; i++)
        if (w->at[i] == 0) {
            w->at[i] = (int32_t)w->n;
            w->all[w->n] = w->d->tensors[i];
            w->all[w->n].index = w->n;
            w->n++;
        }
}

static int32_t moved(const struct writing *w, int32_t tensor)
{
    return tensor < 0 ? tensor : w->at[tensor];
}

static const int32_t *move_list(struct writing *w, const int32_t *list, uint32_t n)
{
    int32_t *to = ARENA_ARRAY(w->d->a, n, int32_t);

    for (uint32_t i = 0; to && i < n; i++)
        to[i] = moved(w, list[i]);
    if (!to)
        w->d->st = ST_NOMEM;
    return to;
}

static void move_ops(struct writing *w, struct model_subgraph *sub)
{
    if (!(sub->ops = ARENA_ARRAY(w->d->a, w->d->n_ops, struct model_op))) {
        w->d->st = ST_NOMEM;
        return;
    }
    for (uint32_t i = 0; i < w->d->n_ops; i++) {
        struct model_op *op = &sub->ops[i];

        *op = w->d->ops[i].op;
        op->inputs = move_list(w, op->inputs, op->n_inputs);
        op->outputs = move_list(w, op->outputs, op->n_outputs);
        op->intermediates = move_list(w, op->intermediates, op->n_intermediates);
    }
    sub->n_ops = w->d->n_ops;
}

static void move_quant(struct writing *w)
{
    for (uint32_t i = 0; i < w->n; i++) {
        struct quant *q = &w->all[i].quant;

        if (q->block_size > 0 || q->n_axes) {
            q->block_scales = moved(w, q->block_scales);
            q->block_zero_points = moved(w, q->block_zero_points);
        }
    }
}

static const uint32_t *move_names(struct writing *w, const uint32_t *tensors, uint32_t n)
{
    uint32_t *to = ARENA_ARRAY(w->d->a, n, uint32_t);

    if (!to)
        w->d->st = ST_NOMEM;
    for (uint32_t i = 0; to && i < n; i++)
        to[i] = (uint32_t)w->at[tensors[i]]; /* use_names saw to it */
    return to;
}

static void move_signatures(struct writing *w, struct model *m, uint32_t subgraph)
{
    const struct model_signature *from = m->signatures;

    if (!(m->signatures = ARENA_ARRAY(w->d->a, m->n_signatures, struct model_signature))) {
        w->d->st = ST_NOMEM;
        return;
    }
    for (uint32_t i = 0; i < m->n_signatures; i++) {
        struct model_signature *s = &m->signatures[i];

        *s = from[i];
        if (s->subgraph != subgraph)
            continue;
        s->input_tensors = move_names(w, s->input_tensors, s->n_inputs);
        s->output_tensors = move_names(w, s->output_tensors, s->n_outputs);
    }
}

/* Empties what no tensor and no metadata reads, so that numbers stay. */
static void empty_buffers(struct draft *d, const struct model *m)
{
    bool *used = ARENA_ARRAY(d->a, d->n_buffers, bool);

    if (!used) {
        d->st = ST_NOMEM;
        return;
    }
    for (uint32_t s = 0; s < m->n_subgraphs; s++)
        for (uint32_t i = 0; i < m->subgraphs[s].n_tensors; i++)
            used[m->subgraphs[s].tensors[i].buffer] = true;
    for (uint32_t i = 0; i < m->n_metadata; i++)
        used[m->metadata[i].buffer] = true;
    for (uint32_t i = 0; i < d->n_buffers; i++)
        if (!used[i])
            d->buffers[i] = (struct model_buffer){0};
}

enum status draft_model(struct draft *d, struct model *out, struct err *err)
{
    const uint32_t subgraph = d->g->subgraph;
    struct writing w = {.d = d};
    struct model_subgraph *subs;

    *out = (struct model){.version = d->m->version,
                          .description = d->m->description,
                          .opcodes = d->opcodes,
                          .n_opcodes = d->n_opcodes,
                          .n_subgraphs = d->m->n_subgraphs,
                          .buffers = d->buffers,
                          .n_buffers = d->n_buffers,
                          .signatures = d->m->signatures,
                          .n_signatures = d->m->n_signatures,
                          .metadata = d->m->metadata,
                          .n_metadata = d->m->n_metadata};
    d->at = w.at = ARENA_ARRAY(d->a, d->n_tensors, int32_t);
    w.all = ARENA_ARRAY(d->a, d->n_tensors, struct tensor);
    out->subgraphs = subs = ARENA_ARRAY(d->a, out->n_subgraphs, struct model_subgraph);
    if (d->st || !w.at || !w.all || !subs)
        return err_set(err, ST_NOMEM, "out of memory for the rewritten model");
    memset(w.at, 0xff, d->n_tensors * sizeof *w.at);
    memcpy(subs, d->m->subgraphs, out->n_subgraphs * sizeof *subs);
    use_all(&w, &d->m->subgraphs[subgraph]);
    move_quant(&w);
    move_ops(&w, &subs[subgraph]);
    subs[subgraph].inputs = move_list(&w, subs[subgraph].inputs, subs[subgraph].n_inputs);
    subs[subgraph].outputs = move_list(&w, subs[subgraph].outputs, subs[subgraph].n_outputs);
    subs[subgraph].tensors = w.all;
    subs[subgraph].n_tensors = w.n;
    move_signatures(&w, out, subgraph);
    empty_buffers(d, out);
    return d->st ? err_set(err, ST_NOMEM, "out of memory for the rewritten model") : ST_OK;
}
