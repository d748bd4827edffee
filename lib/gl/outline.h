/* SPDX-License-Identifier: Apache-2.0 */
/* outline.h - what a partition would run, told without a driver. */
#ifndef DELEGAUGE_GL_OUTLINE_H
#define DELEGAUGE_GL_OUTLINE_H

#include "../delegate.h"
#include "generate.h"

/* Generates the partition, whose nodes gl_judge took with the same limits, and counts. Fails as delegate_ops.outline. */
enum status gl_outline(const struct gl_recipe *how, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                       struct err *err);

/* The operation computes nothing: it stores elements of what it reads, each as it is. */
bool gl_is_copy(const struct ir_op *op);

/* Why the passes have left it: "its parts are no whole slices of four channels". Of what gl_is_copy says. */
const char *gl_copy_reason(const struct ir_op *op);

#endif
