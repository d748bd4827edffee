// SPDX-License-Identifier: Apache-2.0
// score_heap.comp - heaps of scores that leave equal ones in the CPU's order (kernels_cpu/common/score_heap.h). After a text that
// has score_at(), put() and move(), as heap_array.comp.

// Puts an item into the hole at `at`, or as far above it, though not above `top`, as parents have lower scores.
void rise(int top, int at, float score, int item)
{
    while (at > top && score_at((at - 1) / 2) < score) {
        move((at - 1) / 2, at);
        at = (at - 1) / 2;
    }
    put(at, score, item);
}

// Fills the hole at `top` of a heap of n, which moves to a leaf first.
void fill_hole(int n, int top, float score, int item)
{
    int at = top;

    for (int left = 2 * at + 1; left < n; left = 2 * at + 1) {
        int child = left + 1 < n && !(score_at(left + 1) < score_at(left)) ? left + 1 : left;

        move(child, at);
        at = child;
    }
    rise(top, at, score, item);
}
