// SPDX-License-Identifier: Apache-2.0
// suppression_queue.comp - boxes in the CPU's order, which follows from its queue where scores are equal
// (score_heap.comp).
//
// The first lane keeps the queue, where queue_shared.comp or queue_memory.comp has it. All of them hold the box that comes next
// against the chosen ones, every LANES-th each, whose corners are in kept[]. A dispatch puts boxes number FROM to TO - 1 into the
// queue and takes POPS out of it at most. Of a box seen_of() says how many of the chosen ones it was held against.

shared int waiting;
shared int rejected; // the number of the last pop that was
shared float next_score;
shared int next_box;
#if SOFT
shared int next_seen;
shared float factor[CHOSEN_MOST];
#endif

// Boxes whose scores are above the threshold, to the n that are there. Returns how many are there then.
int fill_heap(int n)
{
    for (int i = FROM; i < TO; i++) {
        float score = LOADC(scores, 0, 0, i, OFFSET + COLUMN);

#if SOFT
        see(i, 0);
#endif
        if (score > SCORE_THRESHOLD)
            rise(0, n++, score, i);
    }
    return n;
}

// Tells all lanes what comes next, where there is anything.
void tell_next(int size)
{
    if (size == 0)
        return;
    next_score = score_at(0);
    next_box = item_at(0);
#if SOFT
    next_seen = seen_of(next_box);
#endif
}

void share()
{
    memoryBarrierShared();
    barrier();
}

// Holds a box against the n chosen ones from number `first` on.
void hold(int lane, int first, int n, vec4 box, int pop)
{
    for (int k = 0; k < KEPT; k++) {
        int i = k * LANES + lane;

        if (i >= first && i < n) {
            float iou = overlap(box, kept[k]);

            if (iou >= IOU_THRESHOLD)
                rejected = pop;
#if SOFT
            factor[i] = exp(scale_of(SIGMA) * iou * iou);
#endif
        }
    }
}

void main()
{
    READ_UNIFORMS
    int lane = int(gl_LocalInvocationID.x), first = 0;
    ivec3 queue = resume(lane);
    int n = queue.y;

    if (lane == 0) {
        waiting = fill_heap(queue.x);
        rejected = -1;
        tell_next(waiting);
    }
    share();
    int size = waiting, filled = FROM < TO ? size : queue.z, limit = min(filled, MOST);
    for (int pop = 0; pop < POPS && n < limit && size > 0; pop++) {
        float before_it = next_score, score = before_it;
        int box = next_box;
        vec4 c = corners(LOAD(boxes, 0, 0, box, 0));

#if SOFT
        first = next_seen;
#endif
        share();
        size--;
        if (lane == 0)
            fill_hole(size, 0, score_at(size), item_at(size));
        hold(lane, first, n, c, pop);
        share();
        if (rejected != pop) {
#if SOFT
            for (int i = n - 1; i >= first; i--)
                score *= factor[i];
            if (lane == 0)
                see(box, n);
#endif
            if (lane == 0 && score > SCORE_THRESHOLD)
                rise(0, size, score, box);
            size += int(score > SCORE_THRESHOLD);
            if (score == before_it) {
                for (int k = 0; k < KEPT; k++) // not kept[n / LANES] = c, some of which softpipe loses
                    if (k * LANES + lane == n)
                        kept[k] = c;
                if (lane == 0)
                    choose(n, box, score);
                n++;
            }
        }
        if (lane == 0)
            tell_next(size);
        share();
    }
    if (lane == 0)
        suspend(size, n, filled);
}
