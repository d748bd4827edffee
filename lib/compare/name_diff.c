/* SPDX-License-Identifier: Apache-2.0 */
/* name_diff.c - pairs of tensors by name, and their differences. */
#include "lib/compare/name_diff.h"

#include <math.h>
#include <string.h>

#include "lib/compare/op_diff.h"
#include "lib/tensor/real_values.h"

/* A tensor that a node of the other model makes, of that name and shape. */
static const struct tensor *twin_of(const struct graph *g, const struct tensor *t)
{
    for (uint32_t i = 0; *t->name && i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++) {
            const struct tensor *other = g->nodes[i].out[k];

            if (other && !strcmp(other->name, t->name) && tensor_same_shape(other, t) && real_comparable(other, t))
                return other;
        }
    return NULL;
}

static void add_node(struct name_diffs *o, const struct session *reference, const struct session *test, uint32_t node)
{
    const struct node *n = &session_graph(test)->nodes[node];

    for (uint32_t i = 0; i < n->n_out; i++) {
        const struct tensor *twin = NULL;

        if (!n->out[i] || n->folded)
            continue;
        if (op_diff_visible(session_partitioning(test), node, n->out[i]))
            twin = twin_of(session_graph(reference), n->out[i]);
        if (twin)
            o->rows[o->n++] = (struct name_diff){.node = n, .reference = twin, .test = n->out[i]};
        else
            o->without++;
    }
}

enum status name_diffs_init(struct name_diffs *o, const struct session *reference, const struct session *test, struct err *err)
{
    const struct graph *g = session_graph(test);
    size_t n = 0, elems = 1;

    *o = (struct name_diffs){0};
    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].n_out;
    if (!(o->rows = ARENA_ARRAY(&o->arena, n, struct name_diff)))
        return err_set(err, ST_NOMEM, "out of memory for comparing %zu tensors", n);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        add_node(o, reference, test, i);
    for (uint32_t i = 0; i < o->n; i++)
        elems = tensor_elems(o->rows[i].test) > elems ? tensor_elems(o->rows[i].test) : elems;
    for (int k = 0; k < 2; k++)
        if (!(o->scratch[k] = ARENA_ARRAY(&o->arena, elems, float)))
            return err_set(err, ST_NOMEM, "out of memory for %zu real numbers", elems);
    return ST_OK;
}

void name_diffs_free(struct name_diffs *o)
{
    arena_free(&o->arena);
    *o = (struct name_diffs){0};
}

static void add_row(struct name_diffs *o, struct name_diff *row)
{
    const struct tensor *from[2] = {row->reference, row->test};
    struct tensor real[2];
    size_t cut;

    /* A shape that the content decides may be another one in each run. */
    if (!tensor_same_shape(from[0], from[1]) || from[0]->is_dynamic || !from[0]->data || !from[1]->data)
        return;
    if (real_same_kind(from[0], from[1])) {
        diff_add(&row->diff, from[0], from[1], false);
        return;
    }
    for (int k = 0; k < 2; k++) {
        real[k] = *from[k];
        real[k].type = TYPE_FLOAT32;
        real[k].quant = (struct quant){0};
        real[k].data = o->scratch[k];
        real[k].bytes = tensor_elems(from[k]) * sizeof(float);
        real_convert(from[k], &real[k], &cut, NULL);
    }
    diff_add(&row->diff, &real[0], &real[1], false);
}

void name_diffs_add(struct name_diffs *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        add_row(o, &o->rows[i]);
}

/* What is not finite on one side alone has no distance: nothing is farther. */
static double nearness(const struct name_diff *row)
{
    double db = diff_snr_db(&row->diff);

    return isnan(db) ? -INFINITY : db;
}

const struct name_diff *name_diffs_worst(const struct name_diffs *o)
{
    const struct name_diff *worst = NULL;

    for (uint32_t i = 0; i < o->n; i++)
        if ((o->rows[i].diff.different || o->rows[i].diff.unequal) && (!worst || nearness(&o->rows[i]) < nearness(worst)))
            worst = &o->rows[i];
    return worst;
}
