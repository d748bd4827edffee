/* SPDX-License-Identifier: Apache-2.0 */
/* fp16_probe.c - shaders on one buffer each, whose results are known beforehand. */
#include "lib/gl/plan/fp16_probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/gl/device/context.h"
#include "lib/gl/device/probe.h"
#include "lib/gl/device/texts.h"
#include "lib/gl/plan/plan.h"

enum { COUNT = 64, TERMS = 16, TEXTURE_WIDTH = 8, HEAD = GL_HALF_HEAD + 400 };

/* A shader to run on a buffer of so much content that is read back. */
struct small {
    const char *what, *text; /* that it probes, for messages */
    enum gl_fp16 by;
    bool sum32;
    void *content;
    size_t bytes;
    bool image, texture; /* it reads the buffer through an image, too, of halves from its beginning; and has a texture of COUNT
                            words, which another dispatch reads */
};

/* Where halves lie beside the buffer. Units are like those of a kernel that has both. */
static void bind_ways(const struct small *s, GLuint buffer, GLuint image, GLuint texture)
{
    if (s->image) {
        glBindTexture(GL_TEXTURE_BUFFER_EXT, image);
        glTexBufferRangeEXT(GL_TEXTURE_BUFFER_EXT, gl_image_format(GL_FORMAT_HALF), buffer, 0, 4 * COUNT);
        glBindImageTexture(0, image, 0, GL_TRUE, 0, GL_READ_ONLY, gl_image_format(GL_FORMAT_HALF));
    }
    if (s->texture) {
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
        glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, gl_texture_format(GL_FORMAT_HALF), TEXTURE_WIDTH, COUNT / 2 / TEXTURE_WIDTH, 2);
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glBindImageTexture(1, texture, 0, GL_TRUE, 0, GL_WRITE_ONLY, gl_texture_format(GL_FORMAT_HALF));
    }
}

static enum status run_program(struct gl_context *c, const struct gl_waiting *how, const struct small *s, GLuint program,
                               struct err *err)
{
    const void *mapped;
    GLuint buffer, textures[2];
    enum status st;

    glGenBuffers(1, &buffer);
    glGenTextures(2, textures);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)s->bytes, s->content, GL_STATIC_READ);
    bind_ways(s, buffer, textures[0], textures[1]);
    glUseProgram(program);
    glDispatchCompute(1, 1, 1);
    if (s->texture) {
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        glDispatchCompute(1, 2, 1);
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    st = gl_wait(c, how, err);
    if (!st && (mapped = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)s->bytes, GL_MAP_READ_BIT))) {
        memcpy(s->content, mapped, s->bytes);
        glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    }
    glUseProgram(0);
    glDeleteTextures(2, textures);
    glDeleteBuffers(1, &buffer);
    return st ? st : gl_context_check(c, s->what, err);
}

/* What stands before the text. */
static void write_head(const struct gl_limits *l, const struct small *s, char head[HEAD])
{
    const struct gl_texel_row *texel = &gl_texels[GL_FORMAT_HALF];
    int n = snprintf(head, HEAD, "%s", s->image ? "#extension GL_EXT_texture_buffer : require\n#define IMAGE\n" : "");

    if (s->texture)
        n += snprintf(head + n, HEAD - (size_t)n, "#define TEXTURE\n#define TEXEL_OF %s\n#define OF_TEXEL %s\n", texel->store,
                      texel->load);
    gl_half_head(l, s->by, s->sum32, head + n);
}

/* A driver that has explicit types, or images and textures of halves, only by name is no reason to fail: then `why` says so. */
static enum status run(struct gl_context *c, const struct gl_waiting *how, const struct small *s, char *why, struct err *err)
{
    char head[HEAD];
    enum status st;
    GLuint program;

    write_head(&c->limits, s, head);
    program = gl_probe_program(head, s->text);
    if (!program && s->by == GL_FP16_TYPES) {
        snprintf(why, GL_FP16_WHY, "%s: the driver does not take the shader that probes %s", gl_fp16_name(&c->limits, s->by),
                 s->what);
        return ST_OK;
    }
    if (!program && (s->image || s->texture)) {
        snprintf(why, GL_FP16_WHY, "the driver does not take the shader that probes %s", s->what);
        return ST_OK;
    }
    if (!program)
        return err_set(err, ST_FAILED, "the driver does not take the shader that probes %s", s->what);
    st = run_program(c, how, s, program, err);
    glDeleteProgram(program);
    return st;
}

/* ---- how many bits ---- */

/* What the device makes of 2048 + 1 + 1: *by where it is 2048. */
static enum status add_two(struct gl_context *c, const struct gl_waiting *how, enum gl_fp16 tried, enum gl_fp16 *by, char *why,
                           struct err *err)
{
    struct {
        uint32_t n, first, step;
        float result;
    } sum = {2, 0x6800 /* 2048 */, 0x3c00 /* 1 */, 0};
    const struct small s = {"its precision", halves_sum_comp, tried, false, &sum, sizeof sum};
    enum status st = run(c, how, &s, why, err);

    if (st || why[0])
        return st;
    if (sum.result == 2048)
        *by = tried;
    else if (tried == GL_FP16_TYPES)
        snprintf(why, GL_FP16_WHY, "%s: the device says that 2048 + 1 + 1 is %g, not 2048", gl_fp16_name(&c->limits, tried),
                 (double)sum.result);
    else if (sum.result != 2050)
        return err_set(err, ST_FAILED, "the device says that 2048 + 1 + 1 is %g", (double)sum.result);
    return ST_OK;
}

enum status gl_probe_fp16(struct gl_context *c, const struct gl_waiting *how, enum gl_fp16 *by, char why[GL_FP16_WHY],
                          struct err *err)
{
    const enum gl_half_types types = gl_half_types(&c->limits);
    enum status st = ST_OK;

    *by = GL_FP16_NONE;
    why[0] = '\0';
    if (types != GL_HALF_TYPES_EMULATED)
        st = add_two(c, how, GL_FP16_MEDIUMP, by, why, err);
    return st || *by || !types ? st : add_two(c, how, GL_FP16_TYPES, by, why, err);
}

/* ---- whether they are right ---- */

/* Normal halves of both signs and all exponents, zeros and the largest among them: subnormal ones may be flushed to zero. */
static uint16_t some_half(uint32_t i)
{
    static const uint16_t ends[] = {0, 0x8000, 0x7bff, 0xfbff, 0x0400, 0x8400, 0x3c00, 0xbc00};
    const uint32_t mixed = i * 2654435761u;

    return (uint16_t)(i < 8 ? ends[i] : (mixed >> 16 & 0x8000) | (1 + i % 30) << 10 | (mixed >> 8 & 0x3ff));
}

static bool is_half(float f, uint32_t i, const char *through, char *why)
{
    const uint16_t half = some_half(i);

    if (f == half_to_float(half))
        return true;
    snprintf(why, GL_FP16_WHY, "the device reads the 16-bit float 0x%04x, %g, as %g%s", half, (double)half_to_float(half),
             (double)f, through);
    return false;
}

/* In buffers, and in what else values and constants are kept, or read through: gpu_objects, or the device's policy. */
static enum status check_stored(struct gl_context *c, const struct gl_waiting *how, char *why, struct err *err)
{
    struct {
        uint32_t words[COUNT], written[COUNT];
        float floats[2 * COUNT], image[2 * COUNT], texels[2 * COUNT];
    } at = {0};
    const struct small s = {.what = "how it stores 16-bit floats",
                            .text = halves_store_comp,
                            .content = &at,
                            .bytes = sizeof at,
                            .image = c->limits.policy.image_reads,
                            .texture = c->limits.texture_reads > 0};
    enum status st;
    bool right = true;

    for (uint32_t i = 0; i < COUNT; i++)
        at.words[i] = some_half(2 * i) | (uint32_t)some_half(2 * i + 1) << 16;
    if ((st = run(c, how, &s, why, err)) || why[0])
        return st;
    for (uint32_t i = 0; i < 2 * COUNT && right; i++) {
        const uint16_t half = some_half(i), written = (uint16_t)(at.written[i / 2] >> 16 * (i % 2));

        if (at.floats[i] != half_to_float(half) || written != half) {
            snprintf(why, GL_FP16_WHY, "the device reads the 16-bit float 0x%04x, %g, as %g and writes it as 0x%04x", half,
                     (double)half_to_float(half), (double)at.floats[i], written);
            right = false;
        }
        right = right && (!s.image || is_half(at.image[i], i, " through an image", why)) &&
                (!s.texture || is_half(at.texels[i], i, " in a texture", why));
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

/* Element by element, all of them integers that halves hold. */
static bool are_mapped(float (*mapped)[4], bool sum32, const char *name, char *why)
{
    for (uint32_t i = 0; i < 4 * COUNT; i++) {
        const uint32_t at = i / 4, lane = i % 4;
        const float a = (float)(factor(at % TERMS, lane) * scale_of(at % TERMS, sum32)), b = (float)factor(TERMS + at / 4, lane);
        const float want = fmaxf(fminf(fmaxf(a * b, -60), 60), fminf(a, b)) - fabsf(b) + floorf(a / 2);

        if (mapped[at][lane] != want) {
            snprintf(why, GL_FP16_WHY, "%s: the device computes a function of %g and %g as %g that is %g", name, (double)a,
                     (double)b, (double)mapped[at][lane], (double)want);
            return false;
        }
    }
    return true;
}

static enum status check_products(struct gl_context *c, const struct gl_waiting *how, enum gl_fp16 by, bool sum32, char *why,
                                  struct err *err)
{
    struct {
        uint32_t n, odd, x[TERMS][2], w[TERMS][2], space[2];
        float sums[COUNT][4], mapped[COUNT][4];
    } at = {.n = TERMS};
    const struct small s = {"how it computes with 16-bit floats", halves_product_comp, by, sum32, &at, sizeof at};
    enum status st;

    for (uint32_t i = 0; i < TERMS; i++) {
        put_factors(at.x[i], i, scale_of(i, sum32));
        put_factors(at.w[i], i + TERMS, 1);
    }
    if ((st = run(c, how, &s, why, err)) || why[0] || !are_mapped(at.mapped, sum32, gl_fp16_name(&c->limits, by), why))
        return st;
    for (uint32_t i = 0; i < 4 * COUNT; i++) {
        int sum = 0;

        for (uint32_t k = 0; k < TERMS; k++)
            sum += scale_of(k, sum32) * factor(k, i % 4) * factor(TERMS + (k + i / 4) % TERMS, (i + 1) % 4);
        if (at.sums[i / 4][i % 4] != (float)sum) {
            snprintf(why, GL_FP16_WHY, "%s: the device computes with 16 bits%s a sum of products as %g that is %d",
                     gl_fp16_name(&c->limits, by), sum32 ? ", and 32 for sums," : "", (double)at.sums[i / 4][i % 4], sum);
            break;
        }
    }
    return ST_OK;
}

enum status gl_settle_fp16(struct gl_context *c, const struct gl_waiting *how, enum gpu_precision asked, struct gl_precision *p,
                           char why[GL_FP16_WHY], struct err *err)
{
    const bool sum32 = asked == GPU_PRECISION_FP16_SUM32;
    enum gl_fp16 by = GL_FP16_NONE;
    enum status st;

    why[0] = '\0';
    p->arithmetic = GL_FP16_NONE;
    p->sum32 = false;
    if ((st = check_stored(c, how, why, err)))
        return st;
    p->half = !why[0];
    if (!p->half || asked == GPU_PRECISION_FP16_STORAGE || (st = gl_probe_fp16(c, how, &by, why, err)) || !by)
        return st;
    if ((st = check_products(c, how, by, sum32, why, err)) || why[0])
        return st;
    p->arithmetic = by;
    p->sum32 = sum32;
    return ST_OK;
}
