/* SPDX-License-Identifier: Apache-2.0 */
/* variable_shape.c - compares what the file assigns to each variable with what it reads. */
#include "lib/graph/variable_shape.h"

#include "lib/graph/resource.h"
#include "schema/options.h"

#include <stdlib.h>
#include <string.h>

/* An assignment, or, once sorted and joined, all of them to one variable: then value is NULL where their shapes differ. */
struct assigned {
    const struct opt_var_handle *variable;
    const struct tensor *value;
    bool unlike; /* their types or steps differ */
};

struct assignments {
    struct assigned *list;
    size_t n;
    bool unknown; /* a variable that cannot be told is assigned */
};

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

static bool same_steps(const struct quant *a, const struct quant *b)
{
    if (a->n != b->n || a->block_size || b->block_size || a->n_axes || b->n_axes || (a->n > 1 && a->dim != b->dim))
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (!(a->scale[i] == b->scale[i]) || (a->zero_point ? a->zero_point[i] : 0) != (b->zero_point ? b->zero_point[i] : 0))
            return false;
    return true;
}

/* The same bytes mean the same. */
static bool alike(const struct tensor *a, const struct tensor *b)
{
    return a->type == b->type && same_steps(&a->quant, &b->quant);
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

        if (model_op_is(m, op, BUILTIN_VAR_HANDLE) && op->n_outputs == 1 && op->outputs[0] >= 0)
            out[op->outputs[0]] = op->options && op->options_kind == OPTIONS_VAR_HANDLE ? op->options : &nameless;
    }
}

static void add_assignments(const struct model *m, const struct model_subgraph *s, const struct opt_var_handle **handles,
                            struct assignments *a)
{
    for (uint32_t i = 0; i < s->n_ops; i++) {
        const struct model_op *op = &s->ops[i];

        if (!model_op_is(m, op, BUILTIN_ASSIGN_VARIABLE) || op->n_inputs != 2 || op->inputs[0] < 0 || op->inputs[1] < 0)
            continue;
        if (handles[op->inputs[0]])
            a->list[a->n++] = (struct assigned){handles[op->inputs[0]], &s->tensors[op->inputs[1]], false};
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
        struct assigned next = a->list[i], *last = n ? &a->list[n - 1] : NULL;

        if (!is_fixed(next.value))
            next.value = NULL;
        if (!last || by_variable(last, &next))
            a->list[n++] = next;
        else if (!next.value || (last->value && !same_shape(last->value, next.value)))
            last->value = NULL;
        else
            last->unlike |= last->value && !alike(last->value, next.value);
    }
    a->n = n;
}

/* What is assigned to the variable in one shape, or NULL. */
static const struct assigned *find(const struct assignments *a, const struct opt_var_handle *variable)
{
    const struct assigned key = {variable, NULL, false}, *found;

    if (!variable || !a->n || a->unknown)
        return NULL;
    found = bsearch(&key, a->list, a->n, sizeof *a->list, by_variable);
    return found && found->value ? found : NULL;
}

/* Whether content of that kind can be a delegate's at all. */
static bool fits_delegates(const struct tensor *t)
{
    return type_bits(t->type) && t->type != TYPE_RESOURCE && t->bytes > 0;
}

/* The variable as a tensor of g, made where there is none yet. NULL: out of memory. */
static struct tensor *variable_tensor(struct graph *g, const struct opt_var_handle *variable, const struct tensor *like)
{
    const uint32_t first = g->model->subgraphs[g->subgraph].n_tensors;
    char name[RESOURCE_NAME_MAX];
    struct tensor *t;

    resource_variable_name(variable, name);
    for (uint32_t i = first; i < g->n_tensors; i++)
        if (!strcmp(g->tensors[i].name, name))
            return &g->tensors[i];
    t = &g->tensors[g->n_tensors];
    *t = (struct tensor){.name = arena_strdup(&g->arena, name),
                         .index = g->n_tensors,
                         .type = like->type,
                         .rank = like->rank,
                         .has_rank = true,
                         .is_variable = true,
                         .is_resource = true,
                         .quant = like->quant,
                         .bytes = type_bytes(like->type, tensor_elems(like))};
    memcpy(t->dim, like->dim, sizeof t->dim);
    if (!t->name)
        return NULL;
    g->n_tensors++;
    return t;
}

static bool is_read(const struct node *n)
{
    return n->builtin == BUILTIN_READ_VARIABLE && n->n_in == 1 && n->n_out == 1 && n->in[0] && n->out[0];
}

static bool is_assignment(const struct node *n)
{
    return n->builtin == BUILTIN_ASSIGN_VARIABLE && n->n_in == 2 && n->n_out == 0 && n->in[0] && n->in[1];
}

/* Sets what is known of one node, from the file's tensors `own`. */
static enum status look_at(struct graph *g, struct node *n, const struct opt_var_handle *const *handles,
                           const struct assignments *a, const struct tensor *own, struct err *err)
{
    const struct opt_var_handle *variable;
    const struct assigned *found;
    const struct tensor *read;
    char name[RESOURCE_NAME_MAX];

    n->variable = NULL;
    n->reads_fixed_shape = false;
    if (!is_read(n) && !is_assignment(n))
        return ST_OK;
    variable = handles[n->in[0]->index];
    if (!(found = find(a, variable)))
        return ST_OK;
    read = is_read(n) ? &own[n->out[0]->index] : found->value;
    n->reads_fixed_shape = is_read(n) && is_fixed(read) && same_shape(found->value, read);
    if ((is_read(n) && !n->reads_fixed_shape) || found->unlike || !alike(found->value, read) || !fits_delegates(read) ||
        !resource_variable_name(variable, name))
        return ST_OK;
    n->variable = variable_tensor(g, variable, found->value);
    return n->variable ? ST_OK : err_set(err, ST_NOMEM, "out of memory for variable %s", name);
}

bool node_names_variable(const struct node *n)
{
    return n->op && n->builtin == BUILTIN_VAR_HANDLE && n->n_in == 0 && n->n_out == 1 && n->out[0];
}

static bool has_variables(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (g->nodes[i].builtin == BUILTIN_READ_VARIABLE || g->nodes[i].builtin == BUILTIN_ASSIGN_VARIABLE)
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
    enum status st = ST_OK;
    uint32_t most_tensors = 0;
    size_t ops = 0;

    if (!has_variables(g))
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
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        st = look_at(g, &g->nodes[i], handles, &a, own->tensors, err);
    arena_free(&scratch);
    return st;
}
