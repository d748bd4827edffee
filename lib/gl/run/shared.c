/* SPDX-License-Identifier: Apache-2.0 */
/* shared.c - buffers that grow to what their largest user wants. */
#include "lib/gl/run/shared.h"

#include "lib/gl/device/context.h"

#include <stdlib.h>
#include <string.h>

/* In a new buffer, so that the old one is still there where memory runs out. */
static enum status grow(struct gl_shared *s, struct gl_context *c, enum gl_shared_kind kind, uint64_t bytes, struct err *err)
{
    static const GLenum usage[GL_SHARED_KINDS] = {GL_DYNAMIC_COPY, GL_DYNAMIC_READ, GL_DYNAMIC_READ};
    static const char *const doing[GL_SHARED_KINDS] = {"allocating intermediate values", "allocating staging",
                                                       "allocating a second set of staging"};
    GLuint made;
    enum status st;

    if (bytes > PTRDIFF_MAX)
        return err_set(err, ST_NOMEM, "%llu bytes in one GPU buffer", (unsigned long long)bytes);
    glGenBuffers(1, &made);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, made);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, NULL, usage[kind]);
    if ((st = gl_context_check(c, doing[kind], err))) {
        glDeleteBuffers(1, &made);
        return st;
    }
    glDeleteBuffers(1, &s->buffer[kind]);
    s->buffer[kind] = made;
    s->bytes[kind] = bytes;
    s->made++;
    return ST_OK;
}

void gl_shared_done(struct gl_shared *s)
{
    for (int i = 0; i < 2; i++)
        if (s->last[i]) {
            glDeleteSync(s->last[i]);
            s->last[i] = NULL;
        }
}

static void drop(struct gl_shared *s)
{
    gl_shared_done(s);
    for (uint32_t i = 0; i < s->n_textures; i++)
        glDeleteTextures(1, &s->textures[i].name);
    free(s->textures);
    s->textures = NULL;
    s->n_textures = 0;
    glDeleteBuffers(GL_SHARED_KINDS, s->buffer);
    for (int kind = 0; kind < GL_SHARED_KINDS; kind++) {
        s->buffer[kind] = 0;
        s->bytes[kind] = 0;
    }
}

enum status gl_shared_join(struct gl_shared *s, struct gl_context *c, const uint64_t bytes[GL_SHARED_KINDS], struct err *err)
{
    for (int kind = 0; kind < GL_SHARED_KINDS; kind++) {
        /* An empty buffer cannot be mapped or bound. */
        uint64_t want = bytes[kind] || kind == GL_SHARED_OTHER_STAGING ? bytes[kind] : 16;
        enum status st = want > s->bytes[kind] ? grow(s, c, (enum gl_shared_kind)kind, want, err) : ST_OK;

        if (st) {
            if (!s->users)
                drop(s);
            return st;
        }
    }
    s->users++;
    return ST_OK;
}

/* ---- textures ---- */

/* Without filters, which textures of floats may not have: with them they would be incomplete, and all zero. */
static enum status make_texture(struct gl_shared *s, struct gl_context *c, const struct gl_plan_texture *want, struct err *err)
{
    struct gl_shared_texture *more = realloc(s->textures, (s->n_textures + 1) * sizeof *more), *t;
    enum status st;

    if (!more)
        return err_set(err, ST_NOMEM, "out of memory");
    s->textures = more;
    t = &more[s->n_textures];
    *t = (struct gl_shared_texture){.is = *want};
    glGenTextures(1, &t->name);
    glBindTexture(GL_TEXTURE_2D_ARRAY, t->name);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, want->format, (GLsizei)want->width, (GLsizei)want->height, (GLsizei)want->layers);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if ((st = gl_context_check(c, "allocating textures for intermediate values", err)))
        glDeleteTextures(1, &t->name);
    s->n_textures += !st;
    return st;
}

/* The first like that from *at on, which is then behind it. False: there is none. */
static bool find_texture(const struct gl_shared *s, const struct gl_plan_texture *want, uint32_t *at)
{
    while (*at < s->n_textures && memcmp(&s->textures[*at].is, want, sizeof *want) != 0)
        ++*at;
    return (*at)++ < s->n_textures;
}

/* How many of want[i] stand before it. */
static uint32_t count_before(const struct gl_plan_texture *want, uint32_t i)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < i; k++)
        n += !memcmp(&want[k], &want[i], sizeof *want);
    return n;
}

enum status gl_shared_textures(struct gl_shared *s, struct gl_context *c, const struct gl_plan_texture *want, uint32_t n,
                               GLuint *names, struct err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = 0, skip = count_before(want, i);
        bool found = find_texture(s, &want[i], &at);
        enum status st;

        for (; skip && found; skip--)
            found = find_texture(s, &want[i], &at);
        if (!found && (st = make_texture(s, c, &want[i], err)))
            return st;
        at = found ? at - 1 : s->n_textures - 1;
        names[i] = s->textures[at].name;
        s->textures[at].users++;
    }
    return ST_OK;
}

void gl_shared_give_back(struct gl_shared *s, const GLuint *names, uint32_t n)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < s->n_textures; k++)
            s->textures[k].users -= names[i] && s->textures[k].name == names[i];
    for (uint32_t k = 0; k < s->n_textures; k++)
        if (s->textures[k].users)
            s->textures[left++] = s->textures[k];
        else
            glDeleteTextures(1, &s->textures[k].name);
    s->n_textures = left;
}

uint64_t gl_shared_bytes(const struct gl_shared *s)
{
    uint64_t sum = s->own_bytes;

    for (int kind = 0; kind < GL_SHARED_KINDS; kind++)
        sum += s->bytes[kind];
    for (uint32_t i = 0; i < s->n_textures; i++) {
        const struct gl_plan_texture *t = &s->textures[i].is;

        sum += (uint64_t)t->width * t->height * t->layers * gl_plan_texel_bytes(t->format);
    }
    return sum;
}

void gl_shared_leave(struct gl_shared *s)
{
    if (!--s->users)
        drop(s);
}
