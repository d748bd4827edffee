// SPDX-License-Identifier: Apache-2.0
// winograd_output.comp - the positions of a tile become TILE x TILE pixels of output, of a slice: winograd.h.
void run(int b, int row, int column, int s)
{
    ivec2 corner = ivec2(column, row) * TILE;

#define READ(i) d[i] = LOAD(x, b * (SIDE * SIDE) + i, row, column, s);
    EACH_POSITION(READ)
#define COLUMN(i) SUM(i, SIDE)
    EACH_LINE(COLUMN)
#define ROW(i) SUM(i * SIDE, 1)
    EACH_ROW(ROW)
#define WRITE(i) \
    { \
        ivec2 at = corner + ivec2(i % TILE, i / TILE); \
 \
        if (at.x < Y_W && at.y < Y_H) \
            STORE(y, b, at.y, at.x, s, d[i / TILE * SIDE + i % TILE]); \
    }
    EACH_PIXEL(WRITE)
}
