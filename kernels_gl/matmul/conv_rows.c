/* SPDX-License-Identifier: Apache-2.0 */
/* conv_rows.c - CONV_2D on GL by strips of a row; each input vector of a strip is read once for all taps. */
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv.h"
#include "lib/gl/codegen/shader.h"

#define PIXELS     8
#define MOST_READS 24 /* that are kept at a time */

static int32_t slices_of(const struct ir_op *op)
{
    return ir_slices(op->out->shape) == 1 ? 1 : 2;
}

/* Number of input vectors along a row that the windows of PIXELS pixels cover. */
static int64_t reads_of(const struct ir_window *w)
{
    return (PIXELS - 1) * (int64_t)w->stride_w + (w->kernel_w - 1) * (int64_t)w->dilation_w + 1;
}

static int32_t columns_of(const struct ir_op *op)
{
    return (op->out->shape.w - 1) / PIXELS + 1;
}

bool conv_fits_rows(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct conv *c = op->attr;
    const int64_t reads = reads_of(&c->win);

    return reads <= MOST_READS && reads < PIXELS * (int64_t)c->win.kernel_w && !c->tile && !c->parts.n && !conv_any_rows(op, lim) &&
           op->out->shape.w >= PIXELS && window_all_finite(c->w, conv_weights(op));
}

bool conv_rows_pay(const struct ir_op *op, const struct gl_limits *lim)
{
    const int64_t width = op->out->shape.w;

    return lim->policy.straight_code && conv_makes(op, CONV_HUGE) && PIXELS * (int64_t)columns_of(op) <= width + width / 8;
}

/* Slices of a pixel after each other. */
static void define_sums(struct gl_shader *p, int slices)
{
    struct text *t = &p->defines;

    text_add(t, "#define EACH_SUM(F) ");
    for (int i = 0; i < PIXELS * slices; i++)
        text_add(t, "F(%d, %d, sum%d, start%d) ", i / slices, i % slices, i, i % slices);
    text_add(t, "\n");
}

static void define_products(struct gl_shader *p, const struct ir_window *w, int slices)
{
    struct text *t = &p->defines;

    text_add(t, "#define ADD_ALL ");
    for (int tap = 0; tap < w->kernel_w; tap++)
        for (int k = 0; k < slices; k++) {
            text_add(t, "TAKE(%d, weights%d) ", tap, k);
            for (int i = 0; i < PIXELS; i++)
                text_add(t, "ADD(sum%d, v%d) ", i * slices + k, i * (int)w->stride_w + tap * (int)w->dilation_w);
            text_add(t, "END ");
        }
    text_add(t, "\n");
}

void conv_emit_rows(struct gl_shader *p, const struct ir_op *op)
{
    const struct conv *c = op->attr;
    const struct ir_shape y = op->out->shape;
    const int32_t slices = slices_of(op);

    gl_source_with(p, window_reads_comp, conv_rows_comp);
    conv_bind(p, op, 0);
    gl_define_text(p, "ADDS_BIAS", "true");
    GL_DEFINES(p, "PIXELS SLICES TAPS_W STEP_W", PIXELS, slices, c->win.kernel_w, c->win.stride_w);
    gl_define_named(p, "EACH_SLICE", slices, "weights start");
    gl_define_named(p, "EACH_READ", (int32_t)reads_of(&c->win), "v column has_column");
    define_sums(p, slices);
    define_products(p, &c->win, slices);
    gl_grid_of(p, y.b, y.h, columns_of(op), (ir_slices(y) + slices - 1) / slices);
}

uint64_t conv_rows(const struct ir_op *op)
{
    return GL_PASSES((uint64_t)((const struct conv *)op->attr)->win.kernel_h, (uint64_t)ir_slices(op->in[0]->shape));
}
