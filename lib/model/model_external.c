/* SPDX-License-Identifier: Apache-2.0 */
/* model_external.c - buffers whose content is in another file or section: they become buffers of the model like any other. */
#include <stdlib.h>
#include <string.h>

#include "lib/model/model_impl.h"
#include "lib/model/weights.h"

/* Who writes the model into one file writes shared bytes again and again. */
enum { MOST_SHARED = 64 };

static void read_external(struct loader *l, const struct fb_table *from, struct model_external *x)
{
    struct fb *f = &l->fb;
    const char *packing = fb_string(f, from, EXTERNAL_PACKING, "its packing");

    x->id = fb_u32(f, from, EXTERNAL_ID, 0);
    x->group = fb_u32(f, from, EXTERNAL_GROUP, 0);
    x->offset = fb_u64(f, from, EXTERNAL_OFFSET, 0);
    x->bytes = fb_u64(f, from, EXTERNAL_LENGTH, 0);
    if (!x->id)
        fb_fail(f, ST_BAD_MODEL, "its id is 0");
    else if (x->group >= l->m->n_groups)
        fb_fail(f, ST_BAD_MODEL, "it is in weight group %u of %u", x->group, l->m->n_groups);
    else if (x->bytes > UINT64_MAX / 2 || x->offset > UINT64_MAX / 2)
        fb_fail(f, ST_BAD_MODEL, "%llu bytes at offset %llu", (unsigned long long)x->bytes, (unsigned long long)x->offset);
    else if (packing && *packing && strcmp(packing, "unpacked") != 0 && strcmp(packing, "none") != 0)
        fb_fail(f, ST_UNSUPPORTED, "it is packed as \"%.40s\"", packing);
}

static int by_id(const void *a, const void *b)
{
    const struct model_external *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static struct model_external *read_list(struct loader *l, const struct fb_table *root)
{
    struct fb *f = &l->fb;
    struct fb_vector v = fb_tables(f, root, MODEL_EXTERNALS, "external buffers");
    struct model_external *list = FB_ARRAY(f, v.n, struct model_external);

    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, "it");

        read_external(l, &at, &list[i]);
        if (f->st)
            fb_prefix(f, "external buffer %u", i);
    }
    if (f->st)
        return NULL;
    qsort(list, v.n, sizeof *list, by_id);
    for (uint32_t i = 1; i < v.n; i++)
        if (list[i].id == list[i - 1].id)
            fb_fail(f, ST_BAD_MODEL, "two external buffers have id %u", list[i].id);
    l->externals = list;
    l->n_externals = v.n;
    return list;
}

/* The part of the store that is used: it may be that of a bundle, for many models. */
static void map_group(struct loader *l, uint32_t group)
{
    uint64_t from = UINT64_MAX, to = 0, total = 0;

    for (uint32_t i = 0; i < l->n_externals; i++) {
        const struct model_external *x = &l->externals[i];

        if (x->group != group || !x->bytes)
            continue;
        from = x->offset < from ? x->offset : from;
        to = x->offset + x->bytes > to ? x->offset + x->bytes : to;
        total = total + x->bytes < total ? UINT64_MAX : total + x->bytes;
    }
    if (to && total / MOST_SHARED > to - from)
        fb_fail(&l->fb, ST_BAD_MODEL, "weight group %u \"%.80s\": buffers share %llu bytes over %d times", group,
                l->m->groups[group].name, (unsigned long long)(to - from), MOST_SHARED);
    else if (to)
        l->fb.st = weights_map(l->places, from, to, &l->m->groups[group], l->fb.arena, l->fb.err);
}

void model_read_external(struct loader *l, const struct fb_table *root)
{
    struct model *m = l->m;
    const struct model_external *list = read_list(l, root);
    struct model_buffer *all;

    l->n_file_buffers = m->n_buffers ? m->n_buffers : 1; /* number 0 means none */
    for (uint32_t i = 0; i < m->n_groups && !l->fb.st; i++)
        map_group(l, i);
    if (l->fb.st || !l->n_externals || !(all = FB_ARRAY(&l->fb, (size_t)l->n_file_buffers + l->n_externals, struct model_buffer)))
        return;
    if (m->n_buffers)
        memcpy(all, m->buffers, m->n_buffers * sizeof *all);
    for (uint32_t i = 0; i < l->n_externals; i++) {
        const struct model_external *x = &list[i];
        const struct model_group *g = &m->groups[x->group];

        all[l->n_file_buffers + i].external = x;
        all[l->n_file_buffers + i].bytes = (size_t)x->bytes;
        if (x->bytes)
            all[l->n_file_buffers + i].data = g->range.data + (x->offset - g->offset);
    }
    m->buffers = all;
    m->n_buffers = l->n_file_buffers + l->n_externals;
}

uint32_t model_external_buffer(struct loader *l, uint32_t id)
{
    const struct model_external key = {.id = id};
    const struct model_external *found = l->n_externals ? bsearch(&key, l->externals, l->n_externals, sizeof key, by_id) : NULL;

    if (found)
        return l->n_file_buffers + (uint32_t)(found - l->externals);
    fb_fail(&l->fb, ST_BAD_MODEL, "its data is in external buffer %u, which does not exist", id);
    return 0;
}
