/* SPDX-License-Identifier: Apache-2.0 */
/* constants.c - the bytes of weights, tables and constant operands, packed right where the device reads them.
 *
 * So the packed form never takes memory of the host, and a page of it is touched once. */
#include "lib/gl/plan/draft.h"

#include "lib/base/threads.h"

/* Vectors that one thread packs at once; as halves and bytes they pass through its stack. */
#define BLOCK 1024

/* Fewer bytes are packed before other threads are awake. */
#define FEW_BYTES (1u << 20)

#define MAX_THREADS 16

/* A constant operand as shaders read values: from dense BHWC, floats or int32, to slices [b][c/4][h][w] of four channels, zeros
 * beyond the last. */
static void pack_value(const struct ir_value *v, size_t first, size_t n, void *to)
{
    size_t pixels = (size_t)v->shape.h * (size_t)v->shape.w, slices = (size_t)ir_slices(v->shape), c = (size_t)v->shape.c;
    uint32_t *out = to;

    for (size_t i = first; i < first + n; i++, out += 4) {
        size_t pixel = i % pixels, slice = i / pixels % slices, b = i / pixels / slices;
        const uint32_t *from = (const uint32_t *)v->data + (b * pixels + pixel) * c + 4 * slice;

        for (size_t lane = 0; lane < 4; lane++)
            out[lane] = 4 * slice + lane < c ? from[lane] : 0;
    }
}

/* Of each block its first vector, then of each the second. */
static void pack_four(const struct gl_binding *b, size_t first, size_t n, void *to)
{
    const size_t blocks = b->n / 4;

    for (size_t i = 0; i < n; i++)
        b->pack(b->arg, (first + i) % blocks * 4 + (first + i) / blocks, 1, (char *)to + 16 * i);
}

static void pack(const struct gl_binding *b, size_t first, size_t n, void *to)
{
    if (b->value)
        pack_value(b->value, first, n, to);
    else if (b->through == GL_THROUGH_FOUR)
        pack_four(b, first, n, to);
    else
        b->pack(b->arg, first, n, to);
}

struct job {
    const struct gl_binding *b;
    char *to;
};

static void pack_range(void *arg, size_t begin, size_t end)
{
    const struct job *job = arg;
    uint16_t *half = (uint16_t *)job->to + 4 * begin;
    const bool bytes = job->b->bind == GL_BIND_WEIGHTS && job->b->format == GL_FORMAT_INT8;
    float block[4 * BLOCK];

    if (job->b->format != GL_FORMAT_HALF && !bytes) {
        pack(job->b, begin, end - begin, job->to + 16 * begin);
        return;
    }
    pack(job->b, begin, end - begin, block);
    for (size_t i = 0; bytes && i < 4 * (end - begin); i++)
        job->to[4 * begin + i] = (char)(int8_t)block[i];
    if (bytes)
        return;
    for (size_t i = 0; i < 4 * (end - begin); i++)
        half[i] = half_from_float(block[i]);
}

/* Offsets grow from binding to binding but where one reads what another has brought already. */
enum status gl_pack_constants(const struct gl_draft *draft, char *to, struct err *err)
{
    uint64_t end = 0;
    struct threads *threads;
    const int n = threads_processors();
    enum status st = threads_new(draft->bytes[GL_STORE_CONSTANTS] < FEW_BYTES ? 1
                                 : n < MAX_THREADS                            ? n
                                                                              : MAX_THREADS,
                                 &threads, err);

    if (st && (st = threads_new(1, &threads, err))) /* nobody asked for the others */
        return st;
    for (uint32_t i = 0; i < draft->n_dispatches; i++)
        for (uint32_t j = 0; j < draft->dispatches[i].shader.n_bind; j++) {
            const struct gl_range *r = &draft->dispatches[i].ranges[j];
            struct job job = {&draft->dispatches[i].shader.bind[j], to + r->offset};

            if (r->store != GL_STORE_CONSTANTS || r->offset < end)
                continue;
            end = r->offset + gl_binding_bytes(job.b);
            threads_for(threads, gl_binding_bytes(job.b) / gl_formats[job.b->format].bytes, BLOCK, pack_range, &job);
        }
    threads_free(threads);
    return ST_OK;
}
