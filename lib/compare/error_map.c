/* SPDX-License-Identifier: Apache-2.0 */
/* error_map.c - a tensor as [rows, last but one, last]; each plane takes the largest error over one of the last two. */
#include "lib/compare/error_map.h"

#include <float.h>
#include <math.h>

#include "lib/tensor/element.h"

static void begin_plane(struct error_plane *p, size_t rows, size_t columns, size_t over)
{
    p->rows = rows;
    p->columns = columns;
    p->over = over;
    p->cell_rows = (rows + ERROR_MAP_ROWS - 1) / ERROR_MAP_ROWS;
    p->cell_columns = (columns + ERROR_MAP_COLUMNS - 1) / ERROR_MAP_COLUMNS;
    p->n_rows = (uint32_t)((rows + p->cell_rows - 1) / p->cell_rows);
    p->n_columns = (uint32_t)((columns + p->cell_columns - 1) / p->cell_columns);
}

/* The dimensions that count, and the two parts of complex elements as one more. Returns how many. */
static uint32_t dimensions(const struct tensor *t, size_t out[TENSOR_MAX_RANK + 1])
{
    uint32_t n = 0;

    for (int32_t i = 0; i < t->rank; i++)
        if (t->dim[i] > 1)
            out[n++] = (size_t)t->dim[i];
    if (element_count(t) != tensor_elems(t))
        out[n++] = 2;
    return n;
}

static void fold(struct error_map *m, const struct tensor *t)
{
    size_t dim[TENSOR_MAX_RANK + 1], n = element_count(t);
    const uint32_t rank = dimensions(t, dim);

    m->last = rank > 2 ? dim[rank - 1] : 1;
    m->last_but_one = rank > 2 ? dim[rank - 2] : rank == 2 ? dim[1] : n < ERROR_MAP_COLUMNS ? n : ERROR_MAP_COLUMNS;
    m->n_planes = rank > 2 ? 2 : 1;
    n = (n + m->last * m->last_but_one - 1) / (m->last * m->last_but_one);
    begin_plane(&m->planes[0], n, m->last_but_one, m->last);
    if (m->n_planes > 1)
        begin_plane(&m->planes[1], n, m->last, m->last_but_one);
}

bool error_map_begin(struct error_map *m, const struct tensor *t)
{
    bool same = m->rank == t->rank;

    if (!element_count(t))
        return false;
    if (!m->n_planes) {
        m->rank = t->rank;
        memcpy(m->dim, t->dim, sizeof m->dim);
        fold(m, t);
        return true;
    }
    for (int32_t i = 0; i < t->rank && same; i++)
        same = m->dim[i] == t->dim[i];
    m->shapes_differ |= !same;
    return same;
}

static void add(struct error_plane *p, size_t row, size_t column, float error)
{
    float *cell = &p->cells[row / p->cell_rows * p->n_columns + column / p->cell_columns];

    *cell = fmaxf(*cell, error);
}

void error_map_add(struct error_map *m, size_t index, double error)
{
    const float e = isfinite(error) ? (float)fmin(error, FLT_MAX) : INFINITY;
    size_t row, column;

    if (!m->n_planes)
        return;
    column = index / m->last % m->last_but_one;
    row = index / m->last / m->last_but_one;
    add(&m->planes[0], row, column, e);
    if (m->n_planes > 1)
        add(&m->planes[1], row, index % m->last, e);
}

bool error_map_any(const struct error_map *m)
{
    const struct error_plane *p = &m->planes[0];

    for (uint32_t i = 0; i < p->n_rows * p->n_columns; i++)
        if (p->cells[i] > 0)
            return true;
    return false;
}
