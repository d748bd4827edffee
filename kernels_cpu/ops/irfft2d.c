/* SPDX-License-Identifier: Apache-2.0 */
/* irfft2d.c - IRFFT2D, a custom operator: real planes from the half of their Fourier transform that RFFT2D keeps.
 *
 * Of the columns that are their own mirror image (the first, and the last of an even width) TFLite reads the upper half only. */
#include "kernels_cpu/common/fft_planes.h"
#include "lib/graph/macs.h"

static enum status irfft2d_shape(struct node *n, struct err *err)
{
    int32_t length[2];
    enum status st = fft_planes_lengths(n, "halves", length, err);

    if (st)
        return st;
    n->out[0]->type = TYPE_FLOAT32; /* whatever the file says, as in TFLite */
    return fft_planes_shape(n, length[0], length[1], err);
}

static size_t columns(const struct tensor *y)
{
    return (size_t)y->dim[y->rank - 1];
}

static enum status irfft2d_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *y = c->node->out[0];

    return y->bytes ? fft_planes_prepare(c, columns(y), err) : ST_OK;
}

static struct fft_number conjugate(struct fft_number z)
{
    return (struct fft_number){z.re, -z.im};
}

/* The lower half of a column that mirrors itself follows from the upper one. */
static void mirror(const struct fft_planes *f, size_t col)
{
    for (size_t row = 1; row < (f->rows + 1) / 2; row++)
        f->half[(f->rows - row) * f->kept + col] = conjugate(f->half[row * f->kept + col]);
    f->half[col].im = 0;
    f->half[f->rows / 2 * f->kept + col].im = 0;
}

/* The conjugate of a plane, cropped to the transform's size or with zeros after it: its transform is then the inverse one. */
static void read_plane(const struct fft_planes *f, const float *x)
{
    for (size_t row = 0; row < f->rows; row++)
        for (size_t col = 0; col < f->kept; col++) {
            const float *z = x + 2 * (row * f->in_cols + col);
            bool inside = row < f->in_rows && col < f->in_cols;

            f->half[row * f->kept + col] = inside ? (struct fft_number){(double)z[0], -(double)z[1]} : (struct fft_number){0, 0};
        }
    mirror(f, 0);
    if (f->cols > 1)
        mirror(f, f->cols / 2);
}

static void transform_rows(const struct fft_planes *f, float *y)
{
    const double scale = 1 / ((double)f->rows * (double)f->cols);

    for (size_t row = 0; row < f->rows; row++, y += f->cols) {
        for (size_t col = 0; col < f->kept; col++)
            f->line[col] = f->half[row * f->kept + col];
        for (size_t col = f->kept; col < f->cols; col++)
            f->line[col] = conjugate(f->line[f->cols - col]);
        fft(f->line, f->cols, f->table, f->longest);
        for (size_t col = 0; col < f->cols; col++)
            y[col] = (float)(f->line[col].re * scale);
    }
}

static void irfft2d_run(struct cpu_call *c)
{
    const float *x = c->node->in[0]->data;
    float *y = c->node->out[0]->data;
    const struct fft_planes f = fft_planes(c, columns(c->node->out[0]));
    size_t planes = tensor_elems(c->node->out[0]) / (f.rows * f.cols);

    for (size_t i = 0; i < planes; i++, x += 2 * f.in_rows * f.in_cols, y += f.rows * f.cols) {
        read_plane(&f, x);
        fft_planes_columns(&f);
        transform_rows(&f, y);
    }
}

const struct cpu_kernel cpu_irfft2d = {
    .shape = irfft2d_shape, .in = {1u << TYPE_COMPLEX64}, .prepare = irfft2d_prepare, .compute = irfft2d_run, .macs = macs_unknown};
