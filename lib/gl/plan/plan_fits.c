/* SPDX-License-Identifier: Apache-2.0 */
/* plan_fits.c - a plan against the device that is to run it: what the dry run promised of each shader, asked of the plan itself. */
#include "lib/gl/plan/plan.h"

#include <string.h>

#include "lib/gl/codegen/shader.h"
#include "lib/gl/device/limits.h"

static enum status beyond(struct err *err, const char *what, uint32_t i)
{
    return err_set(err, ST_BAD_MODEL, "a plan is of another device: %s %u", what, i);
}

/* ---- bindings ---- */

static bool view_fits(const struct gl_plan_view *v, const struct gl_limits *lim)
{
    const uint64_t texel = gl_plan_texel_bytes(v->format);

    return v->offset % (v->copy ? texel : gl_range_align(lim)) == 0 && v->bytes % texel == 0 &&
           (v->copy ? GL_COPY_WIDTH <= lim->texture_size && gl_plan_copy_rows(v) <= lim->texture_size
                    : v->bytes / texel <= lim->image_vectors);
}

/* The n views are its parts, one behind the other. */
static bool are_views_of(const struct gl_plan_view *v, uint32_t n, const struct gl_plan_binding *b)
{
    bool are = true;

    for (uint32_t i = 0; i < n; i++)
        are = are && v[i].store == b->store && v[i].bytes == b->bytes / n && v[i].offset == b->offset + i * (b->bytes / n);
    return are;
}

static bool binding_fits(const struct gl_plan *p, const struct gl_plan_binding *b, const struct gl_limits *lim)
{
    const struct gl_plan_view *v = (const struct gl_plan_view *)gl_plan_array(p, GL_PLAN_VIEWS) + b->view;

    switch ((enum gl_through)b->through) {
    case GL_THROUGH_BLOCK:
        return b->point < lim->storage_blocks && b->offset % gl_range_align(lim) == 0 && b->bytes <= lim->storage_block_bytes;
    case GL_THROUGH_IMAGE: return b->point < lim->image_units && are_views_of(v, 1, b);
    case GL_THROUGH_COPY:
    case GL_THROUGH_TEXEL: return b->point < lim->texel_reads && are_views_of(v, 1, b);
    case GL_THROUGH_FOUR: return (uint64_t)b->point + 4 <= lim->texel_reads && are_views_of(v, 4, b);
    case GL_THROUGH_UNIFORM:
        return b->point && b->point <= lim->uniform_reads && b->offset % lim->uniform_align == 0 &&
               b->bytes <= lim->uniform_block_bytes;
    case GL_THROUGH_TEXTURE: return b->point < lim->texture_reads;
    default: return b->point < lim->image_units;
    }
}

static enum status bindings_fit(const struct gl_plan *p, const struct gl_limits *lim, struct err *err)
{
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);
    const struct gl_plan_view *v = gl_plan_array(p, GL_PLAN_VIEWS);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_VIEWS); i++)
        if (!view_fits(&v[i], lim))
            return beyond(err, "view", i);
    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_BINDINGS); i++)
        if (!binding_fits(p, &b[i], lim))
            return beyond(err, "binding", i);
    return ST_OK;
}

/* ---- the rest ---- */

static bool dispatch_fits(const struct gl_plan_dispatch *d, const struct gl_limits *lim)
{
    for (int i = 0; i < 3; i++)
        if (d->groups[i] > lim->group_count[i])
            return false;
    if (d->n_uniforms && (!lim->uniform_blocks || d->numbers % lim->uniform_align))
        return false;
    return d->n_bindings <= GL_MAX_BINDINGS && 16 * (uint64_t)d->n_uniforms <= lim->uniform_block_bytes;
}

static bool texture_fits(const struct gl_plan_texture *t, const struct gl_limits *lim)
{
    return lim->texture_reads && t->width <= lim->texture_size && t->height <= lim->texture_size &&
           t->layers <= lim->texture_layers;
}

/* Bytes until the next range may begin, behind one that does: memory.c takes no more of a buffer for it. */
static uint64_t room_of(uint64_t bytes, const struct gl_limits *lim)
{
    const uint64_t align = gl_range_align(lim);

    return bytes / align * align + (bytes % align ? align : 0);
}

/* Transfers lie side by side, each with what its shader binds of it. */
static uint64_t most_of(const struct gl_plan *p, enum gl_store store, const struct gl_limits *lim)
{
    uint64_t most = 0;

    for (int part = GL_PLAN_UPLOADS; part <= GL_PLAN_DOWNLOADS; part++) {
        const struct gl_plan_transfer *t = gl_plan_array(p, (enum gl_plan_part)part);

        for (uint32_t i = 0; i < gl_plan_n(p, (enum gl_plan_part)part); i++)
            if (t[i].store == store)
                most += room_of(gl_staged_bytes(t[i].bytes), lim);
    }
    return most;
}

enum status gl_plan_fits(const struct gl_plan *p, const struct gl_limits *lim, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);
    const struct gl_plan_texture *t = gl_plan_array(p, GL_PLAN_TEXTURES);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_DISPATCHES); i++)
        if (!dispatch_fits(&d[i], lim))
            return beyond(err, "dispatch", i);
    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_TEXTURES); i++)
        if (!texture_fits(&t[i], lim))
            return beyond(err, "texture", i);
    if (p->store_bytes[GL_STORE_STAGING] > most_of(p, GL_STORE_STAGING, lim))
        return beyond(err, "staging", 0);
    if (p->store_bytes[GL_STORE_STATE] > most_of(p, GL_STORE_STATE, lim))
        return beyond(err, "state", 0);
    return bindings_fit(p, lim, err);
}

/* ---- together ---- */

/* Values begin where another ends or at 0, so none is beyond the sum of all. */
static uint64_t add_values(const struct gl_plan *p, const struct gl_limits *lim, uint64_t most)
{
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_BINDINGS); i++)
        if (b[i].store == GL_STORE_VALUES)
            most += room_of(b[i].bytes, lim);
    return most;
}

static bool same_memory(const struct gl_plan *a, const struct gl_plan *b)
{
    const uint32_t n = gl_plan_n(a, GL_PLAN_TEXTURES);

    return a->store_bytes[GL_STORE_VALUES] == b->store_bytes[GL_STORE_VALUES] && n == gl_plan_n(b, GL_PLAN_TEXTURES) &&
           !memcmp(gl_plan_array(a, GL_PLAN_TEXTURES), gl_plan_array(b, GL_PLAN_TEXTURES), n * sizeof(struct gl_plan_texture));
}

bool gl_plans_agree(const struct gl_plan *const *ps, uint32_t n, const struct gl_limits *lim)
{
    const uint64_t values = ps[0]->store_bytes[GL_STORE_VALUES];
    uint64_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!same_memory(ps[0], ps[i]) || ps[i]->lower_bound > values + ps[i]->texture_bytes ||
            ps[i]->lower_bound > ps[i]->unshared)
            return false;
        most = add_values(ps[i], lim, most);
    }
    return values <= most;
}
