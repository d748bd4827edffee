/* SPDX-License-Identifier: Apache-2.0 */
/* session.h - one graph with its plan, placed memory and compiled partitions, for repeated runs.
 *
 * Write inputs to session_input(i)->data and read outputs from session_output(i)->data. Both pointers, and the content of inputs,
 * last until the next session_prepare. Not thread-safe; a session with a GPU delegate runs on the thread that opened the delegate.
 */
#pragma once

#include "lib/delegate/partition.h"
#include "lib/graph/kernel.h"

struct session;

/* Precision of float32 tensors on the CPU; integer tensors and delegates do not depend on it.
 *
 * SESSION_FP32: float32 in the operation order of TFLite's reference kernels.
 * SESSION_FP16: as SESSION_FP32, but stored values are rounded to half precision: inputs (in place), constants, results of nodes,
 *   variables (half_store.h). Nothing is fused, and sums are float32.
 * SESSION_FP64: sums in double, results stored as float32, so that each value is rounded once: for float convolutions (but CONV_3D)
 *   and matrix products, products of recurrent cells, AVERAGE_POOL_2D, L2_POOL_2D, SUM, MEAN, SOFTMAX, LOG_SOFTMAX and
 *   L2_NORMALIZATION. Other operators are as with SESSION_FP32; nearly all of them round each value once anyway.
 *
 * SESSION_FP16 and SESSION_FP64 need CPU_REFERENCE. */
enum session_precision { SESSION_FP32, SESSION_FP16, SESSION_FP64 };

struct session_options {
    int num_threads; /* threads of the CPU kernels, the caller's included; < 1: 1 */
    enum cpu_mode mode;
    enum session_precision precision;
    bool float_weights; /* hybrid nodes on the CPU multiply floats (float_weights.h) instead of quantizing their inputs */
    struct delegate *delegates[MAX_DELEGATES + 1]; /* asked in this order, up to the first NULL; borrowed, outlive the session */
    struct partition_options partition;
    bool keep_intermediates; /* give every tensor memory of its own, so that all can be read after a run */
    uint32_t subgraph;       /* index in the model; 0 is the primary subgraph */

    /* Called before each round of a WHILE, with the seconds since the run began. Any status but ST_OK ends the run: a failure with
     * its message, ST_LATER without one. NULL: no call. */
    enum status (*go_on)(void *arg, double run_secs, struct err *err);
    void *go_on_arg;

    /* Called after each node that the CPU ran, while its operands and outputs have their content (rounded, with SESSION_FP16). `s`
     * is the session of the node: each called subgraph has its own. Folded and delegated nodes are not reported. NULL: no call. */
    void (*after_node)(void *arg, const struct session *s, const struct node *n);
    void *after_node_arg;
};

/* Make a session on one subgraph, with the shapes of the file. Fails with ST_USAGE if the model has no such subgraph, else as
 * graph_new and threads_new do. Planning and allocation follow in session_prepare. */
enum status session_new(const struct model *m, const struct session_options *opt, struct session **out, struct err *err);

/* Free the session; accepts NULL. */
void session_free(struct session *s);

/* Set the shape of input i to dim[rank]. Call session_prepare (again) before the next run, after a failure too. Fails as
 * graph_resize_input does. */
enum status session_resize_input(struct session *s, uint32_t i, const int32_t *dim, int32_t rank, struct err *err);

/* Infer shapes, ask the delegates, place every tensor, make the delegates' kernels. If a driver refuses a node that its delegate
 * claimed, the node goes back to the CPU (REASON_DRIVER) and the graph is partitioned again. Checks the plan's memory against the
 * machine's before it allocates any. Resets variables and resources as session_reset_variables does. */
enum status session_prepare(struct session *s, struct err *err);

/* Copy data[bytes] into input i of a prepared session. Fails with ST_USAGE if it is not prepared, has no such input, or if `bytes`
 * is not the tensor's size (a STRING takes any size, in the layout of TFLite's string buffers); with ST_BAD_MODEL if a byte of a
 * BOOL is neither 0 nor 1; with ST_NOMEM. Code that writes to session_input(i)->data itself must keep these rules. */
enum status session_set_input(struct session *s, uint32_t i, const void *data, size_t bytes, struct err *err);

/* Run one inference of a prepared session: read the inputs, write outputs, variables and resources. After a failure, or after
 * ST_LATER from session_options.go_on, the session is usable and its outputs are undefined. */
enum status session_run(struct session *s, struct err *err);

/* Run one inference in two steps. session_submit runs the steps before a final partition, hands this to the device and returns; if
 * the last step is no partition that can be submitted, it equals session_run (session_submits). session_wait waits for all
 * submitted runs and reads the outputs of the last one; without a submitted run it does nothing. Outputs are undefined in between;
 * inputs may be written.
 *
 * Note: session_submit may wait for the run before the last one, to use its input memory again. Sessions of one delegate share its
 * memory: before another of them is prepared or runs, it waits for this session and reads its outputs. If that fails, the other
 * session's call fails, and this session still has to be waited for. */
enum status session_submit(struct session *s, struct err *err);
enum status session_wait(struct session *s, struct err *err);

/* Read the outputs of every run while runs overlap. session_ahead returns how many runs may be submitted after a run before that
 * run's outputs are fetched; session_fetch fetches them, and does nothing if no run is left:
 *
 * 1: submit run n + 1, then call session_fetch: it waits for run n only and reads its outputs while the device works on run
 *   n + 1; fetch or wait for the last run. Outputs stay until the next session_fetch, session_wait or session_run. Submitting a
 *   third run before a fetch loses the outputs of the first; session_fetch then fetches the second.
 * 0: the next run overwrites the outputs (the CPU lays out or computes some of them, or the delegate has one set of memory for
 *   them): fetch before each submit. session_fetch is session_wait.
 * UINT32_MAX: no output goes to host memory, so there is nothing to fetch; session_fetch waits for all runs.
 *
 * The number changes with session_bind_output. Valid after session_prepare. */
uint32_t session_ahead(const struct session *s);
enum status session_fetch(struct session *s, struct err *err);

/* Return the largest delegate.loops, at least 1: each run repeats its dispatches as often, with the results of one inference.
 * Divide the time of a run by it. */
uint32_t session_inferences(const struct session *s);

/* Return the nanoseconds of the last run that are none of the model's (delegate.outside_ns), modulo 2^64: who times runs takes them
 * off. */
uint64_t session_outside_ns(const struct session *s);

/* Return true if session_submit leaves work to wait for; else it equals session_run. Valid after session_prepare. */
bool session_submits(const struct session *s);

/* Return the number of partitions that session_submit waits for, because later steps need their results in host memory. Valid after
 * session_prepare. */
uint32_t session_n_waits(const struct session *s);

/* Bind a buffer on the delegate's device to input or output i: from the next run on the tensor's data in host memory is neither
 * read nor written; b NULL: return to host memory. Lasts until the next session_prepare or another call for the tensor; the caller
 * owns the buffer and keeps it until then. A run does not read the outputs back; other users of the buffer must wait for the run.
 * Fails with ST_USAGE if the session is not prepared, or if tensor or buffer are invalid; with ST_UNSUPPORTED, and the tensor in
 * host memory, if the CPU reads or computes it, if a partition reads the output, if the input is an output too, if a delegate takes
 * no buffers, or if the layout does not fit (delegate_kernel_ops.bind). */
enum status session_bind_input(struct session *s, uint32_t i, const struct delegate_buffer *b, struct err *err);
enum status session_bind_output(struct session *s, uint32_t i, const struct delegate_buffer *b, struct err *err);

/* Let input or output i have its host memory at `data`, as many bytes as the tensor and aligned to 64, from the next run on. The
 * caller owns the memory and keeps it for as long as the session runs. Called before session_prepare, the plan has no memory of its
 * own for the tensor; NULL then announces that `data` follows in a later call, before the first run. Fails with ST_USAGE if the
 * session has no such tensor; with ST_UNSUPPORTED if its size is known only while running, it is constant, or it is an input and
 * an output. */
enum status session_lend_input(struct session *s, uint32_t i, void *data, struct err *err);
enum status session_lend_output(struct session *s, uint32_t i, void *data, struct err *err);

/* Store in *out transfer i of all partitions (delegate_kernel_ops.crossing); return false if i is beyond the last. */
bool session_crossing(const struct session *s, uint32_t i, struct delegate_crossing *out);

/* Set all variable tensors to zero (INT8: to the zero point), and drop the content of resource variables and hash tables. */
void session_reset_variables(struct session *s);

/* Return the graph's inputs and outputs, in the file's order; i is below their number, and an omitted one is NULL. Data is valid
 * after session_prepare, shape and data of a dynamic output only after a run. */
uint32_t session_n_inputs(const struct session *s);
uint32_t session_n_outputs(const struct session *s);
struct tensor *session_input(const struct session *s, uint32_t i);
const struct tensor *session_output(const struct session *s, uint32_t i);

/* Return true if the last session_prepare succeeded and no input was resized since. */
bool session_prepared(const struct session *s);

/* Return true if the option float_weights changed any weights in session_prepare. */
bool session_float_weights(const struct session *s);

/* Return the graph, inferred by session_prepare. */
const struct graph *session_graph(const struct session *s);

/* Return the partitions and the reasons for nodes on the CPU; NULL without a delegate. */
const struct partitioning *session_partitioning(const struct session *s);

/* Return the number of stretches of a run: each partition is one, and each run of consecutive CPU nodes. Valid after
 * session_prepare. */
uint32_t session_n_stretches(const struct session *s);

/* Host memory of the plan. */
struct session_memory {
    uint64_t arena_bytes;       /* block shared by CPU tensors */
    uint64_t lower_bound_bytes; /* largest set of these tensors alive at one step */
    uint64_t packed_bytes;      /* weights repacked for the CPU kernels */
    uint64_t scratch_bytes;     /* scratch of the CPU kernel that needs most: kernels run one at a time */
};
void session_memory(const struct session *s, struct session_memory *out);

/* Store the sums of facts over partitions, of called subgraphs and dynamic groups too: of delegate d; NULL: of all. */
void session_facts(const struct session *s, const struct delegate *d, struct delegate_facts *out);

/* Return the sum of one fact over the partitions of all delegates; 0: unknown. */
uint64_t session_fact(const struct session *s, const char *name);

/* Groups of nodes whose shapes become known while running (dynamic_shapes.c), in called subgraphs too. Delegates are asked about a
 * group once its shapes are known; the CPU runs the rest. */
struct session_dynamic {
    uint32_t groups, nodes;         /* groups known so far, without groups inside groups, and their nodes */
    uint32_t delegated, partitions; /* delegated nodes and partitions in the last run of each group */
    uint32_t cpu;                   /* nodes that the CPU ran in these runs; the remaining ones were constant */
    uint32_t plans,                 /* plans made since session_prepare, one for each set of shapes */
        runs;                       /* runs of groups since session_prepare */
    uint64_t node_runs,             /* nodes times runs */
        cpu_node_runs;              /* the part of node_runs that ran on the CPU */
};
void session_dynamic(const struct session *s, struct session_dynamic *out);

/* Subgraphs called by nodes about whose calls delegates are asked (IF, WHILE, composites), each as it was called last. */
struct session_called {
    uint32_t subgraphs, /* subgraphs that were called */
        nodes,          /* their nodes that run */
        delegated,      /* delegated nodes, without those in groups of dynamic shapes */
        partitions,     /* their partitions */
        ahead,   /* delegated nodes of loop conditions that do not run, since the CPU computes the condition (loop_condition.h) */
        not_run; /* subgraphs that a CPU node names and no run has called, as the branch of an IF that was never taken */
};
void session_called(const struct session *s, struct session_called *out);

/* Return true if in every run since session_prepare delegates ran all nodes of s: CPU nodes of its partitioning were in groups of
 * dynamic shapes, which delegates took entirely. Before any run: true if that is possible. */
bool session_fully_delegated(const struct session *s);

/* Duration of the last session_prepare, in nanoseconds. Time outside claim_ns and delegates_ns went to shapes, memory and the CPU
 * kernels. Plans made by later runs (session_dynamic) are not included, unlike in session_memory. */
struct session_times {
    uint64_t total_ns;
    uint64_t claim_ns;                                /* delegates judging the nodes, and partitioning */
    uint64_t delegates_ns;                            /* delegates making and preparing kernels; includes: */
    uint64_t tuning_ns, compile_ns, load_ns, pack_ns; /* facts of the kernels */
};
void session_times(const struct session *s, struct session_times *out);

/* Describe step i of a run of a prepared session: *node is the node that the CPU runs and *partition -1, or *node is NULL and
 * *partition an index in session_partitioning. Return false if i is beyond the last. */
bool session_step(const struct session *s, uint32_t i, const struct node **node, int32_t *partition);

/* Store in *out program i of the programs that delegates made for this session, each once; return false if i is beyond the last.
 * The label lives until the next session_prepare. */
bool session_program(const struct session *s, uint32_t i, struct delegate_program *out);

/* A timed piece of a run: a CPU kernel, or one piece of work inside a delegate. */
struct profile_row {
    const char *type;                /* "CONV_2D", or the delegate's name for the piece ("upload") */
    const char *detail;              /* delegates: variant and fused operators; CPU: NULL */
    const char *why_copy;            /* see delegate_timing */
    const struct node *const *nodes; /* [n_nodes] the nodes that it computes */
    uint32_t n_nodes;
    const struct tensor *tensor;     /* the tensor that a transfer moves; else NULL */
    const struct tensor *border;     /* see delegate_timing */
    int32_t partition;               /* index in session_partitioning, then indices of dynamic groups' partitions; -1: CPU */
    const struct delegate *delegate; /* the partition's delegate; NULL: CPU */
    uint64_t ns;                     /* duration in this one inference */
    bool halves;                     /* delegates: computed with 16-bit floats */
    bool timed;                      /* false: the driver gave no time, and ns is 0 */
    uint64_t begin_ns;               /* see delegate_timing */
    bool device_clock;
};

/* Run one inference with every step timed; *rows is valid until the next call on s. Timing adds overhead: do not report the sum as
 * the model's latency. */
enum status session_profile(struct session *s, const struct profile_row **rows, size_t *n, struct err *err);

/* Return the time of delegates in the last session_profile that is in none of its rows. */
struct delegate_overhead session_profile_overhead(const struct session *s);
