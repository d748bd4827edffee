/* SPDX-License-Identifier: Apache-2.0 */
/* half_store.h - what is left of float32 values that are stored as 16-bit floats, as a GPU stores them when asked for half
 * precision.
 *
 * Rounding is IEEE 754's, to the nearest and of two to the even one: 11 bits of precision, beyond 65504 (65520 and more) infinity,
 * below 2^-14 subnormals in steps of 2^-24. Drivers may round toward zero, and GPUs make zeros of subnormals; neither is
 * emulated. */
#ifndef DELEGAUGE_HALF_STORE_H
#define DELEGAUGE_HALF_STORE_H

#include "lib/graph/graph.h"

/* Rounds n floats in place. */
void half_store_floats(float *f, size_t n);

/* Rounds the content of a FLOAT32 tensor in place. Leaves others, NULL, tensors without data, constants and what stays float32
 * (whole_floats.h) as they are. */
void half_store(struct tensor *t);

/* The same for what a node wrote: its outputs, and the variables among its inputs. */
void half_store_node(const struct node *n);

/* Gives every FLOAT32 constant of the graph that half precision changes and that does not stay float32 a rounded copy in `a`, which
 * outlives the graph's data pointers. A constant of which a finite value would become infinite stays float32 as a whole: the GPU
 * backend leaves it so. To be called after each graph_infer, which points constants back at the file. Fails only with ST_NOMEM. */
enum status half_store_constants(struct graph *g, struct arena *a, struct err *err);

#endif
