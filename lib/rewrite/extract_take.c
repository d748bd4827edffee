/* SPDX-License-Identifier: Apache-2.0 */
/* extract_take.c - selection of the nodes that an extracted model needs besides the chosen ones.
 *
 * A handle cannot be a model's input. So with a node that reads a handle go the node that makes it and the nodes that give the
 * resource its first content: CALL_ONCE of a subgraph that names it, and imports into tables. Resources are identified by name; the
 * names are options of the operators that make handles, in all subgraphs. */
#include "lib/rewrite/extract_impl.h"

#include "lib/base/intern.h"
#include "lib/graph/resource.h"

#include <string.h>

struct taking {
    const struct graph *g;
    const struct model_subgraph *own; /* the model's, that g is of */
    bool *taken;                      /* [graph nodes] */
    uint32_t *maker;                  /* [graph tensors] of a handle: the node that makes it, or EXTRACT_NONE */
    const uint32_t *resource;         /* [graph tensors] of a handle: which resource, or EXTRACT_NONE where it cannot be told */
    uint32_t **named;                 /* [model subgraphs][tensors] the resource whose handle it is made as, or EXTRACT_NONE */
    bool *used, *set;                 /* [resources] by what is taken; before the node that is looked at */
    uint32_t *met, *stack;            /* [model subgraphs] the last walk that has met it; those that it is to look into */
    uint32_t walks, n_resources;
};

/* The operator gives a handle, and reads nothing for it. */
static bool makes_handle(const struct model *m, const struct model_op *op)
{
    const int32_t builtin = m->opcodes[op->opcode].builtin;

    return (builtin == BUILTIN_VAR_HANDLE || builtin == BUILTIN_HASHTABLE) && op->n_inputs == 0 && op->n_outputs == 1 &&
           op->outputs[0] >= 0;
}

/* The name of the resource whose handle the operator makes; no variable's is without a '/'. NULL: out of memory. */
static const char *resource_name(const struct model *m, const struct model_op *op, struct arena *a)
{
    static const struct opt_var_handle nameless = {0};
    char name[RESOURCE_NAME_MAX];

    if (m->opcodes[op->opcode].builtin == BUILTIN_HASHTABLE)
        return arena_printf(
            a, "%d",
            op->options_kind == OPTIONS_HASHTABLE && op->options ? ((const struct opt_hashtable *)op->options)->table_id : 0);
    resource_variable_name(op->options_kind == OPTIONS_VAR_HANDLE && op->options ? op->options : &nameless, name);
    return arena_strdup(a, name);
}

/* Numbers the resources of the whole model. */
static bool name_resources(struct taking *t, const struct model *m, struct arena *a)
{
    struct intern numbers;
    size_t handles = 0;

    for (uint32_t i = 0; i < m->n_subgraphs; i++)
        for (uint32_t k = 0; k < m->subgraphs[i].n_ops; k++)
            handles += makes_handle(m, &m->subgraphs[i].ops[k]);
    t->used = ARENA_ARRAY(a, handles, bool);
    t->set = ARENA_ARRAY(a, handles, bool);
    t->named = ARENA_ARRAY(a, m->n_subgraphs, uint32_t *);
    if (!t->used || !t->set || !t->named || !intern_init(&numbers, a, handles))
        return false;
    for (uint32_t i = 0; i < m->n_subgraphs; i++) {
        if (!(t->named[i] = ARENA_ARRAY(a, m->subgraphs[i].n_tensors, uint32_t)))
            return false;
        memset(t->named[i], 0xff, m->subgraphs[i].n_tensors * sizeof **t->named);
        for (uint32_t k = 0; k < m->subgraphs[i].n_ops; k++) {
            const struct model_op *op = &m->subgraphs[i].ops[k];
            const char *name;
            uint32_t *to;

            if (!makes_handle(m, op))
                continue;
            if (!(name = resource_name(m, op, a)))
                return false;
            to = &t->named[i][op->outputs[0]];
            *to = intern(&numbers, name, strlen(name), t->n_resources);
            t->n_resources += *to == t->n_resources;
        }
    }
    return true;
}

static bool take_stock(struct taking *t, struct arena *a)
{
    const struct graph *g = t->g;

    t->maker = ARENA_ARRAY(a, g->n_tensors, uint32_t);
    t->met = ARENA_ARRAY(a, g->model->n_subgraphs, uint32_t);
    t->stack = ARENA_ARRAY(a, g->model->n_subgraphs, uint32_t);
    if (!t->maker || !t->met || !t->stack || !name_resources(t, g->model, a))
        return false;
    memset(t->maker, 0xff, g->n_tensors * sizeof *t->maker);
    t->resource = t->named[g->subgraph];
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            if (g->nodes[i].out[k] && extract_is_handle(g->nodes[i].out[k]))
                t->maker[g->nodes[i].out[k]->index] = i;
    return true;
}

/* ---- subgraphs that are called ---- */

static void look_into_calls(struct taking *t, const struct model_op *op, uint32_t *top)
{
    struct model_calls w = {.op = op};
    uint32_t to;

    while (model_next_call(&w, &to))
        if (t->met[to] != t->walks) {
            t->met[to] = t->walks;
            t->stack[(*top)++] = to;
        }
}

/* Whether the subgraphs that the node calls, and those that they call, name a resource of which flags[resources] is set. With
 * `mark` it is set of all that they name. */
static bool see_called(struct taking *t, const struct node *n, bool *flags, bool mark)
{
    const struct model *m = t->g->model;
    uint32_t top = 0;
    bool any = false;

    t->walks++;
    look_into_calls(t, &t->own->ops[n->index], &top);
    while (top) {
        const uint32_t at = t->stack[--top];

        for (uint32_t k = 0; k < m->subgraphs[at].n_ops; k++)
            look_into_calls(t, &m->subgraphs[at].ops[k], &top);
        for (uint32_t k = 0; k < m->subgraphs[at].n_tensors; k++) {
            if (t->named[at][k] == EXTRACT_NONE)
                continue;
            any |= flags[t->named[at][k]];
            flags[t->named[at][k]] |= mark;
        }
    }
    return any;
}

/* Goes through what the operator calls as a run does, once: sets t->set of the variables that are assigned there. Returns a handle
 * whose variable is read before; NULL: none is. *given: something is assigned by a handle that the caller gave. Both branches of an
 * IF count, and what is read by such a handle is not judged. Calls are not deep (model_calls.c). */
static const struct tensor *run_called(struct taking *t, const struct model_op *caller, bool *given)
{
    const struct model *m = t->g->model;
    struct model_calls w = {.op = caller};
    const struct tensor *unset = NULL;
    uint32_t at;

    while (!unset && model_next_call(&w, &at)) {
        const struct model_subgraph *s = &m->subgraphs[at];

        if (t->met[at] == t->walks)
            continue;
        t->met[at] = t->walks;
        for (uint32_t k = 0; k < s->n_ops && !unset; k++) {
            const struct model_op *op = &s->ops[k];
            const int32_t builtin = m->opcodes[op->opcode].builtin, handle = op->n_inputs ? op->inputs[0] : -1;
            const uint32_t resource = handle >= 0 ? t->named[at][handle] : EXTRACT_NONE;

            if (builtin == BUILTIN_ASSIGN_VARIABLE && resource == EXTRACT_NONE)
                *given = true;
            else if (builtin == BUILTIN_ASSIGN_VARIABLE)
                t->set[resource] = true;
            else if (builtin == BUILTIN_READ_VARIABLE && resource != EXTRACT_NONE && !t->set[resource])
                unset = &s->tensors[handle];
            else
                unset = run_called(t, op, given);
        }
    }
    return unset;
}

/* ---- what is taken along ---- */

static const char *name_of(const struct tensor *t)
{
    return t->name[0] ? t->name : "without a name";
}

/* The maker of a handle that node n reads. */
static enum status take_maker(struct taking *t, const struct node *n, const struct tensor *handle, struct err *err)
{
    const uint32_t maker = t->maker[handle->index];

    if (maker == EXTRACT_NONE)
        return node_err(n,
                        err_set(err, ST_UNSUPPORTED, "it reads %s \"%.80s\", which an extracted model cannot be given",
                                type_name(handle->type), name_of(handle)),
                        err);
    if (t->resource[handle->index] == EXTRACT_NONE && !t->taken[maker])
        return node_err(n,
                        err_set(err, ST_UNSUPPORTED, "it reads %s \"%.80s\" of node %u %.80s, which is not extracted with it",
                                type_name(handle->type), name_of(handle), t->g->nodes[maker].index, t->g->nodes[maker].name),
                        err);
    t->taken[maker] = true;
    if (t->resource[handle->index] != EXTRACT_NONE)
        t->used[t->resource[handle->index]] = true;
    return ST_OK;
}

static enum status take_handles(struct taking *t, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < t->g->n_nodes; i++) {
        const struct node *n = &t->g->nodes[i];

        if (!t->taken[i])
            continue;
        for (uint32_t k = 0; k < n->n_in && !st; k++)
            if (n->in[k] && extract_is_handle(n->in[k]))
                st = take_maker(t, n, n->in[k], err);
        if (st)
            return st;
        see_called(t, n, t->used, true);
    }
    return ST_OK;
}

/* Gives a table its content, which is constant. */
static bool fills_used_table(const struct taking *t, const struct node *n)
{
    return n->builtin == BUILTIN_HASHTABLE_IMPORT && n->n_in == 3 && n->in[0] && n->in[1] && n->in[2] && n->in[1]->is_const &&
           n->in[2]->is_const && t->resource[n->in[0]->index] != EXTRACT_NONE && t->used[t->resource[n->in[0]->index]];
}

/* Again and again: what is taken may use more. */
static enum status take_first_content(struct taking *t, struct err *err)
{
    enum status st = ST_OK;
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t i = 0; i < t->g->n_nodes && !st; i++) {
            const struct node *n = &t->g->nodes[i];
            const bool fills = !t->taken[i] && fills_used_table(t, n);

            if (t->taken[i] || !(fills || (n->builtin == BUILTIN_CALL_ONCE && see_called(t, n, t->used, false))))
                continue;
            t->taken[i] = more = true;
            if (fills)
                st = take_maker(t, n, n->in[0], err);
            else
                see_called(t, n, t->used, true);
        }
    }
    return st;
}

/* What the node sets, by itself and in what it calls. */
static enum status set_variables(struct taking *t, const struct node *n, struct err *err)
{
    bool given = n->builtin == BUILTIN_ASSIGN_VARIABLE;
    const struct tensor *unset;

    t->walks++;
    if ((unset = run_called(t, &t->own->ops[n->index], &given)))
        return node_err(n,
                        err_set(err, ST_UNSUPPORTED, "what it calls reads variable \"%.80s\", which nothing that is extracted sets",
                                name_of(unset)),
                        err);
    for (uint32_t k = 0; k < n->n_in && given; k++)
        if (n->in[k] && extract_is_handle(n->in[k]) && t->resource[n->in[k]->index] != EXTRACT_NONE)
            t->set[t->resource[n->in[k]->index]] = true;
    return ST_OK;
}

/* Takes away reads of variables that nothing taken has set by then; *dropped: how many. */
static enum status drop_unset_reads(struct taking *t, uint32_t *dropped, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < t->g->n_nodes && !st; i++) {
        const struct node *n = &t->g->nodes[i];
        const uint32_t first = n->n_in && n->in[0] && extract_is_handle(n->in[0]) ? t->resource[n->in[0]->index] : EXTRACT_NONE;

        if (!t->taken[i])
            continue;
        if (n->builtin == BUILTIN_READ_VARIABLE) {
            t->taken[i] = first == EXTRACT_NONE || t->set[first];
            *dropped += !t->taken[i];
        } else {
            st = set_variables(t, n, err);
        }
    }
    return st;
}

static bool uses_resources(const struct graph *g)
{
    const struct model *m = g->model;

    for (uint32_t i = 0; i < m->n_opcodes; i++)
        if (m->opcodes[i].builtin == BUILTIN_VAR_HANDLE || m->opcodes[i].builtin == BUILTIN_HASHTABLE)
            return true;
    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (extract_is_handle(&g->tensors[i]))
            return true;
    return false;
}

/* Again, without the reads that were dropped: what was taken along for those alone is not needed. */
static enum status take_again(struct taking *t, const bool *wanted, struct err *err)
{
    enum status st;
    bool any = false;

    for (uint32_t i = 0; i < t->g->n_nodes; i++)
        any |= t->taken[i] &= wanted[i];
    if (!any)
        return err_set(err, ST_UNSUPPORTED, "all that would be extracted reads variables that other nodes set");
    memset(t->used, 0, t->n_resources * sizeof *t->used);
    return (st = take_handles(t, err)) ? st : take_first_content(t, err);
}

enum status extract_take(struct extraction *x, const bool *chosen, struct err *err)
{
    const struct graph *g = x->g;
    struct taking t = {.g = g, .own = &g->model->subgraphs[g->subgraph], .taken = x->taken};
    bool *const wanted = ARENA_ARRAY(x->a, g->n_nodes, bool);
    uint32_t dropped = 0;
    enum status st;

    if (!wanted)
        return extract_nomem(err);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        x->taken[i] = wanted[i] = chosen[i] && !g->nodes[i].folded;
    if (!uses_resources(g))
        return ST_OK;
    if (!take_stock(&t, x->a))
        return extract_nomem(err);
    if ((st = take_handles(&t, err)) || (st = take_first_content(&t, err)) || (st = drop_unset_reads(&t, &dropped, err)) ||
        !dropped)
        return st;
    return take_again(&t, wanted, err);
}
