/* SPDX-License-Identifier: Apache-2.0 */
/* delegate.h - what a delegate is: something that runs parts of a graph instead of the CPU kernels.
 *
 * A delegate_type is a row of the registry (lib/delegate.c); opening it with its options gives a delegate, which may serve
 * several sessions one after the other on the thread that opened it. For each node it says whether it takes it, or why not;
 * for each partition it is given it makes a delegate_kernel, which runs on tensors in host memory. */
#ifndef DELEGAUGE_DELEGATE_H
#define DELEGAUGE_DELEGATE_H

#include "flag.h"
#include "graph.h"

/* Why a node stays on the CPU. The names are those of TFLite's delegate compatibility checker where it has them. */
enum reason_code {
    REASON_NONE,
    REASON_UNSUPPORTED_OPERATOR,
    REASON_UNSUPPORTED_OPERATOR_VERSION,
    REASON_UNSUPPORTED_INPUT_TYPE,
    REASON_UNSUPPORTED_OUTPUT_TYPE,
    REASON_UNSUPPORTED_OPERAND_RANK,
    REASON_UNSUPPORTED_OPERAND_SIZE,
    REASON_UNSUPPORTED_OPERAND_VALUE,
    REASON_UNSUPPORTED_OPERATOR_VARIANT,
    REASON_UNSUPPORTED_QUANTIZATION,
    REASON_MISSING_REQUIRED_OPERAND,
    REASON_DYNAMIC_SHAPE,       /* the shape is known only while running */
    REASON_DEVICE_LIMIT,        /* this device has too few or too small resources for it */
    REASON_PARTITION_TOO_SMALL, /* accepted, but its partition has fewer than min_nodes_per_partition */
    REASON_PARTITION_LIMIT,     /* accepted, but max_delegated_partitions larger partitions exist */
    REASON_COUNT
};

struct reason {
    enum reason_code code;
    char text[224]; /* one message with the numbers, without the op's name */
};

/* "UNSUPPORTED_OPERATOR" */
const char *reason_name(enum reason_code code);

/* Fills *r and returns false, so that a check reads `return reason_set(r, REASON_..., "stride %d", s);`. */
bool reason_set(struct reason *r, enum reason_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A run of nodes that one delegate takes: everything it reads and writes outside itself. */
struct partition {
    struct node **nodes;     /* in execution order */
    struct tensor **inputs;  /* read, made outside: no constants */
    struct tensor **outputs; /* made inside, read outside or a graph output; and every variable that it reads */
    uint32_t n_nodes, n_inputs, n_outputs;
};

/* One timed piece of work inside a delegate. */
struct delegate_timing {
    const char *kind;                /* "CONV_2D", "upload", "download" */
    const char *label;               /* kernel variant and what was fused: "conv 4x1 +RELU6 +ADD" */
    const struct node *const *nodes; /* [n_nodes] the nodes it computes; none for transfers */
    uint32_t n_nodes;
    uint64_t ns; /* 0 with `timed` false where the driver gave no time */
    bool timed;
};

/* What a compiled partition occupies on the device, in bytes. */
struct delegate_memory {
    uint64_t intermediates; /* the shared arena */
    uint64_t lower_bound;   /* largest set of intermediates alive at one op */
    uint64_t unshared;      /* intermediates if none shared memory */
    uint64_t constants, staging;
    uint32_t programs; /* without those that earlier partitions and sessions of the delegate brought: sums count each once */
    uint32_t dispatches, barriers;
};

struct delegate;
struct delegate_kernel;

struct delegate_ops {
    /* True: this delegate on this device can run the node, and compile will not fail for it. Else *why is filled. */
    bool (*accept)(struct delegate *d, const struct graph *g, const struct node *n, struct reason *why);

    /* Makes the partition ready to run; all its nodes were accepted and have static shapes. */
    enum status (*compile)(struct delegate *d, const struct graph *g, const struct partition *p, struct delegate_kernel **out,
                           struct err *err);

    /* Runs it: reads the data of p->inputs, writes that of p->outputs, and is finished when it returns. */
    enum status (*invoke)(struct delegate_kernel *k, struct err *err);

    /* invoke once more with every dispatch timed on its own; *rows is valid until the next call on k. Slower than invoke. */
    enum status (*profile)(struct delegate_kernel *k, const struct delegate_timing **rows, size_t *n, struct err *err);

    void (*memory)(const struct delegate_kernel *k, struct delegate_memory *out);

    /* Frees what compile made; accepts NULL. */
    void (*kernel_free)(struct delegate_kernel *k);

    /* Frees what open made, after all its kernels; accepts NULL. */
    void (*close)(struct delegate *d);
};

/* The head of every delegate's own struct. */
struct delegate {
    const struct delegate_type *type;
    const struct delegate_ops *ops;
    const char *device; /* what it runs on: "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6"; never NULL */
    bool software;      /* the driver computes on the CPU (llvmpipe, softpipe): times say nothing about a GPU */
};

struct delegate_type {
    const char *name;     /* "gpu", as in --delegate=gpu */
    const char *label;    /* "GPU", as in "GPU delegate created." */
    const char *use_flag; /* "use_gpu": the flag that asks for it */
    size_t options_size;  /* of the options struct that `flags` fill */
    const struct flag *flags;

    /* Opens the device. ST_NO_GPU where there is none: the message says what was tried and what to install. */
    enum status (*open)(const void *options, struct delegate **out, struct err *err);

    /* Describes every device that `open` could use, one call of line() per line of text, without newline. ST_NO_GPU where there is
     * none. NULL: the delegate has no devices to choose from. */
    enum status (*list_devices)(void (*line)(void *arg, const char *text), void *arg, struct err *err);

    /* A delegate that only answers `accept`, against the least any device must offer; for op_coverage without a device. */
    enum status (*open_static)(const void *options, struct delegate **out, struct err *err);
};

/* The registry; ends with NULL. */
extern const struct delegate_type *const delegate_types[];

/* The type of that name ("gpu"), or NULL. */
const struct delegate_type *delegate_find(const char *name);

/* Frees what `open` made. All delegate_kernels of it are freed before. Accepts NULL. */
void delegate_close(struct delegate *d);

#endif
