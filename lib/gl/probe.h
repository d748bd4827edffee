/* SPDX-License-Identifier: Apache-2.0 */
/* probe.h - what only a small shader can tell of a device: how fast it multiplies and adds at best. */
#ifndef DELEGAUGE_GL_PROBE_H
#define DELEGAUGE_GL_PROBE_H

#include "wait.h"

/* Stores in *gflops what the device of c reaches in float32, in 10^9 operations a second, a multiplication and an addition counted
 * each. No more than the device's peak, and on hardware a good part of it: the best of several dispatches of at least 2 ms, timed
 * by the CPU's clock until they are done. Takes some hundredths of a second. The context is current. Fails where the driver does
 * not take the shader or the device does not answer in time. */
enum status gl_probe(struct gl_context *c, const struct gl_waiting *how, double *gflops, struct err *err);

/* A program of one compute shader, the caller's to delete; 0 where the driver does not take it. The context is current. */
GLuint gl_probe_program(const char *text);

#endif
