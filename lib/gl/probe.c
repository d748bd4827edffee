/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - eight independent chains of vec4, so that neither the latency of an operation nor memory is what is measured; and a sum
 * that comes out differently with 16 bits. */
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

static GLuint make_program(const char *text)
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
    GLuint program = make_program(source), buffer;
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

/* ---- precision ---- */

/* As the kernels have it: a sum of what is unpacked from halves, in a loop whose length no compiler knows. */
static const char sum_source[] = "#version 310 es\n"
                                 "precision mediump float;\n"
                                 "layout(local_size_x = 1) in;\n"
                                 "layout(std430, binding = 0) buffer Sum { highp uint n, first, step; highp float result; };\n"
                                 "void main() {\n"
                                 "    vec2 sum = unpackHalf2x16(first), by = unpackHalf2x16(step);\n"
                                 "    for (highp uint i = 0u; i < n; i++)\n"
                                 "        sum += by;\n"
                                 "    result = sum.x;\n"
                                 "}\n";

static enum status add_up(struct gl_context *c, const struct gl_waiting *how, float *sum, struct err *err)
{
    const float *mapped;
    enum status st;

    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    if ((st = gl_wait(c, how, err)))
        return st;
    mapped = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, 4 * sizeof(float), GL_MAP_READ_BIT);
    if (mapped)
        *sum = mapped[3];
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return ST_OK;
}

enum status gl_probe_halves(struct gl_context *c, const struct gl_waiting *how, bool *halves, struct err *err)
{
    enum { TWO_THOUSAND_AND_48 = 0x6800, ONE = 0x3c00 };
    const GLuint content[] = {2, TWO_THOUSAND_AND_48, ONE, 0};
    GLuint program = make_program(sum_source), buffer;
    float sum = 0;
    enum status st;

    *halves = false;
    if (!program)
        return err_set(err, ST_FAILED, "the driver does not take the shader that probes its precision");
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof content, content, GL_STATIC_READ);
    glUseProgram(program);
    st = add_up(c, how, &sum, err);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(1, &buffer);
    if (st || (st = gl_context_check(c, "probing its precision", err)))
        return st;
    if (sum != 2048 && sum != 2050)
        return err_set(err, ST_FAILED, "the device says that 2048 + 1 + 1 is %g", (double)sum);
    *halves = sum == 2048;
    return ST_OK;
}
