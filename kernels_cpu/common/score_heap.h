/* SPDX-License-Identifier: Apache-2.0 */
/* score_heap.h - heaps of scores that leave equal scores in the order that TensorFlow Lite leaves them in.
 *
 * TensorFlow Lite ranks detections with std::priority_queue and std::partial_sort and compares scores alone, so that which of equal
 * ones comes first follows from how the C++ library moves elements. In the library that it is built with (GCC's), an element that
 * leaves the top of a heap makes a hole; the hole moves down to a leaf, always to the side of the higher score, to the right one of
 * equals; the last element goes there and rises as long as its parent's score is lower. The functions here do the same. A NaN is
 * neither higher nor lower than anything. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_SCORE_HEAP_H
#define DELEGAUGE_KERNELS_CPU_COMMON_SCORE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct scored {
    float score;
    int32_t index; /* of the element that has the score; never compared */
};

/* Adds v to a heap of n, whose memory has room for one more. */
void score_heap_push(struct scored *heap, size_t n, struct scored v);

/* Takes the highest score off a heap of n > 0. */
struct scored score_heap_pop(struct scored *heap, size_t n);

/* Puts the `best` <= n highest scores first, by falling score; leaves the others in any order. */
void score_partial_sort(struct scored *v, size_t n, size_t best);

#endif
