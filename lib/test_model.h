/* SPDX-License-Identifier: Apache-2.0 */
/* test_model.h - for tests that run a model which they build.
 *
 * Through the writer and the loader, as a file would: so what a test builds is held against all of the loader's checks. */
#ifndef DELEGAUGE_TEST_MODEL_H
#define DELEGAUGE_TEST_MODEL_H

#include <stdlib.h>

#include "../bench/models/builder.h"
#include "test.h"

/* A model and the file that it points into. */
struct loaded {
    struct model *model;
    uint8_t *file;
};

/* The builder's model, serialized and parsed; ends the builder. The test fails where either fails. */
static inline struct loaded load(struct builder *b)
{
    struct loaded l = {0};
    struct err err = {""};
    size_t bytes;

    TEST_OK(builder_serialize(b, &l.file, &bytes, &err), err);
    TEST_OK(model_parse(l.file, bytes, "test", &l.model, &err), err);
    builder_fini(b);
    return l;
}

/* Ends both; the sessions on the model come first. */
static inline void unload(struct loaded *l)
{
    model_close(l->model);
    free(l->file);
}

#endif
