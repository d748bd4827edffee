/* SPDX-License-Identifier: Apache-2.0 */
/* halves.c - shaders on one buffer each, whose results are known beforehand. */
#include "halves.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "probe.h"
#include "texts.h"

enum { COUNT = 64, TERMS = 16 };

/* Runs the shader of `text`, behind `head`, once, with `bytes` of content bound as its buffer 0, and reads these back. `what` for
 * messages. */
static enum status run(struct gl_context *c, const struct gl_waiting *how, const char *what, const char *head, const char *text,
                       void *content, size_t bytes, struct err *err)
{
    const GLuint program = gl_probe_program(head, text);
    const void *mapped;
    enum status st;
    GLuint buffer;

    if (!program)
        return err_set(err, ST_FAILED, "the driver does not take the shader that probes %s", what);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, content, GL_STATIC_READ);
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    st = gl_wait(c, how, err);
    if (!st && (mapped = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT))) {
        memcpy(content, mapped, bytes);
        glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    }
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(1, &buffer);
    return st ? st : gl_context_check(c, what, err);
}

/* ---- how many bits ---- */

enum status gl_probe_halves(struct gl_context *c, const struct gl_waiting *how, bool *halves, struct err *err)
{
    struct {
        uint32_t n, first, step;
        float result;
    } sum = {2, 0x6800 /* 2048 */, 0x3c00 /* 1 */, 0};
    enum status st = run(c, how, "its precision", "", halves_sum_comp, &sum, sizeof sum, err);

    *halves = false;
    if (st)
        return st;
    if (sum.result != 2048 && sum.result != 2050)
        return err_set(err, ST_FAILED, "the device says that 2048 + 1 + 1 is %g", (double)sum.result);
    *halves = sum.result == 2048;
    return ST_OK;
}

/* ---- whether they are right ---- */

/* Normal halves of both signs and all exponents, zeros and the largest among them: subnormal ones may be flushed to zero. */
static uint16_t some_half(uint32_t i)
{
    static const uint16_t ends[] = {0, 0x8000, 0x7bff, 0xfbff, 0x0400, 0x8400, 0x3c00, 0xbc00};
    const uint32_t mixed = i * 2654435761u;

    return (uint16_t)(i < 8 ? ends[i] : (mixed >> 16 & 0x8000) | (1 + i % 30) << 10 | (mixed >> 8 & 0x3ff));
}

static enum status check_stored(struct gl_context *c, const struct gl_waiting *how, char *why, struct err *err)
{
    struct {
        uint32_t words[COUNT], written[COUNT];
        float floats[2 * COUNT];
    } at = {0};
    enum status st;

    for (uint32_t i = 0; i < COUNT; i++)
        at.words[i] = some_half(2 * i) | (uint32_t)some_half(2 * i + 1) << 16;
    if ((st = run(c, how, "how it stores 16-bit floats", "", halves_store_comp, &at, sizeof at, err)))
        return st;
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        const uint16_t half = some_half(i), written = (uint16_t)(at.written[i / 2] >> 16 * (i % 2));

        if (at.floats[i] != half_to_float(half) || written != half) {
            snprintf(why, GL_HALVES_WHY, "the device reads the 16-bit float 0x%04x, %g, as %g and writes it as 0x%04x", half,
                     (double)half_to_float(half), (double)at.floats[i], written);
            break;
        }
    }
    return ST_OK;
}

/* A sum of 16 times 3 * 3 needs no rounding. Where every second of its terms is this many times as large, most have too many digits
 * for a half. */
#define SUM32_SCALE 256

static int factor(uint32_t i, uint32_t lane)
{
    return (int)((i * 5 + lane * 3 + i * lane) % 7) - 3;
}

static int scale_of(uint32_t i, bool sum32)
{
    return sum32 && i % 2 ? SUM32_SCALE : 1;
}

static void put_factors(uint32_t words[2], uint32_t i, int scale)
{
    for (uint32_t k = 0; k < 2; k++)
        words[k] = half_from_float((float)(factor(i, 2 * k) * scale)) |
                   (uint32_t)half_from_float((float)(factor(i, 2 * k + 1) * scale)) << 16;
}

static enum status check_products(struct gl_context *c, const struct gl_waiting *how, bool sum32, char *why, struct err *err)
{
    struct {
        uint32_t n, odd, x[TERMS][2], w[TERMS][2], space[2];
        float sums[COUNT][4];
    } at = {.n = TERMS};
    enum status st;

    for (uint32_t i = 0; i < TERMS; i++) {
        put_factors(at.x[i], i, scale_of(i, sum32));
        put_factors(at.w[i], i + TERMS, 1);
    }
    st = run(c, how, "how it computes with 16-bit floats", sum32 ? "#define SUM4 highp vec4\n" : "#define SUM4 vec4\n",
             halves_product_comp, &at, sizeof at, err);
    if (st)
        return st;
    for (uint32_t i = 0; i < 4 * COUNT; i++) {
        int sum = 0;

        for (uint32_t k = 0; k < TERMS; k++)
            sum += scale_of(k, sum32) * factor(k, i % 4) * factor(TERMS + (k + i / 4) % TERMS, (i + 1) % 4);
        if (at.sums[i / 4][i % 4] != (float)sum) {
            snprintf(why, GL_HALVES_WHY, "the device computes with 16 bits%s a sum of products as %g that is %d",
                     sum32 ? ", and 32 for sums," : "", (double)at.sums[i / 4][i % 4], sum);
            break;
        }
    }
    return ST_OK;
}

enum status gl_settle_halves(struct gl_context *c, const struct gl_waiting *how, enum gpu_precision asked, struct gl_precision *p,
                             char why[GL_HALVES_WHY], struct err *err)
{
    enum status st;

    why[0] = '\0';
    p->arithmetic = p->sum32 = false;
    if ((st = check_stored(c, how, why, err)))
        return st;
    p->half = !why[0];
    if (!p->half || asked == GPU_PRECISION_FP16_STORAGE ||
        (st = check_products(c, how, asked == GPU_PRECISION_FP16_SUM32, why, err)) || why[0])
        return st;
    st = gl_probe_halves(c, how, &p->arithmetic, err);
    p->sum32 = p->arithmetic && asked == GPU_PRECISION_FP16_SUM32;
    return st;
}
