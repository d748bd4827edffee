/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid_rows.c - see exact_hybrid_rows.h */
#include "kernels_gl/matmul/exact_hybrid_rows.h"

#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/matmul/exact_hybrid.h"

struct ir_op *ir_exact_hybrid_rows(struct ir *ir, struct ir_value *x, const struct tensor *w, const struct tensor *bias,
                                   bool asymmetric, struct ir_value *y)
{
    const size_t rows = (size_t)w->dim[0];
    const struct exact_weights weights = exact_weights_of_rows(w->is_const ? w->data : NULL, TYPE_INT8, rows, (size_t)w->dim[1]);
    const struct exact_requant q = exact_requant_hybrid(w, bias, rows);
    const struct tensor *behind = bias && !q.bias ? bias : NULL;
    struct exact_values in = {0};
    struct hybrid_value v;

    if (!x || !y || !ir_exact_hybrid(ir, x, true, asymmetric, &v) || (!w->is_const && !(in.filter = exact_filter_of(ir, w))))
        return NULL;
    in.steps = v.steps;
    return exact_add_bias(ir, behind, ir_exact_rows(ir, v.q, &in, 0, &weights, &q, exact_without_bias(ir, behind, y)), y);
}
