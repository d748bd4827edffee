/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the contract of CPU kernels, between kernels_cpu/ and the rest.
 *
 * The reference kernel of each operator computes TFLite's reference formulas in their order, bit-exact for integer types, and
 * independent of thread count, CPU type and build flags (it is compiled with -ffp-contract=off). Messages give the rule and the
 * offending values; the caller prepends node, operator and input shapes. */
#pragma once

#include "lib/base/threads.h"
#include "lib/graph/graph.h"
#include "lib/graph/shape.h"

/* CPU_REFERENCE: plain loops that follow the formula, without packing, tiles or intrinsics (the compiler may vectorise them).
 * CPU_FAST: packed, tiled or fused loops, which are tested against CPU_REFERENCE and share no loop with it, so that an error in one
 * shows. Operators without fast loops run the plain ones in both modes: CONV_3D, FULLY_CONNECTED with blockwise weights, and
 * operators that move data. Integer results of both are identical; float results differ by rounding, since CPU_FAST may fuse
 * products into sums. */
enum cpu_mode { CPU_REFERENCE, CPU_FAST };

struct session;

/* A kernel's view of one node: prepare fills it, run uses it. Lives as long as the plan. */
struct cpu_call {
    struct node *node;
    struct session *session; /* for operators that run subgraphs or hold resources; NULL while folding */
    struct threads *threads; /* never NULL */
    enum cpu_mode mode;
    bool double_sums; /* with CPU_REFERENCE: SESSION_FP64 of session.h */
    bool checks_only; /* prepare is called for its checks alone: cpu_pack returns ST_LATER for a large block */
    /* Compute the outputs: set by a prepare that chooses among functions. NULL: cpu_kernel's function is called. */
    void (*compute)(struct cpu_call *c);
    void *packed; /* [packed_bytes] from cpu_pack: lives as long as the call */
    size_t packed_bytes;
    size_t scratch_bytes; /* set by prepare: bytes of scratch that run needs */
    void *scratch;        /* [scratch_bytes] in run only: never NULL, aligned to 64, content undefined */
};

/* Sets of types: 1u << TYPE_… and their unions. */
#define CPU_F32   (1u << TYPE_FLOAT32)
#define CPU_I32   (1u << TYPE_INT32)
#define CPU_INDEX (CPU_I32 | 1u << TYPE_INT64)

struct cpu_kernel {
    /* Numbers of inputs, of which the first min_in are not omitted, and of outputs; checked before each call of `shape`. Zeroed:
     * they depend on the options, and `shape` checks them (shape_arity). */
    struct {
        uint32_t min_in, max_in, n_out;
    } arity;

    /* Check ranks and options, then set the shape of every output (shape_set and friends). Read only data of tensors that
     * are is_known; return ST_LATER if more is needed. Called again whenever an input shape changes. */
    enum status (*shape)(struct node *n, struct err *err);

    /* Sets of types that the first inputs and outputs may have, CPU_F32 and such; checked before each call of `prepare`
     * (cpu_bad_type), but for omitted inputs. 0: any, or the types that `prepare` takes. */
    uint32_t in[6], out[4];

    /* Check the other types (cpu_bad_type), pack constants, set scratch_bytes; NULL: nothing to do. Called once per plan, after
     * shapes are known; for a node whose shapes depend on data again before each run, with packed freed unless the kernel is
     * stateful (see prepare_by_shape). */
    enum status (*prepare)(struct cpu_call *c, struct err *err);

    /* Compute the outputs: `compute` if that cannot fail, else `run`. If an output's shape follows from the result (UNIQUE, WHERE),
     * set it with cpu_resize_output. */
    void (*compute)(struct cpu_call *c);
    enum status (*run)(struct cpu_call *c, struct err *err);

    /* Return the multiply-accumulates of one run, from the shapes: a formula of macs.h. NULL: the operator has none; macs_unknown:
     * they are not counted. */
    uint64_t (*macs)(const struct node *n);

    bool stateful;         /* never folded, never reordered: random numbers, variables, tables */
    bool reads_model;      /* never folded: the operator asks the session for subgraphs other than its own */
    bool prepare_by_shape; /* prepare depends on constants and shapes only: not called again while all shapes stay */
    bool reads_sparse;     /* takes sparse constants in stored form (DENSIFY); other kernels never get any */
    bool reads_shape_only; /* the result depends on the shapes of the inputs, not on their content (SHAPE) */
};

/* Allocate zeroed memory of `bytes`, aligned to 64, in c->packed. Check a node before packing much. Fails with ST_NOMEM, or with
 * ST_LATER if c->checks_only and the block is large. */
enum status cpu_pack(struct cpu_call *c, size_t bytes, struct err *err);

/* Check the arity of a node whose kernel has a shape function, and call that. Fails as shape_arity does, or with its status. */
enum status cpu_infer(struct node *n, struct err *err);

/* Check the types of a call whose shapes are known, and prepare it. Fails as cpu_bad_type and cpu_kernel.prepare do. */
enum status cpu_prepare(struct cpu_call *c, struct err *err);

/* Compute the outputs of a prepared call. Fails as cpu_kernel.run does. */
enum status cpu_run(struct cpu_call *c, struct err *err);

/* Prepare the call, run it, and free its packed data and scratch. c->threads is the caller's. */
enum status cpu_run_once(struct cpu_call *c, struct err *err);

/* Fail with ST_UNSUPPORTED and a message such as "no CPU kernel for input 0 of type COMPLEX64". `t` is a tensor of the node. */
enum status cpu_bad_type(const struct node *n, const struct tensor *t, struct err *err);

/* Set the shape of output i while running, and allocate its memory, if it is dynamic; else fail with ST_BAD_MODEL unless it has
 * this shape. `bytes` is the size of a TYPE_STRING output, and ignored for other types. */
enum status cpu_resize_output(struct cpu_call *c, uint32_t i, const int32_t *dim, int32_t rank, size_t bytes, struct err *err);
