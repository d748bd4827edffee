/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - CPU kernels: the contract between kernels_cpu/ and the rest.
 *
 * The reference kernel of each op is the oracle: the same formulas in the same order as TFLite's reference kernels,
 * bit-exact for integer types, and independent of thread count, CPU type and build flags (it is compiled with
 * -ffp-contract=off). Messages give the rule and the numbers; the caller puts node, op and input shapes before them. */
#ifndef DELEGAUGE_KERNEL_H
#define DELEGAUGE_KERNEL_H

#include "lib/base/threads.h"
#include "lib/graph/graph.h"
#include "lib/graph/shape.h"

/* CPU_REFERENCE is the oracle: loops that one can hold against the formula, without packing, tiles or intrinsics, vectorised by the
 * compiler at most. CPU_FAST is held against it, and if it has packed, tiled or fused loops of its own, neither runs a loop of the
 * other: an error in one shows. Operators without such loops, which have no fast kernel, run the plain one in both modes: CONV_3D,
 * FULLY_CONNECTED with blockwise weights, and operators that move data. Integer results are the same bits in both; float ones
 * differ by rounding, since CPU_FAST may fuse products into sums. */
enum cpu_mode { CPU_REFERENCE, CPU_FAST };

struct session;

/* One node as its kernel sees it. Lives as long as the plan; prepare fills it, run uses it. */
struct cpu_call {
    struct node *node;
    struct session *session; /* for ops that run subgraphs or hold resources; NULL while folding */
    struct threads *threads; /* never NULL */
    enum cpu_mode mode;
    bool double_sums; /* with CPU_REFERENCE: SESSION_FP64 of session.h */
    bool checks_only; /* prepare is called for its checks alone: cpu_pack returns ST_LATER for a large block */
    void *packed;     /* from cpu_pack: kept as long as the call, free'd with it */
    size_t packed_bytes;
    size_t scratch_bytes; /* set by prepare: bytes of scratch that run needs */
    void *scratch;        /* during run only, never NULL, aligned to 64; its content is lost between runs */
};

struct cpu_kernel {
    /* Sets the shape of every output (shape_set and friends) after checking inputs, ranks and options. Reads data only of tensors
     * that are is_known; returns ST_LATER if it needs more. Called again whenever an input shape changes. */
    enum status (*shape)(struct node *n, struct err *err);

    /* Optional. Once per plan, after shapes are known: checks types (cpu_bad_type), packs constants, asks for scratch.
     * Called again (packed freed, unless the kernel is stateful) before each run of a node whose shapes depend on data; see
     * prepare_by_shape. */
    enum status (*prepare)(struct cpu_call *c, struct err *err);

    /* Computes the outputs. Kernels whose output shape is only known from their own result (UNIQUE, WHERE) give it its size here
     * with cpu_resize_output. */
    enum status (*run)(struct cpu_call *c, struct err *err);

    /* Multiply-accumulates of one run, from the shapes: a formula of macs.h. NULL: it is not made of them;
     * macs_unknown: nobody counted. */
    uint64_t (*macs)(const struct node *n);

    bool stateful;         /* never folded, never reordered: random numbers, variables, tables */
    bool reads_model;      /* never folded: it asks the session for other subgraphs than its own */
    bool prepare_by_shape; /* prepare reads constants and shapes alone: not called again while all shapes stay as they are */
    bool reads_sparse;     /* takes sparse constants as they are stored (DENSIFY); all others are refused them */
    bool reads_shape_only; /* the result depends on the shapes of the inputs, not on their content (SHAPE) */
};

/* `bytes` of memory aligned to 64 in c->packed, zeroed. A kernel refuses a node before it packs much. */
enum status cpu_pack(struct cpu_call *c, size_t bytes, struct err *err);

/* Prepare the call, run it, and free its packed data and scratch. c->threads is the caller's. */
enum status cpu_run_once(struct cpu_call *c, struct err *err);

/* "no CPU kernel for input 0 of type COMPLEX64" and such; ST_UNSUPPORTED. `t` is one of the node's tensors. */
enum status cpu_bad_type(const struct node *n, const struct tensor *t, struct err *err);

/* Give a dynamic output its shape and memory while running; another one must have this shape (ST_BAD_MODEL). `bytes` counts for
 * TYPE_STRING alone. */
enum status cpu_resize_output(struct cpu_call *c, uint32_t i, const int32_t *dim, int32_t rank, size_t bytes, struct err *err);

#endif
