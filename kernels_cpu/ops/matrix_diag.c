/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_diag.c - MATRIX_DIAG and MATRIX_SET_DIAG: the diagonals of the innermost matrices. */
#include <string.h>

#include "kernels_cpu/common/move.h"

static enum status matrix_diag_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK + 1];
    const struct tensor *x = n->in[0];

    if (x->rank < 1 || x->rank == TENSOR_MAX_RANK)
        return err_set(err, ST_BAD_MODEL, "rank %d, must be 1 to %d", x->rank, TENSOR_MAX_RANK - 1);
    memcpy(dim, x->dim, (size_t)x->rank * sizeof *dim);
    dim[x->rank] = dim[x->rank - 1];
    return shape_set(n, 0, dim, x->rank + 1, err);
}

/* Writes the diagonals of y, [batches, rows, columns], from x, [batches, length]. */
static void set_diagonals(struct cpu_call *c, const struct tensor *x, struct tensor *y)
{
    size_t length = (size_t)x->dim[x->rank - 1], columns = (size_t)y->dim[y->rank - 1];
    struct move m = {0};

    move_dim(&m, shape_count(x->dim, 0, x->rank - 1), (ptrdiff_t)((size_t)y->dim[y->rank - 2] * columns), (ptrdiff_t)length);
    move_dim(&m, length, (ptrdiff_t)columns + 1, 1);
    move_run(&m, type_bits(y->type), y->data, x->data, c->threads);
}

static void matrix_diag_run(struct cpu_call *c)
{
    struct tensor *y = c->node->out[0];

    if (y->bytes)
        memset(y->data, 0, y->bytes);
    set_diagonals(c, c->node->in[0], y);
}

static enum status matrix_set_diag_shape(struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0], *diagonal = n->in[1];
    int32_t rows, columns;

    if (x->rank < 2 || diagonal->rank != x->rank - 1)
        return err_set(err, ST_BAD_MODEL, "ranks %d and %d, the diagonal must have one less than the matrices", x->rank,
                       diagonal->rank);
    rows = x->dim[x->rank - 2];
    columns = x->dim[x->rank - 1];
    for (int32_t i = 0; i < diagonal->rank; i++) {
        int32_t want = i < x->rank - 2 ? x->dim[i] : rows < columns ? rows : columns;

        if (diagonal->dim[i] != want)
            return err_set(err, ST_BAD_MODEL, "dimension %d of the diagonal is %d, expected %d", i, diagonal->dim[i], want);
    }
    return shape_like(n, 0, x, err);
}

static void matrix_set_diag_run(struct cpu_call *c)
{
    struct tensor *y = c->node->out[0];

    if (y->bytes)
        memcpy(y->data, c->node->in[0]->data, y->bytes);
    set_diagonals(c, c->node->in[1], y);
}

const struct cpu_kernel cpu_matrix_diag = {
    .arity = {1, 1, 1}, .shape = matrix_diag_shape, .prepare = move_prepare, .compute = matrix_diag_run};
const struct cpu_kernel cpu_matrix_set_diag = {
    .arity = {2, 2, 1}, .shape = matrix_set_diag_shape, .prepare = move_prepare_two, .compute = matrix_set_diag_run};
