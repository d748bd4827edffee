/* SPDX-License-Identifier: Apache-2.0 */
/* plan_make.c - from dispatches with their ranges to a plan. */
#include "lib/gl/plan/draft.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/intern.h"

/* Arrays while they grow: capacities are known before. */
struct making {
    const struct gl_draft *draft;
    void *array[GL_PLAN_PARTS];
    uint32_t n[GL_PLAN_PARTS];
    uint32_t barriers;
    struct intern views;
    uint32_t *direct; /* [bindings] room to gather those of one transfer */
};

static void *next(struct making *m, enum gl_plan_part part)
{
    return (char *)m->array[part] + (size_t)m->n[part]++ * gl_plan_element[part];
}

static bool make_room(struct making *m, struct arena *a)
{
    const struct gl_draft *draft = m->draft;
    size_t room[GL_PLAN_PARTS] = {
        [GL_PLAN_DISPATCHES] = draft->n_dispatches, [GL_PLAN_PROGRAMS] = m->draft->programs.n,
        [GL_PLAN_TEXTURES] = draft->n_textures,     [GL_PLAN_UPLOADS] = draft->n_uploads,
        [GL_PLAN_DOWNLOADS] = draft->n_downloads,   [GL_PLAN_UNIFORMS] = draft->bytes[GL_STORE_UNIFORMS] / 4,
    };

    for (uint32_t i = 0; i < draft->n_dispatches; i++) {
        const struct gl_dispatch *d = &draft->dispatches[i];

        room[GL_PLAN_BINDINGS] += d->shader.n_bind;
        room[GL_PLAN_NODES] += d->shader.op ? d->shader.op->n_nodes : 0;
        room[GL_PLAN_STRINGS] += strlen(d->kind) + strlen(d->label) + strlen(d->why_copy) + 3;
    }
    room[GL_PLAN_VIEWS] = 4 * room[GL_PLAN_BINDINGS];
    room[GL_PLAN_DIRECT] = room[GL_PLAN_BINDINGS];
    for (int i = 0; i < GL_PLAN_PARTS; i++)
        if (room[i] > UINT32_MAX || !(m->array[i] = arena_alloc(a, room[i], gl_plan_element[i])))
            return false;
    if (!(m->direct = ARENA_ARRAY(a, room[GL_PLAN_BINDINGS], uint32_t)))
        return false;
    return intern_init(&m->views, a, room[GL_PLAN_VIEWS]);
}

static uint32_t add_string(struct making *m, const char *s)
{
    size_t bytes = strlen(s) + 1;
    uint32_t at = m->n[GL_PLAN_STRINGS];

    memcpy((char *)m->array[GL_PLAN_STRINGS] + at, s, bytes);
    m->n[GL_PLAN_STRINGS] += (uint32_t)bytes;
    return at;
}

/* The view of an equal range of those bytes, or a new one. */
static uint32_t find_or_add_view(struct making *m, const struct gl_binding *b, const struct gl_range *r, uint64_t offset,
                                 uint64_t bytes)
{
    const bool copy = b->through == GL_THROUGH_COPY || b->through == GL_THROUGH_FOUR;
    struct gl_plan_view *last = next(m, GL_PLAN_VIEWS);
    uint32_t new = m->n[GL_PLAN_VIEWS] - 1, i;

    *last = (struct gl_plan_view){.offset = offset,
                                  .bytes = bytes,
                                  .store = r->store,
                                  .format = copy ? gl_texture_format(b->format) : gl_image_format(b->format),
                                  .copy = copy};
    if ((i = intern(&m->views, last, sizeof *last, new)) < new)
        m->n[GL_PLAN_VIEWS]--;
    return i;
}

/* Constants are at offsets of their own, so that four views of them are new, and follow each other. */
static uint32_t view_of(struct making *m, const struct gl_binding *b, const struct gl_range *r)
{
    const uint64_t quarter = r->bytes / 4;
    uint32_t first;

    switch (b->through) {
    case GL_THROUGH_IMAGE:
    case GL_THROUGH_TEXEL:
    case GL_THROUGH_COPY: return find_or_add_view(m, b, r, r->offset, r->bytes);
    case GL_THROUGH_FOUR:
        first = find_or_add_view(m, b, r, r->offset, quarter);
        for (uint64_t k = 1; k < 4; k++)
            find_or_add_view(m, b, r, r->offset + k * quarter, quarter);
        return first;
    default: return GL_PLAN_NO_VIEW;
    }
}

static void add_binding(struct making *m, const struct gl_binding *b, const struct gl_range *r)
{
    struct gl_plan_binding *to = next(m, GL_PLAN_BINDINGS);

    *to = (struct gl_plan_binding){.offset = r->offset,
                                   .bytes = r->bytes,
                                   .store = r->store,
                                   .through = b->through,
                                   .point = b->point,
                                   .view = view_of(m, b, r)};
}

static void add_nodes(struct making *m, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->n_nodes; i++)
        *(uint32_t *)next(m, GL_PLAN_NODES) = (uint32_t)(op->nodes[i] - m->draft->graph->nodes);
}

static void add_dispatch(struct making *m, const struct gl_dispatch *d)
{
    const struct gl_shader *p = &d->shader;
    struct gl_plan_dispatch *to = next(m, GL_PLAN_DISPATCHES);

    *to = (struct gl_plan_dispatch){
        .numbers = d->numbers,
        .n_uniforms = p->n_uniforms,
        .program = d->program,
        .groups = {p->groups[0], p->groups[1], p->groups[2]},
        .barrier = d->barrier,
        .first_binding = m->n[GL_PLAN_BINDINGS],
        .n_bindings = p->n_bind,
        .first_node = m->n[GL_PLAN_NODES],
        .n_nodes = p->op ? p->op->n_nodes : 0,
        .kind = add_string(m, d->kind),
        .label = add_string(m, d->label),
        .why_copy = add_string(m, d->why_copy),
        .border = d->border ? d->border->index + 1 : 0,
    };
    m->barriers += d->barrier;
    for (uint32_t i = 0; i < p->n_bind; i++)
        add_binding(m, &p->bind[i], &d->ranges[i]);
    if (p->op)
        add_nodes(m, p->op);
    if (p->n_uniforms)
        memcpy((char *)m->array[GL_PLAN_UNIFORMS] + d->numbers, p->numbers, 16 * (size_t)p->n_uniforms);
}

static uint32_t index_of(const struct tensor *t, struct tensor *const *tensors)
{
    uint32_t i = 0;

    while (tensors[i] != t)
        i++;
    return i;
}

/* A binding is listed for one transfer: of two for one value the first. */
static bool is_listed(const struct making *m, uint32_t binding)
{
    const uint32_t *list = m->array[GL_PLAN_DIRECT];

    for (uint32_t i = 0; i < m->n[GL_PLAN_DIRECT]; i++)
        if (list[i] == binding)
            return true;
    return false;
}

static void add_direct(struct making *m, struct gl_plan_transfer *t, uint32_t dispatch)
{
    uint32_t first = m->n[GL_PLAN_DIRECT], n;
    bool dense;

    n = t->store == GL_STORE_STAGING ? gl_direct_bindings(m->draft, dispatch, m->direct, &dense) : 0;
    if (!n || is_listed(m, m->direct[0]))
        return;
    for (uint32_t i = 0; i < n; i++)
        *(uint32_t *)next(m, GL_PLAN_DIRECT) = m->direct[i];
    t->first_direct = first;
    t->n_direct = n;
    t->dense = dense;
}

/* What the CPU would do in place of the transfer's dispatch, which binds value and host elements. */
static enum gl_layout_kind layout_kind(const struct gl_binding *value, const struct gl_binding *host)
{
    const struct ir_value *v = value->value;
    const enum tensor_type t = host->host_type;

    if ((host->bind != GL_BIND_HOST_READ && host->bind != GL_BIND_HOST_WRITE) || !v || v->data || v->storage == GL_STORAGE_TEXTURE)
        return GL_LAYOUT_NONE;
    if (t == TYPE_FLOAT32 && v->type == IR_FLOAT)
        return value->format == GL_FORMAT_HALF ? GL_LAYOUT_HALVES : GL_LAYOUT_WORDS;
    if ((t == TYPE_INT32 || t == TYPE_UINT32) && value->format == GL_FORMAT_INT)
        return GL_LAYOUT_WORDS;
    return (t == TYPE_INT8 && value->format == GL_FORMAT_INT8) || (t == TYPE_UINT8 && value->format == GL_FORMAT_UINT8)
               ? GL_LAYOUT_BYTES
               : GL_LAYOUT_NONE;
}

/* Where the value lies, whose buffer is bound from `offset` on. */
static struct gl_layout layout_of(const struct gl_binding *b, enum gl_layout_kind kind, uint64_t offset)
{
    const struct ir_value *v = b->value;
    const struct ir_shape pitch = v->view.of ? v->view.pitch : v->shape;

    return (struct gl_layout){.offset = offset + ir_vector_at(v, (struct ir_shape){0, 0, 0, 0}) * gl_layout_vector(kind),
                              .pitch_b = (uint64_t)ir_slices(pitch) * (uint64_t)pitch.h * (uint64_t)pitch.w,
                              .pitch_s = (uint64_t)pitch.h * (uint64_t)pitch.w,
                              .pitch_h = (uint64_t)pitch.w,
                              .b = (uint32_t)v->shape.b,
                              .h = (uint32_t)v->shape.h,
                              .w = (uint32_t)v->shape.w,
                              .c = (uint32_t)v->shape.c,
                              .kind = kind,
                              .block_h = b->blocks ? (uint32_t)b->blocks->h : 1,
                              .block_w = b->blocks ? (uint32_t)b->blocks->w : 1};
}

/* An upload binds the host's elements and then the value, a download the values and then those. */
static void add_layouts(const struct making *m, struct gl_plan_transfer *t, uint32_t dispatch, bool up)
{
    const struct gl_dispatch *d = &m->draft->dispatches[dispatch];
    const struct gl_binding *host = &d->shader.bind[up ? 0 : d->shader.n_bind - 1];
    uint64_t left = t->bytes, span, bytes;

    _Static_assert(GL_PLAN_MAX_LAYOUTS >= IR_MAX_PARTS, "a layout for each part");
    for (uint32_t i = 0; i + 1 < d->shader.n_bind && t->store == GL_STORE_STAGING; i++, left -= bytes) {
        const enum gl_layout_kind kind = layout_kind(&d->shader.bind[up + i], host);
        struct gl_layout *to = &t->layouts[i];

        if (kind != GL_LAYOUT_NONE)
            *to = layout_of(&d->shader.bind[up + i], kind, d->ranges[up + i].offset);
        if (!gl_layout_span(to, &span, &bytes))
            return;
    }
    t->n_layouts = left ? 0 : d->shader.n_bind - 1;
}

/* The dispatches of transfers t[n] begin with `dispatch`. */
static void add_transfers(struct making *m, enum gl_plan_part part, const struct gl_transfer *t, uint32_t n,
                          struct tensor *const *tensors, uint32_t dispatch)
{
    for (uint32_t i = 0; i < n; i++) {
        struct gl_plan_transfer *to = next(m, part);

        *to = (struct gl_plan_transfer){.offset = t[i].offset,
                                        .bytes = t[i].tensor->bytes,
                                        .tensor = index_of(t[i].tensor, tensors),
                                        .store = t[i].stays ? GL_STORE_STATE : GL_STORE_STAGING};
        add_direct(m, to, dispatch + i);
        add_layouts(m, to, dispatch + i, part == GL_PLAN_UPLOADS);
    }
}

static void fill(struct making *m)
{
    const struct gl_draft *draft = m->draft;

    for (uint32_t i = 0; i < draft->n_dispatches; i++)
        add_dispatch(m, &draft->dispatches[i]);
    for (uint32_t i = 0; i < draft->n_textures; i++)
        *(struct gl_plan_texture *)next(m, GL_PLAN_TEXTURES) = draft->textures[i];
    m->n[GL_PLAN_UNIFORMS] = (uint32_t)(draft->bytes[GL_STORE_UNIFORMS] / 4);
    add_transfers(m, GL_PLAN_UPLOADS, draft->uploads, draft->n_uploads, draft->part->inputs, 0);
    add_transfers(m, GL_PLAN_DOWNLOADS, draft->downloads, draft->n_downloads, draft->part->outputs,
                  draft->n_dispatches - draft->n_downloads);
    for (uint32_t i = 0; i < m->draft->programs.n; i++)
        memcpy(((struct gl_plan_program *)next(m, GL_PLAN_PROGRAMS))->hash, draft->programs.list[i]->hash, SHA256_HEX_SIZE);
}

static uint64_t lay_out(const struct making *m, struct gl_plan_array parts[GL_PLAN_PARTS])
{
    uint64_t at = sizeof(struct gl_plan);

    for (int i = 0; i < GL_PLAN_PARTS; i++) {
        parts[i] = (struct gl_plan_array){at, m->n[i], 0};
        at += ((uint64_t)m->n[i] * gl_plan_element[i] + 7) / 8 * 8;
    }
    return at;
}

static struct gl_plan *join(const struct making *m)
{
    const struct gl_draft *draft = m->draft;
    struct gl_plan head =
                       {
                           .magic = GL_PLAN_MAGIC,
                           .version = GL_PLAN_VERSION,
                           .staging_read = draft->staging_read,
                           .texture_bytes = draft->texture_bytes,
                           .lower_bound = draft->lower_bound,
                           .unshared = draft->unshared,
                           .n_inputs = draft->part->n_inputs,
                           .n_outputs = draft->part->n_outputs,
                           .n_nodes = draft->graph->n_nodes,
                           .barriers = m->barriers,
                       },
                   *p;

    head.bytes = lay_out(m, head.parts);
    memcpy(head.store_bytes, draft->bytes, sizeof head.store_bytes);
    memcpy(head.weights, draft->weights, sizeof head.weights);
    if (!(p = calloc(1, head.bytes)))
        return NULL;
    *p = head;
    for (int i = 0; i < GL_PLAN_PARTS; i++)
        memcpy((char *)p + head.parts[i].at, m->array[i], (size_t)m->n[i] * gl_plan_element[i]);
    return p;
}

enum status gl_plan_make(struct gl_draft *draft, struct gl_plan **out, struct err *err)
{
    struct making m = {.draft = draft};

    *out = NULL;
    if (!make_room(&m, &draft->arena))
        return ir_nomem(err);
    fill(&m);
    return (*out = join(&m)) ? gl_plan_check(*out, (*out)->bytes, err) : ir_nomem(err);
}
