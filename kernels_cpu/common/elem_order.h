/* SPDX-License-Identifier: Apache-2.0 */
/* elem_order.h - comparing elements of a tensor whose type is known only while running. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_ELEM_ORDER_H
#define DELEGAUGE_KERNELS_CPU_COMMON_ELEM_ORDER_H

#include "lib/tensor/tensor.h"

/* < 0, 0 or > 0 as element a is less than, equal to or greater than b. NaN is greater than all numbers and equal to itself. */
typedef int (*elem_order)(const void *data, size_t a, size_t b);

/* NULL for a type without an order. */
elem_order elem_order_of(enum tensor_type type);

/* Sorts index[n] so that the elements it names ascend; equal ones stay in the order of their indices. `other` has room for n
 * more. */
void elem_order_sort(const void *data, elem_order order, int32_t *index, int32_t *other, size_t n);

#endif
