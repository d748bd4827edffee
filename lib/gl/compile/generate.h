/* SPDX-License-Identifier: Apache-2.0 */
/* generate.h - from a partition to finished shaders: all of compiling that needs no context.
 *
 * Every value, binding and grid is held against the limits. What does not fit as it was fused is generated again unfused, what does
 * not fit in one variant in the next one. A node that fits alone therefore fits in every partition, and gl_judge asks just that. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/precision.h"
#include "lib/gl/plan/draft.h"

struct gl_recipe {
    const struct gl_limits *limits;
    struct gl_precision precision;
    struct gl_pick pick;
    const struct gl_pick *picks; /* see gl_choice */
    struct gl_forced *forced;    /* or NULL */
    bool *met;                   /* or NULL: gl_note_met */
    const char *dump_ir;         /* where the ir is written after each pass (dump_ir.h), or NULL */
    enum gpu_quant quant;        /* what becomes of quantized tensors: quantized.h, exact.h */
    bool textless;               /* shaders get no text: whether they fit is all that is asked */
};

/* Fills a draft, in place of what it had but for programs; it is the caller's to free, after failures too. `tried` is what must not
 * be tried (again), and grows; it outlives the draft. ST_IO: dump_ir cannot be written. ST_UNSUPPORTED: *stuck (or NULL, for a
 * transfer) is a node for which nothing is left to try, and the message says why the last attempt failed; with nothing tried
 * before, no node that gl_judge takes gets here. */
enum status gl_generate(const struct gl_recipe *how, const struct graph *g, const struct partition *part, struct gl_tried *tried,
                        struct gl_draft *out, const struct node **stuck, struct err *err);

/* Dispatch that brings tensor t, dense in the staging buffer, into v; or the parts into it. */
void gl_emit_upload(struct gl_shader *p, const struct tensor *t, const struct ir_value *v);
void gl_emit_download(struct gl_shader *p, const struct tensor *t, const struct ir_parts *from);

/* ---- what a partition would run, told without a driver ---- */

/* Generates the partition, whose nodes gl_judge took with the same limits, and counts. Fails as delegate_ops.outline. */
enum status gl_outline(const struct gl_recipe *how, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                       struct err *err);
