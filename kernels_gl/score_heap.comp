// SPDX-License-Identifier: Apache-2.0
// score_heap.comp - heaps of scores that leave equal ones in the CPU's order (kernels_cpu/common/score_heap.h). HEAP: `shared`, or
// nothing for one of each invocation.

HEAP float heap_score[HEAP_MOST];
HEAP int heap_item[HEAP_MOST];

void move(int from, int to)
{
    heap_score[to] = heap_score[from];
    heap_item[to] = heap_item[from];
}

// Puts an item into the hole at `at`, or as far above it, though not above `top`, as parents have lower scores.
void rise(int top, int at, float score, int item)
{
    while (at > top && heap_score[(at - 1) / 2] < score) {
        move((at - 1) / 2, at);
        at = (at - 1) / 2;
    }
    heap_score[at] = score;
    heap_item[at] = item;
}

// Fills the hole at `top` of a heap of n, which moves to a leaf first.
void fill_hole(int n, int top, float score, int item)
{
    int at = top;

    for (int left = 2 * at + 1; left < n; left = 2 * at + 1) {
        int child = left + 1 < n && !(heap_score[left + 1] < heap_score[left]) ? left + 1 : left;

        move(child, at);
        at = child;
    }
    rise(top, at, score, item);
}
