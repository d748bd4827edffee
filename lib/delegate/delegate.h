/* SPDX-License-Identifier: Apache-2.0 */
/* delegate.h - what a delegate is: something that runs parts of a graph instead of the CPU kernels.
 *
 * A delegate_type is a row of the registry (lib/delegate/delegate.c); opening it with its options gives a delegate, which may serve
 * several sessions on the thread that opened it. Asked once per graph it claims nodes, or says why not (claim); for each partition
 * that comes of this it makes a delegate_kernel (init); when all partitions of the graph have one it makes these ready together
 * (prepare), so that it can place memory across partitions. A kernel then runs on tensors in host memory. */
#ifndef DELEGAUGE_DELEGATE_H
#define DELEGAUGE_DELEGATE_H

#include "lib/base/flag.h"
#include "lib/graph/graph.h"

/* Why a node stays on the CPU. The names are those of TFLite's delegate compatibility checker where it has them; op_coverage, the
 * JSON reports, dg_session_node and testdata/gpu say them, so a code keeps its meaning. A node with several has the first found. */
enum reason_code {
    REASON_NONE,                         /* taken, or folded: there is nothing to take */
    REASON_UNSUPPORTED_OPERATOR,         /* no kernel of that name */
    REASON_UNSUPPORTED_OPERATOR_VERSION, /* a kernel, up to an older version */
    REASON_UNSUPPORTED_INPUT_TYPE,
    REASON_UNSUPPORTED_OUTPUT_TYPE,
    REASON_UNSUPPORTED_OPERAND_RANK,     /* more dimensions than it takes, or other ones */
    REASON_UNSUPPORTED_OPERAND_SIZE,     /* an operand without elements, or whose shape does not go with another's */
    REASON_UNSUPPORTED_OPERAND_VALUE,    /* the content of a constant, or a number among the options, is out of range */
    REASON_UNSUPPORTED_OPERATOR_VARIANT, /* a form of the operator: options, operands computed at run time, state */
    REASON_UNSUPPORTED_QUANTIZATION,     /* reason_name: "UNSUPPORTED_QUANTIZATION_PARAMETERS" */
    REASON_MISSING_REQUIRED_OPERAND,     /* an input or output is omitted, or there are too few or too many */
    REASON_DYNAMIC_SHAPE,                /* the shape is known only while running */
    REASON_DEVICE_LIMIT,                 /* this device has too few or too small resources for it */
    REASON_DRIVER,                       /* accepted, but the driver refused its programs, all variants of them */
    REASON_PARTITION_TOO_SMALL,          /* accepted, but its partition has fewer than min_nodes_per_partition */
    REASON_PARTITION_LIMIT,              /* accepted, but max_delegated_partitions larger partitions exist, or left out by the flags
                                          * that name nodes or operators (partition_flags.h) */
    REASON_INVALID_MODEL,                /* the model cannot run anywhere, so that nothing is known of its shapes */
    REASON_REFUSED_BY_CPU,               /* the CPU's kernel, which is the reference, refuses it: the text is its sentence */
    REASON_COUNT
};

/* A code and its explanation; zeros are no reason. */
struct reason {
    enum reason_code code;
    char text[224]; /* one message with the numbers, without the op's name */
};

/* "UNSUPPORTED_OPERATOR" */
const char *reason_name(enum reason_code code);

/* Fills *r and returns false, so that a check reads `return reason_set(r, REASON_..., "stride %d", s);`. */
bool reason_set(struct reason *r, enum reason_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

struct delegate;

/* What is known of one node while delegates are asked about it, one after the other. */
struct claim {
    struct delegate *owner; /* who takes it; NULL: nobody so far */
    bool barred;            /* not for the delegate that is asked: folded, dynamic (delegate.takes_dynamic), with state of its own,
                             * refused by a driver before or by the CPU's kernel */
    struct reason why;      /* why those asked did not take it, with the first's code, or why it is barred (folded: no reason) */
};

/* A run of nodes that one delegate takes: everything it reads and writes outside itself. */
struct partition {
    struct delegate *delegate;
    struct node **nodes;     /* in execution order */
    struct tensor **inputs;  /* read, made outside: no constants */
    struct tensor **outputs; /* made inside, read outside or a graph output; and every variable that it reads, or assigns */
    uint32_t n_nodes, n_inputs, n_outputs;
    bool watched; /* all outputs are looked at after a run, whoever else reads them */
};

/* One timed piece of work inside a delegate. */
struct delegate_timing {
    const char *kind;                /* "CONV_2D", "upload", "download" */
    const char *label;               /* kernel variant and what was fused: "conv 4x1 +RELU6 +ADD" */
    const char *why_copy;            /* of a piece that only puts elements elsewhere: why it is there, as see_copy has it; "" of
                                      * others; NULL: the delegate does not tell */
    const struct node *const *nodes; /* [n_nodes] the nodes it computes; none for transfers */
    uint32_t n_nodes;
    const struct tensor *tensor; /* of a transfer: which; else NULL */
    const struct tensor *border; /* of another piece that computes no node: the input or output of the partition that it turns into
                                  * what nodes compute with, or back; else NULL */
    bool halves;                 /* it computes with 16-bit floats */
    uint64_t ns;                 /* 0 with `timed` false where the driver gave no time */
    bool timed;
};

/* What a timed run took besides its pieces, in nanoseconds. */
struct delegate_overhead {
    uint64_t write_ns; /* inputs copied to where the device reads them */
    uint64_t wait_ns;  /* for the device to end, after the last piece was submitted */
    uint64_t read_ns;  /* outputs copied from where the device wrote them */
};

/* One program of a device, as it was made ready for a partition. */
struct delegate_program {
    const char *label; /* of the work that asked for it first */
    uint64_t ns;       /* that making it ready took; several may be made ready at the same time */
    bool loaded;       /* from a stored start; else compiled from source, by the driver's own cache or anew: no driver tells */
};

/* How the elements of constants are stored on a device. Eight bits: what loads as numbers of 8 bits, several in a word too. */
enum delegate_stored {
    DELEGATE_STORED_8_BITS,
    DELEGATE_STORED_FLOAT16,
    DELEGATE_STORED_FLOAT32,
    DELEGATE_STORED_INT32,
    DELEGATE_STORED
};

/* What a compiled partition occupies on the device, in bytes. What the partitions of a graph share counts in one of them, so that
 * sums are right. */
struct delegate_memory {
    uint64_t intermediates; /* the shared arena, as much of it as the graph needs, and textures */
    uint64_t texture_bytes; /* of that, what is in textures */
    uint64_t lower_bound;   /* largest set of intermediates alive at one op */
    uint64_t unshared;      /* intermediates if none shared memory */
    uint64_t constants;     /* weights, tables, constant operands and what shaders know by name, with gaps for alignment */
    uint64_t weights[DELEGATE_STORED]; /* of that, elements in each form: without numbers known by name, and without gaps */
    uint64_t staging;                  /* of inputs and outputs, and of variables that stay */
    uint32_t textures;                 /* that hold intermediates */
    uint32_t programs; /* without those that earlier partitions and sessions of the delegate brought: sums count each once */
    uint32_t dispatches, barriers;

    /* What making it ready took; all of it is avoided where a stored start has it. */
    uint32_t programs_compiled, programs_loaded; /* from source; as the driver gave them to be stored */
    uint32_t nodes_lowered;                      /* claiming included; a node counts each time */
    uint64_t packed_bytes;                       /* constants brought into the device's layout */
    uint32_t trials, nodes_tuned;                /* by tuning, and nodes that are computed otherwise for it, now or as stored */
    uint64_t tuning_ns;                          /* trying them, compiling included */
    uint64_t tuning_beyond_ns, tuning_bound_ns;  /* of that, what no untuned start takes; what that was to take at most, or 0 */
    uint64_t tuning_trial_ns, tuning_program_ns; /* for which that left no time, and compiling of it; of several the longest */
    uint32_t tunings_cut, tunings_go_on;         /* for lack of time; of these, those that go on at the next start */
    uint32_t tunings_stored;                     /* tuned in an earlier start, */
    const char *tuning_entry;                    /* as this file says of the first; lasts as long as what was made ready */
    uint64_t compile_ns, load_ns;                /* waiting for programs compiled beside that, and loaded */
    uint64_t pack_ns;                            /* constants packed, or copied from a stored start, and written to the device */
};

/* What a delegate would run of a partition, each time. */
struct delegate_outline {
    uint32_t dispatches; /* pieces of work on the device, without transfers */
    uint32_t copies;     /* of them, those that compute nothing: they only put elements elsewhere */
    uint32_t transfers;

    /* Set by who asks, to be told of each copy: the node that asked for it first (NULL: none did), kernel variant, and why it is
     * there; texts last as long as the call. NULL: counts are enough. */
    void (*see_copy)(void *arg, const struct node *n, const char *label, const char *why);
    void *arg;
};

/* How a tensor lies in a buffer on a delegate's device. DENSE: as in host memory, its elements in their order; what is below 32
 * bits fills whole words, and what lies beyond the last element of the last one means nothing. SLICES: as the delegate "gpu" keeps
 * values of FLOAT32 and INT32: a vector of four channels after the other, [batch][slice of four channels][row][column], where the
 * axes of a tensor of another rank than 4 are those that the delegate takes it for; inputs have zeros behind the last channel. */
enum delegate_layout { DELEGATE_DENSE, DELEGATE_SLICES };

/* A range of a buffer on the device of a delegate; the buffer is the caller's, before, meanwhile and afterwards. */
struct delegate_buffer {
    uint32_t id;            /* of a GL buffer, in the delegate's context or one that shares its objects with that */
    uint64_t offset, bytes; /* offset: a multiple of the limit storage_align */
    enum delegate_layout layout;
};

/* Bytes that t takes as DELEGATE_DENSE: shaders write whole words. */
size_t delegate_dense_bytes(const struct tensor *t);

/* How an input or output of a partition reaches its dispatches: through host memory; from or to a buffer of the caller's, brought
 * there by a dispatch that changes the layout; or in that buffer itself. */
enum delegate_way { DELEGATE_BY_HOST, DELEGATE_CONVERTED, DELEGATE_DIRECT };

struct delegate_crossing {
    const struct tensor *tensor;
    bool output; /* of the partition */
    enum delegate_way way;
};

struct delegate_kernel;

struct delegate_kernel_ops {
    /* Runs it: reads the data of part->inputs, writes that of part->outputs, and is finished when it returns. A tensor that only
     * other partitions of the same delegate and graph read may stay on the device instead, unless the partition is watched: these
     * run one after the other, in the order in which `prepare` got them, and meanwhile nothing else that the delegate made. */
    enum status (*invoke)(struct delegate_kernel *k, struct err *err);

    /* invoke in three steps, or NULL, all three. submit hands the work over, with the inputs as they are then, and may be called
     * several times before `wait`, which returns when all of it is done; `read` then writes the outputs of the last. What other
     * kernels of the delegate do in between comes after it. */
    enum status (*submit)(struct delegate_kernel *k, struct err *err);
    enum status (*wait)(struct delegate_kernel *k, struct err *err);
    enum status (*read)(struct delegate_kernel *k, struct err *err);

    /* Outputs of each of several runs. How many may be submitted behind a run before its outputs are fetched: none; one; or
     * UINT32_MAX where there are no outputs to fetch, as none goes to host memory. fetch, where that is one and two were submitted:
     * waits for the first of them alone and writes its outputs, while the device goes on with the second; `wait` and `read` then
     * are that one's. Both NULL: none. */
    uint32_t (*ahead)(const struct delegate_kernel *k);
    enum status (*fetch)(struct delegate_kernel *k, struct err *err);

    /* invoke once more with every dispatch timed on its own; *rows is valid until the next call on k. Slower than invoke. Adds to
     * *overhead what is in no row. NULL: it knows no such pieces, and each partition is timed as one. */
    enum status (*profile)(struct delegate_kernel *k, const struct delegate_timing **rows, size_t *n,
                           struct delegate_overhead *overhead, struct err *err);

    void (*memory)(const struct delegate_kernel *k, struct delegate_memory *out);

    /* The next run begins with what the variables of part->inputs then hold. From the first run on they may stay on the device,
     * where nobody else reads them and the partition is not watched; their tensors in host memory are left alone meanwhile. NULL:
     * they never do. */
    void (*reset)(struct delegate_kernel *k);

    /* From the next run on input or output t of the partition lies in *b, which is not deleted before the last run or another call
     * for t; with b NULL in host memory again. A variable may be both, in one buffer. A tensor that the partition does not read, or
     * a variable that stays with the kernel, is ST_OK, and nothing is done. ST_USAGE where that is no such buffer: the message has
     * the numbers. ST_UNSUPPORTED where the device keeps the value in another way than a buffer of that layout holds it; of
     * DELEGATE_DENSE that does not happen. NULL: the delegate knows no such buffers. */
    enum status (*bind)(struct delegate_kernel *k, const struct tensor *t, bool output, const struct delegate_buffer *b,
                        struct err *err);

    /* Input or output i of those that runs bring to the device or fetch from it; false beyond the last. What stays on the device is
     * none of them. NULL: it does not tell. */
    bool (*crossing)(const struct delegate_kernel *k, uint32_t i, struct delegate_crossing *out);

    /* Program i of those that were made for it, others had not asked for them before; false beyond the last. The label lives as
     * long as k. NULL: the delegate has no programs to speak of. */
    bool (*program)(const struct delegate_kernel *k, uint32_t i, struct delegate_program *out);

    /* Frees what init and prepare made, prepared or not. */
    void (*free)(struct delegate_kernel *k);
};

/* The head of what a delegate makes of one partition. */
struct delegate_kernel {
    const struct delegate_kernel_ops *ops;
};

/* What a device reached in small shaders that do nothing else. */
struct device_peak {
    double gflops;      /* 1e9 operations a second in float32, a multiplication and an addition counted each; 0: unknown */
    double half_gflops; /* in 16-bit floats; 0: the delegate does not compute with such */
    double gbytes;      /* 1e9 bytes a second copied, 4 MiB at a time, read and written counted each; 0: unknown */
    double read_gbytes; /* the same that are read alone; 0: unknown, then no more than that */
};

struct partitioning; /* partition.h */

struct delegate_ops {
    /* For every claims[graph nodes] that is free (no owner, not barred): sets owner to d, which promises that init and prepare will
     * not fail for the node, but for memory and a driver's refusal; or fills `why`. Leaves the others alone. Nothing of this is
     * kept by d. */
    enum status (*claim)(struct delegate *d, const struct graph *g, struct claim *claims, struct err *err);

    /* Makes the head of a kernel for a partition whose nodes d claimed. Graph and partition outlive the kernel. *out is NULL after
     * a failure. Where a driver refuses what a node needs, fills refused[graph nodes] at its node.index and returns ST_OK: the
     * kernel is then good for `free` alone, and the graph is partitioned again without that node. */
    enum status (*init)(struct delegate *d, const struct graph *g, const struct partition *p, struct reason *refused,
                        struct delegate_kernel **out, struct err *err);

    /* Makes kernels[n] of one graph ready to run: all that d has there, in the order in which they run. Kernels of other graphs
     * may be alive. Not called after a refusal. */
    enum status (*prepare)(struct delegate *d, struct delegate_kernel *const *kernels, uint32_t n, struct err *err);

    /* Told how a graph was divided, when everybody's kernels there are made, so that it can warn of options that come to nothing.
     * NULL: there are none. Fails only with ST_NOMEM. */
    enum status (*divided)(struct delegate *d, const struct graph *g, const struct partitioning *parts, struct err *err);

    /* Measures what the device does at best; takes about a tenth of a second. NULL: it cannot tell. */
    enum status (*probe)(struct delegate *d, struct device_peak *out, struct err *err);

    /* Calls see() for each limit that it works within, by its name ("shared_bytes"). NULL: there are none to tell. */
    void (*limits)(const struct delegate *d, void (*see)(void *arg, const char *name, uint64_t value), void *arg);

    /* What would run of a partition whose nodes d claimed, as far as that shows without a device; d may be of open_static. What the
     * options ask to have written down on the way is written. Sets the counts of *out. NULL: it cannot tell. Fails with ST_NOMEM,
     * or ST_IO. */
    enum status (*outline)(struct delegate *d, const struct graph *g, const struct partition *p, struct delegate_outline *out,
                           struct err *err);

    /* Buffers for delegate_kernel_ops.bind, for callers without a graphics context of their own; all five or none (NULL). Contents
     * begin undefined. Reading waits until the device is done. ST_NOMEM, or ST_FAILED. */
    enum status (*buffer_new)(struct delegate *d, size_t bytes, uint32_t *id, struct err *err);
    enum status (*buffer_write)(struct delegate *d, uint32_t id, const void *data, size_t bytes, struct err *err);
    enum status (*buffer_read)(struct delegate *d, uint32_t id, void *data, size_t bytes, struct err *err);
    void (*buffer_free)(struct delegate *d, uint32_t id);

    /* With those: copies the first `bytes` of one buffer to the beginning of another, on the device, after all that it was told to
     * do before. ST_FAILED. */
    enum status (*buffer_copy)(struct delegate *d, uint32_t from, uint32_t to, size_t bytes, struct err *err);

    /* From now on the calling thread is the one that may use d; nobody else does meanwhile. NULL: any thread may at any time. */
    void (*move)(struct delegate *d);

    /* Frees what open made, after all its kernels; accepts NULL. */
    void (*close)(struct delegate *d);
};

/* How a delegate stores floats and computes with them: names as its flag has them, and words for people. Zeroed where there is
 * nothing to choose. */
struct delegate_precision {
    const char *asked, *in_force;    /* "fp16", "fp16_storage" */
    const char *stored, *arithmetic; /* of what is in force: "float16", "float32" */
    const char *by;                  /* what makes the arithmetic float16: "mediump", or an extension of GLSL; NULL: it is not */
    const char *sums;                /* likewise: what products are added up in */
    const char *why;                 /* it is in force and not what was asked; NULL where that is the same */
    const char *fp32_nodes;          /* that are excepted: "3,7-9"; NULL: none */
};

/* The head of every delegate's own struct. */
struct delegate {
    const struct delegate_type *type;
    const struct delegate_ops *ops;
    const char *device;     /* what it runs on: "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6"; never NULL */
    bool software;          /* the driver computes on the CPU (llvmpipe, softpipe): times say nothing about a GPU */
    bool takes_dynamic;     /* it is asked about nodes whose shapes are known only while running, and others never are: of a tensor
                             * that is_dynamic its kernels set shape and room themselves (tensor_set_shape, tensor_reserve) */
    bool multiplies_floats; /* where weights have 8 bits and values are floats, it does not quantize them (float_weights.h) */
    const char *quirks;     /* what it does in another way on this driver, in words; NULL: nothing is known */
    struct delegate_precision precision;

    uint32_t loops; /* how often each run computes its partitions, where the options ask for it; 0 is once. The results are the
                     * same, and times are to be divided by it. */

    uint32_t threads; /* of the CPU, that kernels made from now on may have, the caller's among them: set by each session before it
                       * asks; 0 is 1 */

    struct session *submitted; /* whose runs were handed over and not waited for (session_submit); NULL: nobody's */

    bool io_in_buffers; /* the options ask for inputs and outputs in buffers on the device (device_io.h) */

    /* Where `counted` is set, by the delegate's options: many runs are to be submitted without waiting for each (session_submit),
     * and each adds the nanoseconds until its work was handed over to the device, though nobody had waited for it yet. Whoever
     * reads it may set it to 0. */
    struct {
        bool counted;
        uint64_t ns;
    } submission;

    /* Bytes of inputs, outputs and variables that went from host memory to the device and came back from it, and how often that or
     * the end of a run was waited for, since it was opened; 0 where the delegate does not count them. Whoever reads it may set it
     * to 0. */
    struct delegate_traffic {
        uint64_t written, read, waits;
    } traffic;

    /* Set by who opened it, to be told what went on in another way than asked for; NULL: nobody wants to know. */
    void (*warn)(void *arg, const char *text);
    void *warn_arg;

    /* Likewise, with warn_arg, to be told what takes long before it does; and to be asked, now and then, whether what takes long
     * and may end early (tuning) is to do so, with what it has. */
    void (*tell)(void *arg, const char *text);
    bool (*stopped)(void *arg);
};

/* The environment of the process, as who owns it lends it to delegate_type.environment. */
struct delegate_environment {
    char *(*get)(const char *name); /* getenv */
    void (*set)(void *arg, const char *name, const char *value);
    void *arg;
    const struct model *model; /* that is to run in the shapes of its file; NULL: it is not known */
    bool awake;                /* threads of a driver that is software will wait awake for the next dispatch */
};

/* A number that a device says of itself, or that is known of it. */
struct delegate_fact {
    const char *name, *unit; /* "storage_block_bytes", "bytes"; "boolean": 0 or 1 */
    uint64_t value;
};

/* A device that a delegate could use; all of it lasts as long as the call that hands it out. */
struct delegate_device {
    int32_t index;                        /* by which it is chosen */
    const char *name, *driver, *platform; /* the renderer, its version, and where it was found ("EGL device 0") */
    bool software;                        /* the CPU does its work */
    const char *policy;                   /* what a table of drivers says of it, as words with commas */
    const struct delegate_fact *facts;    /* [n_facts] */
    size_t n_facts;
    const char *text; /* all of it for people: lines, each ended */
};

typedef void (*delegate_device_fn)(void *arg, const struct delegate_device *device);

struct delegate_type {
    const char *name;     /* "gpu", as in --delegate=gpu */
    const char *label;    /* "GPU", as in "GPU delegate created." */
    const char *use_flag; /* "use_gpu": the flag that asks for it */
    const char *created;  /* what TFLite logs when it has made it; NULL: what it does of most */
    const char *kernel;   /* what TFLite calls its nodes: "TfLiteGpuDelegateV2" */
    size_t options_size;  /* of the options struct that `flags` fill */
    const struct flag *flags;
    const struct flag *embedded_flags; /* of the same struct: what only a program that calls the library can ask for, so that no
                                        * tool has them (plugin.c); NULL: none */

    /* Whether these options ask for it, without use_flag too; NULL: that alone does. */
    bool (*asked)(const void *options);

    /* Sets the variables that drivers are to find when `open` is called with these options; for programs alone, and before they
     * have a second thread: what is the process's, a library leaves alone. NULL: none ever. */
    void (*environment)(const void *options, const struct delegate_environment *env);

    /* Opens the device. ST_NO_GPU where there is none: the message says what was tried and what to install. */
    enum status (*open)(const void *options, struct delegate **out, struct err *err);

    /* Where options may ask for several of them: how many, and opening number i, with a device or as open_static does. NULL: there
     * is one. */
    uint32_t (*count)(const void *options);
    enum status (*open_one)(const void *options, uint32_t i, struct delegate **out, struct err *err);

    /* Calls device() with every device that `open` could use. ST_NO_GPU where there is none. NULL: the delegate has no devices to
     * choose from. */
    enum status (*list_devices)(delegate_device_fn device, void *arg, struct err *err);

    /* A delegate that only answers `claim`, against the least any device must offer; for op_coverage without a device. */
    enum status (*open_static)(const void *options, struct delegate **out, struct err *err);
};

/* The registry; ends with NULL. */
extern const struct delegate_type *const delegate_types[];

/* The type of that name ("gpu"), or NULL. */
const struct delegate_type *delegate_find(const char *name);

/* Most delegates that one graph is offered to. */
#define MAX_DELEGATES 4

/* Tell whoever listens to the delegate (delegate.warn, delegate.tell): one line without newline. */
void delegate_warn(struct delegate *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void delegate_tell(struct delegate *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* delegate.stopped; false where nobody has set it. */
bool delegate_stopped(const struct delegate *d);

/* Frees what `open` made. All delegate_kernels of it are freed before. Accepts NULL. */
void delegate_close(struct delegate *d);

#endif
