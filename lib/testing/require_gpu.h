/* SPDX-License-Identifier: Apache-2.0 */
/* require_gpu.h - REQUIRE_GPU in the environment of tests: having no GPU is a failure then, not a reason to skip. */
#ifndef DELEGAUGE_REQUIRE_GPU_H
#define DELEGAUGE_REQUIRE_GPU_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* True if the variable is set, to anything but "" and "0". */
static inline bool gpu_is_required(void)
{
    const char *v = getenv("REQUIRE_GPU");

    return v && *v && strcmp(v, "0") != 0;
}

#endif
