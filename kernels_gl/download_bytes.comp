// SPDX-License-Identifier: Apache-2.0
// download_bytes.comp - to host order (dense NHWC), elements of one byte: an invocation makes a word of four.
int element(int i)
{
    int c = i % X_C, w = i / X_C % X_W, h = i / (X_C * X_W) % X_H, b = i / (X_C * X_W * X_H);

    return b < X_B ? int(LOADC(x, b, h, w, c)) & 255 : 0;
}

void run(int b, int h, int w, int s)
{
    int word = h * GRID_W + w;

    if (word < WORDS)
        HOST_STORE(y, word, ivec4(element(4 * word), element(4 * word + 1), element(4 * word + 2), element(4 * word + 3)));
}
