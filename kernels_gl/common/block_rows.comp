// SPDX-License-Identifier: Apache-2.0
// block_rows.comp - rows times weights of 4 bits, of which a block of each output channel has a scale. t: for each slice of output
// channels its biases and the scales of its blocks, a vector each; then for each of these slices and eight input channels a word
// for each output channel.

#define SCALES(s, k) intBitsToFloat(LOADI(t, (s) * (BLOCKS + 1) + 1 + (k)))

void run(int b, int h, int w, int s)
{
    vec4 sum = intBitsToFloat(LOADI(t, s * (BLOCKS + 1)));
    int at = HEAD + s * BLOCKS * EIGHTS;

    for (int k = 0; k < BLOCKS; k++) {
        vec4 part = vec4(0.0);

        for (int i = 0; i < EIGHTS; i++) {
            ivec4 word = LOADI(t, at);
            int slice = 2 * (k * EIGHTS + i);
            vec4 v = LOAD(x, b, h, w, slice), u = LOAD(x, b, h, w, slice + 1);

            part += v.x * vec4(word << 28 >> 28) + v.y * vec4(word << 24 >> 28) + v.z * vec4(word << 20 >> 28) +
                    v.w * vec4(word << 16 >> 28);
            part += u.x * vec4(word << 12 >> 28) + u.y * vec4(word << 8 >> 28) + u.z * vec4(word << 4 >> 28) +
                    u.w * vec4(word >> 28);
            at++;
        }
        sum += part * SCALES(s, k);
    }
    STORE(y, b, h, w, s, sum);
}
