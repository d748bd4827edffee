/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_errors.h - nodes that run here, but that TensorFlow Lite computes wrongly or refuses.
 *
 * Seen with LiteRT 2.3.0 (package ai-edge-litert), by its reference and its fast kernels: bench/CONFORMANCE.md, "Known errors of
 * LiteRT". The tools warn of them, so that a user who compares outputs with LiteRT's knows whose error a difference is. */
#ifndef DELEGAUGE_TFLITE_ERRORS_H
#define DELEGAUGE_TFLITE_ERRORS_H

#include "lib/graph/graph.h"

/* Returns the predicate of a sentence about LiteRT ("refuses the model, as it wants a bias"), or NULL if LiteRT computes the node
 * as we do. The text is static: equal errors have equal pointers. */
const char *tflite_error_of(const struct node *n);

#endif
