/* SPDX-License-Identifier: Apache-2.0 */
/* passes.h - rewrites of the operations of a partition that keep what they compute.
 *
 * Each pass goes over the whole ir once and may rely on producer and n_uses being right at its start (ir_link). */
#ifndef DELEGAUGE_GL_PASSES_H
#define DELEGAUGE_GL_PASSES_H

#include "lib/gl/device/limits.h"
#include "lib/gl/ir/ir.h"

struct gl_rewrite {
    const char *name;
    /* Fails with ST_NOMEM; "expand" also with ST_UNSUPPORTED, where an operation fits no variant on the device. */
    enum status (*run)(struct ir *ir, const struct gl_limits *lim, struct err *err);
};

/* The pass "join" (expand.c): an operation computes what makes its operand as well, where its kind can (ir_traits.join). */
enum status gl_join(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "expand" (expand.c). */
enum status gl_expand(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "few programs" (share_programs.c), where variants are chosen. */
enum status gl_few_programs(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "fold scales" (scales.c). */
enum status gl_fold_scales(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "enlarge late" (resize_after_conv.c): a product by pixel comes before the mean that it alone reads (ir_traits.by_pixel,
 * is_mean), where that has fewer pixels to read than it makes; not where values may be halves. */
enum status gl_enlarge_late(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "read pads" (fuse.c): a map reads what a pad adds zeros behind in the place of the pad, of which it is the only reader,
 * since operands with fewer rows, pixels or channels read as zeros there (struct ir_epilogue). */
enum status gl_read_pads(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "fuse maps" (fuse.c). */
enum status gl_fuse_maps(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "raise boxes" (hoist_slices.c): slices of what only deals out the channels of another value are slices of that, and a
 * reshape of a reshape is one. */
enum status gl_raise_boxes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "raise reshapes" (hoist_slices.c): a reshape that copies comes before the maps that it alone reads, and is one for all
 * who reshape alike what these read; one between joins comes before the first. */
enum status gl_raise_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "turn reshapes" (commute_reshape_transpose.c). */
enum status gl_turn_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "sink transposes" (sink_transpose_pass.c). */
enum status gl_sink_transposes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "border reshapes" (boundary_reshapes.c): an input that is only reshaped, by copying, is brought in as that; and what is
 * reshaped, and perhaps joined, only to leave the graph, leaves it as what it was (ir.parts). */
enum status gl_border_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "choose formats" (format.c): how each value is stored. */
enum status gl_choose_formats(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The passes that let a value lie within another (views.c), so that what only moved it goes: a reshape that keeps the order of
 * vec4, or whose only reader can take another (ir_traits.reorder), a part of an operand, what is dealt out to blocks of pixels,
 * operands that lie one after the other, rows and columns of an operand at places that a formula gives (struct ir_index_map), which
 * convolutions alone read. */
enum status gl_view_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_parts(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_blocks(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_joins(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_maps(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "view blends" (views.c): maps, fused functions and convolutions make the pixels of a bilinear resize from what it reads
 * (struct ir_blend), where no other operation reads these, and where all of them together read each once. A pick has it the other
 * way round (pick.h). */
enum status gl_view_blends(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "choose storage" (storage.c): in what each value is stored. What it gives, every shader that binds the value can bind:
 * it is within the limits, and so is what each operation binds of its kind. */
enum status gl_choose_storage(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The rows of passes.def and of storage.def, in the order in which they run; a NULL name ends the table. */
extern const struct gl_rewrite gl_rewrites[];

/* Runs them all. With ir->dump_dir what is there before the first and after each is written (dump_ir.h): ST_IO where it cannot be.
 */
enum status gl_rewrite_all(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The one called `name`, with ir_link before it: for tests. NULL: there is none. */
const struct gl_rewrite *gl_rewrite_find(const char *name);

#endif
