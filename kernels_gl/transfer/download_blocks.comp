// SPDX-License-Identifier: Apache-2.0
// download_blocks.comp - to host order (dense NHWC), 32-bit elements: each pixel is a block of those of the tensor, one behind
// the other along its channels.
void run(int b, int h, int w, int s)
{
    VEC4 v = LOAD(x, b, h, w, s);

    for (int k = 0; k < 4; k++) {
        int c = 4 * s + k, pixel = c / CHANNELS, row = h * BLOCK_H + pixel / BLOCK_W, column = w * BLOCK_W + pixel % BLOCK_W;

        if (c < X_C)
            HOST_STORE(y, ((b * X_H * BLOCK_H + row) * X_W * BLOCK_W + column) * CHANNELS + c % CHANNELS, v[k]);
    }
}
