/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_errors.h - nodes that run here but that TensorFlow Lite computes wrongly or refuses.
 *
 * Observed with LiteRT 2.3.0 (package ai-edge-litert), reference and fast kernels: bench/CONFORMANCE.md, "Known errors of LiteRT".
 * The tools warn of them, so that users know whose error a difference from LiteRT is. */
#pragma once

#include "lib/graph/graph.h"

/* Return the predicate of a sentence about LiteRT ("refuses the model, as it wants a bias"), or NULL if LiteRT agrees. Static text:
 * equal errors have equal pointers. */
const char *tflite_error_of(const struct node *n);
