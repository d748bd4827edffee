/* SPDX-License-Identifier: Apache-2.0 */
/* delegation.c - partitions and their kernels. */
#include "delegation.h"

enum status delegation_partition(struct delegation *d, const struct graph *g, struct delegate *const *ds,
                                 const struct reason *refused, const struct partition_options *opt, struct err *err)
{
    struct claim *claims;
    enum status st = partition_ask(g, ds, refused, &d->arena, &claims, err);

    return st ? st : partition_claimed(g, claims, opt, &d->arena, &d->parts, err);
}

static struct step *step_of(struct plan *plan, uint32_t part)
{
    uint32_t i = 0;

    while (plan->steps[i].part_index != (int32_t)part)
        i++;
    return &plan->steps[i];
}

/* Kernels of `of`, behind those that are there. */
static enum status add_kernels(struct delegation *d, const struct graph *g, struct delegate *of, struct plan *plan,
                               struct reason *refused, struct err *err)
{
    uint32_t first = d->n_kernels;

    for (uint32_t i = 0; i < d->parts.n_parts; i++) {
        const struct partition *part = &d->parts.parts[i];
        enum status st;

        if (part->delegate != of)
            continue;
        if ((st = of->ops->init(of, g, part, &d->kernels[d->n_kernels], err)))
            return st;
        step_of(plan, i)->kernel = d->kernels[d->n_kernels++];
    }
    return d->n_kernels > first ? of->ops->prepare(of, &d->kernels[first], d->n_kernels - first, refused, err) : ST_OK;
}

enum status delegation_make_kernels(struct delegation *d, const struct graph *g, struct delegate *const *ds, struct plan *plan,
                                    struct reason *refused, uint32_t *n_refused, struct err *err)
{
    enum status st = ST_OK;

    *n_refused = 0;
    if (!(d->kernels = ARENA_ARRAY(&d->arena, d->parts.n_parts, struct delegate_kernel *)))
        return err_set(err, ST_NOMEM, "out of memory for %u partitions", d->parts.n_parts);
    for (; *ds && !st; ds++)
        st = add_kernels(d, g, *ds, plan, refused, err);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        *n_refused += refused[i].code != REASON_NONE;
    return st;
}

void delegation_free(struct delegation *d)
{
    while (d->n_kernels)
        if (d->kernels[--d->n_kernels])
            d->kernels[d->n_kernels]->ops->free(d->kernels[d->n_kernels]);
    arena_free(&d->arena);
    *d = (struct delegation){0};
}
