/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - what shaders reach through images and textures: views of buffer ranges as image buffers, for devices that read those
 * faster, and the shared textures. */
#include "compiled.h"

#include <stdlib.h>

static void point(const struct gl_compiled *k, uint32_t i)
{
    const struct gl_plan_view *v = (const struct gl_plan_view *)gl_plan_array(k->plan, GL_PLAN_VIEWS) + i;

    glBindTexture(GL_TEXTURE_BUFFER_EXT, k->images[i]);
    glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, v->format, k->buffers[v->store], (GLintptr)v->offset, (GLsizeiptr)v->bytes);
}

/* A dispatch reads through texture units. */
static bool fetches(const struct gl_plan *p)
{
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_BINDINGS); i++)
        if (b[i].through == GL_THROUGH_TEXTURE || b[i].through == GL_THROUGH_TEXEL)
            return true;
    return false;
}

enum status gl_make_images(struct gl_compiled *k, struct err *err)
{
    uint32_t n = gl_plan_n(k->plan, GL_PLAN_VIEWS);

    k->fetches = fetches(k->plan);
    if (!(k->images = calloc((size_t)n + 1, sizeof *k->images)))
        return ir_nomem(err);
    glGenTextures((GLsizei)n, k->images);
    for (uint32_t i = 0; i < n; i++)
        point(k, i);
    return gl_context_check(k->set.context, "making image views", err);
}

GLenum gl_image_format(enum gl_format format)
{
    static const GLenum formats[GL_FORMATS] = {[GL_FORMAT_FLOAT] = GL_RGBA32F,
                                               [GL_FORMAT_HALF] = GL_RGBA16F,
                                               [GL_FORMAT_INT] = GL_RGBA32I,
                                               [GL_FORMAT_INT8] = GL_RGBA8I,
                                               [GL_FORMAT_UINT8] = GL_RGBA8UI};

    return formats[format];
}

GLenum gl_texture_format(enum gl_format format)
{
    return format == GL_FORMAT_HALF ? GL_RGBA16UI : gl_image_format(format);
}

enum status gl_get_textures(struct gl_compiled *k, struct err *err)
{
    uint32_t n = gl_plan_n(k->plan, GL_PLAN_TEXTURES);

    if (!(k->arrays = calloc((size_t)n + 1, sizeof *k->arrays)))
        return ir_nomem(err);
    return gl_shared_textures(k->set.shared, k->set.context, gl_plan_array(k->plan, GL_PLAN_TEXTURES), n, k->arrays, err);
}

enum status gl_follow_shared(struct gl_compiled *k, struct err *err)
{
    const struct gl_plan_view *v = gl_plan_array(k->plan, GL_PLAN_VIEWS);
    const struct gl_shared *s = k->set.shared;

    if (k->made == s->made)
        return ST_OK;
    k->buffers[GL_STORE_VALUES] = s->buffer[GL_SHARED_VALUES];
    k->buffers[GL_STORE_STAGING] = s->buffer[GL_SHARED_STAGING];
    for (uint32_t i = 0; k->images && i < gl_plan_n(k->plan, GL_PLAN_VIEWS); i++)
        if (v[i].store == GL_STORE_VALUES || v[i].store == GL_STORE_STAGING)
            point(k, i);
    k->made = s->made;
    return gl_context_check(k->set.context, "viewing larger buffers", err);
}
