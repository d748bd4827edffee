// SPDX-License-Identifier: Apache-2.0
// detections.comp - the steps of TFLite_Detection_PostProcess (kernels_gl/detection_postprocess.c) that no other operator has.
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
#elif defined(BEST)
// a: scores of classes, behind OFFSET other columns. z: the first class with the highest score.
void run(int batch, int h, int w, int s)
{
    float best = LOADC(a, 0, 0, w, OFFSET);
    int which = 0;

    for (int k = 1; k < CLASSES; k++) {
        float score = LOADC(a, 0, 0, w, OFFSET + k);

        if (score > best) {
            best = score;
            which = k;
        }
    }
    STORE(y, 0, 0, w, 0, vec4(best));
    STORE(z, 0, 0, w, 0, ivec4(which));
}
#elif defined(CLASS)
// a: boxes that were chosen, b: the class of each box.
void run(int batch, int h, int w, int s)
{
    int box = LOADC(a, 0, 0, w, 0);

    STORE(y, 0, 0, w, 0, ivec4(box < 0 ? -1 : LOADC(b, 0, 0, max(box, 0), 0)));
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
// b: boxes that were chosen, c: all of them.
void run(int batch, int h, int w, int s)
{
    int box = w < B_W ? LOADC(b, 0, 0, min(w, B_W - 1), 0) : -1;

    STORE(y, 0, 0, w, 0, w >= A_W || box < 0 ? vec4(0.0) : LOAD(c, 0, 0, max(box, 0), 0));
}
#else
// a: scores, b: boxes that were chosen, c: classes. y: class, score, and how many there are.
void run(int batch, int h, int w, int s)
{
    bool there = w < A_W && LOADC(b, 0, 0, min(w, A_W - 1), 0) >= 0;
    int n = 0;

    for (int k = 0; k < A_W; k++)
        n += int(LOADC(b, 0, 0, k, 0) >= 0);
    int at = min(w, A_W - 1);

    STORE(y, 0, 0, w, 0,
          vec4(there ? float(LOADC(c, 0, 0, at, 0)) : 0.0, there ? LOADC(a, 0, 0, at, 0) : 0.0, float(n), 0.0));
}
#endif
