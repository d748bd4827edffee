// SPDX-License-Identifier: Apache-2.0
// suppression_queue.comp - boxes in the CPU's order, which follows from its queue where scores are equal
// (score_heap.comp).
//
// The first lane keeps the queue. All of them hold the box that comes next against the chosen ones, every LANES-th each.

shared int waiting;
shared int rejected; // the number of the last pop that was
#if SOFT
shared int seen[HEAP_MOST]; // how many of the chosen boxes each was held against
shared float factor[CHOSEN_MOST];
#endif

vec4 kept[KEPT]; // of the chosen boxes, every LANES-th

// All boxes whose scores are above the threshold.
void fill_heap(int column)
{
    int n = 0;

    for (int i = 0; i < BOXES_W; i++) {
        float score = LOADC(scores, 0, 0, i, OFFSET + column);

#if SOFT
        seen[i] = 0;
#endif
        if (score > SCORE_THRESHOLD)
            rise(0, n++, score, i);
    }
    waiting = n;
    rejected = -1;
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
    READ_NUMBERS
    int lane = int(gl_LocalInvocationID.x), column = int(gl_WorkGroupID.y), n = 0, first = 0;

    if (lane == 0)
        fill_heap(column);
    share();
    int size = waiting, limit = min(size, MOST);
    for (int pop = 0; n < limit && size > 0; pop++) {
        float before = heap_score[0], score = before;
        int box = heap_item[0];
        vec4 c = corners(LOAD(boxes, 0, 0, box, 0));

#if SOFT
        first = seen[box];
#endif
        share();
        size--;
        if (lane == 0)
            fill_hole(size, 0, heap_score[size], heap_item[size]);
        hold(lane, first, n, c, pop);
        share();
        if (rejected != pop) {
#if SOFT
            for (int i = n - 1; i >= first; i--)
                score *= factor[i];
            if (lane == 0)
                seen[box] = n;
#endif
            if (lane == 0 && score > SCORE_THRESHOLD)
                rise(0, size, score, box);
            size += int(score > SCORE_THRESHOLD);
            if (score == before) {
                if (lane == n % LANES)
                    kept[n / LANES] = c;
                if (lane == 0) {
                    STORE(chosen, 0, column, n, 0, ivec4(box));
                    STORE(scores_of, 0, column, n, 0, vec4(score));
                }
                n++;
            }
        }
        share();
    }
    if (lane == 0)
        finish(column, n);
}
