/* SPDX-License-Identifier: Apache-2.0 */
/* strided.c - a copy along any number of axes in one dispatch.
 *
 * An axis of evenly spaced indices has its step as a uniform, others a table of indices. Axes that are adjacent in input and output
 * are merged. */
#include "kernels_gl/common/strided.h"

#include <stdio.h>

#include "kernels_gl/common/operands.h"

/* One axis of the output, from the innermost. */
struct step {
    int32_t extent, step; /* elements or pixels of the input */
    const int32_t *at;    /* what to multiply by `step`; NULL: evenly spaced */
};

struct steps {
    struct step axis[TENSOR_MAX_RANK];
    int32_t n, begin;
};

static bool evenly_spaced(const int32_t *at, int32_t n)
{
    for (int32_t k = 2; k < n; k++)
        if (at[k] - at[k - 1] != at[1] - at[0])
            return false;
    return true;
}

/* Elements of the input that one step along its axis passes, in units of those of axis `last`. */
static int32_t stride(const struct axis_gather *g, int32_t axis, int32_t last)
{
    int32_t all = 1;

    while (++axis <= last)
        all *= g->x[axis];
    return all;
}

static struct step step_of(const struct axis_gather *g, int32_t i, int32_t last, int32_t *begin)
{
    struct step s = {g->y[i], stride(g, g->axis[i], last), g->at[i]};

    if (s.at && evenly_spaced(s.at, s.extent)) {
        *begin += s.at[0] * s.step;
        s.step *= s.extent > 1 ? s.at[1] - s.at[0] : 0;
        s.at = NULL;
    }
    return s;
}

/* Along the axes up to `last`. */
static struct steps steps_of(const struct axis_gather *g, int32_t last)
{
    struct steps all = {.n = 0};

    for (int32_t i = last; i >= 0; i--) {
        struct step s = step_of(g, i, last, &all.begin), *inner = all.n ? &all.axis[all.n - 1] : NULL;

        if (s.extent == 1 && !s.at)
            continue;
        if (inner && !inner->at && !s.at && s.step == inner->step * inner->extent)
            inner->extent *= s.extent;
        else
            all.axis[all.n++] = s;
    }
    return all;
}

/* Channels stay channels in the same lanes, slice after slice. */
static bool keeps_slices(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct axis_gather *g = op->attr;
    int32_t c = g->rank - 1;

    (void)lim;
    if (g->axis[c] != c || op->in[0]->shape.c != g->x[c] || op->out->shape.c != g->y[c])
        return false;
    for (int32_t k = 0; g->at[c] && k < g->y[c]; k++)
        if (g->at[c][k] != g->at[c][0] + k || g->at[c][0] % 4)
            return false;
    return true;
}

/* The tables of all axes that have one, one after the other. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct steps *all = arg;
    int32_t *out = to, k = (int32_t)first;

    for (size_t i = 0; i < n; i++, k++) {
        int32_t axis = 0, rest = k;

        while (!all->axis[axis].at || rest >= all->axis[axis].extent) {
            rest -= all->axis[axis].at ? all->axis[axis].extent : 0;
            axis++;
        }
        *out++ = all->axis[axis].at[rest] * all->axis[axis].step;
        for (int lane = 1; lane < 4; lane++)
            *out++ = 0;
    }
}

static void define_axis(struct gl_shader *p, int32_t i, const struct step *s, int32_t table)
{
    char name[16], extent[24], by[24], text[64];

    snprintf(name, sizeof name, "AXIS%d", i);
    snprintf(extent, sizeof extent, "EXTENT%d", i);
    snprintf(by, sizeof by, "%s%d", s->at ? "TABLE" : "STEP", i);
    snprintf(text, sizeof text, "%s(%s, %s)", s->at ? "PICK" : "STEP", extent, by);
    gl_define_text(p, name, text);
    gl_param(p, extent, s->extent);
    gl_param(p, by, s->at ? table : s->step);
}

static void emit(struct gl_shader *p, const struct ir_op *op, struct steps all)
{
    int32_t table = 0;

    gl_source(p, strided_comp);
    gl_define_types(p, op->stores);
    gl_define(p, "AXES", all.n);
    gl_param(p, "BEGIN", all.begin);
    gl_operands(p, "x");
    for (int32_t i = 0; i < all.n; i++) {
        define_axis(p, i, &all.axis[i], table);
        table += all.axis[i].at ? all.axis[i].extent : 0;
    }
    if (table)
        gl_table(p, "t", (size_t)table, pack, &all, sizeof all);
}

static void emit_slices(struct gl_shader *p, const struct ir_op *op)
{
    const struct axis_gather *g = op->attr;
    int32_t c = g->rank - 1;

    gl_define(p, "SLICES", 1);
    gl_param(p, "FIRST_SLICE", g->at[c] ? g->at[c][0] / 4 : 0);
    emit(p, op, steps_of(g, c - 1));
}

static void emit_elements(struct gl_shader *p, const struct ir_op *op)
{
    const struct axis_gather *g = op->attr;

    emit(p, op, steps_of(g, g->rank - 1));
}

static const struct gl_variant variants[] = {
    {"slices", keeps_slices, emit_slices, .iterations = gl_unrolled},
    {"elements", NULL, emit_elements, .iterations = gl_unrolled},
};

const struct ir_kind gl_kind_strided = {.name = "strided", .moves = true, .constants = 1, GL_VARIANTS(variants)};

struct ir_op *ir_strided(struct ir *ir, struct ir_value *x, const struct axis_gather *gather, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_strided, IR_INS(x), y, gather, sizeof *gather);
}
