/* SPDX-License-Identifier: Apache-2.0 */
/* shared.c - buffers that grow to what their largest user wants. */
#include "shared.h"

#include "context.h"

/* In a new buffer, so that the old one is still there where memory runs out. */
static enum status grow(struct gl_shared *s, struct gl_context *c, enum gl_shared_kind kind, uint64_t bytes, struct err *err)
{
    static const GLenum usage[GL_SHARED_KINDS] = {GL_DYNAMIC_COPY, GL_DYNAMIC_READ};
    static const char *const doing[GL_SHARED_KINDS] = {"allocating intermediate values", "allocating staging"};
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

static void drop(struct gl_shared *s)
{
    glDeleteBuffers(GL_SHARED_KINDS, s->buffer);
    for (int kind = 0; kind < GL_SHARED_KINDS; kind++) {
        s->buffer[kind] = 0;
        s->bytes[kind] = 0;
    }
}

enum status gl_shared_join(struct gl_shared *s, struct gl_context *c, const uint64_t bytes[GL_SHARED_KINDS], struct err *err)
{
    for (int kind = 0; kind < GL_SHARED_KINDS; kind++) {
        uint64_t want = bytes[kind] ? bytes[kind] : 16; /* an empty buffer cannot be mapped or bound */
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

void gl_shared_leave(struct gl_shared *s)
{
    if (!--s->users)
        drop(s);
}
