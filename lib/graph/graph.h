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
#ifndef DELEGAUGE_GRAPH_H
#define DELEGAUGE_GRAPH_H

#include "lib/graph/op.h"
#include "lib/model/model.h"

/* One operator as it is to run. */
struct node {
    uint32_t index;   /* position in the file's operator list, as TFLite's tools print it */
    int32_t builtin;  /* BUILTIN_*; BUILTIN_CUSTOM for custom ops */
    const char *name; /* "CONV_2D", or the custom op's name */
    int32_t version;
    const struct op *op;              /* its row of lib/ops/ops.def, or NULL: then it can only be loaded and named */
    struct tensor **in, **out, **mid; /* NULL entries are omitted optional tensors; mid are the intermediates */
    uint32_t n_in, n_out, n_mid;
    enum options_kind options_kind;
    const void *opt;       /* struct opt_* of the op's kind; zeros if the file has none; NULL for custom ops */
    const uint8_t *custom; /* a custom op's option bytes */
    size_t n_custom;
    bool folded;            /* all inputs are constant: computed once, its outputs are constants too; or variable_init_only */
    bool dynamic;           /* the shape of an output is known only while running */
    bool reads_fixed_shape; /* READ_VARIABLE: the file fixes the shape of the variable (variable_shape.h) */

    /* READ_VARIABLE, ASSIGN_VARIABLE: the variable as a tensor of the graph, if the file fixes its shape, type and steps; else
     * NULL. Delegates read and write this one instead of the handle; it is none of `in` and `out`. */
    struct tensor *variable;

    /* STABLEHLO_COMPOSITE: its decomposition, inferred for the shapes and constants that it is called with (control_flow.h); else
     * NULL. Belongs to the graph of the node, and is made anew by each graph_infer(). */
    struct graph *called;
};

struct graph_part;

struct graph {
    const struct model *model;         /* borrowed; outlives the graph */
    uint32_t subgraph;                 /* which of the model's */
    const char *name;                  /* never NULL */
    struct tensor *tensors;            /* [n_tensors], by their index in the file; behind them the resource variables */
    struct node *nodes;                /* in execution order: the file's, unless that puts a reader before its writer */
    struct tensor **inputs, **outputs; /* of the subgraph, among `tensors` */
    uint32_t n_tensors, n_nodes, n_inputs, n_outputs;
    struct graph_part *part;    /* the part of the subgraph that it has (graph_part.h); NULL: all */
    uint32_t cap_tensors;       /* room for one more tensor for each VAR_HANDLE */
    struct arena arena, folded; /* folded: the content of constants computed by graph_infer */

    /* [n_inputs] operands of the node that calls the graph, which outlive it: graph_infer takes the content of the constant ones.
     * NULL: no node calls the graph, or each call has other content. */
    struct tensor *const *given;
};

/* True if list[n], such as a graph's inputs or outputs, has the tensor. */
static inline bool tensor_is_among(const struct tensor *t, struct tensor *const *list, uint32_t n)
{
    while (n && list[n - 1] != t)
        n--;
    return n > 0;
}

/* Copy subgraph `subgraph` of the model, which stays borrowed. Shapes are the file's; call graph_infer() (graph_infer.h) before
 * use. ST_BAD_MODEL if nodes wait for each other, two write one tensor, or one reads a tensor that nothing writes; the message
 * names them. */
enum status graph_new(const struct model *m, uint32_t subgraph, struct graph **out, struct err *err);

/* Copy it only to be looked at: nodes in the order of the file, whichever nodes write their inputs. Never inferred nor run. */
enum status graph_new_as_filed(const struct model *m, uint32_t subgraph, struct graph **out, struct err *err);

/* Accepts NULL. */
void graph_free(struct graph *g);

/* Give input i another shape. Takes effect in the next graph_infer(). ST_USAGE: no such input; else as shape_elems(). */
enum status graph_resize_input(struct graph *g, uint32_t i, const int32_t *dim, int32_t rank, struct err *err);

/* True if the node's effect depends on when it runs: it draws random numbers, reads or changes a variable or resource, or has no
 * kernel here, so that nobody knows. A composite acts as node.called does. Such nodes run in the order of the file and are never
 * folded or merged. */
bool node_is_stateful(const struct node *n);

/* True for a composite whose decomposition is known, and is all that it does: whoever takes the node may compute the decomposition
 * instead. */
static inline bool node_is_composite(const struct node *n)
{
    return n->called && !node_is_stateful(n);
}

/* True if the node reads, or assigns, node.variable. */
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

/* Return input or output i, or NULL if it is omitted or beyond the list: for optional operands. The operands that shape_arity
 * (shape.h) has asked for are there, in n->in and n->out. */
static inline struct tensor *node_in(const struct node *n, uint32_t i)
{
    return i < n->n_in ? n->in[i] : NULL;
}

static inline struct tensor *node_out(const struct node *n, uint32_t i)
{
    return i < n->n_out ? n->out[i] : NULL;
}

#endif
