/* SPDX-License-Identifier: Apache-2.0 */
/* score_heap.h - heaps of scores that order equal scores as TensorFlow Lite does.
 *
 * TensorFlow Lite ranks detections with std::priority_queue and std::partial_sort and compares scores alone, so the order of equal
 * scores follows from the element moves of its C++ library (GCC's). There, popping the top of a heap leaves a hole. The hole moves
 * down to a leaf, always to the child with the higher score, to the right one of equals; then the last element fills it and rises
 * while its parent's score is lower. The functions here do the same. A NaN is neither higher nor lower than anything. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct scored {
    float score;
    int32_t index; /* of the scored element; never compared */
};

/* Push v onto a heap of n elements, whose array has room for one more. */
void score_heap_push(struct scored *heap, size_t n, struct scored v);

/* Pop the highest score of a heap of n > 0 elements; its n - 1 others remain in heap[0 .. n - 2]. */
struct scored score_heap_pop(struct scored *heap, size_t n);

/* Move the `best` <= n highest scores to the front, in descending order; the others follow in any order. */
void score_partial_sort(struct scored *v, size_t n, size_t best);
