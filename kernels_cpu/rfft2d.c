/* rfft2d.c - RFFT2D: the Fourier transform of real planes, of which the half that is not mirrored is kept. */
#include "../lib/kernel.h"
#include "fft.h"

enum { PLANES, LENGTHS };

static bool is_power_of_two(int32_t v)
{
    return v > 0 && !(v & (v - 1));
}

static enum status rfft2d_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 2, 2, 1, err);
    int32_t dim[TENSOR_MAX_RANK], length[2];
    const struct tensor *x, *l;
    uint32_t count;

    if (st)
        return st;
    x = n->in[PLANES];
    l = n->in[LENGTHS];
    if (x->rank < 2 || l->rank != 1 || l->dim[0] != 2)
        return err_set(err, ST_BAD_MODEL, "planes are %s, lengths %s, expected [...,rows,cols] and [2]", TENSOR_TEXT(x),
                       TENSOR_TEXT(l));
    if (l->type != TYPE_INT32)
        return cpu_bad_type(n, l, err);
    if ((st = shape_ints(l, length, 2, &count, err)))
        return st;
    if (!is_power_of_two(length[0]) || !is_power_of_two(length[1]))
        return err_set(err, ST_BAD_MODEL, "transform of %dx%d points, expected powers of two", length[0], length[1]);
    for (int32_t i = 0; i < x->rank - 2; i++)
        dim[i] = x->dim[i];
    dim[x->rank - 2] = length[0];
    dim[x->rank - 1] = length[1] / 2 + 1;
    return shape_set(n, 0, dim, x->rank, err);
}

struct rfft2d {
    size_t rows, cols, kept;                 /* of the transform; columns that are kept of it */
    size_t in_rows, in_cols;                 /* of a plane */
    size_t longest;                          /* what the table is made for */
    const struct fft_number *table;
    struct fft_number *line, *half;          /* [longest], [rows][kept] */
};

static struct rfft2d describe(const struct cpu_call *c)
{
    const struct tensor *x = c->node->in[PLANES], *y = c->node->out[0];
    struct rfft2d f = {.rows = (size_t)y->dim[y->rank - 2], .kept = (size_t)y->dim[y->rank - 1],
                       .in_rows = (size_t)x->dim[x->rank - 2], .in_cols = (size_t)x->dim[x->rank - 1]};

    f.cols = f.kept == 1 ? 1 : 2 * (f.kept - 1);
    f.longest = f.rows > f.cols ? f.rows : f.cols;
    f.table = c->packed;
    f.line = c->scratch;
    f.half = f.line ? f.line + f.longest : NULL;
    return f;
}

static enum status rfft2d_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct rfft2d f;
    enum status st;

    if (n->in[PLANES]->type != TYPE_FLOAT32)
        return cpu_bad_type(n, n->in[PLANES], err);
    if (n->out[0]->type != TYPE_COMPLEX64)
        return cpu_bad_type(n, n->out[0], err);
    if (!n->out[0]->bytes)
        return ST_OK;
    f = describe(c);
    if ((st = cpu_pack(c, fft_table_size(f.longest) * sizeof *f.table, err)))
        return st;
    fft_table(c->packed, f.longest);
    c->scratch_bytes = (f.longest + f.rows * f.kept) * sizeof *f.line;
    return ST_OK;
}

/* Planes are cropped to the transform's size, or have zeros after them. */
static void transform_rows(const struct rfft2d *f, const float *x)
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

static void transform_columns(const struct rfft2d *f, float *y)
{
    for (size_t col = 0; col < f->kept; col++) {
        for (size_t row = 0; row < f->rows; row++)
            f->line[row] = f->half[row * f->kept + col];
        fft(f->line, f->rows, f->table, f->longest);
        for (size_t row = 0; row < f->rows; row++) {
            y[2 * (row * f->kept + col)] = (float)f->line[row].re;
            y[2 * (row * f->kept + col) + 1] = (float)f->line[row].im;
        }
    }
}

static enum status rfft2d_run(struct cpu_call *c, struct err *err)
{
    const float *x = c->node->in[PLANES]->data;
    float *y = c->node->out[0]->data;
    const struct rfft2d f = describe(c);
    size_t planes = tensor_elems(c->node->out[0]) / (f.rows * f.kept);

    (void)err;
    for (size_t i = 0; i < planes; i++, x += f.in_rows * f.in_cols, y += 2 * f.rows * f.kept) {
        transform_rows(&f, x);
        transform_columns(&f, y);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_rfft2d = {.shape = rfft2d_shape, .prepare = rfft2d_prepare, .run = rfft2d_run};
