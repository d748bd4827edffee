/* SPDX-License-Identifier: Apache-2.0 */
/* buffer.c - the buffers of a compiled partition, and the bytes of its constants. */
#include "compiled.h"

#include <math.h>
#include <string.h>

static enum status make_buffer(struct gl_compiled *k, enum gl_store store, GLenum usage, struct err *err)
{
    static const char *const doing[GL_STORES] = {"allocating intermediate values", "allocating constants", "allocating staging",
                                                 "allocating numbers"};
    uint64_t bytes = k->bytes[store];

    if (bytes > PTRDIFF_MAX)
        return err_set(err, ST_NOMEM, "%llu bytes in one GPU buffer", (unsigned long long)bytes);
    glGenBuffers(1, &k->buffers[store]);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, k->buffers[store]);
    /* An empty buffer cannot be mapped or bound. */
    glBufferData(GL_SHADER_STORAGE_BUFFER, bytes ? (GLsizeiptr)bytes : 16, NULL, usage);
    return gl_context_check(k->set.context, doing[store], err);
}

static void write_floats(void *to, const float *from, size_t n, bool half)
{
    uint16_t *h = to;

    if (!half) {
        memcpy(to, from, n * sizeof *from);
        return;
    }
    for (size_t i = 0; i < n; i++)
        h[i] = half_from_float(from[i]);
}

/* A constant as shaders read values: from dense BHWC, floats or int32, to slices [b][c/4][h][w] of four channels, zeros beyond the
 * last; each element 4 bytes, or 2 where `half`. */
static void write_slices(char *to, const struct ir_value *v, bool half)
{
    struct ir_shape s = v->shape;
    size_t element = half ? 2 : 4, pixels = (size_t)s.h * (size_t)s.w;

    for (int32_t b = 0; b < s.b; b++)
        for (int32_t slice = 0; slice < ir_slices(s); slice++)
            for (size_t p = 0; p < pixels; p++) {
                size_t from = ((size_t)b * pixels + p) * (size_t)s.c + 4 * (size_t)slice;
                size_t n = s.c - 4 * slice < 4 ? (size_t)(s.c - 4 * slice) : 4;

                memset(to, 0, 4 * element);
                write_floats(to, (const float *)v->data + from, n, half);
                to += 4 * element;
            }
}

static void write_constant(char *to, const struct gl_binding *b)
{
    if (b->value)
        write_slices(to, b->value, b->half);
    else
        write_floats(to, b->data, 4 * b->n, b->half);
}

static void write_constants(const struct gl_compiled *k, char *to)
{
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        for (uint32_t j = 0; j < k->dispatches[i].shader.n_bind; j++)
            if (k->dispatches[i].ranges[j].store == GL_STORE_CONSTANTS)
                write_constant(to + k->dispatches[i].ranges[j].offset, &k->dispatches[i].shader.bind[j]);
}

static void write_numbers(const struct gl_compiled *k, char *to)
{
    for (uint32_t i = 0; i < k->n_dispatches; i++)
        memcpy(to + k->dispatches[i].numbers, k->dispatches[i].shader.numbers, 16 * (size_t)k->dispatches[i].shader.n_numbers);
}

static enum status fill(struct gl_compiled *k, enum gl_store store, void (*write)(const struct gl_compiled *k, char *to),
                        struct err *err)
{
    uint64_t bytes = k->bytes[store];
    char *map;

    if (!bytes)
        return ST_OK;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, k->buffers[store]);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map %llu bytes of constants (GL error 0x%x)", (unsigned long long)bytes,
                       glGetError());
    write(k, map);
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
        return err_set(err, ST_FAILED, "the driver lost the constants while they were written");
    return gl_context_check(k->set.context, "writing constants", err);
}

enum status gl_make_buffers(struct gl_compiled *k, struct err *err)
{
    static const GLenum usage[GL_STORES] = {GL_DYNAMIC_COPY, GL_STATIC_DRAW, GL_DYNAMIC_READ, GL_STATIC_DRAW};
    enum status st = ST_OK;

    for (int store = 0; store < GL_STORES && !st; store++)
        st = make_buffer(k, (enum gl_store)store, usage[store], err);
    if (!st)
        st = fill(k, GL_STORE_CONSTANTS, write_constants, err);
    return st ? st : fill(k, GL_STORE_NUMBERS, write_numbers, err);
}
