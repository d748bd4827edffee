// SPDX-License-Identifier: Apache-2.0
// heap_array.comp - where score_heap.comp has its heap: arrays for HEAP_MOST items. HEAP: `shared`, or nothing for a heap of each
// invocation.

HEAP float heap_score[HEAP_MOST];
HEAP int heap_item[HEAP_MOST];

float score_at(int i)
{
    return heap_score[i];
}

int item_at(int i)
{
    return heap_item[i];
}

void put(int at, float score, int item)
{
    heap_score[at] = score;
    heap_item[at] = item;
}

void move(int from, int to)
{
    put(to, heap_score[from], heap_item[from]);
}
