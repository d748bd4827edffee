/* SPDX-License-Identifier: Apache-2.0 */
/* test_model.h - for tests that run a model which they build.
 *
 * Through the writer and the loader, as a file would: so what a test builds is held against all of the loader's checks. */
#ifndef DELEGAUGE_TEST_MODEL_H
#define DELEGAUGE_TEST_MODEL_H

#include "../bench/models/builder.h"
#include "test.h"

/* A model and the file that it points into: both on the heap, both ended by unload. */
struct loaded {
    struct model *model;
    uint8_t *file;
};

/* The builder's model, serialized and parsed; ends the builder. The test fails, with the message, where either
 * fails. The file is named "test" in the loader's messages. */
struct loaded load(struct builder *b);

/* Ends both; the sessions on the model come first. */
void unload(struct loaded *l);

#endif
