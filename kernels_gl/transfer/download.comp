// SPDX-License-Identifier: Apache-2.0
// download.comp - from slices of four channels to host order (dense NHWC), 32-bit elements.
void run(int b, int h, int w, int s)
{
    VEC4 v = LOAD(x, b, h, w, s);
    int i = ((b * X_H + h) * X_W + w) * X_C + 4 * s;
    int n = X_C - 4 * s;

    HOST_STORE(y, i, v.x);
    if (n > 1)
        HOST_STORE(y, i + 1, v.y);
    if (n > 2)
        HOST_STORE(y, i + 2, v.z);
    if (n > 3)
        HOST_STORE(y, i + 3, v.w);
}
