/* SPDX-License-Identifier: Apache-2.0 */
/* input_spec.h - the parsed flags that give the content of a model's inputs.
 *
 *   --input_layer=NAME,NAME              names for the shapes
 *   --input_layer_shape=1,224,224,3:1,10 one shape per name
 *   --input_layer_value_range=NAME,LO,HI:NAME,LO,HI
 *   --input_layer_value_files=NAME:PATH,NAME:PATH
 *   --input_fill=KIND, or --input_fill=NAME,KIND:NAME,KIND
 *
 * A colon within a name is written twice. Nothing here knows the model; cmd/input/inputs.c holds the names against it. */
#ifndef DELEGAUGE_CMD_INPUT_SPEC_H
#define DELEGAUGE_CMD_INPUT_SPEC_H

#include "lib/base/arena.h"
#include "lib/tensor/rng.h"
#include "lib/tensor/tensor.h"

/* One name and its shape; 0 is a legal dimension. */
struct input_shape {
    const char *name;
    int32_t rank, dim[TENSOR_MAX_RANK];
};

/* One name and the source of its content. */
struct input_values {
    const char *name;
    const char *path;    /* of a file; NULL: a range, or a fill */
    const char *lo, *hi; /* as typed: the tensor's type decides how they are read; both are the constant of a fill */
    bool draws;          /* a fill that is random: */
    enum rng_shape shape;
};

struct input_spec {
    struct input_shape *shapes;
    struct input_values *ranges, *files, *fills; /* a single fill without a name is that of all inputs that no flag names */
    uint32_t n_shapes, n_ranges, n_files, n_fills;
};

/* The flags as typed. */
struct input_texts {
    const char *layers, *shapes, *ranges, *files, *fills;
};

/* Parse the flags; each text may be "". The result belongs to `a`. ST_USAGE names the flag and the piece that is wrong. */
enum status input_spec_parse(const struct input_texts *texts, struct arena *a, struct input_spec *out, struct err *err);

#endif
