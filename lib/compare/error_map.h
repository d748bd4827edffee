/* SPDX-License-Identifier: Apache-2.0 */
/* error_map.h - the places of errors in a tensor: a grid of cells, each with the largest error of its elements over all
 * comparisons.
 *
 * A tensor is folded into planes, ignoring dimensions of 1:
 *
 *   rank 0 or 1   one plane: the elements in rows of at most ERROR_MAP_COLUMNS
 *   rank 2        one plane: its rows and columns
 *   rank 3...     two planes; the rows of both are all dimensions but the last two. Columns are the last dimension but one ("by
 *                 place": [height, width] of an image, largest over its channels), or the last ("by channel", largest over the
 * width)
 *
 * A plane larger than the grid is pooled: a cell takes the largest error of several rows and columns. */
#pragma once

#include "lib/tensor/tensor.h"

enum { ERROR_MAP_ROWS = 40, ERROR_MAP_COLUMNS = 80, ERROR_MAP_PLANES = 2 };

struct error_plane {
    size_t rows, columns;           /* elements before pooling */
    size_t cell_rows, cell_columns; /* elements of a cell; fewer in the last row and column */
    uint32_t n_rows, n_columns;     /* cells */
    size_t over;                    /* elements that share each place: the length of the dimension that is no side of the plane */
    /* [n_rows][n_columns], rows n_columns apart: largest absolute errors; INFINITY if an element is NaN or infinite on one side
     * alone. */
    float cells[ERROR_MAP_ROWS * ERROR_MAP_COLUMNS];
};

/* Zeroed to begin with. */
struct error_map {
    struct error_plane planes[ERROR_MAP_PLANES];
    uint32_t n_planes;                  /* 0: nothing was compared yet */
    int32_t rank, dim[TENSOR_MAX_RANK]; /* shape of the tensor */
    size_t last, last_but_one;          /* lengths of the last two dimensions after folding */
    bool shapes_differ;                 /* a later comparison had another shape and was not added */
};

/* Begin a comparison of tensors shaped as `t`. Returns false if no elements are to be added: the shape differs from the first
 * comparison's, or the tensor is empty. */
bool error_map_begin(struct error_map *m, const struct tensor *t);

/* Add the absolute error of element `index`, in row-major order; the parts of a complex element follow one another (element.h).
 * INFINITY: not finite on one side alone. Does nothing before error_map_begin, and for strings, whose errors have no place. */
void error_map_add(struct error_map *m, size_t index, double error);

/* Return true if any error is above 0. */
bool error_map_any(const struct error_map *m);
