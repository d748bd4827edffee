// SPDX-License-Identifier: Apache-2.0
// conv_shared.comp - a convolution of 1x1 as product_shared.comp has products: rows are pixels. Those of an invocation are TX
// apart, so that neighbours read and write what lies together. After conv_place.comp.
#define ROW(block, r) ((block) / TX * (3 * TX) + (block) + TX * (r))
#define ROWS          (Y_H * Y_W)
#define K_S           X_S

int b;

void begin(int batch, int h)
{
    b = batch;
}

vec4 pixel(int row, int k)
{
    ivec2 place = PLACE(min(row, ROWS - 1));

    return COUNTS(LOAD(x, b, place.y, place.x, k >> 2));
}

mat4 left(int block, int k)
{
    return mat4(pixel(ROW(block, 0), k), pixel(ROW(block, 1), k), pixel(ROW(block, 2), k), pixel(ROW(block, 3), k));
}

mat4 right(int k, int s)
{
    int i = BIASES + (FILTERS + s) * (X_S * 4) + k;

    return mat4(WEIGHT_ROW(i, 0), WEIGHT_ROW(i, 1), WEIGHT_ROW(i, 2), WEIGHT_ROW(i, 3));
}

vec4 start(int s)
{
    return IS_BIASED ? START(s) : vec4(0.0);
}

void finish(int b, int h, int row, int s, SUM4 v)
{
    STORE(y, b, PLACE(row).y, PLACE(row).x, s, RESULT(v, UNIT(s), SHIFT(s)));
}
