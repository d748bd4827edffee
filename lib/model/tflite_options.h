/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_options.h - which operators mean the same on both sides of TFLite's C ABI (tflite_abi.h). */
#ifndef DELEGAUGE_TFLITE_OPTIONS_H
#define DELEGAUGE_TFLITE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a node of that operator can be handed over: its options have TFLite's layout (schema/options.h) and no number of a
 * subgraph, and it keeps nothing but tensors. Custom operators can: their options are bytes. */
bool tflite_same_options(int32_t builtin);

#endif
