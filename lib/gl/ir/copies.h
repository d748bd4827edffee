/* SPDX-License-Identifier: Apache-2.0 */
/* copies.h - operations that compute nothing: they store elements of what they read, each as it is. */
#ifndef DELEGAUGE_GL_COPIES_H
#define DELEGAUGE_GL_COPIES_H

#include "lib/gl/ir/ir.h"

/* Why the passes have left it, "its parts are no whole slices of four channels"; "" where it is none of these: it computes. */
const char *gl_why_copy(const struct ir_op *op);

#endif
