/* SPDX-License-Identifier: Apache-2.0 */
/* input_spec.h - parses the flags that describe the content of a model's inputs.
 *
 *   --input_layer=NAME,NAME              names for the shapes
 *   --input_layer_shape=1,224,224,3:1,10 one shape for each name
 *   --input_layer_value_range=NAME,LO,HI:NAME,LO,HI
 *   --input_layer_value_files=NAME:PATH,NAME:PATH
 *   --input_fill=KIND, or --input_fill=NAME,KIND:NAME,KIND
 *
 * A colon inside a name is written twice. The model is not known here; cmd/input/inputs.c looks the names up. */
#pragma once

#include "lib/base/arena.h"
#include "lib/tensor/rng.h"
#include "lib/tensor/tensor.h"

/* A name and its shape; dimensions may be 0. */
struct input_shape {
    const char *name;
    int32_t rank, dim[TENSOR_MAX_RANK];
};

/* A name and its content: a file, a range, or a fill. */
struct input_values {
    const char *name;
    const char *path;    /* file; NULL: a range or a fill */
    const char *lo, *hi; /* as typed, since their parsing depends on the tensor's type; equal for a constant fill */
    bool draws;          /* a random fill, distributed as `shape` */
    enum rng_shape shape;
};

struct input_spec {
    struct input_shape *shapes;
    struct input_values *ranges, *files, *fills; /* a single fill without a name is for all inputs that no flag names */
    uint32_t n_shapes, n_ranges, n_files, n_fills;
};

/* The flags' values as typed. */
struct input_texts {
    const char *layers, *shapes, *ranges, *files, *fills;
};

/* Parse the flags; each text may be "". The result lies in `a`. Fails with ST_USAGE, naming the flag and the wrong piece. */
enum status input_spec_parse(const struct input_texts *texts, struct arena *a, struct input_spec *out, struct err *err);
