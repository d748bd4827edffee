/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - views of buffer ranges as image buffers, for devices that read those faster. */
#include "compiled.h"

#include <stdlib.h>

static void point(const struct gl_compiled *k, uint32_t i)
{
    const struct gl_plan_view *v = (const struct gl_plan_view *)gl_plan_array(k->plan, GL_PLAN_VIEWS) + i;

    glBindTexture(GL_TEXTURE_BUFFER_EXT, k->images[i]);
    glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, v->format, k->buffers[v->store], (GLintptr)v->offset, (GLsizeiptr)v->bytes);
}

enum status gl_make_images(struct gl_compiled *k, struct err *err)
{
    uint32_t n = gl_plan_n(k->plan, GL_PLAN_VIEWS);

    if (!(k->images = calloc((size_t)n + 1, sizeof *k->images)))
        return ir_nomem(err);
    glGenTextures((GLsizei)n, k->images);
    for (uint32_t i = 0; i < n; i++)
        point(k, i);
    return gl_context_check(k->set.context, "making image views", err);
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
