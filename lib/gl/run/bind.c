/* SPDX-License-Identifier: Apache-2.0 */
/* bind.c - see bind.h */
#include "lib/gl/run/bind.h"

/* Whether *at has to be set. */
static bool change(GLint *at, GLuint to)
{
    const bool other = *at != (GLint)to;

    *at = (GLint)to;
    return other;
}

void gl_bind_program(struct gl_state *now, GLuint program)
{
    if (change(&now->program, program))
        glUseProgram(program);
}

/* A range of a storage buffer is bound by name as well. */
void gl_bind_range(struct gl_state *now, GLenum target, GLuint point, GLuint buffer, uint64_t offset, uint64_t bytes)
{
    struct gl_bound *at = (target == GL_UNIFORM_BUFFER ? now->uniforms : now->storage) + point;

    if (at->buffer == (GLint)buffer && at->start == (GLint64)offset && at->bytes == (GLint64)bytes)
        return;
    *at = (struct gl_bound){(GLint)buffer, (GLint64)offset, (GLint64)bytes};
    if (target == GL_SHADER_STORAGE_BUFFER)
        now->storage_buffer = (GLint)buffer;
    glBindBufferRange(target, point, buffer, (GLintptr)offset, (GLsizeiptr)bytes);
}

void gl_bind_image(struct gl_state *now, GLuint unit, GLuint texture, GLenum access, GLenum format)
{
    struct gl_image_unit *at = &now->images[unit];

    if (at->texture == (GLint)texture && at->access == (GLint)access && at->format == (GLint)format)
        return;
    *at = (struct gl_image_unit){.texture = (GLint)texture, .access = (GLint)access, .format = (GLint)format};
    glBindImageTexture(unit, texture, 0, GL_TRUE, 0, access, format);
}

static void activate(struct gl_state *now, GLuint unit)
{
    if (change(&now->active_texture, GL_TEXTURE0 + unit))
        glActiveTexture(GL_TEXTURE0 + unit);
}

void gl_bind_texture(struct gl_state *now, GLuint unit, GLenum target, GLuint texture)
{
    struct gl_texture_unit *at = &now->textures[unit];

    if (!change(target == GL_TEXTURE_2D_ARRAY ? &at->array : &at->buffer, texture))
        return;
    activate(now, unit);
    glBindTexture(target, texture);
}

void gl_bind_buffer(struct gl_state *now, GLuint buffer)
{
    if (change(&now->storage_buffer, buffer))
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
}

void gl_bind_first_unit(struct gl_state *now)
{
    activate(now, 0);
}
