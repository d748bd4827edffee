// SPDX-License-Identifier: Apache-2.0
// download_bytes.comp - to host order (dense NHWC), elements of 8 or 16 bits: an invocation makes a word of PER_WORD of them.
SCALAR element(int i)
{
    int c = i % X_C, w = i / X_C % X_W, h = i / (X_C * X_W) % X_H, b = i / (X_C * X_W * X_H);

    return b < X_B ? SCALAR(LOADC(x, b, h, w, c)) : SCALAR(0);
}

void run(int b, int h, int w, int s)
{
    int word = h * GRID_W + w, i = PER_WORD * word;

    if (word < WORDS)
#if PER_WORD == 4
        HOST_STORE(y, word, ivec4(element(i), element(i + 1), element(i + 2), element(i + 3)) & 255);
#else
        HOST_STORE(y, word, PAIR(element(i), element(i + 1)));
#endif
}
