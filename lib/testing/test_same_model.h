/* SPDX-License-Identifier: Apache-2.0 */
/* test_same_model.h - comparison of two models, for tests that write a model and read it back.
 *
 * Pointers may differ, their targets may not. A new member of a struct in model.h must be added to the .c file, which has a
 * function for each struct. */
#ifndef DELEGAUGE_TEST_SAME_MODEL_H
#define DELEGAUGE_TEST_SAME_MODEL_H

#include "lib/model/model.h"
#include "lib/testing/test.h"

/* Fail the test at the first difference between `a` and `b`, in any field: options, quantization, sparsity, buffers byte by byte.
 * Members that the loader derives (pointers, known values) are not compared. */
void same_model(const struct model *a, const struct model *b);

#endif
