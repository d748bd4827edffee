/* SPDX-License-Identifier: Apache-2.0 */
/* require_gpu.h - the environment variable REQUIRE_GPU: a test without a GPU then fails instead of being skipped. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Return true if the variable is set to anything but "" and "0". */
static inline bool gpu_is_required(void)
{
    const char *v = getenv("REQUIRE_GPU");

    return v && *v && strcmp(v, "0") != 0;
}
