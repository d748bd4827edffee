/* irfft2d.c - IRFFT2D, a custom operator: real planes from the half of their Fourier transform that RFFT2D keeps.
 *
 * Of the columns that are their own mirror image (the first, and the last of an even width) TFLite reads the upper half only. */
#include "../lib/kernel.h"
#include "fft.h"
#include "layout.h"

enum { HALVES, LENGTHS };

static bool is_power_of_two(int32_t v)
{
    return v > 0 && !(v & (v - 1));
}

static enum status irfft2d_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 2, 2, 1, err);
    int32_t dim[TENSOR_MAX_RANK], length[2];
    const struct tensor *x, *l;
    uint32_t count;

    if (st)
        return st;
    x = n->in[HALVES];
    l = n->in[LENGTHS];
    if (x->rank < 2 || l->rank != 1 || l->dim[0] != 2)
        return err_set(err, ST_BAD_MODEL, "halves are %s, lengths %s, expected [...,rows,cols] and [2]", TENSOR_TEXT(x),
                       TENSOR_TEXT(l));
    if (l->type != TYPE_INT32)
        return cpu_bad_type(n, l, err);
    if ((st = shape_ints(l, length, 2, &count, err)))
        return st;
    if (!is_power_of_two(length[0]) || !is_power_of_two(length[1]))
        return err_set(err, ST_BAD_MODEL, "transform of %dx%d points, expected powers of two", length[0], length[1]);
    n->out[0]->type = TYPE_FLOAT32;      /* whatever the file says, as in TFLite */
    for (int32_t i = 0; i < x->rank - 2; i++)
        dim[i] = x->dim[i];
    dim[x->rank - 2] = length[0];
    dim[x->rank - 1] = length[1];
    return shape_set(n, 0, dim, x->rank, err);
}

struct irfft2d {
    size_t rows, cols, kept;                 /* of the transform; columns that are stored of it */
    size_t in_rows, in_cols;                 /* of an input plane */
    size_t longest;                          /* what the table is made for */
    const struct fft_number *table;
    struct fft_number *line, *half;          /* [longest], [rows][kept] */
};

static struct irfft2d describe(const struct cpu_call *c)
{
    const struct tensor *x = c->node->in[HALVES], *y = c->node->out[0];
    struct irfft2d f = {.rows = (size_t)y->dim[y->rank - 2], .cols = (size_t)y->dim[y->rank - 1],
                        .in_rows = (size_t)x->dim[x->rank - 2], .in_cols = (size_t)x->dim[x->rank - 1]};

    f.kept = f.cols / 2 + 1;
    f.longest = f.rows > f.cols ? f.rows : f.cols;
    f.table = c->packed;
    f.line = c->scratch;
    f.half = f.line ? f.line + f.longest : NULL;
    return f;
}

static enum status irfft2d_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct layout scratch = {0};
    struct irfft2d f;
    enum status st;

    if (n->in[HALVES]->type != TYPE_COMPLEX64)
        return cpu_bad_type(n, n->in[HALVES], err);
    if (!n->out[0]->bytes)
        return ST_OK;
    f = describe(c);
    if ((st = cpu_pack(c, fft_table_size(f.longest) * sizeof *f.table, err)))
        return st;
    fft_table(c->packed, f.longest);
    layout_add(&scratch, f.longest + f.rows * f.kept, sizeof *f.line);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

static struct fft_number conjugate(struct fft_number z)
{
    return (struct fft_number){z.re, -z.im};
}

/* The lower half of a column that mirrors itself follows from the upper one. */
static void mirror(const struct irfft2d *f, size_t col)
{
    for (size_t row = 1; row < (f->rows + 1) / 2; row++)
        f->half[(f->rows - row) * f->kept + col] = conjugate(f->half[row * f->kept + col]);
    f->half[col].im = 0;
    f->half[f->rows / 2 * f->kept + col].im = 0;
}

/* The conjugate of a plane, cropped to the transform's size or with zeros after it: its transform is then the inverse one. */
static void read_plane(const struct irfft2d *f, const float *x)
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

static void transform_columns(const struct irfft2d *f)
{
    for (size_t col = 0; col < f->kept; col++) {
        for (size_t row = 0; row < f->rows; row++)
            f->line[row] = f->half[row * f->kept + col];
        fft(f->line, f->rows, f->table, f->longest);
        for (size_t row = 0; row < f->rows; row++)
            f->half[row * f->kept + col] = f->line[row];
    }
}

static void transform_rows(const struct irfft2d *f, float *y)
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

static enum status irfft2d_run(struct cpu_call *c, struct err *err)
{
    const float *x = c->node->in[HALVES]->data;
    float *y = c->node->out[0]->data;
    const struct irfft2d f = describe(c);
    size_t planes = tensor_elems(c->node->out[0]) / (f.rows * f.cols);

    (void)err;
    for (size_t i = 0; i < planes; i++, x += 2 * f.in_rows * f.in_cols, y += f.rows * f.cols) {
        read_plane(&f, x);
        transform_columns(&f);
        transform_rows(&f, y);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_irfft2d = {.shape = irfft2d_shape, .prepare = irfft2d_prepare, .run = irfft2d_run};
