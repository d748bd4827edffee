// SPDX-License-Identifier: Apache-2.0
// queue_shared.comp - where suppression_queue.comp has its queue: in shared memory, and one dispatch does all. After
// heap_array.comp and suppression_end.comp.

vec4 kept[KEPT];
#if SOFT
shared int seen[HEAP_MOST];

int seen_of(int box)
{
    return seen[box];
}

void see(int box, int n)
{
    seen[box] = n;
}
#endif

ivec3 resume(int lane)
{
    return ivec3(0);
}

void choose(int n, int box, float score)
{
    STORE(chosen, 0, COLUMN, n, 0, ivec4(box));
    STORE(scores_of, 0, COLUMN, n, 0, vec4(score));
}

void suspend(int size, int n, int filled)
{
    finish(COLUMN, n);
}
