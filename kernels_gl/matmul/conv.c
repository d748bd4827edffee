/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - CONV_2D on GL: direct convolution, several pixels and slices of output channels an invocation. */
#include "kernels_gl/matmul/conv.h"

#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv_3d.h"
#include "kernels_gl/matmul/conv_groups.h"
#include "kernels_gl/matmul/focus.h"
#include "kernels_gl/matmul/fused_mlp.h"
#include "kernels_gl/matmul/product_shared.h"
#include "kernels_gl/matmul/separable.h"
#include "kernels_gl/matmul/winograd.h"
#include "kernels_gl/quant/exact_order.h"
#include "kernels_gl/quant/requantize.h"
#include "lib/gl/codegen/shader.h"

/* A grid is at most this wide, so that images of any size get rows enough. */
#define MAX_WIDTH 65536

/* The pixels of an invocation are apart, so that neighbours of both read what lies together: all over a small image, which leaves
 * few lanes idle; of a large one in a block for 1 << BLOCK_BITS lanes, so that what is read and written at one time lies in few
 * places. */
#define LEAST_BLOCKED 4096
#define BLOCK_BITS    5

/* How the output is cut: pixels and slices of one invocation, and whether lanes run over slices. */
struct tile {
    int32_t pixels, slices;
    bool swapped, beside; /* beside: the filters of its slices lie beside each other */
};

/* Of an invocation: sums, a block of weights, for each pixel an input and its place; under windows also whether that is inside;
 * units of quantized weights; and, for each further function behind the sum, what it reads. */
static uint32_t registers_of(const struct ir_op *op, int32_t pixels, int32_t slices)
{
    const struct conv *c = op->attr;
    uint32_t n = (uint32_t)(4 * pixels * slices + 16 + 6 * pixels + slices);

    if (!conv_is_pointwise(op))
        n += 6 + 2 * (uint32_t)pixels;
    if (c->unit || c->to_counts != 0)
        n += 4 * (uint32_t)slices;
    for (const struct ir_epilogue *e = op->epilogue; e && e->next; e = e->next)
        n += 2;
    return n;
}

#define TILE_REGISTERS(pixels, slices)                                                                                             \
    static uint32_t registers_##pixels##x##slices(const struct ir_op *op)                                                          \
    {                                                                                                                              \
        return registers_of(op, pixels, slices);                                                                                   \
    }
TILE_REGISTERS(12, 4)
TILE_REGISTERS(8, 4)
TILE_REGISTERS(8, 2)
TILE_REGISTERS(4, 2)
TILE_REGISTERS(4, 1)
TILE_REGISTERS(2, 2)
TILE_REGISTERS(2, 1)

/* Return the most pixels, up to `most`, that a tile of one slice may have on the device. */
static int32_t most_pixels(const struct ir_op *op, const struct gl_limits *lim, int32_t most)
{
    while (most > 1 && lim->policy.registers && registers_of(op, most, 1) > lim->policy.registers)
        most /= 2;
    return most;
}

static void emit(struct gl_shader *p, const struct ir_op *op, struct tile t)
{
    const struct conv *c = op->attr;
    struct ir_shape y = op->out->shape;
    const int32_t n = y.h * y.w, block = n < LEAST_BLOCKED ? n : (t.pixels << BLOCK_BITS);
    const int32_t apart = (block + t.pixels - 1) / t.pixels, step = (n + block - 1) / block * apart;
    int32_t groups = (ir_slices(y) + t.slices - 1) / t.slices;
    int32_t lanes = t.swapped ? groups : step, width = lanes < MAX_WIDTH ? lanes : MAX_WIDTH;

    gl_source_with(p, conv_place_comp, conv_comp);
    conv_bind(p, op, t.beside ? t.slices : 0);
    split_k_define(p, &c->parts, (const char *const[]){"KERNEL_H", "KERNEL_W", "X_S"});
    GL_PARAMS(p, "STEP APART BLOCK_BITS", step, apart, n < LEAST_BLOCKED ? 30 : BLOCK_BITS);
    gl_define_each(p, "EACH_PIXEL", t.pixels);
    gl_define_each(p, "EACH_SLICE", t.slices);
    GL_DEFINES(p, "PIXELS SLICES SWAPPED BESIDE", t.pixels, t.slices, t.swapped, t.beside);
    gl_grid_of(p, y.b, (lanes + width - 1) / width, width, t.swapped ? step : groups);
}

static bool is_small(const struct ir_op *op, const struct gl_limits *lim)
{
    const int64_t pixels = (int64_t)op->out->shape.h * op->out->shape.w;

    (void)lim;
    return pixels < 16 && ir_slices(op->out->shape) > pixels;
}

/* Of one slice, or where 4x2 takes too many registers. */
static bool pays_4x1(const struct ir_op *op, const struct gl_limits *lim)
{
    return ir_slices(op->out->shape) == 1 || (lim->policy.registers && registers_4x2(op) > lim->policy.registers);
}

/* Where registers are few. */
static bool fits_less(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)op;
    return lim->policy.registers > 0;
}

static bool pays_2x2(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return ir_slices(op->out->shape) > 1;
}

static void emit_small(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, (struct tile){op->out->shape.h * op->out->shape.w < 4 ? 1 : most_pixels(op, p->limits, 4), 1, true});
}

static void emit_rows(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, (struct tile){most_pixels(op, p->limits, 4), 1, true});
}

static void emit_tile(struct gl_shader *p, const struct ir_op *op)
{
    const int32_t *tile = op->variant->tile;

    emit(p, op, (struct tile){tile[0], tile[1], .beside = tile[0] == 12});
}

#define LEAST_STEPS  12        /* below which stores are most of a large tile's work */
#define LEAST_WORK   (1 << 17) /* that is worth another program */
#define WORTH_A_SIZE (1 << 21) /* of one program: saves 1/500 of what compiling takes */

/* Where each read is as dear as some products of vectors, and their sums need no registers. */
static bool is_heavy(const struct ir_op *op, const struct gl_limits *lim)
{
    return lim->policy.straight_code && conv_steps(op) >= LEAST_STEPS && conv_makes(op, LEAST_WORK);
}

/* Where latency comes before programs that take three times as long to compile as those of 8x2. */
static bool is_huge(const struct ir_op *op, const struct gl_limits *lim)
{
    return lim->policy.inline_uniforms && is_heavy(op, lim) && conv_makes(op, CONV_HUGE);
}

/* Lanes enough are left of an image that is cut into tiles so large, and most of a tile's slices have channels. They take long to
 * compile, and registers that not all devices have. */
static bool is_wide(const struct ir_op *op, const struct gl_limits *lim, int32_t pixels)
{
    const struct ir_shape y = op->out->shape;

    return !conv_any_rows(op, lim) && (int64_t)y.h * y.w >= pixels * (int64_t)16 && ir_slices(y) > 2;
}

static bool fits_8(const struct ir_op *op, const struct gl_limits *lim)
{
    return is_wide(op, lim, 8);
}

static bool fits_12(const struct ir_op *op, const struct gl_limits *lim)
{
    return is_wide(op, lim, 12);
}

static struct sum_loops loops(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return (struct sum_loops){{w->kernel_h, w->kernel_w, ir_slices(op->in[0]->shape)}};
}

SUM_VARIANTS(conv)

/* ---- by transformed tiles ---- */

/* Of input channels. There, errors are up to 2e-5 of the largest output, those of direct sums 3e-6, of values of both signs; they
 * grow with the root of the channels (winograd_test.c). */
#define MOST_TRANSFORMED 1024

/* Products of positions are not cut into parts: their loops are a ninth of those that they stand for. */
static bool is_divisible(const struct ir_op *op, const struct gl_limits *lim)
{
    return !((const struct conv *)op->attr)->tile && can_split(op, lim);
}

static bool fits_winograd(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct conv *c = op->attr;
    const struct ir_window *w = &c->win;

    (void)lim;
    return c->full && !c->tile && !c->parts.n && w->kernel_h == 3 && w->kernel_w == 3 && w->stride_h == 1 && w->stride_w == 1 &&
           w->dilation_h == 1 && w->dilation_w == 1 && op->in[0]->shape.c <= MOST_TRANSFORMED &&
           window_all_finite(c->w, conv_weights(op));
}

static bool expand_winograd(struct ir *ir, const struct ir_op *op, int32_t tile)
{
    const struct conv *c = op->attr;
    const struct ir_shape y = op->out->shape;
    const struct conv product = {.win = {1, 1, 1, 1, 1, 1, 0, 0}, .w = c->w, .bias = c->bias, .full = true, .tile = tile};
    struct ir_value *tiles = ir_temp_full(ir, IR_FLOAT, winograd_shape(y, tile, op->in[0]->shape.c));
    struct ir_value *sums = ir_temp_full(ir, IR_FLOAT, winograd_shape(y, tile, y.c));

    return winograd_input(ir, op->in[0], c->win.pad_h, c->win.pad_w, tile, tiles) && conv_new(ir, tiles, &product, sums) &&
           ir_hand_over(op, winograd_output(ir, sums, tile, op->out));
}

static bool expand_winograd_2(struct ir *ir, const struct ir_op *op)
{
    return expand_winograd(ir, op, 2);
}

static bool expand_winograd_4(struct ir *ir, const struct ir_op *op)
{
    return expand_winograd(ir, op, 4);
}

/* The vectors of a tile with its border, and two lines of them on their way through the transform. (4x4: 157 to 256 of a Turing and
 * a Raven, 2x2: 73 to 87; on a Mali-G52 they spill 332 and 93, and the first takes 11 s to compile.) */
static uint32_t registers_winograd(uint32_t tile)
{
    const uint32_t side = tile + 2;

    return 4 * side * (side + 2);
}

static uint32_t registers_winograd_2(const struct ir_op *op)
{
    (void)op;
    return registers_winograd(2);
}

static uint32_t registers_winograd_4(const struct ir_op *op)
{
    (void)op;
    return registers_winograd(4);
}

enum { VARIANT_STRAIGHT = 2, VARIANT_8X2 = 8, VARIANT_4X2 = 10 };
static const struct gl_variant variants[] = {
    {"lanes", conv_fits_lanes, conv_emit_lanes, .iterations = conv_lanes, .pays = conv_lanes_pay},
    {"split", is_divisible, .expand = split, .pays = is_long},
    [VARIANT_STRAIGHT] = {"straight", conv_fits_straight, conv_emit_straight, .iterations = conv_staging,
                          .pays = conv_straight_pays},
    {"any rows", conv_any_rows, emit_rows, .iterations = iterations},
    {"small image", is_small, emit_small, .iterations = iterations},
    {"rows", conv_fits_rows, conv_emit_rows, .iterations = conv_rows, .pays = conv_rows_pay, .registers = registers_8x2},
    {"shared", conv_fits_shared, conv_emit_shared, .iterations = conv_shared, .pays = conv_shared_pays,
     .registers = product_registers},
    {"12x4", fits_12, emit_tile, .iterations = iterations, .tile = {12, 4}, .pays = is_huge, .registers = registers_12x4},
    [VARIANT_8X2] = {"8x2", fits_8, emit_tile, .iterations = iterations, .tile = {8, 2}, .pays = is_heavy,
                     .registers = registers_8x2},
    {"4x1", NULL, emit_tile, .iterations = iterations, .tile = {4, 1}, .pays = pays_4x1, .registers = registers_4x1},
    [VARIANT_4X2] = {"4x2", NULL, emit_tile, .iterations = iterations, .tile = {4, 2}, .registers = registers_4x2},
    {"8x4", fits_8, emit_tile, .iterations = iterations, .tile = {8, 4}, .pays = gl_on_trial, .registers = registers_8x4},
    {"2x2", fits_less, emit_tile, .iterations = iterations, .tile = {2, 2}, .pays = pays_2x2, .registers = registers_2x2},
    {"2x1", fits_less, emit_tile, .iterations = iterations, .tile = {2, 1}, .registers = registers_2x1},
    {"1x1", fits_less, emit_tile, .iterations = iterations, .tile = {1, 1}},
    {"winograd 2x2", fits_winograd, .expand = expand_winograd_2, .pays = gl_on_trial, .registers = registers_winograd_2},
    {"winograd 4x4", fits_winograd, .expand = expand_winograd_4, .pays = gl_on_trial, .registers = registers_winograd_4},
};
static bool rescale(struct ir *ir, struct ir_op *op, const float *scale, const float *shift, bool *done)
{
    struct conv *c = op->attr;
    const size_t n_out = (size_t)op->out->shape.c,
                 run = (size_t)c->win.kernel_h * (size_t)c->win.kernel_w * (size_t)op->in[0]->shape.c;

    return window_rescale(ir, &c->w, n_out * run, run, &c->bias, &c->unit, n_out, scale, shift, done);
}

/* In products of vectors, of each batch: another number of these is to choose alike (policy.any_batch). */
static uint64_t work(const struct ir_op *op)
{
    const struct ir_shape y = op->out->shape;

    return (uint64_t)conv_steps(op) * (uint64_t)y.h * (uint64_t)y.w * (uint64_t)ir_slices(y);
}

static bool has_same_text(const struct ir_op *a, const struct ir_op *b)
{
    return conv_is_pointwise(a) == conv_is_pointwise(b);
}

static const struct ir_sizes sizes = {.large = &variants[VARIANT_8X2],
                                      .small = &variants[VARIANT_4X2],
                                      .written = &variants[VARIANT_STRAIGHT],
                                      .has_same_text = has_same_text,
                                      .work = work,
                                      .worth = WORTH_A_SIZE,
                                      .compiling = 90000000,
                                      .is_written_alike = conv_is_straight_alike,
                                      .saves = conv_straight_saves,
                                      .costs = conv_straight_costs};

static bool by_pixel(const struct ir_op *op)
{
    const struct conv *c = op->attr;

    return conv_is_product(op) && (!c->bias || window_all_finite(c->bias, (size_t)op->out->shape.c));
}

static bool join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done)
{
    struct conv *c = op->attr;

    return separable_join(ir, op, first, done) && (*done || fused_mlp_join(ir, op, first, done)) &&
           (*done || focus_join(ir, op, first, &c->win, &c->w, conv_weights(op), done));
}

const struct ir_kind gl_kind_conv = {
    .name = "conv",
    .role = IR_CONV,
    .constants = 1,
    GL_VARIANTS(variants),
    .halves = true,
    .products = true,
    IR_TRAITS(.rescale = rescale, .join = join, .by_pixel = by_pixel, .reorder = conv_reorder, .sizes = &sizes)};

struct ir_op *ir_conv(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                      struct ir_value *y)
{
    if (w && ir->in_order)
        return ir_conv_in_order(ir, x, win, w, bias, y);
    return w ? conv_new(ir, x,
                        &(struct conv){.win = *win,
                                       .w = w,
                                       .bias = bias,
                                       .unit = ir->lowering.unit,
                                       .to_counts = ir->lowering.to_counts,
                                       .full = !ir->half && !ir->lowering.unit && ir->lowering.to_counts == 0},
                        y)
             : NULL;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_conv_2d *o = n->opt;
    const struct tensor *w = node_in(n, 1);

    (void)lim;
    if (!volume_takes(n, 0, 1, 2) && !window_inputs(n, why))
        return false;
    if (w->is_const && w->dim[3] != 1 && n->in[0]->dim[3] / w->dim[3] > CONV_MOST_GROUPS)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%d groups of %d channels, at most %d groups are supported",
                          n->in[0]->dim[3] / w->dim[3], w->dim[3], CONV_MOST_GROUPS);
    return gl_activation(o->activation, why);
}

enum status conv_lower(struct ir *ir, const struct node *n, struct ir_window *win, enum padding padding, enum activation act,
                       struct err *err)
{
    const bool depthwise = n->builtin == BUILTIN_DEPTHWISE_CONV_2D;
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct volume v;
    const float *w, *bias;
    bool done;
    enum status st;

    if ((st = window_of(n, padding, win, err)))
        return st;
    if (volume_takes(n, 0, 1, 2)) {
        v = volume_of_images(win);
        v.depthwise = depthwise;
        return volume_lower(ir, n, 0, 1, 2, &v, act, err);
    }
    if ((st = requantize_sum(ir, n, n->in[0], n->in[1], &act, err)) || (st = window_bias(ir, n, &bias, err)))
        return st;
    w = requantize_filter(ir, n->in[1]);
    if (depthwise || n->in[0]->dim[3] == n->in[1]->dim[3])
        done = ir_activation(ir, (depthwise ? ir_depthwise : ir_conv)(ir, x, win, w, bias, y), act);
    else
        done = ir_conv_groups(ir, x, win, w, n->in[1]->dim[3], bias, act, y);
    return done ? ST_OK : ir_nomem(err);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_conv_2d *o = n->opt;
    struct ir_window win = {0, 0, o->stride_height, o->stride_width, o->dilation_height_factor, o->dilation_width_factor};

    return conv_lower(ir, n, &win, o->padding, o->activation, err);
}

const struct gl_kernel gl_conv = {.max_version = 8, .quantized = TAKES_QUANTIZED, .accept = accept, .lower = lower};
