/* SPDX-License-Identifier: Apache-2.0 */
/* memory_text.h - the memory of process, session and delegate, in TFLite's lines and ours.
 *
 * One unit: MB, 1,000,000 bytes. TFLite's tool prints 2^20 bytes in its lines, and says MB. */
#ifndef DELEGAUGE_CMD_MEMORY_TEXT_H
#define DELEGAUGE_CMD_MEMORY_TEXT_H

#include "cmd/benchmark/benchmark.h"

void memory_say(const struct benchmark *b);

/* Write the constants on the device by how they are stored: "3.500 MB: 8-bit 3.300 MB, float32 0.200 MB". Cut off at `size` bytes;
 * 160 are enough. */
uint64_t memory_weights(char *to, size_t size, const struct delegate_memory *d);

#endif
