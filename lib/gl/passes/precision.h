/* SPDX-License-Identifier: Apache-2.0 */
/* precision.h - which floats have 16 bits: in storage, in arithmetic, and the nodes whose floats keep 32. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/gl/device/half_types.h"
#include "lib/gl/ir/ir.h"
#include "lib/gl/options/gpu_options.h"

/* The precision of all that a delegate makes. Zeroed: everything is float32. */
struct gl_precision {
    bool half;                    /* IR_FLOAT values and weights are stored as 16-bit floats */
    enum gl_fp16 arithmetic;      /* and computed with as such, by kernels that can; only with `half` */
    bool sum32;                   /* but products are added up in 32 bits; only with `arithmetic` */
    const struct node_list *full; /* but the results of these nodes stay float32; NULL: none */
    uint32_t subgraph;            /* index in the model of the subgraph whose nodes `full` counts */
};

/* Resolve the precision that options ask for, in any of their ways: `precision` itself; TFLite's precision_loss_allowed, which is
 * its priorities MIN_LATENCY, MIN_MEMORY_USAGE, MAX_PRECISION; and these priorities, AUTO resolved. float32 if MAX_PRECISION comes
 * first, float16 stored if it comes second, float16 computed with, too, if it comes last. ST_USAGE if the options contradict each
 * other, and if priorities are not in order: one twice, or one behind an AUTO. *out is not GPU_PRECISION_AUTO; priority[3], or
 * NULL, gets the order. */
enum status gpu_precision_of(const struct gpu_options *o, enum gpu_precision *out, enum gpu_priority priority[3], struct err *err);

/* True if memory comes before latency: then values are kept in buffers, which share more memory than textures do. */
bool gpu_spares_memory(const enum gpu_priority priority[3]);

/* Return "fp32", "fp16_storage", "fp16_sum32" or "fp16", as in the flag. */
const char *gpu_precision_name(enum gpu_precision p);

/* Check the nodes of p->full. ST_USAGE if it names nodes that g, of p->subgraph, has not: the message says which there are. */
enum status gl_full_nodes_are(const struct gl_precision *p, const struct graph *g, struct err *err);

/* Warn of nodes of p->full in g, of p->subgraph, that `parts` gives to others than d, and of nodes of d without floats that could
 * have 16 bits. Fails only with ST_NOMEM. */
enum status gl_full_nodes_say_idle(const struct gl_precision *p, enum gpu_quant quant, const struct graph *g,
                                   const struct partitioning *parts, struct delegate *d, struct err *err);

/* Let the ir, to which nothing was lowered yet, store as float32 the values that p->full asks for: outputs of these nodes,
 * intermediate values and constants that lowering them makes up, and among their operands inputs of the graph, constants and
 * variables. With EXACT it stores likewise such operands of products of floats with 8-bit weights, which quantize the floats. Any
 * other node decides alone how the tensors that it makes are stored, so that all partitions agree on it, as they do on tensors that
 * always stay float32 (lib/graph/whole_floats.h). Rewrites that forward a value through nodes that only move it (an identity, a
 * transpose) store it as its maker does, whichever of these nodes is named. Fails only with ST_NOMEM. */
enum status gl_precision_begin(struct ir *ir, const struct gl_precision *p, enum gpu_quant quant, struct err *err);

/* True if `op`, of such an ir, computes among others a node that stays float32: then its weights do, too. */
bool gl_op_is_full(const struct ir *ir, const struct ir_op *op);

/* True if `op` can be computed with floats of 16 bits in this way: its kernel says so, and no function needs more. */
bool gl_op_takes_fp16(const struct ir_op *op, enum gl_fp16 by);

/* Return the precision in force on a device of such limits, for reports; `wrong` names the arithmetic that the device does wrongly
 * (gl_settle_fp16) or is "", and stays the caller's, as fp32_nodes does. */
struct delegate_precision gl_precision_told(const struct gl_limits *l, enum gpu_precision asked, const struct gl_precision *p,
                                            const char *wrong, const char *fp32_nodes);
