/* SPDX-License-Identifier: Apache-2.0 */
/* delegation.c - partitions and their kernels. */
#include "lib/session/delegation.h"

enum status delegation_partition(struct delegation *d, const struct graph *g, struct delegate *const *ds,
                                 const struct reason *refused, const struct partition_options *opt, bool whole, struct err *err)
{
    struct claim *claims;
    enum status st;

    if (whole && !refused[0].code)
        return partition_whole(g, ds[0], opt, &d->arena, &d->parts, err);
    st = partition_ask(g, ds, refused, &d->arena, &claims, err);
    return st ? st : partition_claimed(g, claims, opt, &d->arena, &d->parts, err);
}

/* Kernels of `of`, behind those that are there. */
static enum status init_kernels(struct delegation *d, const struct graph *g, struct delegate *of, struct plan *plan,
                                struct reason *refused, struct err *err)
{
    for (uint32_t i = 0; i < plan->n_steps; i++) {
        struct step *step = &plan->steps[i];
        enum status st;

        if (step->part_index < 0 || step->part->delegate != of)
            continue;
        if ((st = of->ops->init(of, g, step->part, refused, &d->kernels[d->n_kernels], err)))
            return st;
        step->kernel = d->kernels[d->n_kernels++];
    }
    return ST_OK;
}

static enum status prepare_kernels(struct delegation *d, struct delegate *const *ds, struct err *err)
{
    uint32_t first = 0;
    enum status st = ST_OK;

    for (; *ds && !st; ds++) {
        uint32_t n = 0;

        for (uint32_t i = 0; i < d->parts.n_parts; i++)
            n += d->parts.parts[i].delegate == *ds;
        if (n)
            st = (*ds)->ops->prepare(*ds, &d->kernels[first], n, err);
        first += n;
    }
    return st;
}

static uint32_t count_refused(const struct graph *g, const struct reason *refused)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += refused[i].code != REASON_NONE;
    return n;
}

enum status delegation_make_kernels(struct delegation *d, const struct graph *g, struct delegate *const *ds, struct plan *plan,
                                    struct reason *refused, uint32_t *n_refused, struct err *err)
{
    uint32_t before = *n_refused;
    enum status st = ST_OK;

    if (!(d->kernels = ARENA_ARRAY(&d->arena, d->parts.n_parts, struct delegate_kernel *)))
        return err_set(err, ST_NOMEM, "out of memory for %u partitions", d->parts.n_parts);
    for (uint32_t i = 0; ds[i] && !st; i++)
        st = init_kernels(d, g, ds[i], plan, refused, err);
    *n_refused = count_refused(g, refused);
    if (!st && *n_refused == before) {
        st = prepare_kernels(d, ds, err);
        *n_refused = count_refused(g, refused);
    }
    if (st || *n_refused > before)
        return st;
    for (uint32_t i = 0; ds[i] && !st; i++)
        if (ds[i]->ops->divided)
            st = ds[i]->ops->divided(ds[i], g, &d->parts, err);
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
