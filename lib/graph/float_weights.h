/* SPDX-License-Identifier: Apache-2.0 */
/* float_weights.h - "hybrid" nodes, which multiply floats by weights of 8 bits or fewer, converted to float weights.
 *
 * TFLite's CPU kernels quantize the float inputs of such a node while it runs, and sum integers; a GPU multiplies the floats by the
 * dequantized weights, scale * (q - zero point). Each input value then differs by up to half a quantization step of 8 bits, by
 * design: neither is wrong, the GPU is nearer to the model's formula. With float weights a node runs the CPU's float kernel, the
 * right reference for a GPU. */
#pragma once

#include "lib/graph/graph.h"

/* Return true if the CPU kernel quantizes the node's inputs: a product or a recurrent cell with FLOAT32 inputs that are not
 * constant and constant weights of INT8, UINT8, INT4 or INT2. False for EMBEDDING_LOOKUP, which dequantizes its weights. */
bool node_is_hybrid(const struct node *n);

/* Append the node's operator to the string list[size] ("CONV_2D, FULLY_CONNECTED"), unless it is in it or does not fit. */
void node_name_once(char *list, size_t size, const struct node *node);

/* The converted weights, so that the change can be undone. Initialize to zero. */
struct float_weights {
    struct float_weight *list;
    struct arena arena;
};

/* Convert the weights of hybrid nodes on the CPU to FLOAT32 constants: nodes with part_of[i] < 0 (part_of NULL: all). Weights stay
 * unchanged if other nodes read them too, if they are sparse, or if they are blockwise without a scale for each block or with zero
 * points. Call it once shapes are known, before kernels are prepared. Undoes earlier changes first. Fails only with ST_NOMEM. */
enum status float_weights_make(struct float_weights *f, struct graph *g, const int32_t *part_of, struct err *err);

/* Restore the types and content of the graph's tensors; the graph must still exist. Accepts a zeroed *f. */
void float_weights_undo(struct float_weights *f);
