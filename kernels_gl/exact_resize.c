/* SPDX-License-Identifier: Apache-2.0 */
/* exact_resize.c - RESIZE_BILINEAR of bytes: INT8 with ten fractional bits in integers, UINT8 in floats in the CPU's order, as
 * TFLite has it. */
#include <math.h>
#include <string.h>

#include "kinds.h"

struct exact_resize {
    bool align_corners, half_pixel_centers, fixed;
};

static int32_t within(int64_t at, int32_t length)
{
    return at < 0 ? 0 : at < length ? (int32_t)at : length - 1;
}

/* The two positions between which output position i falls, and how far along: by 1024, or as the bits of a float. */
static void fixed_tap(const struct exact_resize *r, int32_t in, int32_t out, int32_t i, int32_t t[4])
{
    const bool corners = r->align_corners && out > 1;
    const int64_t from = corners ? in - 1 : in, to = corners ? out - 1 : out, scale = (1024 * from + to / 2) / to;
    const int64_t at = i * scale + (r->half_pixel_centers ? scale / 2 - 512 : 0);

    t[0] = within(at / 1024, in);
    t[1] = within((at + 1023) / 1024, in);
    t[2] = (int32_t)(at - 1024 * (int64_t)t[0]);
}

static void float_tap(const struct exact_resize *r, int32_t in, int32_t out, int32_t i, int32_t t[4])
{
    const float scale = r->align_corners && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
    const float at = r->half_pixel_centers ? ((float)i + 0.5f) * scale - 0.5f : (float)i * scale;
    float along;

    t[0] = within((int64_t)floorf(at), in);
    t[1] = within((int64_t)ceilf(at), in);
    along = at - (float)t[0];
    memcpy(&t[2], &along, sizeof along);
}

/* Those of the rows, then those of the columns. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct ir_op *op = *(const struct ir_op *const *)arg;
    const struct exact_resize *r = op->attr;
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    int32_t *t = to;

    memset(to, 0, 16 * n);
    for (size_t k = first; k < first + n; k++, t += 4) {
        const bool row = k < (size_t)y.h;
        const int32_t i = (int32_t)(row ? k : k - (size_t)y.h), in = row ? x.h : x.w, out = row ? y.h : y.w;

        (r->fixed ? fixed_tap : float_tap)(r, in, out, i, t);
    }
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct ir_shape y = op->out->shape;

    gl_source(p, exact_resize_comp);
    gl_table(p, "taps", (size_t)y.h + (size_t)y.w, pack, &op, sizeof op);
    gl_define(p, "FIXED", ((const struct exact_resize *)op->attr)->fixed);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    gl_grid(p, y);
}

static const struct gl_variant variants[] = {{"4 taps", NULL, emit}, {NULL}};
const struct ir_kind gl_kind_exact_resize = {.name = "exact_resize", .constants = 1, .variants = variants};

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    if (!n->op->gl->accept(lim, g, n, why))
        return false;
    /* A product fused into a sum would round once where the CPU rounds twice. */
    if (n->in[0]->type == TYPE_UINT8 && !lim->precise)
        return reason_set(why, REASON_DEVICE_LIMIT,
                          "UINT8 is interpolated in floats, and the driver lacks GL_EXT_gpu_shader5 "
                          "(precise), which keeps them as they are written");
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_resize_bilinear *o = n->opt;
    struct ir_op *op = ir_op_new(ir, &gl_kind_exact_resize, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof(struct exact_resize));

    if (!op)
        return ir_nomem(err);
    *(struct exact_resize *)op->attr = (struct exact_resize){o->align_corners, o->half_pixel_centers, n->in[0]->type == TYPE_INT8};
    return ST_OK;
}

const struct gl_kernel gl_exact_resize = {
    .max_version = 4, .in_types = TAKES_8BIT, .out_types = TAKES_8BIT, .accept = accept, .lower = lower};
