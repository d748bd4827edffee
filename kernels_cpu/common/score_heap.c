/* SPDX-License-Identifier: Apache-2.0 */
/* score_heap.c - heaps of scores, with the C++ library's order of equal ones. */
#include "kernels_cpu/common/score_heap.h"

/* Put v into the hole at `at`, after moving the hole up, at most to `top`, past parents with lower scores. */
static void rise(struct scored *heap, size_t top, size_t at, struct scored v)
{
    while (at > top && heap[(at - 1) / 2].score < v.score) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = v;
}

/* Fill the hole at `top` of a heap of n elements with v. */
static void fill_hole(struct scored *heap, size_t n, size_t top, struct scored v)
{
    size_t at = top;

    for (size_t left; (left = 2 * at + 1) < n;) {
        size_t child = left + 1 < n && !(heap[left + 1].score < heap[left].score) ? left + 1 : left;

        heap[at] = heap[child];
        at = child;
    }
    rise(heap, top, at, v);
}

void score_heap_push(struct scored *heap, size_t n, struct scored v)
{
    rise(heap, 0, n, v);
}

struct scored score_heap_pop(struct scored *heap, size_t n)
{
    struct scored top = heap[0];

    if (n > 1)
        fill_hole(heap, n - 1, 0, heap[n - 1]);
    return top;
}

static void negate(struct scored *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i].score = -v[i].score;
}

/* A heap of negated scores has the lowest of the best scores on top, which a better one replaces. */
void score_partial_sort(struct scored *v, size_t n, size_t best)
{
    if (!best)
        return;
    negate(v, n);
    for (size_t top = best / 2; top-- > 0;)
        fill_hole(v, best, top, v[top]);
    for (size_t i = best; i < n; i++)
        if (v[i].score < v[0].score) {
            struct scored better = v[i];

            v[i] = v[0];
            fill_hole(v, best, 0, better);
        }
    for (size_t left = best; left > 1; left--) {
        struct scored worst = score_heap_pop(v, left);

        v[left - 1] = worst;
    }
    negate(v, n);
}
