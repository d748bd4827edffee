/* SPDX-License-Identifier: Apache-2.0 */
/* texture.c - see texture.h */
#include "lib/gl/ir/texture.h"

#include <stdlib.h>

bool gl_fits_texture(const struct gl_limits *lim, struct ir_shape s)
{
    const uint64_t slices = (uint64_t)ir_slices(s), size = lim->texture_size;

    if (!lim->texture_reads)
        return false;
    if (gl_is_single_pixels(s))
        return slices <= size && (uint64_t)s.b <= size;
    return (uint64_t)s.w <= size && (uint64_t)s.h <= size && (uint64_t)s.b * slices <= lim->texture_layers;
}

struct gl_extent gl_extent_of(struct ir_shape s)
{
    const uint32_t slices = (uint32_t)ir_slices(s);

    if (gl_is_single_pixels(s))
        return (struct gl_extent){slices, (uint32_t)s.b, 1};
    return (struct gl_extent){(uint32_t)s.w, (uint32_t)s.h, (uint32_t)s.b * slices};
}

/* ---- sharing ---- */

static int by_first(const void *a, const void *b)
{
    const struct gl_texture_use *x = *(struct gl_texture_use *const *)a, *y = *(struct gl_texture_use *const *)b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x < y ? -1 : x > y; /* equal on every machine */
}

static bool alike(const struct gl_texture_use *a, const struct gl_texture_use *b)
{
    return a->extent.width == b->extent.width && a->extent.height == b->extent.height && a->extent.layers == b->extent.layers &&
           a->format == b->format;
}

/* holder[n]: who had each texture last. */
static uint32_t take(struct gl_texture_use *const *holder, uint32_t n, const struct gl_texture_use *u)
{
    uint32_t best = n;

    for (uint32_t i = 0; i < n; i++)
        if (alike(holder[i], u) && holder[i]->last < u->first && (best == n || holder[i]->last < holder[best]->last))
            best = i;
    return best;
}

enum status gl_share_textures(struct gl_texture_use *use, uint32_t n, uint32_t *textures, struct err *err)
{
    struct gl_texture_use **order = calloc((size_t)n + 1, sizeof(struct gl_texture_use *)),
                          **holder = calloc((size_t)n + 1, sizeof(struct gl_texture_use *));
    uint32_t made = 0, used = 0;
    const bool ok = order && holder;

    for (uint32_t i = 0; i < n && ok; i++)
        if (use[i].extent.width)
            order[used++] = &use[i];
    if (ok)
        qsort(order, used, sizeof *order, by_first);
    for (uint32_t i = 0; i < used; i++) {
        const uint32_t t = take(holder, made, order[i]);

        made += t == made;
        holder[t] = order[i];
        order[i]->texture = t;
    }
    free(order);
    free(holder);
    *textures = made;
    return ok ? ST_OK : ir_nomem(err);
}
