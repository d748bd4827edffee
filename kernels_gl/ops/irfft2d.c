/* SPDX-License-Identifier: Apache-2.0 */
/* irfft2d.c - IRFFT2D: products of columns, and then of rows, with the matrices of the transform.
 *
 * Of columns that are their own mirror image (the first, and the last of an even width) the upper half alone counts, so these have
 * a matrix of their own. */

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/ops/complex.h"
#include "kernels_gl/ops/fourier.h"

enum part { REAL, IMAGINARY, REAL_OF_MIRRORED };

/* Of columns, `given` real and then as many imaginary parts, that part of the transform. */
struct along_columns {
    int32_t n, given;
    enum part part;
};

static double column_weight(const void *arg, int32_t i, int32_t k)
{
    const struct along_columns *a = arg;
    const int32_t row = k % a->given;
    const int64_t at = (int64_t)row * i;
    const bool of_imaginary = k >= a->given;

    if (a->part == REAL_OF_MIRRORED) {
        if (row > a->n / 2)
            return 0;
        if (row == 0 || row == a->n / 2)
            return of_imaginary ? 0 : fourier_cos(at, a->n);
        return 2 * (of_imaginary ? -fourier_sin(at, a->n) : fourier_cos(at, a->n));
    }
    if ((a->part == IMAGINARY) == of_imaginary)
        return fourier_cos(at, a->n);
    return of_imaginary ? -fourier_sin(at, a->n) : fourier_sin(at, a->n);
}

/* Rows of `given` real and as many imaginary parts become real ones. */
struct along_rows {
    int32_t n, given;
    double scale;
};

static double row_weight(const void *arg, int32_t i, int32_t k)
{
    const struct along_rows *a = arg;
    const int32_t col = k % a->given;
    const double scale = a->scale * (col == 0 || col == a->n / 2 ? 1 : 2);

    return k < a->given ? scale * fourier_cos((int64_t)col * i, a->n) : -scale * fourier_sin((int64_t)col * i, a->n);
}

/* x: [1, planes, columns, real parts of rows and their imaginary ones]. */
static struct ir_value *transform_columns(struct ir *ir, struct ir_value *x, int32_t given, int32_t rows, enum part part)
{
    const struct along_columns a = {rows, given, part};

    return x ? fourier_product(ir, x, column_weight, &a, ir_temp_full(ir, IR_FLOAT, ir_with(x->shape, 3, rows))) : NULL;
}

/* The columns of a plane that is `cols` wide which are their own mirror image. */
static struct ir_value *mirrored(struct ir *ir, struct ir_value *all, struct ir_value *those, int32_t cols)
{
    float *is_mirrored = all ? ARENA_ARRAY(ir->arena, (size_t)all->shape.w, float) : NULL;
    struct ir_value *y = all ? ir_temp_full(ir, IR_FLOAT, all->shape) : NULL, *mask;

    if (!is_mirrored || !y || !those)
        return NULL;
    is_mirrored[0] = 1;
    if (cols / 2 < all->shape.w)
        is_mirrored[cols / 2] = 1;
    mask = ir_const(ir, IR_BOOL, (struct ir_shape){1, 1, all->shape.w, 1}, is_mirrored);
    return mask && ir_map(ir, &fn_select, (struct ir_value *[3]){mask, those, all}, NULL, y) ? y : NULL;
}

static struct ir_value *joined(struct ir *ir, struct ir_value *a, struct ir_value *b)
{
    struct ir_value *y = a && b ? ir_temp_full(ir, IR_FLOAT, ir_with(a->shape, 3, 2 * a->shape.c)) : NULL;

    return y && ir_concatenate(ir, (struct ir_value *[]){a, b}, 2, 3, y) ? y : NULL;
}

static struct ir_value *part_of(struct ir *ir, const struct node *n, bool imaginary, int32_t rows, int32_t kept)
{
    return fourier_crop(ir, ir_reshaped(ir, complex_part(ir, n->in[0], imaginary), fourier_planes(n->in[0])), rows, kept);
}

/* Both parts, transformed along the columns. */
static struct ir_value *transformed(struct ir *ir, struct ir_value *re, struct ir_value *im, int32_t rows, int32_t cols)
{
    const int32_t given = re ? re->shape.w : 1, kept = re ? re->shape.c : 1;
    struct ir_value *x = joined(ir, fourier_turn(ir, re, given, 1, kept), fourier_turn(ir, im, given, 1, kept));
    struct ir_value *all = transform_columns(ir, x, given, rows, REAL);

    all = mirrored(ir, all, transform_columns(ir, x, given, rows, REAL_OF_MIRRORED), cols);
    return joined(ir, fourier_turn(ir, all, kept, 1, rows),
                  fourier_turn(ir, transform_columns(ir, x, given, rows, IMAGINARY), kept, 1, rows));
}

static struct ir_value *lower(struct ir *ir, const struct node *n, struct ir_value **high)
{
    const struct ir_shape in = fourier_planes(n->in[0]), y = fourier_planes(n->out[0]);
    const int32_t kept = y.c / 2 + 1 < in.c ? y.c / 2 + 1 : in.c, given = in.w < y.w ? in.w : y.w;
    const struct along_rows a = {y.c, kept, 1 / ((double)y.w * (double)y.c)};
    struct ir_value *re = part_of(ir, n, false, given, kept), *im = part_of(ir, n, true, given, kept), *t;
    struct ir_shape shape;

    (void)high;
    t = y.w == 1 ? joined(ir, re, im) : transformed(ir, re, im, y.w, y.c);
    t = fourier_product(ir, t, row_weight, &a, ir_temp_full(ir, IR_FLOAT, y));
    return t && ir_shape_of(n->out[0], &shape) ? ir_reshaped(ir, t, shape) : NULL;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return fourier_accept(n, TYPE_COMPLEX64, TYPE_FLOAT32, why);
}

const struct gl_kernel gl_irfft2d = {
    .max_version = 1, .in_types = TAKES_INT, .accept = accept, .int64 = INT64_ASKS(lower, IR_TAKES_INT64)};
