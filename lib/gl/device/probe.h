/* SPDX-License-Identifier: Apache-2.0 */
/* probe.h - the best rates of a device, which only a small shader can tell: of multiplying and adding, and of copying.
 *
 * The shaders are declared here, too: bench/limits/limits.h times the same ones for longer, after it has counted their work. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/gl/device/half_types.h"
#include "lib/gl/device/wait.h"

/* Measure the rates of the device of c and store them in *out: no more than the device's peak, and on hardware a good part of it:
 * the best of several tries of at least 1 ms each, timed by the CPU's clock until they are done. The rate of 16-bit floats is
 * measured by `halves` (gl_probe_fp16), and 0 for GL_FP16_NONE. 4 MiB are copied, and read, in each of the ways that the device
 * has, whichever is the fastest. Takes about a tenth of a second. The context is current. Fails if the driver does not take the
 * shaders or the buffers, or the device does not answer in time. */
enum status gl_probe(struct gl_context *c, const struct gl_waiting *how, enum gl_fp16 halves, struct device_peak *out,
                     struct err *err);

/* Compile a program of one compute shader, X_comp behind `head`, the caller's to delete; 0 if the driver does not take it. The
 * context is current. */
GLuint gl_probe_program(const char *head, const char *text);

enum { GL_PROBE_HEAD = GL_HALF_HEAD + 240, GL_PROBE_GROUP = 64 };

/* ---- probe_sum.comp ---- */

/* Numbers that are multiplied and added: highp, 16-bit floats (gl_mads.halves) and highp integers. */
enum gl_number { GL_NUMBER_FLOAT, GL_NUMBER_HALF, GL_NUMBER_INT, GL_UNIFORMS };

/* Each lane of each chain is multiplied and added to so many times in a pass. */
enum { GL_PROBE_STEPS = 8, GL_PROBE_PASSES = 64 };

/* Work of one invocation: `chains` vectors of four numbers that do not wait for each other. Lanes begin with 0 to 4 * chains - 1,
 * and one more in odd invocations; at the end element i of storage buffer 0 is the sum of the lanes of invocation i. */
struct gl_mads {
    enum gl_number number;
    uint32_t chains, passes;
    enum gl_fp16 halves; /* of GL_NUMBER_HALF */
};

/* Write the head that stands before the text, behind the version, on a device of such limits. */
void gl_probe_mads_head(const struct gl_limits *l, const struct gl_mads *m, char head[GL_PROBE_HEAD]);

/* Store in *chains the number, of several tried, with which the device does most in GL_PROBE_PASSES, and in *gops its rate: 1e9
 * operations a second, two a multiply-add. */
enum status gl_probe_mads(struct gl_context *c, const struct gl_waiting *how, enum gl_number number, enum gl_fp16 halves,
                          uint32_t *chains, double *gops, struct err *err);

/* ---- probe_copy.comp and probe_read.comp ---- */

/* Both read storage buffer 0, image unit 0 (an image buffer) or texture unit 0 (an array of one layer, vectors row by row). The
 * first writes as much to storage buffer 1, the second writes in element i there the sum of all lanes that invocation i read:
 * vectors i, i + n and so on, with n invocations. */
enum gl_probe_from { GL_PROBE_BUFFER, GL_PROBE_IMAGE, GL_PROBE_TEXTURE };

/* Number of vectors of 16 bytes: in all, by one invocation that copies, and by one that reads. */
enum { GL_PROBE_VECTORS = 1 << 18, GL_PROBE_COPIES = 4, GL_PROBE_READS = 16 };

/* Write the head that stands before their texts. The width of the texture is 1 << shift. */
void gl_probe_from_head(enum gl_probe_from from, uint32_t shift, char head[GL_PROBE_HEAD]);
