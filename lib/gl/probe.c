/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - eight independent chains of vec4, so that neither the latency of an operation nor memory is what is
 * measured. */
#include "probe.h"

#include <math.h>

#include "../clock.h"
#include "texts.h"

enum { GROUP = 64, CHAINS = 8, ROUNDS = 512, TRIES = 5, LEAST_NS = 2000000 };

/* A multiplication and an addition for each lane of each chain in each round. */
#define FLOP_PER_GROUP (2.0 * GROUP * 4 * CHAINS * ROUNDS)

static const char from_buffer[] = "layout(std430, binding = 0) readonly buffer From { highp vec4 from[]; };\n"
                                  "#define READ(i) from[i]\n";
static const char from_image[] = "#extension GL_EXT_texture_buffer : require\n"
                                 "layout(rgba32f, binding = 0) uniform restrict readonly highp imageBuffer from;\n"
                                 "#define READ(i) imageLoad(from, int(i))\n";

enum { COPIED = 1 << 22, COPIED_PER_GROUP = 256 * 16 };

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

/* Doubles the work until it takes long enough for the clock, then takes the best of some tries: per_group in a nanosecond. */
static enum status measure(struct gl_context *c, const struct gl_waiting *how, struct load l, double per_group, double *best,
                           struct err *err)
{
    enum status st = ST_OK;
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
    for (int i = 0; i < TRIES; i++) {
        if ((st = time_load(c, how, &l, &ns, err)))
            return st;
        if (ns)
            *best = fmax(*best, per_group * l.groups * l.times / (double)ns);
    }
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

/* Through an image buffer, where the device has such a large one. */
static enum status probe_image(struct gl_context *c, const struct gl_waiting *how, GLuint buffer, const struct load *l,
                               double *best, struct err *err)
{
    enum status st;
    GLuint image;

    if (!c->limits.image_reads || c->limits.image_vectors < COPIED / 16)
        return ST_OK;
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_BUFFER_EXT, image);
    glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, GL_RGBA32F, buffer, 0, COPIED);
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA32F);
    st = probe_load(c, how, from_image, probe_copy_comp, *l, 2 * COPIED_PER_GROUP, best, err);
    glDeleteTextures(1, &image);
    return st;
}

enum status gl_probe(struct gl_context *c, const struct gl_waiting *how, struct device_peak *out, struct err *err)
{
    const struct load sum = {.groups = 16, .most_groups = 16384, .times = 1, .most_times = 1};
    const struct load copy = {.groups = COPIED / COPIED_PER_GROUP, .times = 1, .most_times = 512};
    enum status st;
    GLuint buffers[2];

    *out = (struct device_peak){0};
    glGenBuffers(2, buffers);
    for (uint32_t i = 0; i < 2; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, COPIED, NULL, GL_STATIC_DRAW);
    }
    if (!(st = gl_context_check(c, "making the buffers that probe its speed", err)) &&
        !(st = probe_load(c, how, "", probe_sum_comp, sum, FLOP_PER_GROUP, &out->gflops, err)) &&
        !(st = probe_load(c, how, from_buffer, probe_copy_comp, copy, 2 * COPIED_PER_GROUP, &out->gbytes, err)))
        st = probe_image(c, how, buffers[0], &copy, &out->gbytes, err);
    glDeleteBuffers(2, buffers);
    return st ? st : gl_context_check(c, "probing its speed", err);
}
