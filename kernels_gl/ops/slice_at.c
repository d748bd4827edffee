/* SPDX-License-Identifier: Apache-2.0 */
/* slice_at.c - SLICE and STRIDED_SLICE whose begin is computed at run time: see slice.h. */
#include "kernels_gl/ops/slice.h"

#include "kernels_gl/common/data_movement.h"

/* Attributes: `axis` from the innermost dimension; `whole`: move whole vectors along the channels. */
struct place {
    int32_t rank;
    bool whole;
    struct slice_axis axis[TENSOR_MAX_RANK];
    int32_t step[TENSOR_MAX_RANK];
};

static void define_axes(struct gl_shader *p, const struct place *t)
{
    struct gl_row rows[TENSOR_MAX_RANK];

    for (int32_t i = t->whole; i < t->rank; i++) {
        const struct slice_axis *a = &t->axis[i];

        rows[i - t->whole] = (struct gl_row){
            {a->count, a->stride * t->step[i], t->step[i], a->entry, a->negative, a->low, a->high}};
    }
    gl_define_rows(p, "EACH_AXIS", 'A', rows, t->rank - t->whole, 7);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct place *t = op->attr;

    gl_source(p, slice_at_comp);
    gl_define_types(p, op->stores);
    gl_define(p, "WHOLE", t->whole);
    define_axes(p, t);
    gl_operands(p, "x begin");
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_slice_at = {.name = "slice_at", GL_VARIANTS(variants)};

static bool is_whole(const struct slice_axis *a, int32_t length)
{
    return a->entry < 0 && a->stride == 1 && a->low == 0 && a->count == length;
}

bool slice_at(struct ir *ir, struct ir_value *x, struct ir_value *begin, int32_t rank, const int32_t *dim,
              const struct slice_axis *axis, struct ir_value *y)
{
    struct ir_op *op = x && begin && y ? ir_op_new(ir, &gl_kind_slice_at, IR_INS(x, begin), y, sizeof(struct place)) : NULL;
    int32_t step = 1;
    struct place *t;

    if (!op)
        return false;
    t = op->attr;
    t->rank = rank;
    t->whole = rank > 0 && is_whole(&axis[rank - 1], dim[rank - 1]) && x->shape.c == dim[rank - 1] && y->shape.c == dim[rank - 1];
    for (int32_t i = 0; i < rank; i++) {
        t->axis[i] = axis[rank - 1 - i];
        t->step[i] = step;
        step *= t->whole && i == 0 ? 1 : dim[rank - 1 - i];
    }
    return true;
}
