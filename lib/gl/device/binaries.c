/* SPDX-License-Identifier: Apache-2.0 */
/* binaries.c - asking the driver for its programs, and giving them back. */
#include "lib/gl/device/binaries.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/gl/device/current.h"

/* Where the record after one of so many bytes begins. */
static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

bool gl_binaries_can(void)
{
    GLint n = 0;

    glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &n);
    return n > 0;
}

static bool load(struct gl_program *p, const struct gl_binary *b, const void *data)
{
    GLint linked = 0;

    p->program = glCreateProgram();
    glProgramBinary(p->program, b->format, data, (GLsizei)b->bytes);
    glGetProgramiv(p->program, GL_LINK_STATUS, &linked);
    if (linked) {
        gl_program_done(p);
        return true;
    }
    glDeleteProgram(p->program);
    p->program = 0;
    gl_drop_errors(); /* of a format that the driver no longer knows */
    return false;
}

bool gl_binaries_load(struct gl_program_set *set, const void *block, size_t bytes)
{
    struct gl_binary b;
    bool all = true;

    for (size_t at = 0; at <= bytes && bytes - at >= sizeof b; at += sizeof b + padded(b.bytes)) {
        memcpy(&b, (const char *)block + at, sizeof b);
        if (b.bytes > INT32_MAX || b.bytes > bytes - at - sizeof b)
            break;
        for (uint32_t i = 0; i < set->n; i++) {
            struct gl_program *p = set->list[i];
            const uint64_t clock = clock_ns();

            if (p->built || memcmp(p->hash, b.hash, sizeof b.hash) != 0)
                continue;
            set->loaded += p->loaded = load(p, &b, (const char *)block + at + sizeof b);
            p->ns = clock_ns() - clock;
            p->builder = set;
        }
    }
    for (uint32_t i = 0; i < set->n; i++)
        all &= set->list[i]->built;
    return all;
}

static size_t binary_bytes(const struct gl_program *p)
{
    GLint n = 0;

    glGetProgramiv(p->program, GL_PROGRAM_BINARY_LENGTH, &n);
    return n > 0 ? (size_t)n : 0;
}

enum status gl_binaries_save(const struct gl_program_set *set, void **block, size_t *bytes, struct err *err)
{
    size_t room = 0;
    char *to;

    for (uint32_t i = 0; i < set->n; i++)
        room += sizeof(struct gl_binary) + padded(binary_bytes(set->list[i]));
    *bytes = 0;
    if (!(*block = to = calloc(1, room + 1)))
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes of GPU programs", room);
    for (uint32_t i = 0; i < set->n; i++) {
        const struct gl_program *p = set->list[i];
        struct gl_binary b = {.bytes = 0};
        GLsizei got = 0;

        glGetProgramBinary(p->program, (GLsizei)(room - *bytes - sizeof b), &got, &b.format, to + *bytes + sizeof b);
        if (got <= 0) {
            *bytes = 0;
            break;
        }
        memcpy(b.hash, p->hash, sizeof b.hash);
        b.bytes = (uint32_t)got;
        memcpy(to + *bytes, &b, sizeof b);
        *bytes += sizeof b + padded(b.bytes);
    }
    gl_drop_errors();
    return ST_OK;
}
