// SPDX-License-Identifier: Apache-2.0
// upload.comp - from host order (dense NHWC) to slices of four channels. Reads up to three elements past a pixel; STORE drops them.
void run(int b, int h, int w, int s)
{
    int i = ((b * Y_H + h) * Y_W + w) * Y_C + 4 * s;

    STORE(y, b, h, w, s, VEC4(HOST(x, i), HOST(x, i + 1), HOST(x, i + 2), HOST(x, i + 3)));
}
