/* SPDX-License-Identifier: Apache-2.0 */
/* variable.c - resource variables: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE. */
#include "../../lib/subgraph.h"

#include <string.h>

static enum status handle_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 0, 0, 1, err);

    return st ? st : shape_set(n, 0, NULL, 0, err);
}

/* Variables of one name in different containers are different ones. */
static enum status handle_run(struct cpu_call *c, struct err *err)
{
    const struct opt_var_handle *o = c->node->opt;
    char name[512];

    if (c->node->out[0]->type != TYPE_RESOURCE)
        return cpu_bad_type(c->node, c->node->out[0], err);
    if ((size_t)snprintf(name, sizeof name, "%s/%s", o->container ? o->container : "", o->shared_name ? o->shared_name : "") >=
        sizeof name)
        return err_set(err, ST_UNSUPPORTED, "the variable's name is longer than %zu", sizeof name - 1);
    return resources_find(subgraph_resources(c), RESOURCE_VARIABLE, name, c->node->out[0]->data, err);
}

static enum status read_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 1, 1, 1, err);

    return st || n->reads_fixed_shape ? st : ST_LATER;
}

/* What comes after a read of fixed shape was planned for it. A resized input may have changed what is assigned. */
static enum status check_shape(const struct resource *r, const struct tensor *y, struct err *err)
{
    if (r->value.rank == y->rank && r->value.bytes == y->bytes && !memcmp(r->value.dim, y->dim, (size_t)y->rank * sizeof *y->dim))
        return ST_OK;
    return err_set(err, ST_BAD_MODEL, "variable \"%s\" is now %s; the file says %s wherever it is read or assigned", r->name,
                   TENSOR_TEXT(&r->value), TENSOR_TEXT(y));
}

static enum status read_run(struct cpu_call *c, struct err *err)
{
    struct tensor *y = c->node->out[0];
    struct resource *r;
    enum status st = resources_get(*subgraph_resources(c), RESOURCE_VARIABLE, c->node->in[0], &r, err);

    if (st)
        return st;
    if (!r->is_set)
        return err_set(err, ST_BAD_MODEL, "variable \"%s\" is read before anything is assigned to it", r->name);
    if (r->value.type != y->type)
        return err_set(err, ST_BAD_MODEL, "variable \"%s\" is %s, not %s", r->name, TENSOR_TEXT(&r->value), type_name(y->type));
    st = y->is_dynamic ? ST_OK : check_shape(r, y, err);
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
        r->is_set = true;
    return st;
}

const struct cpu_kernel cpu_var_handle = {.shape = handle_shape, .run = handle_run, .stateful = true};
const struct cpu_kernel cpu_read_variable = {.shape = read_shape, .run = read_run, .stateful = true};
const struct cpu_kernel cpu_assign_variable = {.shape = assign_shape, .run = assign_run, .stateful = true};
