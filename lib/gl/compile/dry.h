/* SPDX-License-Identifier: Apache-2.0 */
/* dry.h - a compilation without a device: whether a node, once accepted, can become dispatches within the limits.
 *
 * The node is lowered alone, its operands crossing the border of a partition of its own; the passes run, variants are chosen, the
 * text of every shader is written, transfers included, and each value, binding and grid is held against the limits. No context is
 * needed. Weights are not packed, unless halves are allowed: then block by block on the stack, to see whether they fit. */
#pragma once

#include "lib/gl/compile/generate.h"

/* All that decides whether the GPU takes a node: gl_accept, then the dry run. ST_OK with why->code REASON_NONE: it is taken; with
 * another: why not, and which other --gpu_quant would take a node on quantized tensors. Fails with ST_NOMEM, and with ST_FAILED
 * where a kernel breaks the rules of kernel.h. */
enum status gl_judge(const struct gl_recipe *how, const struct graph *g, const struct node *n, struct reason *why, struct err *err);
