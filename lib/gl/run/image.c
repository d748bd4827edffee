/* SPDX-License-Identifier: Apache-2.0 */
/* image.c - what shaders reach through images and textures: views of buffer ranges as image buffers, for devices that read those
 * faster, copies of constants, and the shared textures. */
#include "lib/gl/run/executable_impl.h"

#include <stdlib.h>

static void point(const struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_view *v = (const struct gl_plan_view *)gl_plan_array(x->plan, GL_PLAN_VIEWS) + i;

    glBindTexture(GL_TEXTURE_BUFFER_EXT, x->images[i]);
    glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, v->format, x->buffers[v->store], (GLintptr)v->offset, (GLsizeiptr)v->bytes);
}

/* How pixels lie in the buffer that they are taken from: one row after the other. A caller whose context this is may have it
 * otherwise, and finds it so again. */
struct unpacking {
    GLint buffer, value[5];
};
static const GLenum unpacking_names[] = {GL_UNPACK_ROW_LENGTH, GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS,
                                         GL_UNPACK_SKIP_IMAGES};

static void unpack_from(GLuint buffer, struct unpacking *before)
{
    glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &before->buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    for (int i = 0; i < 5; i++) {
        glGetIntegerv(unpacking_names[i], &before->value[i]);
        glPixelStorei(unpacking_names[i], 0);
    }
}

static void unpack_as(const struct unpacking *u)
{
    for (int i = 0; i < 5; i++)
        glPixelStorei(unpacking_names[i], u->value[i]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)u->buffer);
}

/* Rows of texels, the first at that offset of the bound buffer. */
static void copy_rows(const struct gl_plan_view *v, uint64_t first, uint64_t rows, uint64_t width)
{
    const uint64_t offset = v->offset + first * GL_COPY_WIDTH * gl_plan_texel_bytes(v->format);
    const bool floats = v->format == GL_RGBA32F;
    const GLenum type = floats                     ? GL_FLOAT
                        : v->format == GL_RGBA16UI ? GL_UNSIGNED_SHORT
                        : v->format == GL_RGBA32I  ? GL_INT
                        : v->format == GL_RGBA8I   ? GL_BYTE
                                                   : GL_UNSIGNED_BYTE;

    if (rows && width)
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, (GLint)first, 0, (GLsizei)width, (GLsizei)rows, 1,
                        floats ? GL_RGBA : GL_RGBA_INTEGER, type, (const void *)(uintptr_t)offset);
}

/* The last row may be a part of one; what is behind it no shader reads. */
static void copy(const struct gl_executable *x, uint32_t i)
{
    const struct gl_plan_view *v = (const struct gl_plan_view *)gl_plan_array(x->plan, GL_PLAN_VIEWS) + i;
    const uint64_t texels = v->bytes / gl_plan_texel_bytes(v->format), full = texels / GL_COPY_WIDTH;
    struct unpacking before;

    glBindTexture(GL_TEXTURE_2D_ARRAY, x->images[i]);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, v->format, GL_COPY_WIDTH, (GLsizei)gl_plan_copy_rows(v), 1);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    unpack_from(x->buffers[v->store], &before);
    copy_rows(v, 0, full, GL_COPY_WIDTH);
    copy_rows(v, full, 1, texels % GL_COPY_WIDTH);
    unpack_as(&before);
}

/* A dispatch reads through texture units. */
static bool fetches(const struct gl_plan *p)
{
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_BINDINGS); i++)
        if (b[i].through == GL_THROUGH_TEXTURE || b[i].through == GL_THROUGH_TEXEL || b[i].through == GL_THROUGH_COPY ||
            b[i].through == GL_THROUGH_FOUR)
            return true;
    return false;
}

enum status gl_make_images(struct gl_executable *x, struct err *err)
{
    const struct gl_plan_view *v = gl_plan_array(x->plan, GL_PLAN_VIEWS);
    uint32_t n = gl_plan_n(x->plan, GL_PLAN_VIEWS);

    x->fetches = fetches(x->plan);
    if (!(x->images = calloc((size_t)n + 1, sizeof *x->images)))
        return err_set(err, ST_NOMEM, "out of memory");
    glGenTextures((GLsizei)n, x->images);
    for (uint32_t i = 0; i < n; i++)
        if (v[i].copy)
            copy(x, i);
        else
            point(x, i);
    return gl_context_check(x->set.context, "making image views", err);
}

enum status gl_get_textures(struct gl_executable *x, struct err *err)
{
    uint32_t n = gl_plan_n(x->plan, GL_PLAN_TEXTURES);

    if (!(x->arrays = calloc((size_t)n + 1, sizeof *x->arrays)))
        return err_set(err, ST_NOMEM, "out of memory");
    return gl_shared_textures(x->set.shared, x->set.context, gl_plan_array(x->plan, GL_PLAN_TEXTURES), n, x->arrays, err);
}

enum status gl_follow_shared(struct gl_executable *x, struct err *err)
{
    const struct gl_plan_view *v = gl_plan_array(x->plan, GL_PLAN_VIEWS);
    const struct gl_shared *s = x->set.shared;

    if (x->made == s->made)
        return ST_OK;
    x->buffers[GL_STORE_VALUES] = s->buffer[GL_SHARED_VALUES];
    x->buffers[GL_STORE_STAGING] = s->buffer[GL_SHARED_STAGING];
    for (uint32_t i = 0; x->images && i < gl_plan_n(x->plan, GL_PLAN_VIEWS); i++)
        if (v[i].store == GL_STORE_VALUES || v[i].store == GL_STORE_STAGING)
            point(x, i);
    x->made = s->made;
    return gl_context_check(x->set.context, "viewing larger buffers", err);
}
