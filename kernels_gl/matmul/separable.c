/* SPDX-License-Identifier: Apache-2.0 */
/* separable.c - see separable.h */
#include "kernels_gl/matmul/separable.h"

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv_common.h"
#include "lib/gl/lower/activation.h"
#include "lib/gl/passes/choose.h"

#define MOST_SLICES   8     /* of output, whose sums an invocation has for each of its pixels */
#define MOST_TAPS     9     /* of a window: more make a longer program */
#define LEAST_TILES   64    /* of 2x2, below which lanes are idle */
#define WORTH_A_SLICE 30000 /* pixels times slices between the two that make up for compiling one of output */

struct separable {
    struct ir_op *first, *product; /* the two convolutions as they are apart; the second without epilogues */
};

/* Return true if the function maps zeros, in channels beyond the last one, to finite values. */
static bool is_function_between(const struct ir_epilogue *e)
{
    return !e || (!e->next && (e->fn == &fn_relu || e->fn == &fn_relu6 || e->fn == &fn_relu_n1_to_1));
}

static bool can_join(const struct ir_op *op, const struct ir_op *first, const struct gl_limits *lim)
{
    const struct ir_value *between = first->out;

    return first->kind == &gl_kind_depthwise && between->type == IR_FLOAT && between->full == op->out->full &&
           is_function_between(first->epilogue) && depthwise_has_tiles(first, lim) && conv_is_product(op) &&
           ir_slices(op->out->shape) <= MOST_SLICES;
}

static bool is_worth_it(const struct ir_op *first, const struct ir_op *product, const struct gl_limits *lim)
{
    const struct ir_window *w = first->attr;
    const struct ir_shape y = product->out->shape;
    const int64_t pixels = (int64_t)y.h * y.w;

    if (!lim->policy.straight_code || pixels < 4 * LEAST_TILES || w->kernel_h * w->kernel_w > MOST_TAPS)
        return false;
    /* Strides read what lies far apart, for each slice anew. */
    return lim->policy.inline_uniforms ||
           (!conv_is_straight(product, lim) &&
            pixels * ir_slices(first->out->shape) >= (int64_t)WORTH_A_SLICE * w->stride_h * w->stride_w * ir_slices(y));
}

bool separable_join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done)
{
    struct ir_op *product;

    *done = can_join(op, first, ir->limits) && gl_fits_bindings(op, gl_kind_separable.constants, ir->limits) &&
            (is_worth_it(first, op, ir->limits) || gl_is_asked_for(ir, &gl_kind_separable));
    if (!*done)
        return true;
    if (!(product = ir_join(ir, op, first, &gl_kind_separable, sizeof(struct separable))))
        return false;
    *(struct separable *)op->attr = (struct separable){first, product};
    return true;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct separable *s = op->attr;
    const struct ir_epilogue *e = s->first->epilogue;
    const struct filter product = conv_filter(s->product);
    const int32_t slices = ir_slices(op->out->shape);
    int32_t tiles_h, tiles_w;

    gl_source_of(p, (const char *const[]){window_reads_comp, depthwise_conv_taps_comp, separable_comp}, 3);
    gl_operands(p, "x");
    depthwise_bind_floats(p, "d", s->first);
    window_filter(p, &product);
    gl_params_window(p, s->first->attr);
    window_counts(p, 0);
    depthwise_tiles(p, s->first->attr, op->variant->tile, op->out->shape, &tiles_h, &tiles_w);
    gl_define_text(p, "ADDS_BIAS", "true");
    gl_define(p, "SLICES", slices);
    gl_define_each(p, "EACH_SLICE", slices);
    gl_define(p, "HAS_FUNCTION", e != NULL);
    gl_define_text(p, "FUNCTION", e ? e->fn->f : "a");
    gl_grid_of(p, op->out->shape.b, tiles_h, tiles_w, 1);
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES((uint64_t)ir_slices(op->in[0]->shape));
}

static bool pays_2x2(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct separable *s = op->attr;

    return is_worth_it(s->first, s->product, lim);
}

/* Twice as long to compile. */
static bool pays_4x2(const struct ir_op *op, const struct gl_limits *lim)
{
    return lim->policy.inline_uniforms && pays_2x2(op, lim);
}

static bool expand_apart(struct ir *ir, const struct ir_op *op)
{
    const struct separable *s = op->attr;

    return ir_append(ir, s->first) && ir_append(ir, s->product) && ir_hand_over(op, s->product);
}

static const struct gl_variant variants[] = {
    {"4x2", NULL, emit, .tile = {4, 2}, .iterations = iterations, .pays = pays_4x2},
    {"2x2", NULL, emit, .tile = {2, 2}, .iterations = iterations, .pays = pays_2x2},
    {"apart", NULL, .expand = expand_apart},
};

const struct ir_kind gl_kind_separable = {
    .name = "separable", .constants = 2, GL_VARIANTS(variants), .halves = true, .products = true};
