/* SPDX-License-Identifier: Apache-2.0 */
/* external_host.h - a graph as TFLite's C ABI lends it to a delegate, and what the delegate makes of it.
 *
 * One host is one call of the delegate's Prepare: some of the graph's nodes are on offer, in an execution plan of these alone, and
 * the delegate replaces subsets of them. Nodes have the numbers of the file, tensors too. A function of the context that is called
 * outside of its phase fails and reports the phase. */
#ifndef DELEGAUGE_EXTERNAL_HOST_H
#define DELEGAUGE_EXTERNAL_HOST_H

#include "lib/delegate/delegate.h"
#include "lib/delegates/external/external_library.h"

/* Nodes that the delegate runs as one. */
struct external_subset {
    struct tflite_registration kernel; /* up to TFLITE_REGISTRATION_OLDEST_BYTES; zeros behind */
    struct tflite_delegate_params *params;
    struct tflite_node node;
    const struct partition *part; /* that it is run with; NULL: none so far */
    uint64_t prepared_at;         /* by host.clock; 0: its kernel is not */
};

struct external_host {
    struct tflite_context c; /* first: functions of the ABI get this one */
    const struct external_library *library;
    const struct graph *g;
    uint32_t users;              /* partitions that run subsets of it, and who asked: external_host_unref */
    uint32_t n_nodes, n_tensors; /* of the graph */
    enum external_phase phase;
    struct arena arena;

    bool *offered;      /* [g->n_nodes] */
    int32_t *subset_of; /* [g->n_nodes] or -1: not replaced */
    int32_t *position;  /* [n_numbers] of the node that has this number, or -1 */
    struct tflite_node *nodes;
    struct tflite_registration *kinds; /* [n_numbers], both */
    uint32_t n_numbers;
    struct tflite_int_array *plan;

    struct external_subset *subsets; /* [n_subsets], in an order in which they can run once external_host_take is done */
    uint32_t n_subsets;

    void **own;        /* [c.tensors_size] memory of a tensor that is ours; NULL: it is not, or it has none */
    void **lent;       /* [n_tensors] what the session lent last */
    bool *made;        /* [n_tensors] a node that was replaced makes it */
    bool *open;        /* [n_tensors] its shape is known only while running */
    uint64_t clock;    /* counts changes of shapes, and calls of kernels' prepare */
    uint64_t *changed; /* [n_tensors] when it got another shape last; 0: never */
    char said[256];    /* the last report of this call; "" is none */
    bool pending;      /* nobody was told it: where the call fails it is part of the failure, else `report` is told */

    /* Told each report but that; NULL: nobody listens. */
    void (*report)(void *arg, const char *text);
    void *report_arg;
};

/* False with the reason where TFLite's structs cannot say the node, or the values that it has are no plain ones. `dynamic`: shapes
 * may be known only while running, and so may be texts. */
bool external_host_can_say(const struct node *n, bool dynamic, struct reason *why);

/* Lends offered[g->n_nodes] of g, which outlives what runs, with one user. ST_NOMEM; *out is NULL then. */
enum status external_host_new(const struct external_library *l, const struct graph *g, const bool *offered,
                              struct external_host **out, struct err *err);

/* Calls the delegate's Prepare. ST_FAILED where it fails, with the delegate's words: then everything is as if it had replaced
 * nothing. */
enum status external_host_take(struct external_host *h, struct err *err);

/* Gives the partition the subsets that make it up. False where it has other borders than they have, and nothing was done. */
bool external_host_assign(struct external_host *h, const struct partition *part);

/* Prepares the kernels of the partition's subsets, but for those that read shapes of the run's, and gives memory to what goes
 * between them; its borders have memory. ST_FAILED as above; ST_NOMEM. */
enum status external_host_prepare(struct external_host *h, const struct partition *part, struct err *err);

/* Whether the partition is the first that has subsets of it. */
bool external_host_counts_in(const struct external_host *h, const struct partition *part);

/* Runs them: reads part->inputs, writes part->outputs, and shape and room of those that are dynamic. Kernels are prepared anew
 * where the shape of an input is another than they were prepared for. */
enum status external_host_invoke(struct external_host *h, const struct partition *part, struct err *err);

/* One user less; the last frees kernels, buffers and all. Accepts NULL. Needs no graph any more. */
void external_host_unref(struct external_host *h);

/* Sets the functions of the context. */
void external_context_init(struct tflite_context *c);

/* For external_host.c, external_context.c and external_kernels.c, which are one thing in three files. */
void external_report(struct external_host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
enum tflite_status external_host_preview(struct external_host *h, const struct tflite_int_array *nodes, struct tflite_delegate *d,
                                         struct tflite_delegate_params **parts, int *n);
enum tflite_status external_host_replace(struct external_host *h, const struct tflite_registration *kernel,
                                         const struct tflite_int_array *nodes, struct tflite_delegate *d);
void external_host_pass_on(struct external_host *h);
void external_host_set_plan(struct external_host *h);
enum status external_host_order(struct external_host *h, struct err *err);
struct tflite_int_array *external_int_array(const int32_t *data, int32_t n);

/* Around each call of the library; `back` is where it was called from. */
void external_host_enter(struct external_host *h, enum external_phase phase);
void external_host_leave(struct external_host *h, enum external_phase back);

/* What a function of the delegate's gave back, in words. */
enum status external_failed(struct external_host *h, const char *what, enum tflite_status st, struct err *err);

/* ---- external_memory.c ---- */

/* Gives tensor i of the context memory for its bytes; false where there is none, which is reported. */
bool external_host_own(struct external_host *h, size_t i);

/* Bytes of all that has memory of the host's. */
size_t external_host_bytes(const struct external_host *h);

/* Frees all tensors with what they have. */
void external_host_free_tensors(struct external_host *h);

/* Whether kernels say what shape tensor i has. */
bool external_host_sets_shape(const struct external_host *h, size_t i);

/* Takes `dims`, and notes where that is another shape. */
void external_host_set_dims(struct external_host *h, size_t i, struct tflite_int_array *dims);

/* Where the borders of the partition are now, and the shapes of those that the session has just made. */
enum status external_host_lend_memory(struct external_host *h, const struct partition *part, struct err *err);

/* Memory for outputs that have a size, and none yet; false as external_host_own. */
bool external_host_give_room(struct external_host *h, const struct tflite_int_array *outputs);

/* Brings an output to where the session reads it: from the delegate's buffer, or from memory of the delegate's own choice. */
enum status external_host_fetch(struct external_host *h, struct tensor *t, struct err *err);

#endif
