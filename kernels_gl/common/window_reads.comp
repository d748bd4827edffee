// SPDX-License-Identifier: Apache-2.0
// window_reads.comp - what windows read of x, by rows and columns that are placed once: what lies outside is read at the border and
// then dropped, which takes no branch.
#define PLACE_ROW(at, row, has_row) \
    int row = clamp(at, 0, X_H - 1); \
    bool has_row = row == at;
#define PLACE_COLUMN(at, column, has_column) \
    int column = at; \
    bool has_column = column == clamp(column, 0, X_W - 1); \
    column = COLUMN(x, clamp(column, 0, X_W - 1));
#define READ_PLACED(inputs, has_row, column, has_column) \
    mix(vec4(0.0), COUNTS(LOADR(x, inputs, column)), bvec4(has_row && has_column))
