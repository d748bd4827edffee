/* SPDX-License-Identifier: Apache-2.0 */
/* precision.h - which floats have 16 bits: those that are stored, those that are computed with, and of which nodes they have not.
 */
#ifndef DELEGAUGE_GL_PRECISION_H
#define DELEGAUGE_GL_PRECISION_H

#include "lib/delegate/delegate.h"
#include "lib/gl/device/half_types.h"
#include "lib/gl/ir/ir.h"
#include "lib/gl/options/gpu_options.h"

/* Of all that a delegate makes. Zeroed: everything is float32. */
struct gl_precision {
    bool half;                    /* IR_FLOAT values and weights are stored as 16-bit floats */
    enum gl_halves arithmetic;    /* and computed with as such, by kernels that can; only with `half` */
    bool sum32;                   /* but products added up in 32 bits; only with `arithmetic` */
    const struct node_list *full; /* but what these nodes compute stays float32; NULL: none */
    uint32_t subgraph;            /* of the model: the one whose nodes `full` counts */
};

/* What options ask for, by any of the ways that they have: `precision` itself; TFLite's precision_loss_allowed, which is its
 * priorities MIN_LATENCY, MIN_MEMORY_USAGE, MAX_PRECISION; and these priorities, AUTO resolved. float32 where MAX_PRECISION comes
 * first, float16 stored where it comes second, float16 computed with, too, where it comes last. ST_USAGE where they contradict each
 * other, and where priorities are not in order: one twice, or one behind an AUTO.
 * *out is not GPU_PRECISION_AUTO; priority[3], or NULL, gets the order. */
enum status gpu_precision_of(const struct gpu_options *o, enum gpu_precision *out, enum gpu_priority priority[3], struct err *err);

/* Memory comes before latency: then values are kept in buffers, which share more of it than textures do. */
bool gpu_spares_memory(const enum gpu_priority priority[3]);

/* "fp32", "fp16_storage", "fp16_sum32", "fp16": as the flag has it. */
const char *gpu_precision_name(enum gpu_precision p);

/* ST_USAGE where p->full names nodes that g, of p->subgraph, has not: the message says which there are. */
enum status gl_full_nodes_are(const struct gl_precision *p, const struct graph *g, struct err *err);

/* Warns of nodes of p->full in g, of p->subgraph, that `parts` gives to others than d, and of those of d in which there are no
 * floats that could have 16 bits. Fails only with ST_NOMEM. */
enum status gl_full_nodes_say_idle(const struct gl_precision *p, enum gpu_quant quant, const struct graph *g,
                                   const struct partitioning *parts, struct delegate *d, struct err *err);

/* The ir, to which nothing was lowered yet, stores as float32 what p->full says: outputs of these nodes, intermediate values and
 * constants that lowering them makes up, and of what they read inputs of the graph, constants and variables. With EXACT it stores
 * so what products of floats with 8-bit weights, which quantize the floats, read of these. Who else makes a tensor decides alone
 * how it is stored, so that all partitions agree on it, as they do on tensors that always stay float32 (lib/graph/whole_floats.h).
 * Rewrites that forward a value through nodes that only move it (an identity, a transpose) store it as its maker does, whichever of
 * these nodes is named. Fails only with ST_NOMEM. */
enum status gl_precision_begin(struct ir *ir, const struct gl_precision *p, enum gpu_quant quant, struct err *err);

/* Whether `op`, of such an ir, computes among others a node that stays float32: then its weights do, too. */
bool gl_op_is_full(const struct ir *ir, const struct ir_op *op);

/* Whether what `op` computes can be computed with floats of 16 bits in this way: its kernel says so, and no function needs more. */
bool gl_op_takes_halves(const struct ir_op *op, enum gl_halves by);

/* What is in force on a device of such limits, for reports; `wrong` says what of it the device does wrongly (gl_settle_halves) or
 * is "", and stays the caller's, as fp32_nodes does. */
struct delegate_precision gl_precision_told(const struct gl_limits *l, enum gpu_precision asked, const struct gl_precision *p,
                                            const char *wrong, const char *fp32_nodes);

#endif
