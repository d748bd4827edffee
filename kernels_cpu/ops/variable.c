/* SPDX-License-Identifier: Apache-2.0 */
/* variable.c - resource variables: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE. */
#include "lib/session/subgraph.h"

#include <string.h>

static enum status handle_shape(struct node *n, struct err *err)
{
    return shape_set(n, 0, NULL, 0, err);
}

static enum status handle_run(struct cpu_call *c, struct err *err)
{
    char name[RESOURCE_NAME_MAX];

    if (c->node->out[0]->type != TYPE_RESOURCE)
        return cpu_bad_type(c->node, c->node->out[0], err);
    if (!resource_variable_name(c->node->opt, name))
        return err_set(err, ST_UNSUPPORTED, "the variable's name is longer than %zu", sizeof name - 1);
    return resources_find(subgraph_resources(c), RESOURCE_VARIABLE, name, c->node->out[0]->data, err);
}

static enum status read_shape(struct node *n, struct err *err)
{
    (void)err;
    return n->reads_fixed_shape ? ST_OK : ST_LATER;
}

static enum status read_run(struct cpu_call *c, struct err *err)
{
    struct tensor *y = c->node->out[0];
    struct resource *r;
    enum status st = resources_get(*subgraph_resources(c), RESOURCE_VARIABLE, c->node->in[0], &r, err);

    if (st)
        return st;
    if (!(st = resource_check_read(r, y, err)))
        st = resource_fetch(r, err);
    if (!st && y->is_dynamic)
        st = cpu_resize_output(c, 0, r->value.dim, r->value.rank, r->value.bytes, err);
    if (st)
        return st;
    if (y->bytes)
        memcpy(y->data, r->value.data, y->bytes);
    return ST_OK;
}

static enum status assign_shape(struct node *n, struct err *err)
{
    return shape_arity(n, 2, 2, 0, err);
}

static enum status assign_run(struct cpu_call *c, struct err *err)
{
    struct resource *r;
    enum status st = resources_get(*subgraph_resources(c), RESOURCE_VARIABLE, c->node->in[0], &r, err);

    if (!st)
        st = resource_store(&r->value, c->node->in[1], err);
    if (!st)
        resource_assigned(r, false);
    return st;
}

const struct cpu_kernel cpu_var_handle = {.arity = {0, 0, 1}, .shape = handle_shape, .run = handle_run, .stateful = true};
const struct cpu_kernel cpu_read_variable = {.arity = {1, 1, 1}, .shape = read_shape, .run = read_run, .stateful = true};
const struct cpu_kernel cpu_assign_variable = {.shape = assign_shape, .run = assign_run, .stateful = true};
