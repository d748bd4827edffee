/* SPDX-License-Identifier: Apache-2.0 */
/* outline.h - what a partition would run, told without a driver. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/gl/compile/generate.h"

/* Generates the partition, whose nodes gl_judge took with the same limits, and counts. Fails as delegate_ops.outline. */
enum status gl_outline(const struct gl_recipe *how, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                       struct err *err);
