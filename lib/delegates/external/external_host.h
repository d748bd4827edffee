/* SPDX-License-Identifier: Apache-2.0 */
/* external_host.h - lends a graph to a delegate through TFLite's C ABI, and runs the kernels that the delegate registers.
 *
 * One host is one call of the delegate's Prepare: it offers some nodes of the graph, as an execution plan of these nodes alone, and
 * the delegate replaces subsets of them. Nodes and tensors keep the numbers of the file. A function of the context that is called
 * outside of its phase fails and reports the phase. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/delegates/external/external_library.h"

/* A subset of nodes that the delegate replaced by one kernel. */
struct external_subset {
    struct tflite_registration kernel; /* zeros behind TFLITE_REGISTRATION_OLDEST_BYTES */
    struct tflite_delegate_params *params;
    struct tflite_node node;
    const struct partition *part; /* partition that runs it; NULL: none yet */
    uint64_t prepared_at;         /* host.clock when its kernel was prepared; 0: not prepared */
};

struct external_host {
    struct tflite_context c; /* first member: the delegate's calls pass its address */
    const struct external_library *library;
    const struct graph *g;
    uint32_t users;              /* reference count: the caller of external_host_new, and the partitions that run its subsets */
    uint32_t n_nodes, n_tensors; /* of the graph */
    enum external_phase phase;
    struct arena arena;

    bool *offered;                     /* [g->n_nodes] the delegate may replace the node */
    int32_t *subset_of;                /* [g->n_nodes] index in subsets; -1: not replaced */
    int32_t *position;                 /* [n_numbers] by number in the file: index in g->nodes, or -1 */
    struct tflite_node *nodes;         /* [n_numbers] */
    struct tflite_registration *kinds; /* [n_numbers] */
    uint32_t n_numbers;
    struct tflite_int_array *plan;

    struct external_subset *subsets; /* [n_subsets] in an executable order after external_host_take */
    uint32_t n_subsets;

    void **own;        /* [c.tensors_size] memory that the host allocated for the tensor, or NULL */
    void **lent;       /* [n_tensors] memory of the session that the tensor got last */
    bool *made;        /* [n_tensors] output of a replaced node */
    bool *open;        /* [n_tensors] the shape is known only while running */
    uint64_t clock;    /* counts changes of shapes, and calls of kernels' prepare */
    uint64_t *changed; /* [n_tensors] clock at the last change of the shape; 0: never */
    char said[256];    /* last report of the delegate in this call; "": none */
    bool pending;      /* `said` was not passed on yet: if the call fails it joins the failure's message, else `report` gets it */

    /* Receives the delegate's reports, but for a failure's own; NULL: reports are dropped. */
    void (*report)(void *arg, const char *text);
    void *report_arg;
};

/* Return true if TFLite's structs can express the node and its tensors; else set *why. `dynamic`: the delegate accepts shapes and
 * strings that are known only while running. */
bool external_host_can_say(const struct node *n, bool dynamic, struct reason *why);

/* Lend the nodes of g that are set in offered[g->n_nodes]; g outlives the kernels' runs. The host starts with one user. Fails with
 * ST_NOMEM; *out is then NULL. */
enum status external_host_new(const struct external_library *l, const struct graph *g, const bool *offered,
                              struct external_host **out, struct err *err);

/* Call the delegate's Prepare. Fails with ST_FAILED and the delegate's message if it fails; no node is replaced then. */
enum status external_host_take(struct external_host *h, struct err *err);

/* Assign to the partition the subsets that it consists of. Returns false, and does nothing, if its nodes are not whole subsets. */
bool external_host_assign(struct external_host *h, const struct partition *part);

/* Prepare the kernels of the partition's subsets, except kernels that read shapes known only while running, and allocate the
 * tensors between the subsets. The partition's inputs and outputs must have memory. Fails with ST_FAILED and the delegate's
 * message, or with ST_NOMEM. */
enum status external_host_prepare(struct external_host *h, const struct partition *part, struct err *err);

/* Return true if the partition is the first one that has subsets of the host: costs of the whole host count there. */
bool external_host_counts_in(const struct external_host *h, const struct partition *part);

/* Run the partition's subsets: read part->inputs and write part->outputs; outputs of unknown shape get shape and memory. A kernel
 * is prepared again if the shape of an input has changed since. */
enum status external_host_invoke(struct external_host *h, const struct partition *part, struct err *err);

/* Drop one user; the last one frees kernels and buffers. Accepts NULL. The graph may already be gone. */
void external_host_unref(struct external_host *h);

/* Set the context's functions. */
void external_context_init(struct tflite_context *c);

/* Shared by external_host.c, external_context.c and external_kernels.c. */
void external_report(struct external_host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
enum tflite_status external_host_preview(struct external_host *h, const struct tflite_int_array *nodes, struct tflite_delegate *d,
                                         struct tflite_delegate_params **parts, int *n);
enum tflite_status external_host_replace(struct external_host *h, const struct tflite_registration *kernel,
                                         const struct tflite_int_array *nodes, struct tflite_delegate *d);
void external_host_pass_on(struct external_host *h);
void external_host_set_plan(struct external_host *h);
enum status external_host_order(struct external_host *h, struct err *err);
struct tflite_int_array *external_int_array(const int32_t *data, int32_t n);

/* Mark the beginning and the end of a call of the library; `back` is the phase that called it. */
void external_host_enter(struct external_host *h, enum external_phase phase);
void external_host_leave(struct external_host *h, enum external_phase back);

/* Set *err to "external delegate PATH: WHAT fails with status ST", with the delegate's last report, and return ST_FAILED. */
enum status external_failed(struct external_host *h, const char *what, enum tflite_status st, struct err *err);

/* ---- external_memory.c ---- */

/* Allocate memory for the bytes of tensor i of the context. Returns false, after reporting it, if memory runs out. */
bool external_host_own(struct external_host *h, size_t i);

/* Return the bytes of all tensors that the host or the delegate allocated. */
size_t external_host_bytes(const struct external_host *h);

/* Free all tensors and their memory. */
void external_host_free_tensors(struct external_host *h);

/* Return true if a kernel sets the shape of tensor i. */
bool external_host_sets_shape(const struct external_host *h, size_t i);

/* Set the shape of tensor i to `dims`, which the tensor then owns, and count a change in `clock`. */
void external_host_set_dims(struct external_host *h, size_t i, struct tflite_int_array *dims);

/* Point the partition's inputs and outputs to the session's memory, and update the shapes of dynamic inputs. */
enum status external_host_lend_memory(struct external_host *h, const struct partition *part, struct err *err);

/* Allocate outputs that have a size and no memory yet. Returns false as external_host_own does. */
bool external_host_give_room(struct external_host *h, const struct tflite_int_array *outputs);

/* Copy an output to the session's tensor, from the delegate's buffer or from memory that the delegate chose. */
enum status external_host_fetch(struct external_host *h, struct tensor *t, struct err *err);
