// SPDX-License-Identifier: Apache-2.0
// download_parts.comp - to host order (dense NHWC), 32-bit elements: those of one value after those of another. An invocation moves
// a vector, in the order in which they lie.
ivec4 place(int i, int x_h, int x_w, int x_s)
{
    int row = i / x_w, plane = row / x_h;

    return ivec4(plane / x_s, row - plane * x_h, i - row * x_w, plane % x_s);
}

// Of a pixel the channels from c on.
void put(int at, int pixel, int c, int channels, VEC4 v)
{
    int i = at + pixel * channels + c, n = channels - c;

    HOST_STORE(y, i, v.x);
    if (n > 1)
        HOST_STORE(y, i + 1, v.y);
    if (n > 2)
        HOST_STORE(y, i + 2, v.z);
    if (n > 3)
        HOST_STORE(y, i + 3, v.w);
}

void run(int b, int h, int w, int s)
{
    int i = h * GRID_W + w;
    ivec4 o;

    if (i < FIRST1) {
        o = place(i, X0_H, X0_W, X0_S);
        put(0, (o.x * X0_H + o.y) * X0_W + o.z, 4 * o.w, X0_C, LOAD(x0, o.x, o.y, o.z, o.w));
#if PARTS > 2
    } else if (i >= FIRST2) {
        if (i < VECTORS) {
            o = place(i - FIRST2, X2_H, X2_W, X2_S);
            put(AT2, (o.x * X2_H + o.y) * X2_W + o.z, 4 * o.w, X2_C, LOAD(x2, o.x, o.y, o.z, o.w));
        }
#endif
    } else if (i < VECTORS) {
        o = place(i - FIRST1, X1_H, X1_W, X1_S);
        put(AT1, (o.x * X1_H + o.y) * X1_W + o.z, 4 * o.w, X1_C, LOAD(x1, o.x, o.y, o.z, o.w));
    }
}
