/* SPDX-License-Identifier: Apache-2.0 */
/* scatter_sort.c - sorts the destinations of rows, so that an element of the result finds its rows without searching all.
 *
 * Each row gives a pair of its destination and its number. Short runs are sorted by counting, then merged two by two: each pair
 * finds its place in the other run by bisection. The order is the same every time, whatever runs first. */
#include "kernels_gl/ops/scatter.h"

#define SHORT_RUN 64

struct sorting {
    struct scatter scatter; /* of the first step */
    int32_t run;            /* rows of a run that is made, or of those that are merged */
    bool merges;
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct sorting *t = op->attr;

    gl_source_with(p, scatter_place_comp, scatter_sort_comp);
    GL_DEFINES(p, "MERGES DEPTH", t->merges, t->merges ? 0 : t->scatter.depth);
    for (int32_t i = 0; !t->merges && i < t->scatter.depth; i++)
        scatter_define_extent(p, &t->scatter, i);
    gl_param(p, "RUN", t->run);
    gl_operands(p, "at");
}

static uint64_t iterations(const struct ir_op *op)
{
    (void)op;
    return GL_PASSES(SHORT_RUN);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_scatter_sort = {.name = "scatter_sort", GL_VARIANTS(variants)};

static struct ir_value *step(struct ir *ir, struct ir_value *x, const struct sorting *t)
{
    struct ir_value *y = ir_temp(ir, IR_INT, (struct ir_shape){1, 1, x->shape.w, 2});
    return y && ir_op_with(ir, &gl_kind_scatter_sort, IR_INS(x), y, t, sizeof *t) ? y : NULL;
}

struct ir_value *scatter_sorted(struct ir *ir, struct ir_value *at, const struct scatter *t)
{
    struct sorting sorting = {.scatter = *t, .run = SHORT_RUN};
    struct ir_value *y = step(ir, at, &sorting);

    sorting.merges = true;
    for (int64_t run = SHORT_RUN; y && run < at->shape.w; run *= 2) {
        sorting.run = (int32_t)run;
        y = step(ir, y, &sorting);
    }
    return y;
}
