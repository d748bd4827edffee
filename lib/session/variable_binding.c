/* SPDX-License-Identifier: Apache-2.0 */
/* variable_binding.c - resources found once by name, then by number. */
#include "lib/session/variable_binding.h"
#include "lib/graph/graph_part.h"
#include "lib/graph/variable_shape.h"

enum status variables_number(struct graph *g, struct resources **r, struct err *err)
{
    char name[RESOURCE_NAME_MAX];

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct node *n = &g->nodes[i];
        enum status st;

        if (!n->folded || graph_leaves_out(g, i) || !node_names_variable(n))
            continue;
        resource_variable_name(n->opt, name);
        if ((st = resources_find(r, RESOURCE_VARIABLE, name, n->out[0]->data, err)))
            return node_err(n, st, err);
    }
    return ST_OK;
}

static struct tensor *border(const struct partition *p, uint32_t i)
{
    return i < p->n_inputs ? p->inputs[i] : p->outputs[i - p->n_inputs];
}

static bool has_resources(const struct partition *p)
{
    for (uint32_t i = 0; i < p->n_inputs + p->n_outputs; i++)
        if (border(p, i)->is_resource)
            return true;
    return false;
}

#define BY_HOST UINT32_MAX

/* What no run brings there stays with the kernel, which takes from host memory what it begins with. */
static uint32_t way_of(const struct step *step, uint32_t i, const struct delegate *device)
{
    const struct delegate_kernel *k = step->kernel;
    struct delegate_crossing c;

    if (step->part->delegate != device || !k->ops->bind || !k->ops->crossing)
        return BY_HOST;
    for (uint32_t at = 0; k->ops->crossing(k, at, &c); at++)
        if (c.tensor == border(step->part, i) && c.output == (i >= step->part->n_inputs))
            return 0;
    return BY_HOST;
}

enum status variables_note(struct plan *plan, struct resources **r, const struct delegate *device, struct err *err)
{
    for (uint32_t i = 0; i < plan->n_steps; i++) {
        struct step *step = &plan->steps[i];
        const struct partition *p = step->part;
        enum status st = ST_OK;

        if (step->part_index < 0 || !has_resources(p))
            continue;
        step->resources = ARENA_ARRAY(&plan->arena, p->n_inputs + p->n_outputs, int32_t);
        step->at = ARENA_ARRAY(&plan->arena, p->n_inputs + p->n_outputs, uint32_t);
        if (!step->resources || !step->at)
            return err_set(err, ST_NOMEM, "out of memory for the variables of a partition");
        for (uint32_t k = 0; k < p->n_inputs + p->n_outputs && !st; k++) {
            step->resources[k] = -1;
            step->at[k] = way_of(step, k, device);
            if (border(p, k)->is_resource)
                st = resources_find(r, RESOURCE_VARIABLE, border(p, k)->name, &step->resources[k], err);
        }
        if (st)
            return st;
    }
    return ST_OK;
}

/* The first node of the partition that reads the variable. */
static const struct node *reader(const struct partition *p, const struct tensor *variable)
{
    uint32_t i = 0;

    while (!node_reads_variable(p->nodes[i]) || p->nodes[i]->variable != variable)
        i++;
    return p->nodes[i];
}

/* In host memory, where t's data is from here on. */
static enum status lend_memory(struct resource *r, struct tensor *t, bool read, struct err *err)
{
    enum status st = read ? resource_fetch(r, err) : ST_OK;

    if (!st && !read && !t->data) /* with data it is an input, too */
        st = resource_make_room(&r->value, t, err);
    t->data = st ? NULL : r->value.data;
    return st;
}

/* In a buffer of the delegate's. */
static enum status lend_buffer(struct resource *r, const struct step *step, uint32_t i, struct err *err)
{
    const bool read = i < step->part->n_inputs;
    const struct tensor *t = border(step->part, i);
    enum status st = read ? ST_OK : resource_make_room(&r->value, t, err);

    if (st || (st = resource_settle(r, step->part->delegate, read, err)) || step->at[i] == r->buffer)
        return st;
    st = step->kernel->ops->bind(step->kernel, t, !read,
                                 &(struct delegate_buffer){.id = r->buffer, .bytes = r->buffer_bytes, .layout = DELEGATE_DENSE},
                                 err);
    step->at[i] = st ? 0 : r->buffer;
    return st;
}

enum status variables_bind(struct resources *all, const struct step *step, struct err *err)
{
    const struct partition *p = step->part;
    enum status st = ST_OK;

    for (uint32_t i = 0; step->resources && i < p->n_inputs + p->n_outputs && !st; i++) {
        struct tensor *t = border(p, i);
        struct resource *r;

        if (step->resources[i] < 0)
            continue;
        r = resources_at(all, step->resources[i]);
        if (i < p->n_inputs && (st = node_err_if(reader(p, t), resource_check_read(r, t, err), err)))
            return st;
        st = step->at[i] == BY_HOST ? lend_memory(r, t, i < p->n_inputs, err) : lend_buffer(r, step, i, err);
    }
    return st;
}

void variables_commit(struct resources *all, const struct step *step, bool succeeded)
{
    const struct partition *p = step->part;

    for (uint32_t i = 0; step->resources && i < p->n_inputs + p->n_outputs; i++) {
        if (step->resources[i] < 0)
            continue;
        border(p, i)->data = NULL;
        if (i >= p->n_inputs && succeeded)
            resource_assigned(resources_at(all, step->resources[i]), step->at[i] != BY_HOST);
    }
}
