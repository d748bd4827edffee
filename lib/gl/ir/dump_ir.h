/* SPDX-License-Identifier: Apache-2.0 */
/* dump_ir.h - the operations of a partition as files, one pair after each pass: the results of the passes, for people and scripts.
 *
 * DIR/node12-03-fuse_maps.json and .dot: the partition that begins with node 12 of the graph (of another subgraph than the first:
 * subgraph1-node12-...), after pass 3, counted from 1; 00-lowered is before the first. A partition that is compiled anew overwrites
 * its files.
 *
 * The JSON is one object: "pass", "number", "subgraph", "first_node"; "values", each with "id", "name" (null if no tensor
 * stands for it), "type" (float, int, bool), "shape" ([b,h,w,c]), "constant", "input", "output", "format" and "storage" (null
 * before they are chosen), and "view" (null, or "of", "at", "pitch" and "map": null, or of "h" and "w" "before", "length",
 * "shift", "mirrors" and "twice", struct ir_axis_map; "blend": null, or "center" and of "h" and "w" "length" and "scale", struct
 * ir_blend; if it is stored in blocks, "blocks": [h,w,channels], struct ir_blocks); "operations" in order, each with "kind",
 * "variant" (null before it is chosen), "nodes" of the file, "in", "out", "out2" (ids) and "epilogue": "function", and the ids of
 * its "operands", in which null is the value computed so far and {"back": k} that value before the last k functions. */
#pragma once

#include "lib/gl/ir/ir.h"

/* Check early that such files could be written into `dir`; nothing is written. ST_IO if they could not. */
enum status gl_dump_ir_try(const char *dir, struct err *err);

/* Write both files of the ir as it is after pass `number`, called `pass`. ST_IO if that fails, ST_NOMEM. */
enum status gl_dump_ir(const struct ir *ir, const char *dir, const char *pass, uint32_t number, struct err *err);
