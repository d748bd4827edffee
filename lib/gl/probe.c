/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - eight independent chains of vec4, so that neither the latency of an operation nor memory is what is
 * measured. */
#include "probe.h"

#include "../clock.h"

enum { GROUP = 64, CHAINS = 8, ROUNDS = 512, TRIES = 5, MOST_GROUPS = 16384, LEAST_NS = 2000000 };

/* A multiplication and an addition for each lane of each chain in each round. */
#define FLOP_PER_GROUP (2.0 * GROUP * 4 * CHAINS * ROUNDS)

/* What ends up in the buffer depends on every operation, so none can be left out. */
static const char source[] = "#version 310 es\n"
                             "layout(local_size_x = 64) in;\n"
                             "layout(std430, binding = 0) writeonly buffer Sums { float sums[]; };\n"
                             "void main() {\n"
                             "    highp float s = float(gl_LocalInvocationIndex) * 0.001;\n"
                             "    highp vec4 m = vec4(0.999, 0.998, 0.997, 0.996), k = vec4(s, 0.001, 0.002, 0.003);\n"
                             "    highp vec4 a = k, b = k + 1.0, c = k + 2.0, d = k + 3.0;\n"
                             "    highp vec4 e = k + 4.0, f = k + 5.0, g = k + 6.0, h = k + 7.0;\n"
                             "    for (int i = 0; i < 512; i++) {\n"
                             "        a = a * m + k; b = b * m + k; c = c * m + k; d = d * m + k;\n"
                             "        e = e * m + k; f = f * m + k; g = g * m + k; h = h * m + k;\n"
                             "    }\n"
                             "    sums[gl_LocalInvocationIndex] = dot(a + b + c + d, e + f + g + h);\n"
                             "}\n";

GLuint gl_probe_program(const char *text)
{
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    GLint linked = 0;

    glShaderSource(shader, 1, &text, NULL);
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

/* The time of one dispatch on an idle device. */
static enum status time_groups(struct gl_context *c, const struct gl_waiting *how, uint32_t groups, uint64_t *ns, struct err *err)
{
    enum status st = gl_wait(c, how, err);
    uint64_t start = clock_ns();

    if (st)
        return st;
    glDispatchCompute(groups, 1, 1);
    st = gl_wait(c, how, err);
    *ns = clock_ns() - start;
    return st;
}

/* Doubles the work until it takes long enough for the clock, then takes the best of some tries. */
static enum status measure(struct gl_context *c, const struct gl_waiting *how, double *gflops, struct err *err)
{
    uint32_t groups = 16;
    enum status st = ST_OK;
    uint64_t ns = 0;

    for (;; groups *= 2) {
        if ((st = time_groups(c, how, groups, &ns, err)))
            return st;
        if (ns >= LEAST_NS || groups >= MOST_GROUPS)
            break;
    }
    for (int i = 0; i < TRIES; i++) {
        if ((st = time_groups(c, how, groups, &ns, err)))
            return st;
        if (ns && FLOP_PER_GROUP * groups / (double)ns > *gflops)
            *gflops = FLOP_PER_GROUP * groups / (double)ns;
    }
    return ST_OK;
}

enum status gl_probe(struct gl_context *c, const struct gl_waiting *how, double *gflops, struct err *err)
{
    GLuint program = gl_probe_program(source), buffer;
    enum status st;

    *gflops = 0;
    if (!program)
        return err_set(err, ST_FAILED, "the driver does not take the shader that probes its speed");
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, GROUP * sizeof(float), NULL, GL_STATIC_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glUseProgram(program);
    st = measure(c, how, gflops, err);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(1, &buffer);
    return st ? st : gl_context_check(c, "probing its speed", err);
}
