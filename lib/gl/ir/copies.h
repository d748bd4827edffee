/* SPDX-License-Identifier: Apache-2.0 */
/* copies.h - operations that compute nothing: they store elements of their inputs, each as it is. */
#pragma once

#include "lib/gl/ir/ir.h"

/* Return the reason why the passes have left such an operation, "its parts are no whole slices of four channels"; "" if it is none
 * of these: it computes. */
const char *gl_why_copy(const struct ir_op *op);
