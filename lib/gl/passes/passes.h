/* SPDX-License-Identifier: Apache-2.0 */
/* passes.h - rewrites of the operations of a partition that keep their results.
 *
 * Each pass goes over the whole ir once and may rely on producer and n_uses being right at its start (ir_link). */
#pragma once

#include "lib/gl/device/limits.h"
#include "lib/gl/ir/ir.h"

struct gl_rewrite {
    const char *name;
    /* Fails with ST_NOMEM; "expand" also with ST_UNSUPPORTED, if an operation fits no variant on the device. */
    enum status (*run)(struct ir *ir, const struct gl_limits *lim, struct err *err);
};

/* The pass "join" (expand.c): merge an operation with the one that makes its operand, if its kind can (ir_traits.join). */
enum status gl_join(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "expand" (expand.c). */
enum status gl_expand(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "few programs" (share_programs.c), in which variants are chosen. */
enum status gl_share_programs(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "fold scales" (scales.c). */
enum status gl_fold_scales(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "enlarge late" (resize_after_conv.c): put a product by pixel before the mean that it alone reads (ir_traits.by_pixel,
 * is_mean), if the mean reads fewer pixels than it makes; not if values may be halves. */
enum status gl_resize_after_conv(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "read pads" (fuse.c): if a map is the only reader of a pad that adds zeros behind, let the map read the operand of the
 * pad instead, since operands with fewer rows, pixels or channels read as zeros there (struct ir_epilogue). */
enum status gl_read_pads(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "fuse maps" (fuse.c). */
enum status gl_fuse_maps(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "raise boxes" (hoist_slices.c): let slices of a value that only deals out the channels of another value be slices of
 * that other value, and make a reshape of a reshape one reshape. */
enum status gl_raise_boxes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "raise reshapes" (hoist_slices.c): put a reshape that copies before the maps that it alone reads, as one for all that
 * reshape the operands of these maps alike; put a reshape between joins before the first join. */
enum status gl_raise_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "turn reshapes" (commute_reshape_transpose.c). */
enum status gl_commute_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "sink transposes" (sink_transpose_pass.c). */
enum status gl_sink_transposes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "border reshapes" (boundary_reshapes.c): bring in an input that is only reshaped, by copying, in its new shape; and let
 * a value that is reshaped, and perhaps joined, only to leave the graph, leave it as it was before (ir.parts). */
enum status gl_boundary_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "choose formats" (choose_formats.c): choose how each value is stored. */
enum status gl_choose_formats(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The passes that let a value lie within another (views.c), so that operations which only move it go: a reshape that keeps the
 * order of vec4, or whose only reader can take another order (ir_traits.reorder), a part of an operand, channels dealt out to
 * blocks of pixels, operands that lie one after the other, rows and columns of an operand at places that a formula gives (struct
 * ir_index_map), which convolutions alone read. */
enum status gl_view_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_parts(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_blocks(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_joins(struct ir *ir, const struct gl_limits *lim, struct err *err);
enum status gl_view_maps(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "view blends" (views.c): let maps, fused functions and convolutions make the pixels of a bilinear resize from its
 * operand (struct ir_blend), if no other operation reads these pixels, and if all readers together read each once. A pick turns
 * this choice round (pick.h). */
enum status gl_view_blends(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The pass "choose storage" (storage.c): choose the GL object in which each value is stored. Every shader that binds the value can
 * bind this object: it is within the limits, and so is the number of objects of its kind that each operation binds. */
enum status gl_choose_storage(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* The rows of passes.def and of storage.def, in the order in which they run; a NULL name ends the table. */
extern const struct gl_rewrite gl_rewrites[];

/* Run all passes. With ir->dump_dir write the operations before the first and after each pass (dump_ir.h): ST_IO if they cannot be
 * written. */
enum status gl_rewrite_all(struct ir *ir, const struct gl_limits *lim, struct err *err);

/* Return the pass called `name`, with ir_link before it: for tests. NULL if there is none. */
const struct gl_rewrite *gl_rewrite_find(const char *name);
