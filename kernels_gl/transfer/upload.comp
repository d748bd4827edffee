// SPDX-License-Identifier: Apache-2.0
// upload.comp - from host order (dense NHWC) to slices of four channels. Reads nothing beyond a pixel, as the buffer may be a
// caller's that ends there; STORE drops what stands in for it. FEW: there are so many channels, less than four; 0: any number.
void run(int b, int h, int w, int s)
{
    int i = ((b * Y_H + h) * Y_W + w) * Y_C + 4 * s, n = Y_C - 4 * s - 1;

#if FEW == 1
    STORE(y, b, h, w, s, VEC4(HOST(x, i), 0, 0, 0));
#elif FEW == 2
    STORE(y, b, h, w, s, VEC4(HOST(x, i), HOST(x, i + 1), 0, 0));
#elif FEW == 3
    STORE(y, b, h, w, s, VEC4(HOST(x, i), HOST(x, i + 1), HOST(x, i + 2), 0));
#else
    STORE(y, b, h, w, s, VEC4(HOST(x, i), HOST(x, i + min(1, n)), HOST(x, i + min(2, n)), HOST(x, i + min(3, n))));
#endif
}
