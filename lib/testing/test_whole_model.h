/* SPDX-License-Identifier: Apache-2.0 */
/* test_whole_model.h - for tests of extraction: a model that ran, whose tensors all keep their content. */
#ifndef DELEGAUGE_TEST_WHOLE_MODEL_H
#define DELEGAUGE_TEST_WHOLE_MODEL_H

#include "lib/testing/test_delegate.h"

struct test_whole {
    struct loaded l;
    struct session *s;
    struct arena a; /* for the test's own; emptied with the rest */
};

/* The chain x -> NEG -> a -> ABS -> b -> NEG -> c -> ADD(c, a) -> y, after a run on -2, -1, 0... */
void test_open_chain(struct test_whole *w);

/* Frees all of it; zeros too. */
void test_close_whole(struct test_whole *w);

#endif
