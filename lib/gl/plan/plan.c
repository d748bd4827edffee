/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - what a plan must be for a run to trust it. */
#include "lib/gl/plan/plan.h"

#include <string.h>

#include "lib/gl/device/headers.h"

const uint32_t gl_plan_element[GL_PLAN_PARTS] = {
    [GL_PLAN_DISPATCHES] = sizeof(struct gl_plan_dispatch),
    [GL_PLAN_BINDINGS] = sizeof(struct gl_plan_binding),
    [GL_PLAN_VIEWS] = sizeof(struct gl_plan_view),
    [GL_PLAN_TEXTURES] = sizeof(struct gl_plan_texture),
    [GL_PLAN_UPLOADS] = sizeof(struct gl_plan_transfer),
    [GL_PLAN_DOWNLOADS] = sizeof(struct gl_plan_transfer),
    [GL_PLAN_DIRECT] = sizeof(uint32_t),
    [GL_PLAN_PROGRAMS] = sizeof(struct gl_plan_program),
    [GL_PLAN_NODES] = sizeof(uint32_t),
    [GL_PLAN_UNIFORMS] = sizeof(int32_t),
    [GL_PLAN_STRINGS] = 1,
};

static enum status broken(struct err *err, const char *what, uint32_t i)
{
    return err_set(err, ST_BAD_MODEL, "a plan is damaged: %s %u", what, i);
}

/* [offset, offset + bytes) lies in [from, to), overflow or not. */
static bool within(uint64_t offset, uint64_t bytes, uint64_t from, uint64_t to)
{
    return offset >= from && offset <= to && bytes <= to - offset;
}

static bool part_holds(const struct gl_plan *p, enum gl_plan_part part, uint32_t first, uint32_t n)
{
    return within(first, n, 0, gl_plan_n(p, part));
}

static enum status check_parts(const struct gl_plan *p, size_t n, struct err *err)
{
    const struct gl_plan_array *strings = &p->parts[GL_PLAN_STRINGS];

    for (uint32_t i = 0; i < GL_PLAN_PARTS; i++)
        if (p->parts[i].at % 8 || !within(p->parts[i].at, (uint64_t)p->parts[i].n * gl_plan_element[i], sizeof *p, n))
            return broken(err, "array", i);
    if (strings->n && ((const char *)p)[strings->at + strings->n - 1])
        return broken(err, "string", strings->n);
    return ST_OK;
}

static bool good_range(const struct gl_plan *p, uint32_t store, uint64_t offset, uint64_t bytes)
{
    return store < GL_STORE_UNIFORMS && bytes && within(offset, bytes, 0, p->store_bytes[store]);
}

uint32_t gl_image_format(enum gl_format format)
{
    static const uint32_t formats[GL_FORMATS] = {[GL_FORMAT_FLOAT] = GL_RGBA32F,
                                                 [GL_FORMAT_HALF] = GL_RGBA16F,
                                                 [GL_FORMAT_INT] = GL_RGBA32I,
                                                 [GL_FORMAT_INT8] = GL_RGBA8I,
                                                 [GL_FORMAT_UINT8] = GL_RGBA8UI};

    return formats[format];
}

uint32_t gl_texture_format(enum gl_format format)
{
    return format == GL_FORMAT_HALF ? GL_RGBA16UI : gl_image_format(format);
}

uint64_t gl_plan_texel_bytes(uint32_t format)
{
    switch (format) {
    case GL_RGBA32F:
    case GL_RGBA32I: return 16;
    case GL_RGBA16F:
    case GL_RGBA16UI: return 8;
    case GL_RGBA8I:
    case GL_RGBA8UI: return 4;
    default: return 0;
    }
}

/* Of `left` bytes of constants that are in no copy yet. */
static bool good_copy(const struct gl_plan_view *v, uint64_t *left)
{
    if (v->copy != 1 || v->store != GL_STORE_CONSTANTS || v->format == GL_RGBA16F || v->bytes > *left)
        return false;
    *left -= v->bytes;
    return true;
}

static enum status check_views(const struct gl_plan *p, struct err *err)
{
    const struct gl_plan_view *v = gl_plan_array(p, GL_PLAN_VIEWS);
    uint64_t left = p->store_bytes[GL_STORE_CONSTANTS];

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_VIEWS); i++)
        if (!good_range(p, v[i].store, v[i].offset, v[i].bytes) || !gl_plan_texel_bytes(v[i].format) ||
            (v[i].copy && !good_copy(&v[i], &left)))
            return broken(err, "view", i);
    return ST_OK;
}

uint64_t gl_plan_copy_rows(const struct gl_plan_view *v)
{
    const uint64_t row = GL_COPY_WIDTH * gl_plan_texel_bytes(v->format);

    return v->bytes / row + (v->bytes % row != 0);
}

uint64_t gl_plan_copy_bytes(const struct gl_plan *p)
{
    const struct gl_plan_view *v = gl_plan_array(p, GL_PLAN_VIEWS);
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_VIEWS); i++)
        bytes += v[i].copy ? gl_plan_copy_rows(&v[i]) * GL_COPY_WIDTH * gl_plan_texel_bytes(v[i].format) : 0;
    return bytes;
}

static bool good_extent(uint32_t n)
{
    return n && n <= GL_PLAN_MAX_EXTENT;
}

/* Bytes of all texels; false where that overflows. Extents are below 2^21. */
static bool add_texture(const struct gl_plan_texture *t, uint64_t *bytes)
{
    uint64_t more;

    return !__builtin_mul_overflow((uint64_t)t->width * t->height * t->layers, gl_plan_texel_bytes(t->format), &more) &&
           !__builtin_add_overflow(*bytes, more, bytes);
}

static enum status check_textures(const struct gl_plan *p, struct err *err)
{
    const struct gl_plan_texture *t = gl_plan_array(p, GL_PLAN_TEXTURES);
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_TEXTURES); i++)
        if (!good_extent(t[i].width) || !good_extent(t[i].height) || !good_extent(t[i].layers) ||
            !gl_plan_texel_bytes(t[i].format) || !add_texture(&t[i], &bytes))
            return broken(err, "texture", i);
    return bytes == p->texture_bytes ? ST_OK : broken(err, "texture", gl_plan_n(p, GL_PLAN_TEXTURES));
}

static bool has_views(const struct gl_plan *p, const struct gl_plan_binding *b, uint32_t n, uint32_t copy)
{
    const struct gl_plan_view *v = gl_plan_array(p, GL_PLAN_VIEWS);
    bool good = good_range(p, b->store, b->offset, b->bytes) && part_holds(p, GL_PLAN_VIEWS, b->view, n);

    for (uint32_t i = 0; good && i < n; i++)
        good = v[b->view + i].copy == copy;
    return good;
}

static bool good_binding(const struct gl_plan *p, const struct gl_plan_binding *b)
{
    switch (b->through) {
    case GL_THROUGH_BLOCK: return good_range(p, b->store, b->offset, b->bytes) && b->view == GL_PLAN_NO_VIEW;
    case GL_THROUGH_UNIFORM:
        return good_range(p, b->store, b->offset, b->bytes) && b->store == GL_STORE_CONSTANTS && b->view == GL_PLAN_NO_VIEW;
    case GL_THROUGH_IMAGE:
    case GL_THROUGH_TEXEL: return has_views(p, b, 1, 0);
    case GL_THROUGH_COPY: return has_views(p, b, 1, 1);
    case GL_THROUGH_FOUR: return has_views(p, b, 4, 1);
    case GL_THROUGH_TEXTURE:
    case GL_THROUGH_STORE:
        return b->store == GL_STORE_TEXTURES && b->bytes == 1 && b->offset < gl_plan_n(p, GL_PLAN_TEXTURES) &&
               b->view == GL_PLAN_NO_VIEW;
    default: return false;
    }
}

static enum status check_bindings(const struct gl_plan *p, struct err *err)
{
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_BINDINGS); i++)
        if (!good_binding(p, &b[i]))
            return broken(err, "binding", i);
    return ST_OK;
}

/* How many dispatches have one is said twice. */
static enum status check_barriers(const struct gl_plan *p, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);
    uint32_t n = 0;

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_DISPATCHES); i++)
        n += d[i].barrier;
    return n == p->barriers ? ST_OK : broken(err, "barrier", n);
}

static bool good_dispatch(const struct gl_plan *p, const struct gl_plan_dispatch *d)
{
    return part_holds(p, GL_PLAN_PROGRAMS, d->program, 1) && part_holds(p, GL_PLAN_BINDINGS, d->first_binding, d->n_bindings) &&
           part_holds(p, GL_PLAN_NODES, d->first_node, d->n_nodes) && part_holds(p, GL_PLAN_STRINGS, d->kind, 1) &&
           part_holds(p, GL_PLAN_STRINGS, d->label, 1) && part_holds(p, GL_PLAN_STRINGS, d->why_copy, 1) && d->barrier <= 1 &&
           d->groups[0] && d->groups[1] && d->groups[2] &&
           within(d->numbers, 16 * (uint64_t)d->n_uniforms, 0, p->store_bytes[GL_STORE_UNIFORMS]);
}

static enum status check_dispatches(const struct gl_plan *p, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_DISPATCHES); i++)
        if (!good_dispatch(p, &d[i]))
            return broken(err, "dispatch", i);
    return ST_OK;
}

/* No more in all forms than there is. */
static enum status check_weights(const struct gl_plan *p, struct err *err)
{
    uint64_t left = p->store_bytes[GL_STORE_CONSTANTS];

    for (uint32_t i = 0; i < GL_STORED; left -= p->weights[i++])
        if (p->weights[i] > left)
            return broken(err, "form of weights", i);
    return ST_OK;
}

/* Bindings of one range of the values, which a range of a buffer can take the place of; where a dense tensor can, it is as long. */
static bool good_direct(const struct gl_plan *p, const struct gl_plan_transfer *t)
{
    const uint32_t *list = gl_plan_array(p, GL_PLAN_DIRECT);
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS), *first;

    if (!part_holds(p, GL_PLAN_DIRECT, t->first_direct, t->n_direct) || t->dense > (t->n_direct > 0) ||
        (t->n_direct && t->store != GL_STORE_STAGING))
        return false;
    for (uint32_t i = 0; i < t->n_direct; i++) {
        const uint32_t at = list[t->first_direct + i];

        if (at >= gl_plan_n(p, GL_PLAN_BINDINGS))
            return false;
        first = &b[list[t->first_direct]];
        if (b[at].store != GL_STORE_VALUES || b[at].offset != first->offset || b[at].bytes != first->bytes ||
            (t->dense && b[at].bytes != t->bytes))
            return false;
    }
    return true;
}

/* All of the tensor and no more, within the values. */
static bool good_layouts(const struct gl_plan *p, const struct gl_plan_transfer *t, bool up)
{
    uint64_t left = t->bytes, span, bytes;

    if (t->n_layouts > GL_PLAN_MAX_LAYOUTS || (t->n_layouts && t->store != GL_STORE_STAGING))
        return false;
    for (uint32_t i = 0; i < t->n_layouts; i++, left -= bytes) {
        const struct gl_layout *l = &t->layouts[i];

        if (l->offset % 4 || (up && (l->block_h != 1 || l->block_w != 1)) || !gl_layout_span(l, &span, &bytes) || bytes > left ||
            !within(l->offset, span, 0, p->store_bytes[GL_STORE_VALUES]))
            return false;
    }
    return !t->n_layouts || !left;
}

static bool good_transfer(const struct gl_plan *p, const struct gl_plan_transfer *t, bool up, uint64_t from, uint64_t to)
{
    if (!good_direct(p, t) || !good_layouts(p, t, up))
        return false;
    return t->store == GL_STORE_STATE ? within(t->offset, t->bytes, 0, p->store_bytes[GL_STORE_STATE])
                                      : t->store == GL_STORE_STAGING && within(t->offset, t->bytes, from, to);
}

static enum status check_transfers(const struct gl_plan *p, enum gl_plan_part part, uint64_t from, uint64_t to, uint32_t n_tensors,
                                   struct err *err)
{
    const struct gl_plan_transfer *t = gl_plan_array(p, part);

    for (uint32_t i = 0; i < gl_plan_n(p, part); i++)
        if (t[i].tensor >= n_tensors || !good_transfer(p, &t[i], part == GL_PLAN_UPLOADS, from, to))
            return broken(err, part == GL_PLAN_UPLOADS ? "upload" : "download", i);
    return ST_OK;
}

static enum status check_programs(const struct gl_plan *p, struct err *err)
{
    const struct gl_plan_program *program = gl_plan_array(p, GL_PLAN_PROGRAMS);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_PROGRAMS); i++)
        if (program[i].hash[SHA256_HEX_SIZE - 1] || strspn(program[i].hash, "0123456789abcdef") != SHA256_HEX_SIZE - 1)
            return broken(err, "program", i);
    return ST_OK;
}

static enum status check_nodes(const struct gl_plan *p, struct err *err)
{
    const uint32_t *node = gl_plan_array(p, GL_PLAN_NODES);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_NODES); i++)
        if (node[i] >= p->n_nodes)
            return broken(err, "node", i);
    return ST_OK;
}

static enum status check_head(const struct gl_plan *p, size_t n, struct err *err)
{
    if (n < sizeof *p || p->magic != GL_PLAN_MAGIC)
        return err_set(err, ST_BAD_MODEL, "%zu bytes are no plan", n);
    if (p->version != GL_PLAN_VERSION)
        return err_set(err, ST_BAD_MODEL, "a plan of version %u instead of %u", p->version, GL_PLAN_VERSION);
    if (p->bytes != n)
        return err_set(err, ST_BAD_MODEL, "a plan of %llu bytes in %zu", (unsigned long long)p->bytes, n);
    return ST_OK;
}

enum status gl_plan_check(const void *data, size_t n, struct err *err)
{
    const struct gl_plan *p = data;
    const uint64_t *store = p->store_bytes;
    enum status st;

    if ((st = check_head(p, n, err)) || (st = check_parts(p, n, err)))
        return st;
    if (store[GL_STORE_UNIFORMS] != 4 * (uint64_t)gl_plan_n(p, GL_PLAN_UNIFORMS))
        return broken(err, "number", gl_plan_n(p, GL_PLAN_UNIFORMS));
    if (p->staging_read > store[GL_STORE_STAGING])
        return broken(err, "staging", 0);
    if ((uint64_t)gl_plan_n(p, GL_PLAN_UPLOADS) + gl_plan_n(p, GL_PLAN_DOWNLOADS) > gl_plan_n(p, GL_PLAN_DISPATCHES))
        return broken(err, "dispatch", gl_plan_n(p, GL_PLAN_DISPATCHES)); /* each transfer has its own */
    if ((st = check_weights(p, err)) || (st = check_views(p, err)) || (st = check_textures(p, err)) ||
        (st = check_bindings(p, err)) || (st = check_dispatches(p, err)) || (st = check_barriers(p, err)) ||
        (st = check_programs(p, err)) || (st = check_nodes(p, err)) ||
        (st = check_transfers(p, GL_PLAN_UPLOADS, 0, p->staging_read, p->n_inputs, err)))
        return st;
    return check_transfers(p, GL_PLAN_DOWNLOADS, p->staging_read, store[GL_STORE_STAGING], p->n_outputs, err);
}

static bool transfers_suit(const struct gl_plan *p, enum gl_plan_part part, struct tensor *const *tensors)
{
    const struct gl_plan_transfer *t = gl_plan_array(p, part);

    for (uint32_t i = 0; i < gl_plan_n(p, part); i++)
        if (t[i].bytes != tensors[t[i].tensor]->bytes)
            return false;
    return true;
}

static bool borders_suit(const struct gl_plan *p, const struct graph *g)
{
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_DISPATCHES); i++)
        if (d[i].border > g->n_tensors)
            return false;
    return true;
}

enum status gl_plan_suits(const struct gl_plan *p, const struct graph *g, const struct partition *part, struct err *err)
{
    if (p->n_inputs != part->n_inputs || p->n_outputs != part->n_outputs || p->n_nodes != g->n_nodes ||
        !transfers_suit(p, GL_PLAN_UPLOADS, part->inputs) || !transfers_suit(p, GL_PLAN_DOWNLOADS, part->outputs) ||
        !borders_suit(p, g))
        return err_set(err, ST_BAD_MODEL, "a plan of another partition");
    return ST_OK;
}
