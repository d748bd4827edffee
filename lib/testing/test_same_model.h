/* SPDX-License-Identifier: Apache-2.0 */
/* test_same_model.h - for tests that write a model and read it back: nothing that the format holds may differ.
 *
 * Pointers may differ, their targets may not. A member that is added to model.h is to be added to the .c file, which has a function
 * for each kind of struct. */
#ifndef DELEGAUGE_TEST_SAME_MODEL_H
#define DELEGAUGE_TEST_SAME_MODEL_H

#include "lib/model/model.h"
#include "lib/testing/test.h"

/* Fail the test, at the first difference, unless `b` equals `a` in every field: options, quantization, sparsity, buffers byte by
 * byte. Members that the loader derives (pointers, known values) are not compared. */
void same_model(const struct model *a, const struct model *b);

#endif
