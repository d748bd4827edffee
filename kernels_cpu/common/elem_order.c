/* SPDX-License-Identifier: Apache-2.0 */
/* elem_order.c - an order for each element type, NaN last, and a stable merge sort of indices by it. */
#include "kernels_cpu/common/elem_order.h"

#include <string.h>

#define ORDER(T)                                                                                                                   \
    static int order_##T(const void *data, size_t a, size_t b)                                                                     \
    {                                                                                                                              \
        T x = ((const T *)data)[a], y = ((const T *)data)[b];                                                                      \
        bool x_nan = x != x, y_nan = y != y;                                                                                       \
                                                                                                                                   \
        if (x_nan || y_nan)                                                                                                        \
            return x_nan - y_nan;                                                                                                  \
        return (x > y) - (x < y);                                                                                                  \
    }

ORDER(float)
ORDER(int8_t)
ORDER(uint8_t)
ORDER(int16_t)
ORDER(int32_t)
ORDER(int64_t)

elem_order elem_order_of(enum tensor_type type)
{
    switch (type) {
    case TYPE_FLOAT32: return order_float;
    case TYPE_INT8: return order_int8_t;
    case TYPE_UINT8: return order_uint8_t;
    case TYPE_INT16: return order_int16_t;
    case TYPE_INT32: return order_int32_t;
    case TYPE_INT64: return order_int64_t;
    default: return NULL;
    }
}

/* Merges the sorted runs [0, mid) and [mid, n) of `from` into `to`. */
static void merge(const void *data, elem_order order, const int32_t *from, int32_t *to, size_t mid, size_t n)
{
    size_t a = 0, b = mid;

    for (size_t i = 0; i < n; i++)
        if (b == n || (a < mid && order(data, (size_t)from[a], (size_t)from[b]) <= 0))
            to[i] = from[a++];
        else
            to[i] = from[b++];
}

void elem_order_sort(const void *data, elem_order order, int32_t *index, int32_t *other, size_t n)
{
    int32_t *from = index, *to = other;

    for (size_t run = 1; run < n; run *= 2) {
        int32_t *t = from;

        for (size_t i = 0; i < n; i += 2 * run) {
            size_t left = n - i;

            merge(data, order, from + i, to + i, left < run ? left : run, left < 2 * run ? left : 2 * run);
        }
        from = to;
        to = t;
    }
    if (from != index)
        memcpy(index, from, n * sizeof *index);
}
