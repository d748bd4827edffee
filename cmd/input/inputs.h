/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.h - the content of a model's inputs during a run: random numbers, files, or a mix.
 *
 * An input is named by its tensor or by the name that a signature of the subgraph gives it. A name in a flag that no input has is
 * ST_USAGE: a misspelt one would leave the input to chance. Random content depends on seed, run and the input's place alone, so it
 * is the same on every machine (lib/tensor/rng.h). Random integers keep to the values that the operators that read them allow
 * (lib/graph/index_range.h), if no range is given. */
#pragma once

#include "cmd/input/image_input.h"
#include "cmd/input/input_spec.h"
#include "cmd/print/results.h"
#include "lib/base/flag.h"
#include "lib/graph/index_range.h"
#include "lib/session/session.h"
#include "lib/tensor/rng.h"

/* Values that the rows fill: texts as typed, "" if not given, pointing into argv (input_spec.h has their grammar). */
struct input_flags {
    const char *layers, *shapes, *ranges, *files, *dir, *fills, *mean, *std;
    enum image_resize image_resize;
    enum image_layout image_layout;
    int32_t image_channels; /* 0: RGB, 1: BGR */
    bool from_metadata;     /* images are normalized as the metadata say (image_input.h) */
    int32_t seed;
};

/* The rows for struct input_flags: benchmark_model and inference_diff have them. */
extern const struct flag input_flag_table[];

/* Return the first flag that is about images and was given another value than its default; NULL: none. */
const char *inputs_image_flag(const struct input_flags *f);

struct inputs {
    const struct input_flags *flags;
    struct input_spec spec; /* content of the flags, in `arena` */
    enum rng_shape shape;   /* distribution of random floats if no flag gives one */
    struct image_options images;
    const char **samples; /* [n_samples] folders below --input_dir, a sample each; none: it is a sample itself */
    uint32_t n_samples;
    bool *told; /* in `arena`: true once the conversion of the input's file was printed */
    struct arena arena;
};

/* Parse the flags; the model is not needed yet. `flags` is borrowed. ST_USAGE if they contradict each other or are not well formed.
 * inputs_fini accepts a zeroed struct. */
enum status inputs_init(struct inputs *in, const struct input_flags *flags, enum rng_shape shape, struct err *err);
void inputs_fini(struct inputs *in);

/* Give the session's inputs the shapes asked for; before session_prepare. */
enum status inputs_resize(const struct inputs *in, struct session *s, struct err *err);

/* Fill every input of a prepared session: from --input_dir, else its value file (input_files.h), else as --input_fill says, else
 * random within its range, `run` choosing the random content. Sizes that do not fit and numbers beyond the type are ST_USAGE.
 * Prints, the first time, the conversion of images, and warns of numbers that a quantized input cannot hold. */
enum status inputs_fill(const struct inputs *in, struct session *s, uint64_t run, struct err *err);

/* Count the samples of inputs from files: folders below --input_dir, or elements of the leading dimension of arrays; run r has
 * sample r modulo their number. Stores 1 if there is one, or an array for all runs, and 0 if an input holds random numbers. Valid
 * after session_prepare. Fails with ST_USAGE if two arrays have different numbers. */
enum status inputs_samples(const struct inputs *in, const struct session *s, uint32_t *n, struct err *err);

/* Return in *out the range that random content of input i keeps to because of the operators that read it, within its type's
 * limits; out->node is NULL if the flags give its content, and if nothing bounds it. Valid after session_prepare; fails only
 * with ST_NOMEM. */
enum status inputs_chosen_range(const struct inputs *in, const struct session *s, uint32_t i, struct index_range *out,
                                struct err *err);

/* Put all such ranges into a report as "random_integers", and a line for each into a section (NULL: none); print the lines. Fail
 * only with ST_NOMEM. */
enum status inputs_ranges(const struct inputs *in, const struct session *s, struct report *r, struct result_section *lines,
                          struct err *err);
enum status inputs_say_ranges(const struct inputs *in, const struct session *s, struct err *err);

/* True if some integer input holds random numbers, which may be no legal indices for the model. */
bool inputs_random_integers(const struct inputs *in, const struct session *s);
