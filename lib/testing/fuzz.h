/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.h - the entry point of fuzz targets, defined by each lib/X_fuzz.c. `make fuzz` links it with libFuzzer; replay_fuzz.c
 * replays files instead. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Process any bytes. Returns 0; aborts if something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
