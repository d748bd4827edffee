// SPDX-License-Identifier: Apache-2.0
// winograd_input.comp - a tile of input, SIDE x SIDE pixels of a slice, becomes as many positions: winograd.h.
void run(int b, int row, int column, int s)
{
    ivec2 corner = ivec2(column, row) * TILE - ivec2(PAD_W, PAD_H);

#define READ(i) d[i] = LOADZ(x, b, corner.y + i / SIDE, corner.x + i % SIDE, s);
    EACH_POSITION(READ)
#define COLUMN(i) TRANSFORM(i, SIDE)
    EACH_LINE(COLUMN)
#define ROW(i) TRANSFORM(i * SIDE, 1)
    EACH_LINE(ROW)
#define WRITE(i) STORE(y, b * (SIDE * SIDE) + i, row, column, s, d[i]);
    EACH_POSITION(WRITE)
}
