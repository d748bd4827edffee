/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - every buffer range that dispatches bind: shared memory for values, one after the other for the rest; and the textures
 * of those values that have one. */
#include "lib/gl/plan/compiled.h"

#include <string.h>

#include "lib/gl/ir/texture.h"
#include "lib/session/memory_planner.h"

/* The roots of all values of all partitions. */
struct lives {
    struct memory_use *use;            /* [n] by memory_of; in textures they have no bytes here */
    struct gl_texture_use *in_texture; /* [n] likewise */
    bool *seen;
    uint32_t n, n_steps, n_textures;
    struct arena scratch;
};

/* Of one partition. */
struct placing {
    struct gl_compiled *k;
    const struct lives *lives;
    uint64_t *constant;                 /* [n_values] 1 + offset of a constant value already placed */
    uint64_t constants, staging, state; /* bytes so far */
    uint64_t constants_end;             /* of the uniform block that ends last */
    uint64_t align;
};

static uint64_t take(uint64_t *end, uint64_t bytes, uint64_t align)
{
    uint64_t at = (*end + align - 1) / align * align;

    *end = at + bytes;
    return at;
}

/* begin and end: the partition's first step, and, where its dispatches come again, the last, until which what was there before it
 * stays; else `step`. */
static void see(struct lives *l, uint32_t memory, const struct gl_binding *b, uint32_t step, uint32_t begin, uint32_t end)
{
    const bool texture = b->value->storage == GL_STORAGE_TEXTURE;

    if (!l->seen[memory])
        l->use[memory] = (struct memory_use){.bytes = texture ? 0 : gl_binding_bytes(b), .first = step};
    if (!l->seen[memory] && texture)
        l->in_texture[memory] = (struct gl_texture_use){
            .extent = gl_extent_of(b->value->shape), .format = b->format, .first = step};
    l->seen[memory] = true;
    l->use[memory].last = l->in_texture[memory].last = l->use[memory].first < begin ? end : step;
}

/* Of the root that is bound, what the value spans. */
static void place_within(const struct gl_binding *b, struct gl_range *r)
{
    const struct ir_shape first = {0, 0, 0, 0}, last = ir_last(b->value);
    const uint64_t vector = r->bytes / ir_vectors(ir_root(b->value)->shape);

    r->skip = ir_vector_at(b->value, first) * vector;
    r->tail = r->bytes - (ir_vector_at(b->value, last) + 1) * vector;
}

/* A variable that stays is left where it was found. */
static uint64_t place_state(struct placing *pl, const struct gl_transfer *t, uint64_t bytes)
{
    for (uint32_t i = 0; i < pl->k->n_uploads; i++)
        if (&pl->k->uploads[i] != t && pl->k->uploads[i].tensor == t->tensor)
            return pl->k->uploads[i].offset;
    return take(&pl->state, bytes, pl->align);
}

static void count_weights(struct placing *pl, const struct gl_binding *b, uint64_t bytes)
{
    static const enum delegate_stored stored[GL_FORMATS] = {[GL_FORMAT_FLOAT] = DELEGATE_STORED_FLOAT32,
                                                            [GL_FORMAT_HALF] = DELEGATE_STORED_FLOAT16,
                                                            [GL_FORMAT_INT] = DELEGATE_STORED_INT32,
                                                            [GL_FORMAT_INT8] = DELEGATE_STORED_8_BITS,
                                                            [GL_FORMAT_UINT8] = DELEGATE_STORED_8_BITS};
    uint64_t *of = pl->k->memory.weights, packed = 16 * (uint64_t)b->n_packed;

    of[DELEGATE_STORED_8_BITS] += packed;
    of[stored[b->format]] += bytes - packed;
}

/* A uniform block may go on over what lies behind it, where the shader does not read. */
static void place_packed(struct placing *pl, const struct gl_binding *b, struct gl_range *r)
{
    const struct gl_limits *lim = &pl->k->set.context->limits;
    const bool uniform = b->through == GL_THROUGH_UNIFORM;

    r->offset = take(&pl->constants, r->bytes, uniform ? lim->uniform_align : pl->align);
    if (!uniform)
        return;
    r->bytes = gl_uniform_bytes(b, lim->uniform_block_bytes);
    if (pl->constants_end < r->offset + r->bytes)
        pl->constants_end = r->offset + r->bytes;
}

/* t: NULL, or whose dispatch it is. */
static void place_binding(struct placing *pl, const struct gl_binding *b, const struct gl_transfer *t, struct gl_range *r)
{
    const struct ir_value *v = b->value;

    r->bytes = gl_binding_bytes(b);
    r->write = b->bind == GL_BIND_OUTPUT || b->bind == GL_BIND_HOST_WRITE;
    if (v && !v->data && v->storage == GL_STORAGE_TEXTURE) {
        r->store = GL_STORE_TEXTURES;
        r->offset = pl->lives->in_texture[pl->k->memory_of[v->id]].texture;
        r->bytes = 1;
    } else if (v && !v->data) {
        r->store = GL_STORE_VALUES;
        r->offset = pl->lives->use[pl->k->memory_of[ir_root(v)->id]].offset;
        place_within(b, r);
    } else if (t && t->stays) {
        r->store = GL_STORE_STATE;
        r->offset = place_state(pl, t, r->bytes);
    } else if (b->bind == GL_BIND_HOST_READ || b->bind == GL_BIND_HOST_WRITE) {
        r->store = GL_STORE_STAGING;
        r->offset = take(&pl->staging, r->bytes, pl->align);
    } else {
        r->store = GL_STORE_CONSTANTS;
        if (v && pl->constant[v->id]) {
            r->offset = pl->constant[v->id] - 1;
            return;
        }
        count_weights(pl, b, r->bytes);
        place_packed(pl, b, r);
        if (v)
            pl->constant[v->id] = r->offset + 1;
    }
}

/* Lives of all values, counted in dispatches of one partition after the other. */
static enum status find_lives(struct lives *l, struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    uint32_t step = 0;

    for (uint32_t i = 0; i < n; i++)
        l->n += ks[i]->n_values;
    l->use = ARENA_ARRAY(&l->scratch, l->n, struct memory_use);
    l->in_texture = ARENA_ARRAY(&l->scratch, l->n, struct gl_texture_use);
    l->seen = ARENA_ARRAY(&l->scratch, l->n, bool);
    if (!l->use || !l->in_texture || !l->seen)
        return ir_nomem(err);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t begin = step, end = begin + ks[i]->n_dispatches - 1;

        for (uint32_t j = 0; j < ks[i]->n_dispatches; j++, step++)
            for (uint32_t b = 0; b < ks[i]->dispatches[j].shader.n_bind; b++) {
                const struct gl_binding *bind = &ks[i]->dispatches[j].shader.bind[b];

                if (bind->value && !bind->value->data)
                    see(l, ks[i]->memory_of[ir_root(bind->value)->id], bind, step, begin, ks[i]->set.loops > 1 ? end : step);
            }
    }
    l->n_steps = step;
    return ST_OK;
}

/* ---- textures ---- */

static uint64_t texture_bytes(const struct gl_texture_use *u)
{
    return (uint64_t)u->extent.width * u->extent.height * u->extent.layers * gl_formats[u->format].bytes;
}

/* Which there are, for every partition. */
static enum status list_textures(const struct lives *l, struct gl_compiled *k, struct err *err)
{
    k->n_textures = l->n_textures;
    k->texture_bytes = 0;
    if (!(k->textures = ARENA_ARRAY(&k->arena, l->n_textures, struct gl_plan_texture)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < l->n; i++) {
        const struct gl_texture_use *u = &l->in_texture[i];
        struct gl_plan_texture *t = &k->textures[u->texture];

        if (!u->extent.width || t->width)
            continue;
        *t = (struct gl_plan_texture){u->extent.width, u->extent.height, u->extent.layers, gl_texture_format(u->format)};
        k->texture_bytes += texture_bytes(u);
    }
    return ST_OK;
}

/* What the planner said of the arena, and now of both together. */
static enum status count_textures(struct lives *l, struct memory_total *total, struct err *err)
{
    uint64_t *begin = ARENA_ARRAY(&l->scratch, l->n_steps + 1, uint64_t), *end = ARENA_ARRAY(&l->scratch, l->n_steps + 1, uint64_t);
    uint64_t alive = 0;

    if (!begin || !end)
        return ir_nomem(err);
    for (uint32_t i = 0; i < l->n; i++) {
        uint64_t bytes = l->in_texture[i].extent.width ? texture_bytes(&l->in_texture[i]) : l->use[i].bytes;

        if (!l->seen[i])
            continue;
        begin[l->use[i].first] += bytes;
        end[l->use[i].last] += bytes;
        total->unshared += bytes - l->use[i].bytes;
    }
    for (uint32_t i = 0; i < l->n_steps; i++) {
        alive += begin[i];
        total->lower_bound = alive > total->lower_bound ? alive : total->lower_bound;
        alive -= end[i];
    }
    return ST_OK;
}

static enum status place_textures(struct lives *l, struct memory_total *total, struct err *err)
{
    enum status st = gl_share_textures(l->in_texture, l->n, &l->n_textures, err);

    return st || !l->n_textures ? st : count_textures(l, total, err);
}

static enum status place_rest(struct gl_compiled *k, const struct lives *lives, struct err *err)
{
    struct placing pl = {.k = k,
                         .lives = lives,
                         .constant = ARENA_ARRAY(&k->arena, k->n_values, uint64_t),
                         .align = gl_range_align(&k->set.context->limits)};

    if (!pl.constant)
        return ir_nomem(err);
    memset(k->memory.weights, 0, sizeof k->memory.weights);
    for (uint32_t i = 0; i < k->n_dispatches; i++) {
        const uint32_t last = k->n_dispatches - k->n_downloads;
        struct gl_transfer *t = i < k->n_uploads ? &k->uploads[i] : i >= last ? &k->downloads[i - last] : NULL;
        struct gl_dispatch *d = &k->dispatches[i];

        if (i == last)
            k->staging_read = take(&pl.staging, 0, pl.align);
        for (uint32_t j = 0; j < d->shader.n_bind; j++)
            place_binding(&pl, &d->shader.bind[j], t, &d->ranges[j]);
        if (t) /* the host's end comes first in an upload, last in a download */
            t->offset = d->ranges[i < k->n_uploads ? 0 : d->shader.n_bind - 1].offset;
    }
    if (!k->n_downloads)
        k->staging_read = pl.staging;
    k->bytes[GL_STORE_CONSTANTS] = pl.constants > pl.constants_end ? pl.constants : pl.constants_end;
    k->bytes[GL_STORE_STAGING] = pl.staging;
    k->bytes[GL_STORE_STATE] = pl.state;
    return ST_OK;
}

/* Values that nothing binds have no bytes. */
enum status gl_place(struct gl_compiled *const *ks, uint32_t n, struct err *err)
{
    struct memory_total total = {0};
    struct lives l = {0};
    enum status st = find_lives(&l, ks, n, err);

    if (!st)
        st = memory_plan(l.use, l.n, gl_range_align(&ks[0]->set.context->limits), &total, err);
    if (!st)
        st = place_textures(&l, &total, err);
    for (uint32_t i = 0; i < n && !st; i++) {
        ks[i]->bytes[GL_STORE_VALUES] = total.bytes;
        if (!(st = list_textures(&l, ks[i], err)))
            st = place_rest(ks[i], &l, err);
    }
    ks[0]->memory.textures = l.n_textures;
    ks[0]->memory.texture_bytes = ks[0]->texture_bytes;
    arena_free(&l.scratch);
    ks[0]->memory.intermediates = total.bytes + ks[0]->texture_bytes;
    ks[0]->memory.lower_bound = total.lower_bound;
    ks[0]->memory.unshared = total.unshared;
    return st;
}
