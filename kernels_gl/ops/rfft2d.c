/* SPDX-License-Identifier: Apache-2.0 */
/* rfft2d.c - RFFT2D: products of rows, and then of columns, with the matrices of the transform. */

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/ops/complex.h"
#include "kernels_gl/ops/fourier.h"

/* Rows of real numbers become their transform: the real parts first, then the imaginary ones; from number `first` of these on. */
struct along_rows {
    int32_t n, kept, first;
};

static double row_weight(const void *arg, int32_t i, int32_t k)
{
    const struct along_rows *a = arg;
    const int64_t at = (int64_t)((a->first + i) % a->kept) * k;

    return a->first + i < a->kept ? fourier_cos(at, a->n) : -fourier_sin(at, a->n);
}

static struct ir_value *transform_rows(struct ir *ir, struct ir_value *x, struct along_rows a, int32_t out)
{
    return x ? fourier_product(ir, x, row_weight, &a, ir_temp_full(ir, IR_FLOAT, ir_with(x->shape, 3, out))) : NULL;
}

/* Columns of such become the real or the imaginary parts of theirs. They are `given` long; zeros follow. */
struct along_columns {
    int32_t n, given;
    bool imaginary;
};

static double column_weight(const void *arg, int32_t i, int32_t k)
{
    const struct along_columns *a = arg;
    const int64_t at = (int64_t)(k % a->given) * i;
    const bool of_imaginary = k >= a->given;

    if (a->imaginary == of_imaginary)
        return fourier_cos(at, a->n);
    return of_imaginary ? fourier_sin(at, a->n) : -fourier_sin(at, a->n);
}

static struct ir_value *transform_columns(struct ir *ir, struct ir_value *x, struct ir_shape y, int32_t given, bool imaginary)
{
    const struct along_columns a = {y.w, given, imaginary};
    struct ir_value *t = ir_temp_full(ir, IR_FLOAT, (struct ir_shape){1, y.h, y.c, y.w});

    return fourier_turn(ir, fourier_product(ir, x, column_weight, &a, t), y.c, 1, y.w);
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static struct ir_value *lower(struct ir *ir, const struct node *n, struct ir_value **high)
{
    const struct ir_shape in = fourier_planes(n->in[0]), y = fourier_planes(n->out[0]);
    const int32_t width = (int32_t)tensor_int(n->in[1], 1), rows = smaller(in.w, y.w);
    struct ir_value *x = fourier_crop(ir, ir_reshaped(ir, ir_in(ir, n, 0), in), rows, smaller(in.c, width)), *re, *im;
    struct ir_shape shape;

    if (y.w == 1) {
        re = transform_rows(ir, x, (struct along_rows){width, y.c, 0}, y.c);
        im = transform_rows(ir, x, (struct along_rows){width, y.c, y.c}, y.c);
    } else {
        x = fourier_turn(ir, transform_rows(ir, x, (struct along_rows){width, y.c, 0}, 2 * y.c), rows, 2, y.c);
        re = transform_columns(ir, x, y, rows, false);
        im = transform_columns(ir, x, y, rows, true);
    }
    if (!re || !im || !ir_shape_of(n->out[0], &shape))
        return NULL;
    return complex_words(ir, ir_reshaped(ir, re, shape), ir_reshaped(ir, im, shape), high);
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return fourier_accept(n, TYPE_FLOAT32, TYPE_COMPLEX64, why);
}

const struct gl_kernel gl_rfft2d = {
    .max_version = 1, .in_types = TAKES_FLOAT | TAKES_INT, .accept = accept, .int64 = INT64_ASKS(lower, IR_TAKES_INT64)};
