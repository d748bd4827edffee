/* SPDX-License-Identifier: Apache-2.0 */
/* cli_models.h - tiny models for the tests of the command lines (testdata/cli). */
#pragma once

#include "bench/models/builder.h"
#include "lib/base/err.h"

struct cli_model {
    const char *name;
    void (*build)(struct builder *b);
};

/* Ends with a NULL name. */
extern const struct cli_model cli_models[];

/* Bundles and models with weights outside, for the tests of the command lines.
 *
 * pair.task: two models and a label file. lm.litertlm: a tokenizer, two models, and the weights of one. far.litertlm: a model whose
 * weights lie 5 GiB behind it, in a hole. outside.tflite: a model beside outside.bin. photo.tflite: a classifier with metadata and
 * two text files behind it. */

/* Write them all into the folder `dir`. Fails with ST_IO, ST_NOMEM. */
enum status cli_bundles_write(const char *dir, struct err *err);
