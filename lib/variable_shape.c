/* SPDX-License-Identifier: Apache-2.0 */
/* variable_shape.c - compares what the file assigns to each variable with what it reads. */
#include "variable_shape.h"

#include "../schema/options.h"

#include <stdlib.h>
#include <string.h>

/* An assignment, or, once sorted and joined, all of them to one variable: then value is NULL where their shapes differ. */
struct assigned {
    const struct opt_var_handle *variable;
    const struct tensor *value;
};

struct assignments {
    struct assigned *list;
    size_t n;
    bool unknown; /* a variable that cannot be told is assigned */
};

static bool is_op(const struct model *m, const struct model_op *op, int32_t builtin)
{
    return m->opcodes[op->opcode].builtin == builtin;
}

static const char *text(const char *s)
{
    return s ? s : "";
}

static int compare_variables(const struct opt_var_handle *a, const struct opt_var_handle *b)
{
    int order = strcmp(text(a->container), text(b->container));

    return order ? order : strcmp(text(a->shared_name), text(b->shared_name));
}

static int by_variable(const void *a, const void *b)
{
    return compare_variables(((const struct assigned *)a)->variable, ((const struct assigned *)b)->variable);
}

static bool same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank && (a->rank == 0 || !memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim));
}

/* Rank 0 without has_rank may be a scalar, or any shape. */
static bool is_fixed(const struct tensor *t)
{
    for (uint32_t i = 0; i < t->n_signature; i++)
        if (t->signature[i] < 0)
            return false;
    return t->rank > 0 || t->has_rank;
}

/* out[t] = the options of the VAR_HANDLE that writes tensor t, or NULL. */
static void find_handles(const struct model *m, const struct model_subgraph *s, const struct opt_var_handle **out)
{
    static const struct opt_var_handle nameless = {0};

    memset(out, 0, s->n_tensors * sizeof *out);
    for (uint32_t i = 0; i < s->n_ops; i++) {
        const struct model_op *op = &s->ops[i];

        if (is_op(m, op, BUILTIN_VAR_HANDLE) && op->n_outputs == 1 && op->outputs[0] >= 0)
            out[op->outputs[0]] = op->options && op->options_kind == OPTIONS_VAR_HANDLE ? op->options : &nameless;
    }
}

static void add_assignments(const struct model *m, const struct model_subgraph *s, const struct opt_var_handle **handles,
                            struct assignments *a)
{
    for (uint32_t i = 0; i < s->n_ops; i++) {
        const struct model_op *op = &s->ops[i];

        if (!is_op(m, op, BUILTIN_ASSIGN_VARIABLE) || op->n_inputs != 2 || op->inputs[0] < 0 || op->inputs[1] < 0)
            continue;
        if (handles[op->inputs[0]])
            a->list[a->n++] = (struct assigned){handles[op->inputs[0]], &s->tensors[op->inputs[1]]};
        else
            a->unknown = true;
    }
}

/* One entry for each variable. */
static void join(struct assignments *a)
{
    size_t n = 0;

    if (a->n)
        qsort(a->list, a->n, sizeof *a->list, by_variable);
    for (size_t i = 0; i < a->n; i++) {
        struct assigned next = a->list[i];

        if (!is_fixed(next.value))
            next.value = NULL;
        if (!n || by_variable(&a->list[n - 1], &next))
            a->list[n++] = next;
        else if (!next.value || (a->list[n - 1].value && !same_shape(a->list[n - 1].value, next.value)))
            a->list[n - 1].value = NULL;
    }
    a->n = n;
}

static bool agrees(const struct assignments *a, const struct opt_var_handle *variable, const struct tensor *read)
{
    const struct assigned key = {variable, NULL}, *found;

    if (!variable || !a->n || !is_fixed(read))
        return false;
    found = bsearch(&key, a->list, a->n, sizeof *a->list, by_variable);
    return found && found->value && same_shape(found->value, read);
}

static bool has_reads(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (g->nodes[i].builtin == BUILTIN_READ_VARIABLE)
            return true;
    return false;
}

enum status variable_shapes_find(struct graph *g, struct err *err)
{
    const struct model *m = g->model;
    const struct model_subgraph *own = &m->subgraphs[g->subgraph];
    const struct opt_var_handle **handles;
    struct arena scratch = {0};
    struct assignments a = {0};
    uint32_t most_tensors = 0;
    size_t ops = 0;

    if (!has_reads(g))
        return ST_OK;
    for (uint32_t i = 0; i < m->n_subgraphs; i++) {
        ops += m->subgraphs[i].n_ops;
        most_tensors = m->subgraphs[i].n_tensors > most_tensors ? m->subgraphs[i].n_tensors : most_tensors;
    }
    handles = ARENA_ARRAY(&scratch, most_tensors, const struct opt_var_handle *);
    a.list = ARENA_ARRAY(&scratch, ops, struct assigned);
    if (!handles || !a.list) {
        arena_free(&scratch);
        return err_set(err, ST_NOMEM, "out of memory for the variables of %zu nodes", ops);
    }
    for (uint32_t i = 0; i < m->n_subgraphs; i++) {
        find_handles(m, &m->subgraphs[i], handles);
        add_assignments(m, &m->subgraphs[i], handles, &a);
    }
    join(&a);
    find_handles(m, own, handles);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct node *n = &g->nodes[i];

        if (n->builtin == BUILTIN_READ_VARIABLE && n->n_in == 1 && n->n_out == 1 && n->in[0] && n->out[0])
            n->reads_fixed_shape = !a.unknown && agrees(&a, handles[n->in[0]->index], &own->tensors[n->out[0]->index]);
    }
    arena_free(&scratch);
    return ST_OK;
}
