/* SPDX-License-Identifier: Apache-2.0 */
/* flag_meant.h - the flag that was probably meant by a name that is none. */
#pragma once

#include "lib/base/flag.h"

#define FLAG_MEANT_SIZE 128

/* Write the flag of flags[n] that is nearest to `name`, without dashes: by its meaning, as a table of words has it (fp16:
 * gpu_precision=fp16), else by its spelling. Return false if none is near. */
bool flag_meant(const struct flag *const *flags, uint32_t n, const char *name, char out[FLAG_MEANT_SIZE]);
