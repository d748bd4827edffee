/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - views of buffer ranges as image buffers, for devices that read those faster. */
#include "compiled.h"

GLenum gl_image_format(const struct gl_binding *b)
{
    if (b->bind == GL_BIND_TABLE || (b->value && b->value->type == IR_INT))
        return GL_RGBA32I;
    return b->half ? GL_RGBA16F : GL_RGBA32F;
}

struct view {
    struct gl_range range;
    GLenum format;
};

/* The view made for an equal range, or a new one. */
static GLuint find_or_make(struct gl_compiled *k, struct view *views, const struct gl_range *r, GLenum format)
{
    uint32_t i = 0;

    while (i < k->n_images && (views[i].range.store != r->store || views[i].range.offset != r->offset ||
                               views[i].range.bytes != r->bytes || views[i].format != format))
        i++;
    if (i < k->n_images)
        return k->images[i];
    views[i] = (struct view){*r, format};
    glGenTextures(1, &k->images[i]);
    k->n_images++;
    glBindTexture(GL_TEXTURE_BUFFER_EXT, k->images[i]);
    glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, format, k->buffers[r->store], (GLintptr)r->offset, (GLsizeiptr)r->bytes);
    return k->images[i];
}

enum status gl_make_images(struct gl_compiled *k, struct err *err)
{
    uint32_t n = 0;
    struct view *views;

    for (uint32_t i = 0; i < k->n_dispatches; i++)
        for (uint32_t j = 0; j < k->dispatches[i].shader.n_bind; j++)
            n += k->dispatches[i].shader.bind[j].image;
    views = ARENA_ARRAY(&k->arena, n, struct view);
    k->images = ARENA_ARRAY(&k->arena, n, GLuint);
    if (!views || !k->images)
        return ir_nomem(err);
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        for (uint32_t j = 0; j < k->dispatches[i].shader.n_bind; j++) {
            const struct gl_binding *b = &k->dispatches[i].shader.bind[j];

            if (b->image)
                k->dispatches[i].ranges[j].image = find_or_make(k, views, &k->dispatches[i].ranges[j], gl_image_format(b));
        }
    return gl_context_check(k->set.context, "making image views", err);
}
