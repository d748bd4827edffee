/* SPDX-License-Identifier: Apache-2.0 */
/* probe.h - what only a small shader can tell of a device: how fast it multiplies and adds, and copies, at best. */
#ifndef DELEGAUGE_GL_PROBE_H
#define DELEGAUGE_GL_PROBE_H

#include "../delegate.h"
#include "wait.h"

/* Stores in *out what the device of c reaches. No more than the device's peak, and on hardware a good part of it: the best of
 * several tries of at least 2 ms each, timed by the CPU's clock until they are done. Bytes are copied between two buffers of 4 MiB,
 * read as such and, where the device has them, as an image buffer, whichever is faster. Takes some hundredths of a second. The
 * context is current. Fails where the driver does not take the shaders or the buffers, or the device does not answer in time. */
enum status gl_probe(struct gl_context *c, const struct gl_waiting *how, struct device_peak *out, struct err *err);

/* A program of one compute shader, X_comp behind `head`, the caller's to delete; 0 where the driver does not take it. The context
 * is current. */
GLuint gl_probe_program(const char *head, const char *text);

#endif
