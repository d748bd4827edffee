/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - every buffer range that dispatches bind: shared memory for values, one after the other for the rest; and the textures
 * of those values that have one. */
#include "lib/gl/plan/draft.h"

#include <string.h>

#include "lib/base/intern.h"
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
    struct gl_draft *draft;
    const struct gl_limits *lim;
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
    for (uint32_t i = 0; i < pl->draft->n_uploads; i++)
        if (&pl->draft->uploads[i] != t && pl->draft->uploads[i].tensor == t->tensor)
            return pl->draft->uploads[i].offset;
    return take(&pl->state, bytes, pl->align);
}

static void count_weights(struct placing *pl, const struct gl_binding *b, uint64_t bytes)
{
    static const enum gl_stored stored[GL_FORMATS] = {[GL_FORMAT_FLOAT] = GL_STORED_FLOAT32,
                                                      [GL_FORMAT_HALF] = GL_STORED_FLOAT16,
                                                      [GL_FORMAT_INT] = GL_STORED_INT32,
                                                      [GL_FORMAT_INT8] = GL_STORED_8_BITS,
                                                      [GL_FORMAT_UINT8] = GL_STORED_8_BITS};
    uint64_t *of = pl->draft->weights, packed = 16 * (uint64_t)b->n_packed;

    of[GL_STORED_8_BITS] += packed;
    of[stored[b->format]] += bytes - packed;
}

/* A uniform block may go on over what lies behind it, where the shader does not read. */
static void place_packed(struct placing *pl, const struct gl_binding *b, struct gl_range *r)
{
    const bool uniform = b->through == GL_THROUGH_UNIFORM;

    r->offset = take(&pl->constants, r->bytes, uniform ? pl->lim->uniform_align : pl->align);
    if (!uniform)
        return;
    r->bytes = gl_uniform_bytes(b, pl->lim->uniform_block_bytes);
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
        r->offset = pl->lives->in_texture[pl->draft->memory_of[v->id]].texture;
        r->bytes = 1;
    } else if (v && !v->data) {
        r->store = GL_STORE_VALUES;
        r->offset = pl->lives->use[pl->draft->memory_of[ir_root(v)->id]].offset;
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
static enum status find_lives(struct lives *l, struct gl_draft *const *drafts, uint32_t n, bool repeated, struct err *err)
{
    uint32_t step = 0;

    for (uint32_t i = 0; i < n; i++)
        l->n += drafts[i]->n_values;
    l->use = ARENA_ARRAY(&l->scratch, l->n, struct memory_use);
    l->in_texture = ARENA_ARRAY(&l->scratch, l->n, struct gl_texture_use);
    l->seen = ARENA_ARRAY(&l->scratch, l->n, bool);
    if (!l->use || !l->in_texture || !l->seen)
        return ir_nomem(err);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t begin = step, end = begin + drafts[i]->n_dispatches - 1;

        for (uint32_t j = 0; j < drafts[i]->n_dispatches; j++, step++)
            for (uint32_t b = 0; b < drafts[i]->dispatches[j].shader.n_bind; b++) {
                const struct gl_binding *bind = &drafts[i]->dispatches[j].shader.bind[b];

                if (bind->value && !bind->value->data)
                    see(l, drafts[i]->memory_of[ir_root(bind->value)->id], bind, step, begin, repeated ? end : step);
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
static enum status list_textures(const struct lives *l, struct gl_draft *draft, struct err *err)
{
    draft->n_textures = l->n_textures;
    draft->texture_bytes = 0;
    if (!(draft->textures = ARENA_ARRAY(&draft->arena, l->n_textures, struct gl_plan_texture)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < l->n; i++) {
        const struct gl_texture_use *u = &l->in_texture[i];
        struct gl_plan_texture *t = &draft->textures[u->texture];

        if (!u->extent.width || t->width)
            continue;
        *t = (struct gl_plan_texture){u->extent.width, u->extent.height, u->extent.layers, gl_texture_format(u->format)};
        draft->texture_bytes += texture_bytes(u);
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

static enum status place_rest(struct gl_draft *draft, const struct lives *lives, const struct gl_limits *lim, struct err *err)
{
    struct placing pl = {.draft = draft,
                         .lim = lim,
                         .lives = lives,
                         .constant = ARENA_ARRAY(&draft->arena, draft->n_values, uint64_t),
                         .align = gl_range_align(lim)};

    if (!pl.constant)
        return ir_nomem(err);
    memset(draft->weights, 0, sizeof draft->weights);
    for (uint32_t i = 0; i < draft->n_dispatches; i++) {
        const uint32_t last = draft->n_dispatches - draft->n_downloads;
        struct gl_transfer *t = i < draft->n_uploads ? &draft->uploads[i] : i >= last ? &draft->downloads[i - last] : NULL;
        struct gl_dispatch *d = &draft->dispatches[i];

        if (i == last)
            draft->staging_read = take(&pl.staging, 0, pl.align);
        for (uint32_t j = 0; j < d->shader.n_bind; j++)
            place_binding(&pl, &d->shader.bind[j], t, &d->ranges[j]);
        if (t) /* the host's end comes first in an upload, last in a download */
            t->offset = d->ranges[i < draft->n_uploads ? 0 : d->shader.n_bind - 1].offset;
    }
    if (!draft->n_downloads)
        draft->staging_read = pl.staging;
    draft->bytes[GL_STORE_CONSTANTS] = pl.constants > pl.constants_end ? pl.constants : pl.constants_end;
    draft->bytes[GL_STORE_STAGING] = pl.staging;
    draft->bytes[GL_STORE_STATE] = pl.state;
    return ST_OK;
}

/* Values that nothing binds have no bytes. */
enum status gl_place(struct gl_draft *const *drafts, uint32_t n, const struct gl_limits *lim, bool repeated, struct err *err)
{
    struct memory_total total = {0};
    struct lives l = {0};
    enum status st = find_lives(&l, drafts, n, repeated, err);

    if (!st)
        st = memory_plan(l.use, l.n, gl_range_align(lim), &total, err);
    if (!st)
        st = place_textures(&l, &total, err);
    for (uint32_t i = 0; i < n && !st; i++) {
        drafts[i]->bytes[GL_STORE_VALUES] = total.bytes;
        if (!(st = list_textures(&l, drafts[i], err)))
            st = place_rest(drafts[i], &l, lim, err);
    }
    arena_free(&l.scratch);
    drafts[0]->lower_bound = total.lower_bound;
    drafts[0]->unshared = total.unshared;
    return st;
}

enum status gl_place_uniforms(struct gl_draft *draft, uint32_t align, struct err *err)
{
    uint64_t end = 0;
    struct intern seen;

    if (!intern_init(&seen, &draft->arena, draft->n_dispatches))
        return ir_nomem(err);
    for (uint32_t i = 0; i < draft->n_dispatches; i++) {
        struct gl_dispatch *d = &draft->dispatches[i];
        uint64_t bytes = 16 * (uint64_t)d->shader.n_uniforms;
        uint32_t like;

        if (!bytes)
            continue;
        like = intern(&seen, d->shader.numbers, bytes, i);
        d->numbers = like < i ? draft->dispatches[like].numbers : (end + align - 1) / align * align;
        if (like == i)
            end = d->numbers + bytes;
    }
    draft->bytes[GL_STORE_UNIFORMS] = end;
    return ST_OK;
}
