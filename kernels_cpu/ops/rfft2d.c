/* SPDX-License-Identifier: Apache-2.0 */
/* rfft2d.c - RFFT2D: the Fourier transform of real planes, of which the half that is not mirrored is kept. */
#include "kernels_cpu/common/fft_planes.h"
#include "lib/graph/macs.h"

static enum status rfft2d_shape(struct node *n, struct err *err)
{
    int32_t length[2];
    enum status st = fft_planes_lengths(n, "planes", length, err);

    return st ? st : fft_planes_shape(n, length[0], length[1] / 2 + 1, err);
}

/* Columns of the transform. */
static size_t columns(const struct tensor *y)
{
    const size_t kept = (size_t)y->dim[y->rank - 1];

    return kept == 1 ? 1 : 2 * (kept - 1);
}

static enum status rfft2d_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *y = c->node->out[0];

    return y->bytes ? fft_planes_prepare(c, columns(y), err) : ST_OK;
}

/* Planes are cropped to the transform's size, or have zeros after them. */
static void transform_rows(const struct fft_planes *f, const float *x)
{
    for (size_t row = 0; row < f->rows; row++) {
        for (size_t col = 0; col < f->cols; col++) {
            bool inside = row < f->in_rows && col < f->in_cols;

            f->line[col] = (struct fft_number){inside ? (double)x[row * f->in_cols + col] : 0, 0};
        }
        fft(f->line, f->cols, f->table, f->longest);
        for (size_t col = 0; col < f->kept; col++)
            f->half[row * f->kept + col] = f->line[col];
    }
}

static void rfft2d_run(struct cpu_call *c)
{
    const float *x = c->node->in[0]->data;
    float *y = c->node->out[0]->data;
    const struct fft_planes f = fft_planes(c, columns(c->node->out[0]));
    size_t planes = tensor_elems(c->node->out[0]) / (f.rows * f.kept);

    for (size_t i = 0; i < planes; i++, x += f.in_rows * f.in_cols, y += 2 * f.rows * f.kept) {
        transform_rows(&f, x);
        fft_planes_columns(&f);
        for (size_t k = 0; k < f.rows * f.kept; k++) {
            y[2 * k] = (float)f.half[k].re;
            y[2 * k + 1] = (float)f.half[k].im;
        }
    }
}

const struct cpu_kernel cpu_rfft2d = {.shape = rfft2d_shape,
                                      .in = {CPU_F32},
                                      .out = {1u << TYPE_COMPLEX64},
                                      .prepare = rfft2d_prepare,
                                      .compute = rfft2d_run,
                                      .macs = macs_unknown};
