/* SPDX-License-Identifier: Apache-2.0 */
/* fft_planes.c - shapes, table and scratch of RFFT2D and IRFFT2D. */
#include "kernels_cpu/common/fft_planes.h"
#include "kernels_cpu/common/layout.h"

static bool is_power_of_two(int32_t v)
{
    return v > 0 && !(v & (v - 1));
}

enum status fft_planes_lengths(const struct node *n, const char *what, int32_t length[2], struct err *err)
{
    enum status st = shape_arity(n, 2, 2, 1, err);
    const struct tensor *x, *l;
    uint32_t count;

    if (st)
        return st;
    x = n->in[0];
    l = n->in[1];
    if (x->rank < 2 || l->rank != 1 || l->dim[0] != 2)
        return err_set(err, ST_BAD_MODEL, "%s are %s, lengths %s, expected [...,rows,cols] and [2]", what, TENSOR_TEXT(x),
                       TENSOR_TEXT(l));
    if (l->type != TYPE_INT32)
        return cpu_bad_type(n, l, err);
    if ((st = shape_ints(l, length, 2, &count, err)))
        return st;
    if (!is_power_of_two(length[0]) || !is_power_of_two(length[1]))
        return err_set(err, ST_BAD_MODEL, "transform of %dx%d points, expected powers of two", length[0], length[1]);
    return ST_OK;
}

enum status fft_planes_shape(struct node *n, int32_t rows, int32_t cols, struct err *err)
{
    const struct tensor *x = n->in[0];
    int32_t dim[TENSOR_MAX_RANK];

    for (int32_t i = 0; i < x->rank - 2; i++)
        dim[i] = x->dim[i];
    dim[x->rank - 2] = rows;
    dim[x->rank - 1] = cols;
    return shape_set(n, 0, dim, x->rank, err);
}

struct fft_planes fft_planes(const struct cpu_call *c, size_t cols)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct fft_planes f = {.rows = (size_t)y->dim[y->rank - 2],
                           .cols = cols,
                           .kept = cols / 2 + 1,
                           .in_rows = (size_t)x->dim[x->rank - 2],
                           .in_cols = (size_t)x->dim[x->rank - 1]};

    f.longest = f.rows > f.cols ? f.rows : f.cols;
    f.table = c->packed;
    f.line = c->scratch;
    f.half = f.line ? f.line + f.longest : NULL;
    return f;
}

void fft_planes_columns(const struct fft_planes *f)
{
    for (size_t col = 0; col < f->kept; col++) {
        for (size_t row = 0; row < f->rows; row++)
            f->line[row] = f->half[row * f->kept + col];
        fft(f->line, f->rows, f->table, f->longest);
        for (size_t row = 0; row < f->rows; row++)
            f->half[row * f->kept + col] = f->line[row];
    }
}

enum status fft_planes_prepare(struct cpu_call *c, size_t cols, struct err *err)
{
    const struct fft_planes f = fft_planes(c, cols);
    struct layout scratch = {0};
    enum status st = cpu_pack(c, fft_table_size(f.longest) * sizeof *f.table, err);

    if (st)
        return st;
    fft_table(c->packed, f.longest);
    layout_add(&scratch, f.longest + f.rows * f.kept, sizeof *f.line);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}
