// SPDX-License-Identifier: Apache-2.0
// detections.comp - the steps of TFLite_Detection_PostProcess (kernels_gl/ops/detection_postprocess.c) that no other operator has.
// Boxes are [y, x, y, x]; -1 is none.

#if defined(DECODE)
// a: encodings, b: anchors, both [y, x, h, w].
void run(int batch, int h, int w, int s)
{
    vec4 e = LOAD(a, 0, 0, w, 0), anchor = LOAD(b, 0, 0, w, 0);
    PRECISE vec2 middle = e.xy / vec2(SCALE_Y, SCALE_X) * anchor.zw + anchor.xy;
    PRECISE vec2 half_size = 0.5 * exp(e.zw / vec2(SCALE_H, SCALE_W)) * anchor.zw;

    STORE(y, 0, 0, w, 0, vec4(middle - half_size, middle + half_size));
}
#elif defined(RANK)
// a: scores of classes, behind OFFSET other columns. The best HEAP_MOST, as the CPU's partial sort of negated scores leaves
// them. z: their classes. After heap_array.comp and score_heap.comp.
void run(int batch, int h, int w, int s)
{
    for (int k = 0; k < HEAP_MOST; k++) {
        heap_score[k] = -LOADC(a, 0, 0, w, OFFSET + k);
        heap_item[k] = k;
    }
    for (int top = HEAP_MOST / 2 - 1; top >= 0; top--)
        fill_hole(HEAP_MOST, top, heap_score[top], heap_item[top]);
    for (int k = HEAP_MOST; k < CLASSES; k++) {
        float score = -LOADC(a, 0, 0, w, OFFSET + k);

        if (score < heap_score[0])
            fill_hole(HEAP_MOST, 0, score, k);
    }
    for (int last = HEAP_MOST - 1; last > 0; last--) {
        float score = heap_score[0];
        int item = heap_item[0];

        fill_hole(last, 0, heap_score[last], heap_item[last]);
        heap_score[last] = score;
        heap_item[last] = item;
    }
    for (int slice = 0; slice < Y_S; slice++) {
        ivec4 k = min(4 * slice + ivec4(0, 1, 2, 3), HEAP_MOST - 1);

        STORE(y, 0, 0, w, slice, -vec4(heap_score[k.x], heap_score[k.y], heap_score[k.z], heap_score[k.w]));
        STORE(z, 0, 0, w, slice, ivec4(heap_item[k.x], heap_item[k.y], heap_item[k.z], heap_item[k.w]));
    }
}
#elif defined(PICK)
// a: boxes that were chosen, b: what each box has.
void run(int batch, int h, int w, int s)
{
    STORE(y, 0, 0, w, s, LOAD(b, 0, 0, max(LOADC(a, 0, 0, w, 0), 0), s));
}
#elif defined(PLACES)
// a: places among the boxes chosen of each class, PER of each, which are b.
void run(int batch, int h, int w, int s)
{
    int place = LOADC(a, 0, 0, w, 0), column = place / PER;

    STORE(y, 0, 0, w, 0, ivec4(LOADC(b, 0, column, place - column * PER, 0)));
    STORE(z, 0, 0, w, 0, ivec4(column));
}
#elif defined(PUT_BOXES)
// a: scores of detections, as many as they have classes; b: boxes that were chosen, c: all of them. PER rows of each.
void run(int batch, int h, int w, int s)
{
    int i = w / PER, box = i < A_W && w - i * PER < A_C ? LOADC(b, 0, 0, min(i, A_W - 1), 0) : -1;

    STORE(y, 0, 0, w, 0, box < 0 ? vec4(0.0) : LOAD(c, 0, 0, max(box, 0), 0));
}
#else
// a: scores, b: boxes that were chosen, c: classes; likewise. y: class, score, and how many detections there are.
void run(int batch, int h, int w, int s)
{
    int i = w / PER, k = w - i * PER, at = min(i, A_W - 1), n = 0;
    bool there = i < A_W && k < A_C && LOADC(b, 0, 0, at, 0) >= 0;

    for (int m = 0; m < A_W; m++)
        n += int(LOADC(b, 0, 0, m, 0) >= 0);
    k = min(k, A_C - 1);
    STORE(y, 0, 0, w, 0,
          vec4(there ? float(LOADC(c, 0, 0, at, k)) : 0.0, there ? LOADC(a, 0, 0, at, k) : 0.0, float(n), 0.0));
}
#endif
