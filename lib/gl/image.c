/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - views of buffer ranges as image buffers, for devices that read those faster. */
#include "compiled.h"

GLenum gl_image_format(const struct gl_binding *b)
{
    if (b->bind == GL_BIND_TABLE || (b->value && b->value->type == IR_INT))
        return GL_RGBA32I;
    return b->half ? GL_RGBA16F : GL_RGBA32F;
}

static void point(const struct gl_compiled *k, const struct gl_view *v)
{
    glBindTexture(GL_TEXTURE_BUFFER_EXT, v->range.image);
    glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, v->format, k->buffers[v->range.store], (GLintptr)v->range.offset,
                        (GLsizeiptr)v->range.bytes);
}

/* The view made for an equal range, or a new one. */
static GLuint find_or_make(struct gl_compiled *k, const struct gl_range *r, GLenum format)
{
    struct gl_view *v = k->views;

    while (v < k->views + k->n_views &&
           (v->range.store != r->store || v->range.offset != r->offset || v->range.bytes != r->bytes || v->format != format))
        v++;
    if (v < k->views + k->n_views)
        return v->range.image;
    *v = (struct gl_view){*r, format};
    k->n_views++;
    glGenTextures(1, &v->range.image);
    point(k, v);
    return v->range.image;
}

enum status gl_make_images(struct gl_compiled *k, struct err *err)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < k->n_dispatches; i++)
        for (uint32_t j = 0; j < k->dispatches[i].shader.n_bind; j++)
            n += k->dispatches[i].shader.bind[j].image;
    if (!(k->views = ARENA_ARRAY(&k->arena, n, struct gl_view)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        for (uint32_t j = 0; j < k->dispatches[i].shader.n_bind; j++) {
            const struct gl_binding *b = &k->dispatches[i].shader.bind[j];

            if (b->image)
                k->dispatches[i].ranges[j].image = find_or_make(k, &k->dispatches[i].ranges[j], gl_image_format(b));
        }
    return gl_context_check(k->set.context, "making image views", err);
}

enum status gl_follow_shared(struct gl_compiled *k, struct err *err)
{
    const struct gl_shared *s = k->set.shared;

    if (k->made == s->made)
        return ST_OK;
    k->buffers[GL_STORE_VALUES] = s->buffer[GL_SHARED_VALUES];
    k->buffers[GL_STORE_STAGING] = s->buffer[GL_SHARED_STAGING];
    for (uint32_t i = 0; i < k->n_views; i++)
        if (k->views[i].range.store == GL_STORE_VALUES || k->views[i].range.store == GL_STORE_STAGING)
            point(k, &k->views[i]);
    k->made = s->made;
    return gl_context_check(k->set.context, "viewing larger buffers", err);
}
