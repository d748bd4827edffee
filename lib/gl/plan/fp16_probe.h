/* SPDX-License-Identifier: Apache-2.0 */
/* fp16_probe.h - probes of a device's 16-bit floats, by small shaders as nothing else can tell: whether it computes with them, and
 * whether the results are right. Some drivers take every shader and compute garbage. */
#pragma once

#include "lib/gl/device/wait.h"
#include "lib/gl/passes/precision.h"

/* Bytes of a sentence that names the fault. */
#define GL_FP16_WHY 200

/* Store in *by the way in which shaders compute with 16 bits on the device: by `mediump`, unless it takes 32 bits for that, which
 * no query tells (GetShaderPrecisionFormat names a minimum); else by explicit types, if it has them; else not at all. A sum shows
 * it: 2048 + 1 + 1 is 2050 in 32 bits, 2048 in half precision. If the driver does not take the shader with explicit types, or the
 * sum is not 2048 with them, `why` says so, else it is "". The context is current. Fails if the driver does not take the shader
 * with `mediump`, the sum is neither then, or the device does not answer in time. */
enum status gl_probe_fp16(struct gl_context *c, const struct gl_waiting *how, enum gl_fp16 *by, char why[GL_FP16_WHY],
                          struct err *err);

/* Lower *p, of which `half` is set, to the halves that the device handles right, and set p->arithmetic, and p->sum32, if it
 * computes with 16 bits and `asked` is a precision that does. Numbers that halves hold exactly are read, written, multiplied and
 * mapped as kernels do; through images and in textures, too, if c->limits lets rules take these; and for sums of 32 bits such that
 * 16 do not hold the sums. If they come out as others, p->half or the arithmetic is given up, and `why` names the numbers that came
 * out, else it is "". The context is current; fails as gl_probe_fp16 does. */
enum status gl_settle_fp16(struct gl_context *c, const struct gl_waiting *how, enum gpu_precision asked, struct gl_precision *p,
                           char why[GL_FP16_WHY], struct err *err);
