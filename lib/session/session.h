/* SPDX-License-Identifier: Apache-2.0 */
/* session.h - one graph with its plan: memory placed, delegates compiled, ready to run again and again.
 *
 * Inputs are written into session_input(i)->data, outputs read from session_output(i)->data; both stay where they are, and
 * inputs keep their content, until the next session_prepare. Not thread-safe; a session with a GPU delegate runs on the
 * thread that opened the delegate. */
#ifndef DELEGAUGE_SESSION_H
#define DELEGAUGE_SESSION_H

#include "lib/delegate/partition.h"
#include "lib/graph/kernel.h"

struct session;

/* What float32 tensors mean where the CPU computes them. Integers are the same in all, and so is what delegates make.
 *
 * SESSION_FP32: float32, in the order of TFLite's reference kernels.
 * SESSION_FP16: the same, and then what is stored is rounded to half precision: inputs (in place), constants and every value that a
 *   node makes, its variables too (half_store.h). Nothing is fused, and sums are still of float32.
 * SESSION_FP64: what is summed is summed in double, and stored as float32: one rounding for each value. This holds for convolutions
 *   and matrix products of floats (but CONV_3D), recurrent cells' products, AVERAGE_POOL_2D, L2_POOL_2D, SUM, MEAN, SOFTMAX,
 *   LOG_SOFTMAX and L2_NORMALIZATION; other operators are as with SESSION_FP32, nearly all of them one rounding a value anyway.
 *
 * The latter two are for CPU_REFERENCE. */
enum session_precision { SESSION_FP32, SESSION_FP16, SESSION_FP64 };

struct session_options {
    int num_threads; /* < 1: 1 */
    enum cpu_mode mode;
    enum session_precision precision;
    bool float_weights; /* hybrid nodes that the CPU runs multiply floats (float_weights.h), instead of quantizing what they read */
    struct delegate *delegates[MAX_DELEGATES + 1]; /* asked in this order, up to the first NULL; borrowed, outlive the session */
    struct partition_options partition;
    bool keep_intermediates; /* every tensor keeps its own memory, so that all can be read after a run */
    uint32_t subgraph;       /* of the model; 0 is the primary one */

    /* Asked before each round of a loop inside the model (WHILE), with the seconds since the run began: a failure ends the run with
     * its message, ST_LATER without one. NULL: loops end by themselves, or never. */
    enum status (*go_on)(void *arg, double run_secs, struct err *err);
    void *go_on_arg;

    /* Called after each node that the CPU ran, when its operands and outputs have their content (with SESSION_FP16 rounded). `s` is
     * the session that it belongs to: of subgraphs each has its own. Nodes that were folded, or are a delegate's, are not seen.
     * NULL: nobody looks. */
    void (*after_node)(void *arg, const struct session *s, const struct node *n);
    void *after_node_arg;
};

/* A session on one subgraph; ST_USAGE where the model has no such. Shapes are those of the file; nothing is planned or allocated
 * yet. */
enum status session_new(const struct model *m, const struct session_options *opt, struct session **out, struct err *err);

/* Accepts NULL. */
void session_free(struct session *s);

/* Gives input i another shape; the session must be prepared (again) before it runs. */
enum status session_resize_input(struct session *s, uint32_t i, const int32_t *dim, int32_t rank, struct err *err);

/* Infers shapes, asks the delegates, places every tensor, makes the delegates' kernels. Where a driver refuses a node that its
 * delegate claimed, the node goes back to the CPU (REASON_DRIVER) and the graph is partitioned again. Memory that the plan needs is
 * held against what the machine has before any of it is allocated. Variables and resources begin anew, as after
 * session_reset_variables. */
enum status session_prepare(struct session *s, struct err *err);

/* Copies data[bytes] into input i of a prepared session. ST_USAGE where it is not prepared, has no such input, or where `bytes` is
 * not the tensor's own number; a STRING tensor takes any, in the layout of TFLite's string buffers. ST_BAD_MODEL where a byte of a
 * BOOL is neither 0 nor 1. Code that writes into session_input(i)->data directly gets none of these checks and must keep these
 * rules itself. */
enum status session_set_input(struct session *s, uint32_t i, const void *data, size_t bytes, struct err *err);

/* One inference of a prepared session: reads the inputs, writes the outputs, variables and resources. A failure leaves the session
 * usable, its outputs undefined; so does ST_LATER, with which session_options.go_on gave it up. */
enum status session_run(struct session *s, struct err *err);

/* session_run in two steps: what is the last partition's is handed over and not waited for, if a run ends with one; session_wait
 * waits and reads the outputs, those of the last run where several were submitted. Before it outputs are undefined, after it, or
 * without a run, it does nothing. Inputs may be written anew in between. A delegate may wait for the run before the last one, whose
 * memory for inputs it takes again. Sessions of one delegate share its memory: before another of them is prepared or runs, this one
 * is waited for and its outputs are read; where that fails, so does the other, and this one is to be waited for still. */
enum status session_submit(struct session *s, struct err *err);
enum status session_wait(struct session *s, struct err *err);

/* The outputs of each run, where several are submitted: session_ahead says how many may be submitted behind a run before its
 * outputs are fetched.
 *
 * 1: run n + 1 is submitted, then session_fetch waits for run n alone and reads its outputs while the device works on n + 1; and so
 *   on, until the last run, behind which nothing is submitted, is fetched or waited for. Outputs are those of the run that was
 *   fetched last, until the next session_fetch, session_wait or session_run. If a third run is submitted before, the outputs of the
 *   first are lost, and session_fetch is about the second.
 * 0: the outputs of a run are where those of the next one will be (the CPU lays them out, or makes some of them; the delegate has
 *   one set of memory for them), so that each is fetched before the next is submitted; that is session_wait.
 * UINT32_MAX: none comes to host memory, and there is nothing to fetch; session_fetch waits for all runs.
 *
 * It changes with session_bind_output. session_fetch does nothing where no run is left. Valid after session_prepare. */
uint32_t session_ahead(const struct session *s);
enum status session_fetch(struct session *s, struct err *err);

/* How many inferences each run makes: the `loops` of its delegates, whose results are those of one; the time of a run is to be
 * divided by it. At least 1. */
uint32_t session_inferences(const struct session *s);

/* Whether a run leaves anything to be waited for; else session_submit is session_run. Valid after session_prepare. */
bool session_submits(const struct session *s);

/* How many partitions a submitted run waits for all the same, as others follow. Valid after session_prepare. */
uint32_t session_n_waits(const struct session *s);

/* From the next run on input or output i lies in a buffer on the delegate's device, no longer in its tensor's data, which nobody
 * reads or writes then; b NULL: in host memory again. Lasts until the next session_prepare; the buffer is the caller's and is not
 * deleted before that or another call. A run leaves outputs there without reading them; who shares the buffer waits for the run
 * first. ST_USAGE: the session is not prepared, there is no such tensor, or that is no such buffer. ST_UNSUPPORTED: the CPU reads
 * or makes the tensor too, another partition reads the output, or the layout is not the value's (delegate_kernel_ops.bind); all is
 * then as if it had been in host memory. */
enum status session_bind_input(struct session *s, uint32_t i, const struct delegate_buffer *b, struct err *err);
enum status session_bind_output(struct session *s, uint32_t i, const struct delegate_buffer *b, struct err *err);

/* Crossing i of all partitions, in their order; false beyond the last. */
bool session_crossing(const struct session *s, uint32_t i, struct delegate_crossing *out);

/* Sets all variable tensors to zero (INT8: to their zero point) again, and forgets resource variables and tables. */
void session_reset_variables(struct session *s);

/* The graph's inputs and outputs, in the file's order; i below the number. Their data is there after session_prepare; an output
 * that is dynamic has its shape and data after each run alone. */
uint32_t session_n_inputs(const struct session *s);
uint32_t session_n_outputs(const struct session *s);
struct tensor *session_input(const struct session *s, uint32_t i);
const struct tensor *session_output(const struct session *s, uint32_t i);

/* Whether the last session_prepare succeeded, and no input was resized since. */
bool session_prepared(const struct session *s);

/* Whether, since session_prepare, it multiplies floats because of the option float_weights. */
bool session_float_weights(const struct session *s);

/* Valid after session_prepare. */
const struct graph *session_graph(const struct session *s);

/* What delegates took and why not the rest; NULL without a delegate. */
const struct partitioning *session_partitioning(const struct session *s);

/* How many stretches a run goes through: a partition is one, and what the CPU runs between two of them. Valid after
 * session_prepare. */
uint32_t session_n_stretches(const struct session *s);

/* Host memory of the plan, and what delegates hold on their devices. */
struct session_memory {
    uint64_t arena_bytes;            /* shared by CPU tensors */
    uint64_t lower_bound_bytes;      /* largest set of them alive at one step */
    uint64_t packed_bytes;           /* weights repacked for the CPU kernels */
    uint64_t scratch_bytes;          /* of the CPU kernel that asks for most: they run one at a time */
    struct delegate_memory delegate; /* summed over partitions */
};
void session_memory(const struct session *s, struct session_memory *out);

/* What of it one of its delegates holds. */
void session_memory_of(const struct session *s, const struct delegate *d, struct delegate_memory *out);

/* Groups of nodes whose shapes become known while running (dynamic_shapes.c), and what delegates took of them then: in the
 * subgraphs that were called, too. Those that they do not take the CPU runs. */
struct session_dynamic {
    uint32_t groups, nodes;            /* since session_prepare known to be such; of nodes after them more may turn out to be */
    uint32_t delegated, partitions;    /* nodes and partitions of delegates in the last run of each group */
    uint32_t cpu;                      /* nodes that the CPU ran in that; others were constants then */
    uint32_t plans, runs;              /* made since session_prepare: one for each set of shapes; runs of groups */
    uint64_t node_runs, cpu_node_runs; /* of all these runs: nodes times runs; those that the CPU made */
};
void session_dynamic(const struct session *s, struct session_dynamic *out);

/* Subgraphs that it has called where delegates are asked (IF, WHILE, composites), each as it was called last: nodes that run, those
 * of delegates, without what these took late, and partitions; and nodes of conditions that delegates took and do not run, as the
 * CPU finds what they say ahead (loop_condition.h). Subgraphs not_run: no run has called what the CPU's nodes name, as the branch
 * of an IF that was never taken. */
struct session_called {
    uint32_t subgraphs, nodes, delegated, partitions, ahead, not_run;
};
void session_called(const struct session *s, struct session_called *out);

/* Whether delegates ran every node of s, in every run since session_prepare: what is on the CPU in its partitioning had shapes that
 * became known later. True, too, before any run, where that may come. */
bool session_fully_delegated(const struct session *s);

/* What the last session_prepare took, in nanoseconds; its remainder went to shapes, memory and the CPU kernels. What runs made
 * later (session_dynamic) is not in it, though session_memory has it. */
struct session_times {
    uint64_t total_ns;
    uint64_t claim_ns;                                /* asking delegates which nodes they take, and why not the others */
    uint64_t delegates_ns;                            /* delegates making ready what they took; within it: */
    uint64_t tuning_ns, compile_ns, load_ns, pack_ns; /* as in struct delegate_memory */
};
void session_times(const struct session *s, struct session_times *out);

/* Step i of a run of a prepared session: the node that the CPU runs, or NULL and the partition, of session_partitioning; false
 * beyond the last. */
bool session_step(const struct session *s, uint32_t i, const struct node **node, int32_t *partition);

/* Program i of all that its delegates made ready for this session, each once; false beyond the last. The label lives until the next
 * session_prepare. */
bool session_program(const struct session *s, uint32_t i, struct delegate_program *out);

/* One row per thing that ran: a CPU kernel, or one piece of work inside a delegate. */
struct profile_row {
    const char *type;                /* "CONV_2D", or the delegate's name for the piece ("upload") */
    const char *detail;              /* delegates: variant and fusions; else NULL */
    const char *why_copy;            /* see delegate_timing */
    const struct node *const *nodes; /* what it computes */
    uint32_t n_nodes;
    const struct tensor *tensor;     /* of a transfer: which; else NULL */
    const struct tensor *border;     /* see delegate_timing */
    int32_t partition;               /* of session_partitioning, or -1 for the CPU */
    const struct delegate *delegate; /* the partition's; NULL for the CPU */
    uint64_t ns;                     /* of this one inference */
    bool halves;                     /* delegates: computed with 16-bit floats */
    bool timed;                      /* false: the driver gave no time; ns is 0 */
};

/* One inference with every step timed; *rows is valid until the next call on s. Its total is not a headline number: timing
 * each piece costs time of its own. */
enum status session_profile(struct session *s, const struct profile_row **rows, size_t *n, struct err *err);

/* What delegates took in the last session_profile besides what is in its rows. */
struct delegate_overhead session_profile_overhead(const struct session *s);

#endif
