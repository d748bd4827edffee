/* SPDX-License-Identifier: Apache-2.0 */
/* settings.h - the options of a delegate "gpu" as its rooms take them. */
#pragma once

#include "lib/gl/cache/serialization_cache.h"
#include "lib/gl/compile/generate.h"
#include "lib/gl/run/executable.h"

/* The limit of memory of a delegate's buffers and textures, in bytes. */
struct gl_memory_limit {
    uint64_t most; /* UINT64_MAX: none */
    uint64_t held; /* of all that is allocated */
};

struct gl_settings {
    struct gl_run_settings run;
    struct gl_recipe recipe;
    enum gpu_tuning tuning;
    bool is_trial;                         /* a trial of gl_tune: variants that a node cannot use are no news to a user */
    bool any_reads;                        /* tuning may try gl_pick.reads and .constants, */
    bool any_objects;                      /* and .objects */
    double (*trial_ns)(const char *label); /* see gpu_options */
    const struct device_peak *trial_peak;  /* likewise */
    const char *dump_dir;                  /* folder to which shaders are written, or NULL */
    struct gl_cache *stored;
    const struct gl_memory_limit *limit; /* of the delegate */
};
