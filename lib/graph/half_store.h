/* SPDX-License-Identifier: Apache-2.0 */
/* half_store.h - rounding of float32 values to half precision, as a GPU does that stores 16-bit floats.
 *
 * Rounds as IEEE 754, to nearest, ties to even: 11 bits of precision; 65520 and more become infinity; subnormals below 2^-14 are
 * multiples of 2^-24. Drivers that round toward zero and GPUs that flush subnormals to zero are not emulated. */
#pragma once

#include "lib/graph/graph.h"

/* Round n floats in place. */
void half_store_floats(float *f, size_t n);

/* Round the content of a FLOAT32 tensor in place. Does nothing for NULL, other types, tensors without data, constants, and tensors
 * that stay float32 (whole_floats.h). */
void half_store(struct tensor *t);

/* Round all tensors that a node wrote, with half_store: its outputs, and the variables among its inputs. */
void half_store_node(const struct node *n);

/* Replace each FLOAT32 constant of the graph that rounding changes by a rounded copy in `a`, which outlives the graph's data
 * pointers. Constants that stay float32 (whole_floats.h) are kept, and, as the GPU backend does, constants in which a finite value
 * would become infinite. Call it after each graph_infer, which points constants back at the file. Fails only with ST_NOMEM. */
enum status half_store_constants(struct graph *g, struct arena *a, struct err *err);
