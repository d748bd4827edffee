// SPDX-License-Identifier: Apache-2.0
// queue_memory.comp - where suppression_queue.comp has its queue: in memory, which each dispatch hands on to the next. Only the
// first lane reads what the dispatch has written.
//
// A row of `state`: HEAD places of the heap, each the bits of a score, and a box; from HEAD on how many boxes wait, are chosen
// and were in the queue when it was full; the chosen ones, score and box; how many of these each box was held against.
// queue_result.comp reads it.

#define CHOSEN (HEAD + 1)
#define SEEN   (CHOSEN + CHOSEN_MOST)

vec4 kept[KEPT];

float score_at(int i)
{
    return intBitsToFloat(LOADC(state, 0, COLUMN, i, 0));
}

int item_at(int i)
{
    return LOADC(state, 0, COLUMN, i, 1);
}

void put(int at, float score, int item)
{
    STORE(state, 0, COLUMN, at, 0, ivec4(floatBitsToInt(score), item, 0, 0));
}

void move(int from, int to)
{
    STORE(state, 0, COLUMN, to, 0, LOAD(state, 0, COLUMN, from, 0));
}

int seen_of(int box)
{
    return LOADC(state, 0, COLUMN, SEEN + box, 0);
}

void see(int box, int n)
{
    STORE(state, 0, COLUMN, SEEN + box, 0, ivec4(n));
}

// Takes over what the dispatch before left.
ivec3 resume(int lane)
{
    ivec3 head = ivec3(0);

#if !FIRST
    head = LOAD(before, 0, COLUMN, HEAD, 0).xyz;
    for (int i = lane; i < STATE_W; i += LANES)
        STORE(state, 0, COLUMN, i, 0, LOAD(before, 0, COLUMN, i, 0));
    for (int k = 0; k < KEPT; k++)
        if (k * LANES + lane < head.y)
            kept[k] = corners(LOAD(boxes, 0, 0, LOADC(before, 0, COLUMN, CHOSEN + k * LANES + lane, 1), 0));
    memoryBarrierBuffer();
    barrier();
#endif
    return head;
}

void choose(int n, int box, float score)
{
    put(CHOSEN + n, score, box);
}

void suspend(int size, int n, int filled)
{
    STORE(state, 0, COLUMN, HEAD, 0, ivec4(size, n, filled, 0));
}
