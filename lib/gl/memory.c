/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - every buffer range that dispatches bind: shared memory for values, one after the other for the rest. */
#include "compiled.h"

#include "../memory_planner.h"

struct placing {
    struct memory_use *lives; /* [n_values] by the value's id */
    bool *seen;
    uint64_t *constant;          /* [n_values] 1 + offset of a constant value already placed */
    uint64_t constants, staging; /* bytes so far */
    uint64_t align;
};

static uint64_t take(uint64_t *end, uint64_t bytes, uint64_t align)
{
    uint64_t at = (*end + align - 1) / align * align;

    *end = at + bytes;
    return at;
}

static void see(struct placing *pl, const struct gl_binding *b, uint32_t step)
{
    const uint32_t id = ir_root(b->value)->id;
    struct memory_use *life = &pl->lives[id];

    if (!pl->seen[id])
        *life = (struct memory_use){.bytes = gl_binding_bytes(b), .first = step};
    pl->seen[id] = true;
    life->last = step;
}

/* Of the root that is bound, what the value spans. */
static void place_within(const struct gl_binding *b, struct gl_range *r)
{
    const struct ir_shape s = b->value->shape, first = {0, 0, 0, 0}, last = {s.b - 1, s.h - 1, s.w - 1, s.c - 1};
    const uint64_t vector = r->bytes / ir_vectors(ir_root(b->value)->shape);

    r->skip = ir_vector_at(b->value, first) * vector;
    r->tail = r->bytes - (ir_vector_at(b->value, last) + 1) * vector;
}

static void place_binding(struct placing *pl, const struct gl_binding *b, struct gl_range *r)
{
    const struct ir_value *v = b->value;

    r->bytes = gl_binding_bytes(b);
    r->write = b->bind == GL_BIND_OUTPUT || b->bind == GL_BIND_HOST_WRITE;
    if (v && !v->data) {
        r->store = GL_STORE_VALUES;
        r->offset = pl->lives[ir_root(v)->id].offset;
        place_within(b, r);
    } else if (b->bind == GL_BIND_HOST_READ || b->bind == GL_BIND_HOST_WRITE) {
        r->store = GL_STORE_STAGING;
        r->offset = take(&pl->staging, r->bytes, pl->align);
    } else {
        r->store = GL_STORE_CONSTANTS;
        if (v && pl->constant[v->id]) {
            r->offset = pl->constant[v->id] - 1;
            return;
        }
        r->offset = take(&pl->constants, r->bytes, pl->align);
        if (v)
            pl->constant[v->id] = r->offset + 1;
    }
}

static enum status place_values(struct gl_compiled *k, struct placing *pl, uint32_t n_values, struct err *err)
{
    struct memory_use *all = ARENA_ARRAY(&k->arena, n_values, struct memory_use);
    uint32_t *id = ARENA_ARRAY(&k->arena, n_values, uint32_t), n = 0;
    struct memory_total total;
    enum status st;

    if (!all || !id)
        return ir_nomem(err);
    for (uint32_t i = 0; i < n_values; i++)
        if (pl->seen[i]) {
            id[n] = i;
            all[n++] = pl->lives[i];
        }
    if ((st = memory_plan(all, n, pl->align, &total, err)))
        return st;
    for (uint32_t i = 0; i < n; i++)
        pl->lives[id[i]] = all[i];
    k->memory.intermediates = total.bytes;
    k->memory.lower_bound = total.lower_bound;
    k->memory.unshared = total.unshared;
    return ST_OK;
}

enum status gl_place(struct gl_compiled *k, uint32_t n_values, struct err *err)
{
    struct placing pl = {.lives = ARENA_ARRAY(&k->arena, n_values, struct memory_use),
                         .seen = ARENA_ARRAY(&k->arena, n_values, bool),
                         .constant = ARENA_ARRAY(&k->arena, n_values, uint64_t),
                         .align = k->set.context->limits.storage_align};
    enum status st;

    if (!pl.lives || !pl.seen || !pl.constant)
        return ir_nomem(err);
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        for (uint32_t j = 0; j < k->dispatches[i].shader.n_bind; j++) {
            const struct gl_binding *b = &k->dispatches[i].shader.bind[j];

            if (b->value && !b->value->data)
                see(&pl, b, i);
        }
    if ((st = place_values(k, &pl, n_values, err)))
        return st;
    for (uint32_t i = 0; i < k->n_dispatches; i++) {
        struct gl_dispatch *d = &k->dispatches[i];

        if (i == k->n_dispatches - k->n_downloads)
            k->staging_read = take(&pl.staging, 0, pl.align);
        for (uint32_t j = 0; j < d->shader.n_bind; j++)
            place_binding(&pl, &d->shader.bind[j], &d->ranges[j]);
        if (i < k->n_uploads)
            k->uploads[i].offset = d->ranges[0].offset;
        else if (i >= k->n_dispatches - k->n_downloads)
            k->downloads[i - (k->n_dispatches - k->n_downloads)].offset = d->ranges[1].offset;
    }
    if (!k->n_downloads)
        k->staging_read = pl.staging;
    k->memory.constants = pl.constants;
    k->memory.staging = pl.staging;
    return ST_OK;
}
