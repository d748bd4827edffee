/* SPDX-License-Identifier: Apache-2.0 */
/* resize.c - RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
 *
 * The host computes the input position of each output row and column by the CPU's formulas, so that no rounding of the device can
 * select another pixel. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/kinds.h"

/* Points of input and output that coincide: the corner pixels, else the centers of pixels, else their upper left corners. */
struct resize_points {
    bool align_corners, half_pixel_centers;
};

static int32_t clamp(float at, int32_t length)
{
    return at < 0 ? 0 : at < (float)length ? (int32_t)at : length - 1;
}

static float scale_of(struct resize_points p, int32_t in, int32_t out)
{
    return p.align_corners && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
}

/* ---- RESIZE_BILINEAR ---- */

static int32_t within(int64_t at, int32_t length)
{
    return at < 0 ? 0 : at < length ? (int32_t)at : length - 1;
}

/* Store the tap of output position i of `out`: t[0] and t[1], the two of `in` input positions around it, t[2] the distance from
 * t[0], t[3] 0. Fixed: t[2] has ten fractional bits, and scale and offset are rounded; float: t[2] is the bits of a float. */
static void resize_fixed_tap(struct resize_points p, int32_t in, int32_t out, int32_t i, int32_t t[4])
{
    const bool corners = p.align_corners && out > 1;
    const int64_t from = corners ? in - 1 : in, to = corners ? out - 1 : out, scale = (1024 * from + to / 2) / to;
    const int64_t at = i * scale + (p.half_pixel_centers ? scale / 2 - 512 : 0);

    t[0] = within(at / 1024, in);
    t[1] = within((at + 1023) / 1024, in);
    t[2] = (int32_t)(at - 1024 * (int64_t)t[0]);
    t[3] = 0;
}

static void resize_float_tap(struct resize_points p, int32_t in, int32_t out, int32_t i, int32_t t[4])
{
    const float scale = scale_of(p, in, out);
    const float at = p.half_pixel_centers ? ((float)i + 0.5f) * scale - 0.5f : (float)i * scale;
    float along;

    t[0] = clamp(floorf(at), in);
    t[1] = clamp(ceilf(at), in);
    along = at - (float)t[0];
    memcpy(&t[2], &along, sizeof along);
    t[3] = 0;
}

/* Those of the rows, then those of the columns. */
static void pack_taps(const void *arg, size_t first, size_t n, void *to)
{
    const struct ir_op *op = *(const struct ir_op *const *)arg;
    const struct resize_points *points = op->attr;
    struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    int32_t *t = to;

    for (int32_t i = (int32_t)first; i < (int32_t)(first + n); i++, t += 4)
        if (i < y.h)
            resize_float_tap(*points, x.h, y.h, i, t);
        else
            resize_float_tap(*points, x.w, y.w, i - y.h, t);
}

static void bilinear_emit(struct gl_shader *p, const struct ir_op *op)
{
    struct ir_shape y = op->out->shape;

    gl_source(p, resize_bilinear_comp);
    gl_table(p, "taps", (size_t)y.h + (size_t)y.w, pack_taps, &op, sizeof op);
    gl_operands(p, "x");
    gl_grid(p, y);
}

static const struct gl_variant bilinear_variants[] = {
    {"4 taps", NULL, bilinear_emit},
};

static bool is_mean(const struct ir_op *op)
{
    (void)op;
    return true;
}

static bool blend(const struct ir_op *op, struct ir_blend *b)
{
    const struct resize_points p = *(const struct resize_points *)op->attr;
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;

    *b = (struct ir_blend){p.half_pixel_centers ? 0.5f : 0, {x.h, scale_of(p, x.h, y.h)}, {x.w, scale_of(p, x.w, y.w)}};
    return true;
}

const struct ir_kind gl_kind_bilinear = {.name = "resize_bilinear",
                                         .constants = 1,
                                         GL_VARIANTS(bilinear_variants),
                                         .halves = true,
                                         IR_TRAITS(.is_mean = is_mean, .blend = blend)};

static enum status bilinear_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_resize_bilinear *o = n->opt;
    return ir_op_with(ir, &gl_kind_bilinear, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0),
                      IR_ATTR(struct resize_points, o->align_corners, o->half_pixel_centers))
               ? ST_OK
               : ir_nomem(err);
}

/* ---- RESIZE_NEAREST_NEIGHBOR: an axis gather ---- */

static const int32_t *nearest(struct ir *ir, struct resize_points p, int32_t in, int32_t out)
{
    int32_t *at = ARENA_ARRAY(ir->arena, (size_t)out, int32_t);
    float scale = scale_of(p, in, out), offset = p.half_pixel_centers ? 0.5f : 0.0f;

    for (int32_t i = 0; at && i < out; i++) {
        float pos = ((float)i + offset) * scale;

        at[i] = clamp(p.align_corners ? roundf(pos) : floorf(pos), in);
    }
    return at;
}

static enum status nearest_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_resize_nearest_neighbor *o = n->opt;
    const struct resize_points p = {o->align_corners, o->half_pixel_centers};
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct axis_gather gather = axis_gather_of(4, n->in[0]->dim, n->out[0]->dim);

    if (!x || !y || !(gather.at[1] = nearest(ir, p, x->shape.h, y->shape.h)) ||
        !(gather.at[2] = nearest(ir, p, x->shape.w, y->shape.w)))
        return ir_nomem(err);
    return ir_axis_gather(ir, x, &gather, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_resize_bilinear = {.max_version = 4, .accept = gl_accept_alike, .lower = bilinear_lower};
const struct gl_kernel gl_resize_nearest_neighbor = {.max_version = 4,
                                                     .quantized = TAKES_QUANTIZED,
                                                     .in_types = TAKES_BITS,
                                                     .out_types = TAKES_BITS,
                                                     .accept = gl_accept_alike,
                                                     .lower = nearest_lower};

/* ---- RESIZE_BILINEAR of integers: INT8 and INT16 in fixed point, UINT8 in floats in the CPU's order ---- */

struct exact_resize {
    struct resize_points points;
    bool fixed, wide; /* wide: of 16 bits, whose weighted sums leave 32 */
};

/* Those of the rows, then those of the columns. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct ir_op *op = *(const struct ir_op *const *)arg;
    const struct exact_resize *r = op->attr;
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;
    int32_t *t = to;

    for (size_t k = first; k < first + n; k++, t += 4) {
        const bool row = k < (size_t)y.h;
        const int32_t i = (int32_t)(row ? k : k - (size_t)y.h), in = row ? x.h : x.w, out = row ? y.h : y.w;

        (r->fixed ? resize_fixed_tap : resize_float_tap)(r->points, in, out, i, t);
    }
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_resize *r = op->attr;
    const struct ir_shape y = op->out->shape;

    gl_source_with(p, exact_rounded_comp, exact_resize_comp);
    gl_table(p, "taps", (size_t)y.h + (size_t)y.w, pack, &op, sizeof op);
    GL_DEFINES(p, "FIXED WIDE", r->fixed, r->wide);
    gl_operands(p, "x");
    gl_grid(p, y);
}

static const struct gl_variant variants[] = {{"4 taps", NULL, emit}};
const struct ir_kind gl_kind_exact_resize = {.name = "exact_resize", .constants = 1, GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return n->op->gl->accept(lim, n, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_resize_bilinear *o = n->opt;
    return ir_op_with(ir, &gl_kind_exact_resize, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0),
                      IR_ATTR(struct exact_resize, {o->align_corners, o->half_pixel_centers}, n->in[0]->type != TYPE_UINT8,
                              n->in[0]->type == TYPE_INT16))
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_exact_resize = {
    .max_version = 4, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};
