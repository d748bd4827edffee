/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - one subgraph of a model, made ready to run: tensors with resolved shapes, nodes with decoded options.
 *
 * A graph belongs to one session: it copies the model's tensors (their constants still point into the file), so that its
 * inputs can be resized. Nothing here knows about delegates, plans or memory placement.
 *
 *   graph_new           copies, orders, finds each node's row of lib/ops/ops.def
 *   graph_resize_input  any number of times
 *   graph_infer         shapes of everything, constants folded (graph_infer.h); again after a resize
 *
 * The model outlives the graph; the graph outlives partitions, plan and delegate kernels, which point into it. */
#pragma once

#include "lib/graph/op.h"
#include "lib/model/model.h"

/* One operator of a graph. */
struct node {
    const struct graph *graph; /* that it belongs to */
    uint32_t index;            /* position in the file's operator list, as TFLite's tools print it */
    int32_t builtin;           /* BUILTIN_*; BUILTIN_CUSTOM for custom ops */
    const char *name;          /* "CONV_2D", or the custom op's name */
    int32_t version;
    const struct op *op;              /* row of lib/ops/ops.def; NULL: there is no kernel, the node can only be loaded and named */
    struct tensor **in, **out, **mid; /* [n_in], [n_out], [n_mid] inputs, outputs, intermediates; NULL: omitted */
    uint32_t n_in, n_out, n_mid;
    enum options_kind options_kind;
    const void *opt;       /* struct opt_* of options_kind; zeros if the file has no options; NULL for custom ops */
    const uint8_t *custom; /* [n_custom] a custom op's option bytes */
    size_t n_custom;
    bool folded;            /* computed once, its outputs are constants: all inputs are constant; or variable_init_only */
    bool dynamic;           /* the shape of an output is known only while running */
    bool reads_fixed_shape; /* READ_VARIABLE: the file fixes the shape of the variable (variable_shape.h) */

    /* READ_VARIABLE, ASSIGN_VARIABLE: a tensor of the graph that stands for the variable, if the file fixes its shape, type and
     * quantization; else NULL. Delegates read and write this tensor instead of the handle; it is not in `in` or `out`. */
    struct tensor *variable;

    /* STABLEHLO_COMPOSITE: its decomposition, inferred for the shapes and constants of the call (control_flow.h); else NULL. Owned
     * by the node's graph; each graph_infer() makes a new one. */
    struct graph *called;
};

struct graph_part;

struct graph {
    const struct model *model;         /* borrowed; outlives the graph */
    uint32_t subgraph;                 /* index in the model */
    const char *name;                  /* never NULL */
    struct tensor *tensors;            /* [n_tensors] by index in the file, followed by node.variable tensors */
    struct node *nodes;                /* [n_nodes] in execution order: the file's, unless that puts a reader before its writer */
    struct tensor **inputs, **outputs; /* [n_inputs], [n_outputs] of the subgraph, among `tensors` */
    uint32_t n_tensors, n_nodes, n_inputs, n_outputs;
    struct graph_part *part;    /* the nodes that belong to this graph (graph_part.h); NULL: all */
    uint32_t cap_tensors;       /* allocated tensors: one more for each VAR_HANDLE */
    struct arena arena, folded; /* folded: the content of constants computed by graph_infer */

    /* [n_inputs] operands of the calling node, which outlive the graph: graph_infer uses the content of constant ones. NULL: no
     * node calls the graph, or the content differs from call to call. */
    struct tensor *const *given;
};

/* Return true if the tensor is in list[n], such as a graph's inputs or outputs. */
static inline bool tensor_is_among(const struct tensor *t, struct tensor *const *list, uint32_t n)
{
    while (n && list[n - 1] != t)
        n--;
    return n > 0;
}

/* Return true if t is an input of n. */
static inline bool node_reads(const struct node *n, const struct tensor *t)
{
    return tensor_is_among(t, n->in, n->n_in);
}

/* Make a graph of subgraph `subgraph` of the model, which is borrowed. Shapes are the file's; call graph_infer() (graph_infer.h)
 * before use. Fails with ST_BAD_MODEL, naming the nodes, if there is a cycle, if two nodes write one tensor, or if a node reads a
 * tensor that nothing writes; with ST_NOMEM. */
enum status graph_new(const struct model *m, uint32_t subgraph, struct graph **out, struct err *err);

/* Make a graph for inspection only, with nodes in the order of the file and without these checks. Do not infer or run it. */
enum status graph_new_as_filed(const struct model *m, uint32_t subgraph, struct graph **out, struct err *err);

/* Free the graph; accepts NULL. */
void graph_free(struct graph *g);

/* Set the shape of input i to dim[rank], for the next graph_infer(). Fails with ST_USAGE if there is no such input, or as
 * shape_elems() does. */
enum status graph_resize_input(struct graph *g, uint32_t i, const int32_t *dim, int32_t rank, struct err *err);

/* Return true if the node's result depends on when it runs: it draws random numbers, or reads or changes a variable or resource.
 * Also true for a node without a kernel, of which nothing is known. A composite is stateful if node.called is. Stateful nodes run
 * in the order of the file and are never folded or merged. */
bool node_is_stateful(const struct node *n);

/* Return true for a composite with a known decomposition and no state: computing node.called is equivalent to computing the node.
 */
static inline bool node_is_composite(const struct node *n)
{
    return n->called && !node_is_stateful(n);
}

/* Return true if the node reads, or assigns, node.variable. */
static inline bool node_reads_variable(const struct node *n)
{
    return n->variable && n->n_out;
}

static inline bool node_assigns_variable(const struct node *n)
{
    return n->variable && !n->n_out;
}

/* Put "node 17 CONV_2D(FLOAT32[1,8,8,3], …): " before the message. Return `st`. */
enum status node_err(const struct node *n, enum status st, struct err *err);

/* Do the same if st is a failure; ST_OK passes through. */
static inline enum status node_err_if(const struct node *n, enum status st, struct err *err)
{
    return st ? node_err(n, st, err) : ST_OK;
}

/* Return input or output i, or NULL if it is omitted or beyond the list. For optional operands: after shape_arity (shape.h)
 * required ones are in n->in and n->out. */
static inline struct tensor *node_in(const struct node *n, uint32_t i)
{
    return i < n->n_in ? n->in[i] : NULL;
}

static inline struct tensor *node_out(const struct node *n, uint32_t i)
{
    return i < n->n_out ? n->out[i] : NULL;
}
