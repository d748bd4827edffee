/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - the best of several tries of several shaders: as many chains as hide the latency of one device's operations need more
 * registers than another has. */
#include "lib/gl/device/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/gl/device/texts.h"

enum { TRIES = 8, LEAST_NS = 1000000, TEXTURE_SHIFT = 9 };

static const uint32_t chain_counts[] = {3, 6};

GLuint gl_probe_program(const char *head, const char *text)
{
    const char *texts[] = {"#version 310 es\n", head, text};
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    GLint linked = 0;

    gl_texts_unpack();
    glShaderSource(shader, 3, texts, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return program;
    glDeleteProgram(program);
    return 0;
}

/* So many dispatches of so many workgroups, which grow to no more than this. */
struct load {
    GLuint program;
    uint32_t groups, most_groups, times, most_times;
};

/* The time of all dispatches on an idle device. */
static enum status time_load(struct gl_context *c, const struct gl_waiting *how, const struct load *l, uint64_t *ns,
                             struct err *err)
{
    enum status st = gl_wait(c, how, err);
    uint64_t start = clock_ns();

    if (st)
        return st;
    glUseProgram(l->program);
    for (uint32_t i = 0; i < l->times; i++)
        glDispatchCompute(l->groups, 1, 1);
    st = gl_wait(c, how, err);
    *ns = clock_ns() - start;
    return st;
}

/* Doubles the work until it takes long enough for the clock, then takes the best of some tries: per_group in a nanosecond. Of what
 * three tries leave at less than half of *best, there are no more. */
static enum status measure(struct gl_context *c, const struct gl_waiting *how, struct load l, double per_group, double *best,
                           struct err *err)
{
    enum status st = ST_OK;
    double here = 0;
    uint64_t ns = 0;

    while (!(st = time_load(c, how, &l, &ns, err)) && ns < LEAST_NS) {
        if (l.groups < l.most_groups)
            l.groups *= 2;
        else if (l.times < l.most_times)
            l.times *= 2;
        else
            break;
    }
    if (st)
        return st;
    for (int i = 0; i < TRIES && (i < 3 || 2 * here >= *best); i++) {
        if ((st = time_load(c, how, &l, &ns, err)))
            return st;
        if (ns)
            here = fmax(here, per_group * l.groups * l.times / (double)ns);
    }
    *best = fmax(*best, here);
    return ST_OK;
}

static enum status probe_load(struct gl_context *c, const struct gl_waiting *how, const char *head, const char *text, struct load l,
                              double per_group, double *best, struct err *err)
{
    enum status st;

    if (!(l.program = gl_probe_program(head, text)))
        return err_set(err, ST_FAILED, "the driver does not take the shader that probes its speed");
    st = measure(c, how, l, per_group, best, err);
    glUseProgram(0);
    glDeleteProgram(l.program);
    return st;
}

static GLuint bind_buffer(GLuint point, GLsizeiptr bytes)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, point, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, bytes, NULL, GL_STATIC_DRAW);
    return buffer;
}

/* ---- operations ---- */

void gl_probe_mads_head(const struct gl_limits *l, const struct gl_mads *m, char head[GL_PROBE_HEAD])
{
    int n;

    gl_half_head(l, m->number == GL_NUMBER_HALF ? m->halves : GL_FP16_NONE, false, head);
    n = (int)strlen(head);
    n += snprintf(head + n, (size_t)(GL_PROBE_HEAD - n),
                  "precision highp int;\n#define VECTOR %s\n#define PASSES %u\n#define EACH(DO)",
                  m->number == GL_NUMBER_INT ? "ivec4" : "FACTOR4", m->passes);

    for (uint32_t i = 0; i < m->chains; i++)
        n += snprintf(head + n, (size_t)(GL_PROBE_HEAD - n), " DO(v%u, %u)", i, 4 * i);
    snprintf(head + n, (size_t)(GL_PROBE_HEAD - n), "\n");
}

enum status gl_probe_mads(struct gl_context *c, const struct gl_waiting *how, enum gl_number number, enum gl_fp16 halves,
                          uint32_t *chains, double *gops, struct err *err)
{
    const struct load load = {.groups = 1, .most_groups = 16384, .times = 1, .most_times = 64};
    GLuint sums = bind_buffer(0, 16384 * GL_PROBE_GROUP * sizeof(float));
    enum status st = gl_context_check(c, "making the buffer that probes its speed", err);
    char head[GL_PROBE_HEAD];

    *gops = 0;
    for (size_t i = 0; i < sizeof chain_counts / sizeof *chain_counts && !st; i++) {
        const struct gl_mads m = {number, chain_counts[i], GL_PROBE_PASSES, halves};
        const double before = *gops;

        gl_probe_mads_head(&c->limits, &m, head);
        st = probe_load(c, how, head, probe_sum_comp, load, 2.0 * GL_PROBE_GROUP * 4 * GL_PROBE_STEPS * GL_PROBE_PASSES * m.chains,
                        gops, err);
        if (*gops > before)
            *chains = m.chains;
    }
    glDeleteBuffers(1, &sums);
    return st;
}

/* ---- bytes ---- */

void gl_probe_from_head(enum gl_probe_from from, uint32_t shift, char head[GL_PROBE_HEAD])
{
    static const char *const texts[] = {
        [GL_PROBE_BUFFER] = "layout(std430, binding = 0) readonly buffer From { highp vec4 from[]; };\n"
                            "#define READ(i) from[i]\n",
        [GL_PROBE_IMAGE] = "#extension GL_EXT_texture_buffer : require\n"
                           "layout(rgba32f, binding = 0) uniform restrict readonly highp imageBuffer from;\n"
                           "#define READ(i) imageLoad(from, int(i))\n",
        [GL_PROBE_TEXTURE] = "layout(binding = 0) uniform highp sampler2DArray from;\n"
                             "#define READ(i) texelFetch(from, ivec3((i) & ((1u << SHIFT) - 1u), (i) >> SHIFT, 0), 0)\n"};

    snprintf(head, GL_PROBE_HEAD, "%s#define SHIFT %u\n", texts[from], shift);
}

/* Whether the device reads as much in that way; then it is bound. */
static bool bind_from(struct gl_context *c, enum gl_probe_from from, GLuint buffer, GLuint texture)
{
    const struct gl_limits *l = &c->limits;

    if (from == GL_PROBE_IMAGE && l->image_reads && l->image_vectors >= GL_PROBE_VECTORS) {
        glBindTexture(GL_TEXTURE_BUFFER_EXT, texture);
        glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, GL_RGBA32F, buffer, 0, 16 * GL_PROBE_VECTORS);
        glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA32F);
        return true;
    }
    if (from == GL_PROBE_TEXTURE && l->texture_reads && l->texture_size >= 1 << TEXTURE_SHIFT) {
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
        glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA32F, 1 << TEXTURE_SHIFT, GL_PROBE_VECTORS >> TEXTURE_SHIFT, 1);
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        return true;
    }
    return from == GL_PROBE_BUFFER;
}

/* Copies, and reads alone, each in every way. */
static enum status probe_bytes(struct gl_context *c, const struct gl_waiting *how, struct device_peak *out, struct err *err)
{
    const uint32_t copies = GL_PROBE_GROUP * GL_PROBE_COPIES, reads = GL_PROBE_GROUP * GL_PROBE_READS;
    const struct load copy = {.groups = GL_PROBE_VECTORS / copies, .times = 1, .most_times = 512};
    const struct load read = {.groups = GL_PROBE_VECTORS / reads, .times = 1, .most_times = 512};
    const GLuint buffers[] = {bind_buffer(0, 16 * GL_PROBE_VECTORS), bind_buffer(1, 16 * GL_PROBE_VECTORS)};
    enum status st = gl_context_check(c, "making the buffers that probe its speed", err);
    char head[GL_PROBE_HEAD];
    GLuint textures[3];

    glGenTextures(3, textures);
    for (enum gl_probe_from i = GL_PROBE_BUFFER; i <= GL_PROBE_TEXTURE && !st; i++) {
        if (!bind_from(c, i, buffers[0], textures[i]))
            continue;
        gl_probe_from_head(i, TEXTURE_SHIFT, head);
        if (!(st = probe_load(c, how, head, probe_copy_comp, copy, 32.0 * copies, &out->gbytes, err)))
            st = probe_load(c, how, head, probe_read_comp, read, 16.0 * reads, &out->read_gbytes, err);
    }
    glDeleteTextures(3, textures);
    glDeleteBuffers(2, buffers);
    return st;
}

enum status gl_probe(struct gl_context *c, const struct gl_waiting *how, enum gl_fp16 halves, struct device_peak *out,
                     struct err *err)
{
    uint32_t chains;
    enum status st;

    *out = (struct device_peak){0};
    if ((st = gl_probe_mads(c, how, GL_NUMBER_FLOAT, halves, &chains, &out->gflops, err)) ||
        (halves && (st = gl_probe_mads(c, how, GL_NUMBER_HALF, halves, &chains, &out->half_gflops, err))) ||
        (st = probe_bytes(c, how, out, err)))
        return st;
    return gl_context_check(c, "probing its speed", err);
}
