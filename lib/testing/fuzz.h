/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.h - the function that `make fuzz` calls with any bytes. lib/X_fuzz.c defines it; linked with replay_fuzz.c, it replays files
 * instead. */
#ifndef DELEGAUGE_FUZZ_H
#define DELEGAUGE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Return 0; does not return if something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#endif
