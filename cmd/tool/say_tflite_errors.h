/* SPDX-License-Identifier: Apache-2.0 */
/* say_tflite_errors.h - warnings about nodes that TensorFlow Lite itself computes wrongly or refuses. */
#pragma once

#include "lib/graph/graph.h"

/* Warn of each known error of TensorFlow Lite's that the graph meets (lib/tflite/tflite_errors.h): once, with the first node and
 * the number of others. */
void say_tflite_errors(const struct graph *g);
