// SPDX-License-Identifier: Apache-2.0
// conv_place.comp - PLACE: column and row of a pixel. FLAT: the image is one row; BY_FLOATS: a quotient of floats finds the row.

#if FLAT
#define PLACE(pixel) ivec2(pixel, 0)
#elif BY_FLOATS
ivec2 place_of(int pixel)
{
    highp float middle = float(pixel) + 0.5;
    int row = int(middle / float(Y_W));

    return ivec2(pixel - row * Y_W, row);
}
#define PLACE(pixel) place_of(pixel)
#else
#define PLACE(pixel) ivec2((pixel) % Y_W, (pixel) / Y_W)
#endif
