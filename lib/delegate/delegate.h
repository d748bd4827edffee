/* SPDX-License-Identifier: Apache-2.0 */
/* delegate.h - the contract of delegates: backends that run parts of a graph in place of the CPU kernels.
 *
 * A delegate_type is a row of the registry (lib/delegate/delegates.def). Opening it with its options makes a delegate, which may
 * serve several sessions on the thread that opened it. A session then calls, for each graph:
 *
 *   claim     once: take nodes, or give the reason for each refusal; partitions follow from the claims
 *   init      once per partition: make a delegate_kernel
 *   prepare   once, with all kernels of the graph, so that the delegate can place memory across partitions
 *   invoke    once per run and partition, on tensors in host memory */
#pragma once

#include "lib/base/flag.h"
#include "lib/graph/graph.h"

/* The reason why a node stays on the CPU; of several, the first one found. Names are those of TFLite's delegate compatibility
 * checker if it has one. op_coverage, the JSON reports, dg_session_node and testdata/gpu print them: a code keeps its meaning. */
enum reason_code {
    REASON_NONE,                         /* delegated, or folded */
    REASON_UNSUPPORTED_OPERATOR,         /* the delegate has no kernel for the operator */
    REASON_UNSUPPORTED_OPERATOR_VERSION, /* the delegate's kernel knows older versions only */
    REASON_UNSUPPORTED_INPUT_TYPE,
    REASON_UNSUPPORTED_OUTPUT_TYPE,
    REASON_UNSUPPORTED_OPERAND_RANK,     /* too many dimensions, or a rank that the kernel does not take */
    REASON_UNSUPPORTED_OPERAND_SIZE,     /* an operand has no elements, or its shape does not match another's */
    REASON_UNSUPPORTED_OPERAND_VALUE,    /* a constant's content, or a number in the options, is out of range */
    REASON_UNSUPPORTED_OPERATOR_VARIANT, /* a form of the operator: options, operands computed at run time, state */
    REASON_UNSUPPORTED_QUANTIZATION,     /* reason_name: "UNSUPPORTED_QUANTIZATION_PARAMETERS" */
    REASON_MISSING_REQUIRED_OPERAND,     /* an input or output is omitted, or there are too few or too many */
    REASON_DYNAMIC_SHAPE,                /* a shape is known only while running */
    REASON_DEVICE_LIMIT,                 /* the node exceeds a limit of this device */
    REASON_DRIVER,                       /* accepted, but the driver refused the programs of all variants */
    REASON_PARTITION_TOO_SMALL,          /* accepted, but its partition has fewer nodes than min_nodes_per_partition */
    REASON_PARTITION_LIMIT,              /* accepted, but max_delegated_partitions larger partitions exist, or excluded by the flags
                                          * that name nodes or operators (partition_flags.h) */
    REASON_INVALID_MODEL,                /* the model cannot run anywhere, so its shapes are unknown */
    REASON_REFUSED_BY_CPU,               /* the CPU kernel, which is the reference, refuses it; the text is its message */
    REASON_COUNT
};

/* A code and its explanation. Zeroed: no reason. */
struct reason {
    enum reason_code code;
    char text[224]; /* one sentence with the offending values, without the operator's name */
};

/* Return the code's name ("UNSUPPORTED_OPERATOR"), or "?" for a number that is no code. */
const char *reason_name(enum reason_code code);

/* Fill *r and return false, so that a check reads `return reason_set(r, REASON_..., "stride %d", s);`. */
bool reason_set(struct reason *r, enum reason_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

struct delegate;

/* The state of one node while delegates are asked about it, one after the other. */
struct claim {
    struct delegate *owner; /* the delegate that takes the node; NULL: none so far */
    bool barred;            /* the current delegate must not take it: the node is folded, calls subgraphs, keeps state, is dynamic
                             * (delegate.takes_dynamic), or was refused by a driver or by the CPU kernel */
    struct reason why;      /* the first refusal's code and the text of all refusals, or why it is barred; folded: no reason */
};

/* A subgraph that one delegate runs, with the tensors that cross its boundary. */
struct partition {
    struct delegate *delegate;
    struct node **nodes;     /* [n_nodes] in execution order */
    struct tensor **inputs;  /* [n_inputs] tensors read here and computed outside, without constants */
    struct tensor **outputs; /* [n_outputs] tensors computed here and read outside, or graph outputs; variable tensors that it reads
                              * (they are inputs too); resource variables that it assigns */
    uint32_t n_nodes, n_inputs, n_outputs;
    bool watched;       /* all outputs must be in host memory after a run, even if only this delegate reads them */
    bool whole;         /* all nodes of the graph, none of them folded; with the inputs and outputs of the graph, in its order */
    const bool *masked; /* [n_nodes] of a whole one: nodes that the delegate leaves to kernels of its own for the CPU; NULL: none */
};

/* One timed piece of work inside a delegate: a dispatch or a transfer. */
struct delegate_timing {
    const char *kind;                /* "CONV_2D", "upload", "download" */
    const char *label;               /* kernel variant and fused operators: "conv 4x1 +RELU6 +ADD" */
    const char *why_copy;            /* the reason for a piece that only copies elements, as given to delegate_outline.see_copy; ""
                                      * for other pieces; NULL: the delegate does not say */
    const struct node *const *nodes; /* [n_nodes] the nodes that it computes; none for transfers */
    uint32_t n_nodes;
    const struct tensor *tensor; /* the tensor that a transfer moves; else NULL */
    const struct tensor *border; /* the partition's input or output whose layout this piece converts, if it computes no node and is
                                  * no transfer; else NULL */
    bool halves;                 /* computes with 16-bit floats */
    uint64_t ns;                 /* duration; 0 if not `timed` */
    bool timed;                  /* false: the driver gave no time */
    uint64_t begin_ns;           /* when it began, by clock_ns; 0: not known */
    bool device_clock;           /* begin_ns was read from the device's clock, and brought to clock_ns */
};

/* Durations of a timed run outside its pieces, in nanoseconds. */
struct delegate_overhead {
    uint64_t write_ns; /* copying inputs to memory that the device reads */
    uint64_t wait_ns;  /* waiting for the device after the last piece was submitted */
    uint64_t read_ns;  /* copying outputs from memory that the device wrote */
};

/* One device program that was made ready for a partition. */
struct delegate_program {
    const char *label; /* label of the first piece of work that needs it */
    uint64_t ns;       /* time to make it ready; several programs may be made ready at the same time */
    bool loaded; /* from a serialized binary; false: compiled from source, maybe by the driver's cache (drivers do not tell) */
};

/* A property of a device, or a figure of a partition. */
struct delegate_fact {
    const char *name, *unit; /* "storage_block_bytes" in "bytes"; unit "boolean": value is 0 or 1 */
    uint64_t value;
    const char *detail; /* a word beside the value, which lives as long as the partition's kernel; NULL: none */
    bool longest;       /* of several partitions the largest value counts, not the sum */
};

/* Device memory, work of a run and preparation costs, as far as a delegate knows them: a fact that it does not add is unknown. A
 * name with a dot is a member's path in JSON reports, which have microseconds, and null for unknown facts:
 *
 *   memory.*   bytes: tensors (intermediate tensors), lower_bound (the largest set of them alive at one operation), unshared (if
 *              none shared memory), constants, staging; memory.weights.*: constants by element format
 *   work.*     number per run
 *   start.*    costs of preparation that a serialized start avoids; start.tuning.us includes the compilation of trials
 *
 * Session times have "compile", "load" and "pack" (constants), in nanoseconds outside of tuning. A resource that partitions of a
 * graph share counts in one of them, so that sums over partitions are right. */
struct delegate_facts {
    struct delegate_fact list[40];
    size_t n;
};

/* Add list[n] to facts of the same names, or behind them; the first detail of a name stays. */
void facts_add(struct delegate_facts *to, const struct delegate_fact *list, size_t n);
#define FACTS(to, ...)                                                                                                             \
    facts_add(to, (const struct delegate_fact[]){__VA_ARGS__},                                                                     \
              sizeof((const struct delegate_fact[]){__VA_ARGS__}) / sizeof(struct delegate_fact))

/* Add the facts of `bytes` of intermediate tensors, none of which share memory. */
void facts_add_tensors(struct delegate_facts *to, uint64_t bytes);

/* Return the fact of that name; NULL: unknown. */
const struct delegate_fact *fact_find(const struct delegate_facts *f, const char *name);

/* Return its value; 0: unknown. */
uint64_t fact_value(const struct delegate_facts *f, const char *name);

/* The work of one run of a partition, as far as it is known without a device. */
struct delegate_outline {
    uint32_t dispatches; /* pieces of work on the device, without transfers */
    uint32_t copies;     /* dispatches that compute nothing and only copy elements */
    uint32_t transfers;  /* inputs and outputs that are moved */

    /* Set by the caller, or NULL: called for each copy with the first node that needs it (NULL: none), its kernel variant and the
     * reason for the copy; both strings are valid during the call. */
    void (*see_copy)(void *arg, const struct node *n, const char *label, const char *why);
    void *arg;
};

/* Element order of a tensor in a buffer on a delegate's device.
 *
 * DENSE: as in host memory, padded to whole 32-bit words; the padding's content is undefined.
 * SLICES: the layout of the delegate "gpu" for FLOAT32 and INT32: [batch][slice][row][column][4], a slice being four channels. A
 *   tensor of another rank than 4 has the axes that the delegate assigns to it. Inputs have zeros beyond the last channel. */
enum delegate_layout { DELEGATE_DENSE, DELEGATE_SLICES };

/* A range of a buffer on a delegate's device. The caller owns the buffer throughout. */
struct delegate_buffer {
    uint32_t id;     /* name of a GL buffer in the delegate's context, or in one that shares objects with it */
    uint64_t offset, /* bytes before the tensor: a multiple of the limit storage_align */
        bytes;       /* length of the range */
    enum delegate_layout layout;
};

/* Return the bytes of t as DELEGATE_DENSE: rounded up to whole 32-bit words, which shaders write. */
size_t delegate_dense_bytes(const struct tensor *t);

/* The way of a partition's input or output to its dispatches: through host memory; in the caller's buffer, with a dispatch that
 * converts the layout; or in the caller's buffer, which the dispatches use directly. */
enum delegate_way { DELEGATE_BY_HOST, DELEGATE_CONVERTED, DELEGATE_DIRECT };

struct delegate_crossing {
    const struct tensor *tensor;
    bool output; /* an output of the partition; else an input */
    enum delegate_way way;
};

struct delegate_kernel;

struct delegate_kernel_ops {
    /* Run the partition once: read the data of its inputs, write the data of its outputs, return when this is done. An output that
     * only partitions of the same delegate and graph read may stay on the device, unless the partition is watched: these partitions
     * run in the order that `prepare` got, with no other kernel of the delegate in between. */
    enum status (*invoke)(struct delegate_kernel *k, struct err *err);

    /* invoke in three steps; all three or none (NULL). submit reads the inputs and hands the work to the device, several times in a
     * row if need be; wait returns when all submitted work is done; read then writes the outputs of the last submit. Work that
     * other kernels of the delegate submit later runs later. */
    enum status (*submit)(struct delegate_kernel *k, struct err *err);
    enum status (*wait)(struct delegate_kernel *k, struct err *err);
    enum status (*read)(struct delegate_kernel *k, struct err *err);

    /* Fetch the outputs of every run while runs overlap; both NULL: as if ahead returned 0.
     *
     * ahead: return how many runs may be submitted after a run before its outputs are fetched: 0; 1; or UINT32_MAX if no output
     *   goes to host memory, so that there is nothing to fetch.
     * fetch: with two runs submitted and ahead at 1, wait for the first run only and write its outputs, while the device works on
     *   the second, to which later calls of wait and read refer. */
    uint32_t (*ahead)(const struct delegate_kernel *k);
    enum status (*fetch)(struct delegate_kernel *k, struct err *err);

    /* Run the partition once as invoke does, but time every piece of work by itself, which is slower. *rows is valid until the next
     * call on k. Add time that is in no row to *overhead. NULL: the session times the partition as a whole. */
    enum status (*profile)(struct delegate_kernel *k, const struct delegate_timing **rows, size_t *n,
                           struct delegate_overhead *overhead, struct err *err);

    /* Add the facts that the delegate knows of the kernel. */
    void (*facts)(const struct delegate_kernel *k, struct delegate_facts *to);

    /* Let the next run read the variables among the partition's inputs from host memory again. Variables that nothing else reads
     * may stay on the device from one run to the next, unless the partition is watched; host memory is then out of date. NULL:
     * variables never stay. */
    void (*reset)(struct delegate_kernel *k);

    /* Bind a buffer to input or output t of the partition, from the next run on; b NULL: return to host memory. The caller keeps
     * the buffer until the last run or another call for t. A variable may be bound as input and as output, in one buffer. Does
     * nothing and returns ST_OK if the partition does not transfer t, or t is a variable that stays with the kernel. Fails with
     * ST_USAGE if the buffer or its range is invalid, with ST_UNSUPPORTED if the device does not store t in that layout (never for
     * DELEGATE_DENSE). NULL: the delegate takes no buffers. */
    enum status (*bind)(struct delegate_kernel *k, const struct tensor *t, bool output, const struct delegate_buffer *b,
                        struct err *err);

    /* Store in *out transfer i, an input or output that runs move to or from the device; return false if i is beyond the last.
     * Tensors that stay on the device are not among them. NULL: the delegate does not tell. */
    bool (*crossing)(const struct delegate_kernel *k, uint32_t i, struct delegate_crossing *out);

    /* Store in *out program i of the programs that were made for this kernel, not for an earlier one; return false if i is beyond
     * the last. The label lives as long as k. NULL: the delegate has no programs. */
    bool (*program)(const struct delegate_kernel *k, uint32_t i, struct delegate_program *out);

    /* Free the kernel with all that init and prepare made; prepare need not have been called. */
    void (*free)(struct delegate_kernel *k);
};

/* A partition compiled by a delegate; the first member of the delegate's own struct. */
struct delegate_kernel {
    const struct delegate_kernel_ops *ops;
};

/* Peak rates of a device, measured with small shaders. */
struct device_peak {
    double gflops;      /* 1e9 float32 operations per second; a multiply-add counts as two; 0: unknown */
    double half_gflops; /* the same for 16-bit floats; 0: the delegate does not compute with them */
    double gbytes;      /* 1e9 bytes per second when copying 4 MiB, bytes read and bytes written counted; 0: unknown */
    double read_gbytes; /* 1e9 bytes per second when only reading; 0: unknown, assume `gbytes` */
};

struct partitioning; /* partition.h */

struct delegate_ops {
    /* Judge every node of the graph whose claims[node] is free (no owner, not barred), and leave the other claims alone: set
     * `owner` to d, or fill `why`. A claim promises that init and prepare will fail for the node only for lack of memory or because
     * a driver refuses it. `claims` is valid during the call. */
    enum status (*claim)(struct delegate *d, const struct graph *g, struct claim *claims, struct err *err);

    /* Answer as `claim` does, about a graph that d would run as a whole: d owns the nodes that run on the accelerator asked for,
     * and the others have its reason. The library is asked, by compiling the graph and, if need be, by a run on zeros. NULL: the
     * answer is that of `claim`. Fails as init does. */
    enum status (*claim_whole)(struct delegate *d, const struct graph *g, struct claim *claims, struct err *err);

    /* Make a kernel for a partition whose nodes d claimed. Graph and partition outlive the kernel. *out is NULL after a failure. If
     * a driver refuses a node, fill refused[node.index] (of [graph nodes]) and return ST_OK: the caller then only frees the kernel,
     * and partitions the graph again without that node. `refused` is valid until prepare returns. */
    enum status (*init)(struct delegate *d, const struct graph *g, const struct partition *p, struct reason *refused,
                        struct delegate_kernel **out, struct err *err);

    /* Make all of d's kernels[n] of one graph ready to run; the array is in execution order. Kernels of other graphs may be alive.
     * Not called after init reported a refusal. Nodes that do not fit in memory are refused in the array that init got, as there;
     * no kernel can run then. */
    enum status (*prepare)(struct delegate *d, struct delegate_kernel *const *kernels, uint32_t n, struct err *err);

    /* Inspect the final partitioning, after all delegates have prepared their kernels, to warn of options that have no effect.
     * NULL: no such options. Fails only with ST_NOMEM. */
    enum status (*divided)(struct delegate *d, const struct graph *g, const struct partitioning *parts, struct err *err);

    /* Measure the device's peak rates; takes about 0.1 s. NULL: not possible. */
    enum status (*probe)(struct delegate *d, struct device_peak *out, struct err *err);

    /* Call see() with name ("shared_bytes") and value of each device limit that the delegate observes. NULL: no such limits. */
    void (*limits)(const struct delegate *d, void (*see)(void *arg, const char *name, uint64_t value), void *arg);

    /* Count in *out the work of one run of a partition whose nodes d claimed, as far as it is known without a device; d may come
     * from open_static. Write dumps that the options ask for. NULL: not possible. Fails with ST_NOMEM, or ST_IO for a dump. */
    enum status (*outline)(struct delegate *d, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                           struct err *err);

    /* Make, fill, read and free device buffers for delegate_kernel_ops.bind, for callers without a graphics context of their own.
     * All five buffer functions or none (NULL). A new buffer's content is undefined. buffer_read waits for the device. Fail with
     * ST_NOMEM or ST_FAILED. */
    enum status (*buffer_new)(struct delegate *d, size_t bytes, uint32_t *id, struct err *err);
    enum status (*buffer_write)(struct delegate *d, uint32_t id, const void *data, size_t bytes, struct err *err);
    enum status (*buffer_read)(struct delegate *d, uint32_t id, void *data, size_t bytes, struct err *err);
    void (*buffer_free)(struct delegate *d, uint32_t id);

    /* Copy the first `bytes` of one buffer to the start of another, on the device, after all work submitted before. Fails with
     * ST_FAILED. */
    enum status (*buffer_copy)(struct delegate *d, uint32_t from, uint32_t to, size_t bytes, struct err *err);

    /* Make the calling thread the one that may use d; no other thread may be using d. NULL: d is not bound to a thread. */
    void (*move)(struct delegate *d);

    /* Free the delegate, after all its kernels. d is not NULL. */
    void (*close)(struct delegate *d);
};

/* How a delegate stores floats and computes with them. Zeroed: the delegate has no choice of precision. */
struct delegate_precision {
    const char *asked,      /* the flag's value: "fp16" */
        *in_force;          /* the value that applies: "fp16_storage" */
    const char *stored,     /* format of stored floats: "float16" */
        *arithmetic;        /* format of computation: "float32" */
    const char *by;         /* language feature for float16 arithmetic: "mediump", or a GLSL extension; NULL: not float16 */
    const char *sums;       /* format of sums of products: "float16", "float32" */
    const char *why;        /* reason why in_force differs from asked; NULL: it does not */
    const char *fp32_nodes; /* nodes excepted from half precision: "3,7-9"; NULL: none */
};

/* The library of a runtime that runs whole models for a delegate, in a process of its own (lib/runtime). Texts are never NULL and
 * live as long as the delegate; `used`, `left` and n_taken are of the model that it was given last. */
struct delegate_library {
    const char *path, *sha256, *version;    /* version: "2.17.1", or the range of versions that its functions tell */
    const char *offered;                    /* accelerators that it has */
    const char *asked, *used;               /* accelerators that were asked for, and that run the model */
    const char *precision, *options;        /* precision that was asked for; options, a line for each */
    const char *cache;                      /* "cold, 2 files written": the folder for its compiled programs; "": none was chosen */
    const char *left;                       /* its words about nodes that the accelerator asked for does not run; "": none */
    int64_t n_taken;                        /* nodes that the accelerator asked for runs; -1: it does not tell */
    uint64_t process_bytes;                 /* memory of the process after the first run */
    int64_t process_id;                     /* the process that has the model; 0: none yet, or it has ended */
    uint64_t load_ns, compile_ns, first_ns; /* opening the library; making the model ready; its first run */

    /* Sums over runs, measured around the library's calls: copying inputs to it, its run, copying outputs from it. The reader may
     * set all to 0. */
    struct delegate_library_times {
        uint64_t write_ns, run_ns, read_ns, runs;
        uint64_t handover_ns; /* from this process to the library's and back, beside the calls */
    } times;
};

/* An open delegate; the first member of each delegate's own struct. */
struct delegate {
    const struct delegate_type *type;
    const struct delegate_ops *ops;
    const char *device; /* device and driver: "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6"; never NULL */
    bool software;      /* the driver computes on the CPU (llvmpipe, softpipe): times tell nothing about a GPU */
    bool takes_dynamic; /* claim judges nodes with shapes known only while running (never shown to other delegates); kernels set
                         * shape and memory of tensors that are is_dynamic (tensor_set_shape, tensor_reserve) */
    bool whole_model; /* a session without limits on partitions gives it the whole graph as it is in the file, with nodes that would
                       * be folded and nodes that no delegate is asked about; it is the session's only delegate */
    bool masks;       /* with whole_model: it may run the whole graph and leave some nodes to kernels of its own for the CPU
                       * (partition.masked); if it then cannot, it refuses all */
    struct delegate_library *library; /* NULL: its work is done in this process */
    uint64_t outside_ns;              /* nanoseconds of the session's last run that are none of the model's, as those between this
                                       * process and the library's; modulo 2^64, as a delegate may tell more time than passed */
    bool multiplies_floats; /* multiplies float values by dequantized 8-bit weights, without quantizing the values (float_weights.h)
                             */
    bool exact_integers;    /* computes on quantized values in integers, not in the precision below */
    const char *quirks;     /* driver-specific behaviour, as text; NULL: none known */
    struct delegate_precision precision;

    uint32_t loops;            /* times that each run repeats its dispatches, by the options, with the same results: divide measured
                                * times by it; 0 counts as 1 */
    uint32_t threads;          /* CPU threads for kernels made from now on, the caller's included; set by each session before it
                                * calls claim; 0 counts as 1 */
    struct session *submitted; /* the session with submitted runs that are not waited for yet (session_submit); NULL: none */
    bool io_in_buffers;        /* the options ask for inputs and outputs in device buffers (device_io.h) */

    /* Submission times. The reader may set ns to 0. */
    struct {
        bool counted; /* by the options: runs are submitted without waiting for each (session_submit), and ns is counted */
        uint64_t ns;  /* sum over runs: from the start of submission until the work was handed to the device */
    } submission;

    /* Transfers between host and device since the delegate was opened; 0 if not counted. The reader may set them to 0. */
    struct delegate_traffic {
        uint64_t written, /* bytes of inputs and variables copied to the device */
            read,         /* bytes of outputs and variables copied from the device */
            waits;        /* number of waits for a copy or the end of a run */
    } traffic;

    /* Callbacks of the opener, each may be NULL. `text` is one line without newline, valid during the call; arg is warn_arg. */
    void (*warn)(void *arg, const char *text); /* something is not done as the options ask */
    void *warn_arg;
    void (*tell)(void *arg, const char *text); /* something that takes long begins */
    bool (*stopped)(void *arg);                /* polled during tuning: return true to end it with the result so far */
};

/* Access to the process's environment, lent to delegate_type.environment by the program that owns it. */
struct delegate_environment {
    char *(*get)(const char *name); /* getenv */
    void (*set)(void *arg, const char *name, const char *value);
    void *arg;
    const struct model *model; /* the model to run, with the shapes of its file; NULL: unknown */
    bool awake;                /* threads of a software driver will poll for the next dispatch instead of sleeping */
};

/* A device that a delegate can use. All pointers are valid during the call that passes it. */
struct delegate_device {
    int32_t index;                     /* the value that selects this device in the options */
    const char *name,                  /* renderer */
        *driver,                       /* driver version */
        *platform;                     /* the way it was found: "EGL device 0" */
    bool software;                     /* the driver computes on the CPU */
    const char *policy;                /* entries of the driver table that apply, separated by commas */
    const struct delegate_fact *facts; /* [n_facts] */
    size_t n_facts;
    const char *text; /* all of this for people, in lines that end with newline */
};

typedef void (*delegate_device_fn)(void *arg, const struct delegate_device *device);

/* A row of the registry: names, flags and constructors of a delegate. */
struct delegate_type {
    const char *name;     /* "gpu", as in --delegate=gpu */
    const char *label;    /* "GPU", as in "GPU delegate created." */
    const char *use_flag; /* "use_gpu": the flag that requests the delegate */
    const char *created;  /* TFLite's log line after creation; NULL: "LABEL delegate created." */
    const char *kernel;   /* TFLite's name of a delegated node: "TfLiteGpuDelegateV2" */
    size_t options_size;  /* sizeof the options struct that both tables of flags fill */
    const struct flag *flags;
    const struct flag *embedded_flags; /* further flags, for programs that call the library and not for tools; NULL: none */

    /* Return true if these options request the delegate even without use_flag. NULL: only use_flag does. */
    bool (*asked)(const void *options);

    /* Set the environment variables that drivers should find when `open` is called with these options. Only programs call it,
     * before they have a second thread; a library must not change the environment. NULL: sets none. */
    void (*environment)(const void *options, const struct delegate_environment *env);

    /* Open the device. Fails with ST_NO_GPU if there is none: the message lists the attempts and the packages to install. */
    enum status (*open)(const void *options, struct delegate **out, struct err *err);

    /* Support options that request several delegates of this type: count returns their number, open_one opens number i, with a
     * device or like open_static. Both NULL: there is one. */
    uint32_t (*count)(const void *options);
    enum status (*open_one)(const void *options, uint32_t i, struct delegate **out, struct err *err);

    /* Call device() for every device that `open` can use. Fails with ST_NO_GPU if there is none. NULL: no choice of devices. */
    enum status (*list_devices)(delegate_device_fn device, void *arg, struct err *err);

    /* Be the process that has the delegate's library, and end with it, if the arguments say that the program was started as one;
     * else return. A program calls it before anything else, or it has no such delegates. NULL: there is no such process. */
    void (*serve)(int argc, char **argv);

    /* Add the objects of the driver that the delegates of this type made in this process and did not give back, by name ("GL
     * buffers"), in the unit "objects"; those that went with a context count as given back if it does. NULL: they have none, or
     * nobody counts. */
    void (*held)(struct delegate_facts *to);

    /* Change options to those for a model made of some nodes of `g`: numbers[i] is the number there of g->nodes[i], UINT32_MAX if
     * it is left out. What the options say of nodes by number they then say of the same nodes; what they say of absent nodes alone
     * is left out. Options that name no node stay the same bytes. New strings lie in `a`. Fails with ST_NOMEM. NULL: no option
     * names a node. */
    enum status (*options_of_part)(void *options, const struct graph *g, const uint32_t *numbers, struct arena *a, struct err *err);

    /* Open a delegate without a device, for op_coverage: only claim and outline may be called. It assumes the least that any device
     * must offer. */
    enum status (*open_static)(const void *options, struct delegate **out, struct err *err);

    /* Open a delegate as open_static does, but for the device of this name, whose limits are known without it. Fails with ST_USAGE
     * for another name, and lists the known names. NULL: the delegate knows no device by name. */
    enum status (*open_known)(const void *options, const char *name, struct delegate **out, struct err *err);
};

/* The registry, in the order of delegates.def; ends with NULL. */
extern const struct delegate_type *const delegate_types[];

/* Return the type of that name ("gpu"), or NULL. */
const struct delegate_type *delegate_find(const char *name);

/* Largest number of delegates to which one graph is offered. */
#define MAX_DELEGATES 4

/* Format one line without newline, cut to 1023 bytes, and pass it to delegate.warn or delegate.tell, if that is set. */
void delegate_warn(struct delegate *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void delegate_tell(struct delegate *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Return delegate.stopped(), or false if it is NULL. */
bool delegate_stopped(const struct delegate *d);

/* Close the delegate; free all its delegate_kernels before. Accepts NULL. */
void delegate_close(struct delegate *d);
