/* SPDX-License-Identifier: Apache-2.0 */
/* elem_order.h - comparison and sorting of tensor elements by a type known at run time. */
#pragma once

#include "lib/tensor/tensor.h"

/* Return < 0, 0 or > 0 if element a is less than, equal to or greater than element b. NaN is greater than all numbers and equal to
 * itself. */
typedef int (*elem_order)(const void *data, size_t a, size_t b);

/* Return the comparison for a type, or NULL if it has no order. */
elem_order elem_order_of(enum tensor_type type);

/* Sort index[n] so that the elements at these indices ascend; equal elements keep their order in index[]. `other` is scratch for n
 * more. */
void elem_order_sort(const void *data, elem_order order, int32_t *index, int32_t *other, size_t n);
