/* SPDX-License-Identifier: Apache-2.0 */
/* current.c - see current.h */
#include "lib/gl/device/current.h"

void gl_drop_errors(void)
{
    /* One call may leave several behind; a lost context answers for ever. */
    for (int i = 0; i < 8 && glGetError(); i++)
        ;
}

static struct gl_bound save_bound(GLenum binding, GLenum start, GLenum bytes, GLuint i)
{
    struct gl_bound b = {0};

    glGetIntegeri_v(binding, i, &b.buffer);
    glGetInteger64i_v(start, i, &b.start);
    glGetInteger64i_v(bytes, i, &b.bytes);
    return b;
}

static void restore_bound(GLenum target, GLuint i, const struct gl_bound *b)
{
    if (b->buffer && b->bytes)
        glBindBufferRange(target, i, (GLuint)b->buffer, (GLintptr)b->start, (GLsizeiptr)b->bytes);
    else
        glBindBufferBase(target, i, (GLuint)b->buffer);
}

static struct gl_image_unit save_image(GLuint i)
{
    struct gl_image_unit u = {0};

    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, i, &u.texture);
    glGetIntegeri_v(GL_IMAGE_BINDING_LEVEL, i, &u.level);
    glGetIntegeri_v(GL_IMAGE_BINDING_LAYERED, i, &u.layered);
    glGetIntegeri_v(GL_IMAGE_BINDING_LAYER, i, &u.layer);
    glGetIntegeri_v(GL_IMAGE_BINDING_ACCESS, i, &u.access);
    glGetIntegeri_v(GL_IMAGE_BINDING_FORMAT, i, &u.format);
    return u;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Views of buffers are made at unit 0. */
static uint32_t texture_units(const struct gl_limits *lim)
{
    const uint32_t n = lim->texture_reads > lim->texel_reads ? lim->texture_reads : lim->texel_reads;

    return n || !lim->image_reads ? n : 1;
}

static void save_units(struct gl_state *out)
{
    for (uint32_t i = 0; i < out->n_textures; i++) {
        glActiveTexture(GL_TEXTURE0 + i);
        glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &out->textures[i].array);
        if (out->has_texture_buffer)
            glGetIntegerv(GL_TEXTURE_BINDING_BUFFER_EXT, &out->textures[i].buffer);
        glGetIntegerv(GL_SAMPLER_BINDING, &out->textures[i].sampler);
        glBindSampler(i, 0);
    }
    glActiveTexture(GL_TEXTURE0);
}

static void restore_units(const struct gl_state *s)
{
    for (uint32_t i = 0; i < s->n_textures; i++) {
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D_ARRAY, (GLuint)s->textures[i].array);
        if (s->has_texture_buffer)
            glBindTexture(GL_TEXTURE_BUFFER_EXT, (GLuint)s->textures[i].buffer);
        glBindSampler(i, (GLuint)s->textures[i].sampler);
    }
    glActiveTexture((GLenum)s->active_texture);
}

void gl_state_save(const struct gl_limits *lim, struct gl_state *out)
{
    *out = (struct gl_state){.n_storage = least(lim->storage_blocks, GL_MAX_BINDINGS),
                             .n_uniforms = least(1 + lim->uniform_reads, GL_MAX_BINDINGS),
                             .n_images = least(lim->texture_reads ? lim->image_units : lim->image_reads, GL_MAX_BINDINGS),
                             .n_textures = texture_units(lim),
                             .has_texture_buffer = lim->image_reads > 0};
    gl_drop_errors();
    glGetIntegerv(GL_CURRENT_PROGRAM, &out->program);
    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &out->storage_buffer);
    glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &out->uniform_buffer);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &out->active_texture);
    for (uint32_t i = 0; i < out->n_uniforms; i++)
        out->uniforms[i] = save_bound(GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE, i);
    for (uint32_t i = 0; i < out->n_storage; i++)
        out->storage[i] = save_bound(GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
                                     GL_SHADER_STORAGE_BUFFER_SIZE, i);
    for (uint32_t i = 0; i < out->n_images; i++)
        out->images[i] = save_image(i);
    save_units(out);
}

/* A bound range sets what is bound by name as well, so that comes last. */
void gl_state_restore(const struct gl_state *s)
{
    glUseProgram((GLuint)s->program);
    for (uint32_t i = 0; i < s->n_uniforms; i++)
        restore_bound(GL_UNIFORM_BUFFER, i, &s->uniforms[i]);
    for (uint32_t i = 0; i < s->n_storage; i++)
        restore_bound(GL_SHADER_STORAGE_BUFFER, i, &s->storage[i]);
    glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)s->uniform_buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, (GLuint)s->storage_buffer);
    restore_units(s);
    for (uint32_t i = 0; i < s->n_images; i++) {
        const struct gl_image_unit *u = &s->images[i];

        glBindImageTexture(i, (GLuint)u->texture, u->level, u->layered != 0, u->layer, (GLenum)u->access, (GLenum)u->format);
    }
    gl_drop_errors();
}

void gl_current_save(struct gl_current *out)
{
    out->api = eglQueryAPI();
    out->display = eglGetCurrentDisplay();
    out->context = eglGetCurrentContext();
    out->draw = eglGetCurrentSurface(EGL_DRAW);
    out->read = eglGetCurrentSurface(EGL_READ);
}

bool gl_current_restore(const struct gl_current *c, EGLDisplay ours)
{
    bool ok = true;

    /* Which context is released goes by the client API that is bound; which is made current, by the context. */
    if (eglGetCurrentContext() != c->context && c->context)
        ok = eglMakeCurrent(c->display, c->draw, c->read, c->context);
    else if (eglGetCurrentContext() != c->context)
        ok = !ours || (eglBindAPI(EGL_OPENGL_ES_API) && eglMakeCurrent(ours, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    return (eglQueryAPI() == c->api || eglBindAPI(c->api)) && ok;
}

enum status gl_current_lost(struct err *err)
{
    return err_set(err, ST_FAILED, "what was current before cannot be made current again (EGL error 0x%x)", eglGetError());
}
