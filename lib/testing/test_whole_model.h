/* SPDX-License-Identifier: Apache-2.0 */
/* test_whole_model.h - a model that has run and kept all tensors, for tests of extraction. */
#pragma once

#include "lib/testing/test_delegate.h"

struct test_whole {
    struct loaded l;
    struct session *s;
    struct arena a; /* scratch memory of the test, freed by test_close_whole */
};

/* Build the chain of test_delegate.h, x -> NEG -> a -> ABS -> b -> NEG -> c -> ADD(c, a) -> y, and run it on -2, -1, 0... */
void test_open_chain(struct test_whole *w);

/* Free all members; accepts zeros. */
void test_close_whole(struct test_whole *w);
