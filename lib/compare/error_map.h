/* SPDX-License-Identifier: Apache-2.0 */
/* error_map.h - the places of the errors in a tensor: the largest of each cell of a grid that is laid over it, over all
 * comparisons.
 *
 * A tensor is folded into planes. Dimensions of 1 do not count; of the remaining ones
 *
 *   nothing, or one dimension   is one plane, in rows of ERROR_MAP_COLUMNS elements at most that follow one another
 *   two                         are its rows and columns
 *   three or more               give two planes. All but the last two together are the rows of both; the columns are the last but
 *                               one ("by place": [height, width] of an image, the largest over its channels), and the last ("by
 *                               channel", the largest over the width)
 *
 * and a plane larger than the grid is pooled: each cell has the largest error of as many rows and columns as make it fit. */
#ifndef DELEGAUGE_ERROR_MAP_H
#define DELEGAUGE_ERROR_MAP_H

#include "lib/tensor/tensor.h"

enum { ERROR_MAP_ROWS = 40, ERROR_MAP_COLUMNS = 80, ERROR_MAP_PLANES = 2 };

struct error_plane {
    size_t rows, columns;           /* of elements, before pooling */
    size_t cell_rows, cell_columns; /* of elements in a cell; in the last row and column there may be fewer */
    uint32_t n_rows, n_columns;     /* of cells */
    size_t over;                    /* elements that lie upon each other at each place: of the dimension that is no side of it */
    /* [n_rows][n_columns], n_columns apart: largest absolute errors; INFINITY if one side has a NaN or an infinity that the other
     * has not. */
    float cells[ERROR_MAP_ROWS * ERROR_MAP_COLUMNS];
};

/* Zeroed to begin with. */
struct error_map {
    struct error_plane planes[ERROR_MAP_PLANES];
    uint32_t n_planes;                  /* 0: nothing was compared yet */
    int32_t rank, dim[TENSOR_MAX_RANK]; /* of the tensor */
    size_t last, last_but_one;          /* elements of these two dimensions, as it was folded */
    bool shapes_differ; /* a later comparison was of another shape than the first: the map is of the first one's alone */
};

/* Begin a comparison of tensors like `t`, before its elements are added. False if nothing is to be added: its shape is not that of
 * the comparison before, or it has no elements. */
bool error_map_begin(struct error_map *m, const struct tensor *t);

/* Add the absolute error of element `index`, in row-major order; of complex tensors the parts of an element follow one another, as
 * in element.h. INFINITY if one side alone is not finite. Adds nothing before error_map_begin, nor for strings, whose error has no
 * place. */
void error_map_add(struct error_map *m, size_t index, double error);

/* Return true if any error is above 0. */
bool error_map_any(const struct error_map *m);

#endif
