/* SPDX-License-Identifier: Apache-2.0 */
/* float_weights.h - nodes that multiply floats by weights of 8 bits or fewer ("hybrid"), and the same nodes by floats.
 *
 * TFLite's CPU kernels quantize the values that such a node reads while it runs, and sum integers; a GPU multiplies the floats as
 * they are by the numbers that the weights stand for, scale * (q - zero point). The two are off by up to half a step of 8 bits a
 * value, by design: neither is wrong, the GPU's is nearer to the model's formula. With its weights made floats a node runs the
 * CPU's float kernel, the right one to hold a GPU against. */
#ifndef DELEGAUGE_FLOAT_WEIGHTS_H
#define DELEGAUGE_FLOAT_WEIGHTS_H

#include "lib/graph/graph.h"

/* True if the CPU's kernel quantizes the values that the node reads: a product or a recurrent cell of FLOAT32 values that are not
 * constant, with constants of INT8, UINT8, INT4 or INT2 for weights. False for EMBEDDING_LOOKUP: it computes with the floats that
 * its weights stand for. */
bool node_is_hybrid(const struct node *n);

/* Add the node's operator to a text in list[size], "CONV_2D, FULLY_CONNECTED", unless it is there or has no room. */
void node_name_once(char *list, size_t size, const struct node *node);

/* The weights that were made floats, so that it can be undone; zeroed to begin with. */
struct float_weights {
    struct float_weight *list;
    struct arena arena;
};

/* Make FLOAT32 constants of the weights of hybrid nodes that the CPU runs: the nodes with part_of[i] < 0 (NULL: all). Left as they
 * are: weights that other nodes read too, sparse ones, and blockwise ones without a scale for each block, or with zero points. Call
 * it when shapes are known, before kernels are prepared. Undoes its earlier changes first. Fails only with ST_NOMEM. */
enum status float_weights_make(struct float_weights *f, struct graph *g, const int32_t *part_of, struct err *err);

/* Give the graph's tensors back their types and content; the graph must still be there. Accepts zeros. */
void float_weights_undo(struct float_weights *f);

#endif
