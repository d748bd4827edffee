/* SPDX-License-Identifier: Apache-2.0 */
/* choose.h - which of its kind's variants computes an operation.
 *
 * The first that fits does, unless something else is wanted of the whole partition: struct gl_choice. */
#ifndef DELEGAUGE_GL_CHOOSE_H
#define DELEGAUGE_GL_CHOOSE_H

#include "kernel.h"

/* What is wanted instead of the first variant that fits. */
struct gl_choice {
    uint32_t index; /* the one of this index among those that fit; where fewer fit, the last */
    uint32_t most;  /* out: among how many the operation with the largest choice could choose */
};

/* The variant may compute the operation on a device with these limits. */
bool gl_variant_fits(const struct gl_variant *v, const struct ir_op *op, const struct gl_limits *lim);

/* The chosen variant; NULL where none fits. `choice` may be NULL. */
const struct gl_variant *gl_choose(const struct ir_op *op, const struct gl_limits *lim, struct gl_choice *choice);

/* Why none fits: "needs 80000 iterations of one invocation, the device has 65535". Returns ST_UNSUPPORTED. */
enum status gl_choose_none(const struct ir_op *op, const struct gl_limits *lim, struct err *err);

#endif
