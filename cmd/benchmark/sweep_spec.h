/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_spec.h - the cases of a sweep: every combination of models and of the values of some flags, or TFLite's performance
 * options. */
#pragma once

#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

enum { SWEEP_MAX_CASES = 64, SWEEP_MAX_AXES = 8 };

/* A flag and a value of it, as they would be typed. */
struct sweep_setting {
    const char *name, *value;
};

/* One row of the table. Texts and settings lie in the list's arena. */
struct sweep_case {
    const char *label; /* "num_threads=2 use_gpu=1", behind the model if there are several; a performance option's own name */
    const char *graph; /* the model; NULL: the one that the command line names */
    struct sweep_setting settings[SWEEP_MAX_AXES];
    uint32_t n_settings;
};

/* Zeros are an empty list; free with arena_free(&arena). */
struct sweep_cases {
    struct sweep_case list[SWEEP_MAX_CASES];
    uint32_t n;
    struct arena arena;
};

/* Make all combinations of models[n_models] (0: none are named) and of the values of each flag in `spec`,
 * "name:value,value;name:value"; the last flag varies fastest. Values that hold commas are separated by |:
 * "input_layer_shape:1,96,96,3|1,48,48,3". "" is no flag. ST_USAGE, naming `flag`, whose value it is, and the fault, for a text of
 * another form, a flag named twice or one that holds for a whole sweep, and for more cases than SWEEP_MAX_CASES. Names and values
 * are not checked otherwise. */
enum status sweep_combine(const char *flag, const char *spec, const char *const *models, uint32_t n_models, struct sweep_cases *out,
                          struct err *err);

/* Make the cases of TFLite's --perf_options_list, names separated by commas: cpu (1, 2 and 4 threads), gpu (gpu-fp16, gpu-default),
 * all of these, or none (the command line as it is). ST_USAGE in TFLite's words for others, and for none beside another. */
enum status sweep_perf_options(const char *names, struct sweep_cases *out, struct err *err);
