/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_diag.c - MATRIX_DIAG and MATRIX_SET_DIAG: matrices seen as [1, how many, rows, columns], diagonals as a row for each. */
#include "kernels_gl/common/data_movement.h"

/* in: diagonals, and matrices where there are some. */
static void emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, matrix_diag_comp);
    gl_define_types(p, op->stores);
    gl_operands(p, "diagonal m");
    if (op->n_in > 1)
        gl_define(p, "INTO", 1);
}

static const struct gl_variant variants[] = {{"rows", NULL, emit}};
const struct ir_kind gl_kind_matrix_diag = {.name = "matrix_diag", .moves = true, GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const uint32_t inputs = n->builtin == BUILTIN_MATRIX_DIAG ? 1 : 2;

    return gl_one_type(n, 0, inputs, why) && gl_storable(lim, n, 0, inputs, why);
}

/* No extent overflows: the elements of a stored tensor do not. */
static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *t = n->out[0], *d = n->in[n->n_in - 1];
    const int32_t rows = t->dim[t->rank - 2], columns = t->dim[t->rank - 1], length = d->dim[d->rank - 1];
    const int32_t matrices = (int32_t)(tensor_elems(t) / (size_t)rows / (size_t)columns);
    const struct ir_shape all = {1, matrices, rows, columns};
    struct ir_value *diagonal = ir_reshaped(ir, ir_in(ir, n, n->n_in - 1), (struct ir_shape){1, 1, matrices, length});
    struct ir_value *y = ir_out(ir, n, 0), *natural = ir_begin_reshape(ir, y, all), *m = NULL;

    if (n->n_in > 1 && !(m = ir_reshaped(ir, ir_in(ir, n, 0), all)))
        return ir_nomem(err);
    return ir_op_new(ir, &gl_kind_matrix_diag, (struct ir_value *[]){diagonal, m}, n->n_in, natural, 0) &&
                   ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_matrix_diag = {
    .max_version = 1, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept, .lower = lower};
const struct gl_kernel gl_matrix_set_diag = {.max_version = 1, MOVES_ANY, .accept = accept, .lower = lower};
