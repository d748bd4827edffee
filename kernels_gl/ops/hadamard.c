/* SPDX-License-Identifier: Apache-2.0 */
/* hadamard.c - aeq.hadamard_rotation: pieces of each row times a Hadamard matrix, scaled to be orthogonal. */
#include <math.h>

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/ops/fourier.h"
#include "lib/base/flexbuffer.h"

/* 0 where the options cannot be read; the CPU's kernel says why then. */
static int32_t size_of(const struct node *n)
{
    struct flex_map m;

    return flex_open(n->custom, n->n_custom, &m, NULL) ? 0 : flex_int(&m, "hadamard_size", 0);
}

static double weight(const void *arg, int32_t i, int32_t k)
{
    return __builtin_parity((unsigned)(i & k)) ? -*(const double *)arg : *(const double *)arg;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const int32_t size = size_of(n);

    (void)lim;
    if (!gl_runtime(n, 0, "input", why))
        return false;
    if (size < 1 || (size & (size - 1)) || n->in[0]->dim[n->in[0]->rank - 1] % size)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "a Hadamard matrix of size %d for rows of %d", size,
                          n->in[0]->dim[n->in[0]->rank - 1]);
    if (size > FOURIER_LONGEST)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "a Hadamard matrix of size %d, at most %d are supported", size,
                          FOURIER_LONGEST);
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const int32_t size = size_of(n);
    const struct ir_shape pieces = {1, 1, (int32_t)(tensor_elems(n->in[0]) / (size_t)size), size};
    const double norm = 1 / sqrt(size);
    struct ir_value *y = ir_out(ir, n, 0), *x = ir_reshaped(ir, ir_in(ir, n, 0), pieces);

    x = fourier_product(ir, x, weight, &norm, ir_temp(ir, IR_FLOAT, pieces));
    return y && x && ir_copy(ir, ir_reshaped(ir, x, y->shape), y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_hadamard_rotation = {.max_version = 1, .accept = accept, .lower = lower};
