/* SPDX-License-Identifier: Apache-2.0 */
/* half_store.h - float32 values rounded as if stored as 16-bit floats, as a GPU stores them when asked for half precision.
 *
 * Rounding is IEEE 754's, to the nearest and of two to the even one: 11 bits of precision, beyond 65504 (65520 and more) infinity,
 * below 2^-14 subnormals in steps of 2^-24. Drivers may round toward zero, and GPUs make zeros of subnormals; neither is
 * emulated. */
#ifndef DELEGAUGE_HALF_STORE_H
#define DELEGAUGE_HALF_STORE_H

#include "lib/graph/graph.h"

/* Round n floats in place. */
void half_store_floats(float *f, size_t n);

/* Round the content of a FLOAT32 tensor in place. Others, NULL, tensors without data, constants and tensors that stay float32
 * (whole_floats.h) stay as they are. */
void half_store(struct tensor *t);

/* Do the same for the tensors that a node wrote: its outputs, and the variables among its inputs. */
void half_store_node(const struct node *n);

/* Give every FLOAT32 constant of the graph that half precision changes and that does not stay float32 a rounded copy in `a`, which
 * outlives the graph's data pointers. A constant of which a finite value would become infinite stays float32 as a whole: the GPU
 * backend leaves it so. Call it after each graph_infer, which points constants back at the file. Fails only with ST_NOMEM. */
enum status half_store_constants(struct graph *g, struct arena *a, struct err *err);

#endif
