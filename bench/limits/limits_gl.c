/* SPDX-License-Identifier: Apache-2.0 */
/* limits_gl.c - the rows of limits.h on the device: programs, buffers and timings. */
#include "bench/limits/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/sorted.h"
#include "lib/gl/device/program_build.h"
#include "lib/gl/device/texts.h"
#include "lib/gl/plan/fp16_probe.h"

enum { GROUPS = 512, QUICK_GROUPS = 64, MAX_SAMPLES = 15, MAX_REPEATS = 1 << 16 };

/* ---- the device ---- */

static uint32_t power_of_two(uint64_t most, uint32_t wanted)
{
    while (wanted > most)
        wanted /= 2;
    return wanted;
}

static GLuint make_buffer(uint64_t bytes)
{
    GLuint name;

    glGenBuffers(1, &name);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
    return name;
}

static uint32_t width_shift(const struct limit_gpu *g)
{
    uint32_t shift = 0;

    while ((2ull << shift) * (2ull << shift) <= 2ull * g->vectors && 2u << shift <= g->context->limits.texture_size)
        shift++;
    return shift;
}

static void make_objects(struct limit_gpu *g)
{
    g->result = make_buffer(sizeof(float) * (g->vectors / 16 + 2 * g->groups * LIMIT_GROUP));
    g->data = make_buffer(16ull * g->vectors);
    g->numbers = make_buffer(sizeof(struct limit_numbers));
    if (g->image_vectors) {
        glGenTextures(1, &g->image);
        glBindTexture(GL_TEXTURE_BUFFER_EXT, g->image);
        glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, GL_RGBA32F, g->data, 0, 16ll * g->image_vectors);
    }
    g->texture_shift = width_shift(g);
    if (!g->context->limits.texture_reads || g->vectors >> g->texture_shift > g->context->limits.texture_size)
        return;
    glGenTextures(1, &g->texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, g->texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA32F, 1 << g->texture_shift, (GLsizei)(g->vectors >> g->texture_shift), 1);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

enum status limit_open(struct limit_gpu *g, int index, bool quick, struct err *err)
{
    const struct gl_limits *lim;
    char why[GL_FP16_WHY];
    enum status st;

    *g = (struct limit_gpu){.wait = {.timeout_ms = 60000},
                            .least_ns = quick ? 2000000 : 20000000,
                            .samples = quick ? 3 : 9,
                            .groups = quick ? QUICK_GROUPS : GROUPS};
    if ((st = gl_context_open(index, &g->context, err)))
        return st;
    if ((st = gl_context_enter(g->context, NULL, err)))
        goto fail;
    lim = &g->context->limits;
    g->vectors = power_of_two(lim->storage_block_bytes / 16, quick ? 2 * GL_PROBE_VECTORS : 1u << 22);
    g->image_vectors = lim->image_reads ? power_of_two(lim->image_vectors, g->vectors) : 0;
    make_objects(g);
    if ((st = gl_context_check(g->context, "making buffers and textures to measure with", err)))
        goto fail;
    if (!(st = gl_probe_fp16(g->context, &g->wait, &g->halves, why, err)))
        return ST_OK;
fail:
    limit_close(g);
    return st;
}

void limit_close(struct limit_gpu *g)
{
    gl_programs_release(g->context && !g->context->stuck ? &g->context->programs : NULL, &g->set);
    gl_context_close(g->context);
    *g = (struct limit_gpu){0};
}

/* ---- a row's program ---- */

static const char *const pattern_text[] = {
    [LIMIT_STREAM] = "i * numbers.total + g", [LIMIT_SAME] = "gl_WorkGroupID.x + i", [LIMIT_LOCAL] = "l + i"};

static void write_probe(const struct limit_gpu *g, const struct limit_row *row, char *text, size_t size)
{
    const struct gl_mads mads = {row->number, g->chains[row->number], row->passes, g->halves};
    char head[GL_PROBE_HEAD];

    gl_texts_unpack();
    if (row->kind == LIMIT_MAD)
        gl_probe_mads_head(&g->context->limits, &mads, head);
    else
        gl_probe_from_head(row->from, g->texture_shift, head);
    snprintf(text, size, "#version 310 es\n%s%s", head,
             row->kind == LIMIT_MAD    ? probe_sum_comp
             : row->kind == LIMIT_COPY ? probe_copy_comp
                                       : probe_read_comp);
}

static void write_source(const struct limit_row *row, char *text, size_t size)
{
    bool accesses = row->kind == LIMIT_READ || row->kind == LIMIT_WRITE;

    snprintf(text, size,
             "#version 310 es\n%sprecision highp float;\nprecision highp int;\n"
             "layout(local_size_x = %d) in;\n"
             "layout(std140, binding = 0) uniform Numbers { highp uint total, mask, shift; } numbers;\n"
             "layout(std430, binding = 0) %s buffer Result { highp %s result[]; };\n%s"
             "highp float lane(highp uint i) { return float((i * 2654435761u) >> 30); }\n"
             "highp vec4 value(highp uint i)\n"
             "{\n    i *= 4u;\n    return vec4(lane(i), lane(i + 1u), lane(i + 2u), lane(i + 3u));\n}\n"
             "void main()\n{\n"
             "    highp uint g = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;\n"
             "    highp vec4 sum = vec4(0.0);\n    %s\n"
             "    for (highp uint i = 0u; i < %uu; i++) {\n        %s%s%s\n        %s\n    }\n    %s\n}\n",
             row->images ? "#extension GL_EXT_texture_buffer : require\n" : "", LIMIT_GROUP,
             row->kind == LIMIT_COUNT ? "" : "writeonly", row->kind == LIMIT_COUNT ? "uint" : "float",
             row->declare ? row->declare : "", row->begin ? row->begin : "", row->passes, accesses ? "highp uint at = (" : "",
             accesses ? pattern_text[row->pattern] : "", accesses ? ") & numbers.mask;" : "", row->pass ? row->pass : "",
             row->kind == LIMIT_COUNT   ? "if (l == 0u) atomicAdd(result[0], 1u);"
             : row->kind == LIMIT_WRITE ? "result[g] = 1.0;"
                                        : "result[g] = sum.x + sum.y + sum.z + sum.w;");
}

static uint32_t vectors_of(const struct limit_gpu *g, const struct limit_row *row)
{
    return row->images ? g->image_vectors : g->vectors;
}

/* How many workgroups a unit of the row is. Streams touch each vector of theirs once. */
static uint32_t groups_of(const struct limit_gpu *g, const struct limit_row *row)
{
    if (row->kind == LIMIT_COUNT)
        return 1;
    if (row->kind == LIMIT_MAD)
        return 2 * g->groups;
    if (row->probe)
        return GL_PROBE_VECTORS / (row->kind == LIMIT_COPY ? GL_PROBE_COPIES : GL_PROBE_READS) / LIMIT_GROUP;
    return row->pattern == LIMIT_STREAM ? vectors_of(g, row) / 16 / LIMIT_GROUP : g->groups;
}

struct limit_numbers limit_numbers_of(const struct limit_gpu *g, const struct limit_row *row)
{
    return (struct limit_numbers){.total = groups_of(g, row) * LIMIT_GROUP,
                                  .mask = (row->vectors ? row->vectors : vectors_of(g, row)) - 1,
                                  .shift = g->texture_shift};
}

static void bind(struct limit_gpu *g, const struct limit_row *row)
{
    const struct limit_numbers n = limit_numbers_of(g, row);

    glBindBuffer(GL_UNIFORM_BUFFER, g->numbers);
    glBufferData(GL_UNIFORM_BUFFER, sizeof n, &n, GL_STATIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, g->numbers);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, g->result);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, g->data);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, g->data, 0, 16 * LIMIT_BLOCK_VECTORS);
    if (row->probe && row->kind != LIMIT_MAD) {
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, g->data, 0, 16 * GL_PROBE_VECTORS);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, g->result);
    }
    if (row->kind == LIMIT_COPY)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, g->data, 16 * GL_PROBE_VECTORS, 16 * GL_PROBE_VECTORS);
    if (row->images)
        glBindImageTexture(0, g->image, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA32F);
    if (!row->textures)
        return;
    glBindImageTexture(1, g->texture, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, g->texture);
}

enum status limit_use(struct limit_gpu *g, const struct limit_row *row, struct err *err)
{
    const struct gl_building how = {.parallel = false};
    bool by_host = row->kind == LIMIT_UPLOAD || row->kind == LIMIT_READBACK;
    char text[LIMIT_MAX_TEXT];
    uint32_t index, *chains = &g->chains[row->number];
    double gops;
    enum status st;

    if (by_host)
        return ST_OK;
    if (row->kind == LIMIT_MAD && !*chains &&
        (st = gl_probe_mads(g->context, &g->wait, row->number, g->halves, chains, &gops, err)))
        return st;
    if (row->probe)
        write_probe(g, row, text, sizeof text);
    else
        write_source(row, text, sizeof text);
    if ((st = gl_programs_add(&g->context->programs, &g->set, text, row->name, &index, err)) ||
        (st = gl_programs_build(&g->set, &how, err)))
        return st;
    glUseProgram(g->set.list[index]->program);
    bind(g, row);
    return ST_OK;
}

/* ---- transfers ---- */

/* Through `host`, LIMIT_TRANSFER_BYTES, to or from the beginning of the data. */
static enum status transfer(struct limit_gpu *g, bool up, void *host, struct err *err)
{
    uint64_t bytes = 16ull * g->vectors < LIMIT_TRANSFER_BYTES ? 16ull * g->vectors : LIMIT_TRANSFER_BYTES;
    void *map;

    glBindBuffer(GL_SHADER_STORAGE_BUFFER, g->data);
    map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes,
                           up ? GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT : GL_MAP_READ_BIT);
    if (!map)
        return err_set(err, ST_FAILED, "the driver does not map %llu bytes (GL error 0x%x)", (unsigned long long)bytes,
                       glGetError());
    memcpy(up ? map : host, up ? host : map, bytes);
    if (!glUnmapBuffer(GL_SHADER_STORAGE_BUFFER))
        return err_set(err, ST_FAILED, "the driver lost what was mapped");
    return ST_OK;
}

/* ---- time ---- */

enum status limit_time(struct limit_gpu *g, const struct limit_row *row, uint32_t units, void *host, uint64_t *ns, struct err *err)
{
    bool by_host = row->kind == LIMIT_UPLOAD || row->kind == LIMIT_READBACK;
    uint32_t groups = groups_of(g, row);
    enum status st = gl_wait(g->context, &g->wait, err);
    uint64_t start = clock_ns();

    for (uint32_t i = 0; i < units && !st; i++) {
        if (by_host) {
            if (!(st = transfer(g, row->kind == LIMIT_UPLOAD, host, err)))
                st = gl_wait(g->context, &g->wait, err);
            continue;
        }
        glDispatchCompute(groups, 1, 1);
        if (row->barrier)
            glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    if (!st)
        st = gl_wait(g->context, &g->wait, err);
    *ns = clock_ns() - start;
    return st ? st : gl_context_check(g->context, "measuring", err);
}

/* So many units that they take least_ns. */
static enum status calibrate(struct limit_gpu *g, const struct limit_row *row, void *host, uint32_t *units, struct err *err)
{
    uint64_t ns = 0;
    enum status st = ST_OK;

    for (*units = 1; !st && *units < MAX_REPEATS; *units *= 2) {
        if ((st = limit_time(g, row, *units, host, &ns, err)) || ns >= g->least_ns)
            break;
    }
    return st;
}

static double work_of(const struct limit_gpu *g, const struct limit_row *row)
{
    if (row->kind == LIMIT_COUNT)
        return 1;
    if (row->kind == LIMIT_UPLOAD || row->kind == LIMIT_READBACK)
        return 16.0 * g->vectors < LIMIT_TRANSFER_BYTES ? 16.0 * g->vectors : LIMIT_TRANSFER_BYTES;
    return row->work * (row->kind == LIMIT_MAD ? g->chains[row->number] : 1) * LIMIT_GROUP * groups_of(g, row);
}

/* Once and twice the work by turns, so that a clock that drifts changes both alike. */
static enum status take_samples(struct limit_gpu *g, const struct limit_row *row, void *host, struct limit_result *out,
                                struct err *err)
{
    double once[MAX_SAMPLES], twice[MAX_SAMPLES], work, ns;
    uint32_t units;
    uint64_t t;
    enum status st = calibrate(g, row, host, &units, err);

    for (uint32_t i = 0; i < g->samples && !st; i++) {
        if ((st = limit_time(g, row, units, host, &t, err)))
            return st;
        once[i] = (double)t;
        st = limit_time(g, row, 2 * units, host, &t, err);
        twice[i] = (double)t;
    }
    if (st)
        return st;
    sort_values(once, g->samples);
    sort_values(twice, g->samples);
    work = 2.0 * units * work_of(g, row);
    ns = sorted_median(twice, g->samples);
    out->doubled = ns / sorted_median(once, g->samples);
    out->value = row->kind == LIMIT_COUNT ? ns / work / 1e3 : work / ns;
    out->low = row->kind == LIMIT_COUNT ? twice[0] / work / 1e3 : work / twice[g->samples - 1];
    out->high = row->kind == LIMIT_COUNT ? twice[g->samples - 1] / work / 1e3 : work / twice[0];
    return ST_OK;
}

/* ---- a row ---- */

static const char *missing(const struct limit_gpu *g, const struct limit_row *row)
{
    if (row->halves && !g->halves)
        return "mediump is 32 bits here, and there are no 16-bit types that are right";
    if (row->images && !g->image)
        return "no GL_EXT_texture_buffer";
    if (row->probe && (row->images ? g->image_vectors : g->vectors / 2) < GL_PROBE_VECTORS)
        return "no buffer as large";
    if (row->textures && !g->texture)
        return "no texture as large";
    return NULL;
}

enum status limit_measure(struct limit_gpu *g, const struct limit_row *row, struct limit_result *out, struct err *err)
{
    void *host;
    enum status st;

    *out = (struct limit_result){.why = missing(g, row)};
    if (out->why)
        return ST_OK;
    if (!(host = malloc(LIMIT_TRANSFER_BYTES)))
        return err_set(err, ST_NOMEM, "out of memory");
    if (!(st = limit_check(g, row, host, err)) && !(st = limit_use(g, row, err)))
        st = take_samples(g, row, host, out, err);
    free(host);
    return st;
}
