/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_options.h - operators whose nodes can be passed through TFLite's C ABI (tflite_abi.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Return true if nodes of that operator can be passed: its options have TFLite's layout (schema/options.h) and no subgraph index,
 * and its only state is in tensors. True for custom operators: their options are bytes. */
bool tflite_same_options(int32_t builtin);
