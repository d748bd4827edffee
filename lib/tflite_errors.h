/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_errors.h - which nodes TensorFlow Lite computes wrongly, or will not load, though we run them.
 *
 * Seen with LiteRT 2.3.0 (package ai-edge-litert), by its reference and its fast kernels: bench/CONFORMANCE.md, "Known errors of
 * LiteRT". Whoever compares a model's outputs with LiteRT's wants to know that the difference is LiteRT's. */
#ifndef DELEGAUGE_TFLITE_ERRORS_H
#define DELEGAUGE_TFLITE_ERRORS_H

#include "graph.h"

/* What LiteRT makes of the node, a sentence without subject and full stop ("refuses the model: ..."); NULL: what we do. */
const char *tflite_error_of(const struct node *n);

#endif
