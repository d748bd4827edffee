/* SPDX-License-Identifier: Apache-2.0 */
/* lent_variables.c - resources found once by name, then by number. */
#include "lent_variables.h"
#include "graph_part.h"
#include "variable_shape.h"

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

enum status variables_note(struct plan *plan, struct resources **r, struct err *err)
{
    for (uint32_t i = 0; i < plan->n_steps; i++) {
        struct step *step = &plan->steps[i];
        const struct partition *p = step->part;
        enum status st = ST_OK;

        if (step->part_index < 0 || !has_resources(p))
            continue;
        if (!(step->resources = ARENA_ARRAY(&plan->arena, p->n_inputs + p->n_outputs, int32_t)))
            return err_set(err, ST_NOMEM, "out of memory for the variables of a partition");
        for (uint32_t k = 0; k < p->n_inputs + p->n_outputs && !st; k++) {
            step->resources[k] = -1;
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

enum status variables_lend(struct resources *all, const struct step *step, struct err *err)
{
    const struct partition *p = step->part;

    for (uint32_t i = 0; step->resources && i < p->n_inputs + p->n_outputs; i++) {
        struct tensor *t = border(p, i);
        struct resource *r;
        enum status st;

        if (step->resources[i] < 0)
            continue;
        r = resources_at(all, step->resources[i]);
        if (i < p->n_inputs)
            st = node_err_if(reader(p, t), resource_check_read(r, t, err), err);
        else
            st = t->data ? ST_OK : resource_make_room(&r->value, t, err); /* with data it is an input, too */
        if (st)
            return st;
        t->data = r->value.data;
    }
    return ST_OK;
}

void variables_take(struct resources *all, const struct step *step, bool succeeded)
{
    const struct partition *p = step->part;

    for (uint32_t i = 0; step->resources && i < p->n_inputs + p->n_outputs; i++) {
        if (step->resources[i] < 0)
            continue;
        border(p, i)->data = NULL;
        if (i >= p->n_inputs && succeeded)
            resources_at(all, step->resources[i])->is_set = true;
    }
}
