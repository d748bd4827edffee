/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv.c - DEPTHWISE_CONV_2D on GL: each output channel from one input channel. */
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv.h"
#include "kernels_gl/matmul/conv_3d.h"
#include "kernels_gl/matmul/separable.h"
#include "lib/gl/codegen/shader.h"

struct depthwise {
    struct ir_window win;  /* first: passes merge padding into it */
    const float *w, *bias; /* [kernel_h][kernel_w][out], [out] or NULL */
    const float *unit;     /* [out] or NULL: of the ir when it was lowered, */
    float to_counts;       /* too */
    int32_t multiplier;    /* output channels per input channel */
    struct split_k parts;
};

struct packed {
    const struct depthwise *d;
    size_t channels, slices, taps;
    bool bytes; /* and what follows: as of struct filter */
    float offset;
    const float *unit;
};

static float packed_weight(const struct packed *k, size_t tap, size_t c)
{
    const float w = k->d->w[tap * k->channels + c];

    return (k->unit ? window_multiple(w, k->unit[c]) : w) - k->offset;
}

/* Biases for each slice of channels, then for each slice its taps. */
static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct packed *k = arg;
    const size_t biases = k->slices * window_head(k->bytes, k->unit != NULL);
    float *out = to;

    for (size_t i = first; i < first + n; i++)
        for (size_t lane = 0; lane < 4; lane++) {
            const size_t tap = i < biases ? 0 : (i - biases) % k->taps, c = i < biases ? 0 : 4 * ((i - biases) / k->taps) + lane;

            if (i < biases)
                *out++ = window_head_number(k->bytes, k->unit, k->d->bias, k->channels, i, lane);
            else
                *out++ = c < k->channels ? packed_weight(k, tap, c) : 0;
        }
}

static struct packed packed_of(const struct ir_op *op)
{
    const struct depthwise *d = op->attr;

    return (struct packed){.d = d,
                           .channels = (size_t)op->out->shape.c,
                           .slices = (size_t)ir_slices(op->out->shape),
                           .taps = (size_t)d->win.kernel_h * (size_t)d->win.kernel_w};
}

void depthwise_bind_floats(struct gl_shader *p, const char *name, const struct ir_op *op)
{
    const struct packed k = packed_of(op);

    gl_weights(p, name, k.slices * (1 + k.taps), pack, &k, sizeof k);
}

static void bind(struct gl_shader *p, const struct ir_op *op)
{
    const struct depthwise *d = op->attr;
    struct packed k = packed_of(op);

    k.bytes = d->to_counts != 0 && window_bytes(d->w, k.taps * k.channels, d->bias, k.channels, &k.offset);
    if (window_multiples(p, d->w, k.taps * k.channels, 1, d->unit, k.channels, &k.offset)) {
        k.unit = d->unit;
        k.bytes = true;
    }
    gl_operands(p, "x");
    (k.bytes ? gl_weights_bytes : gl_weights)(p, "w", k.slices * (window_head(k.bytes, k.unit != NULL) + k.taps), pack, &k,
                                              sizeof k);
    window_define(p, k.bytes, false, k.unit != NULL, k.offset, (int32_t)(k.slices * window_head(k.bytes, k.unit != NULL)));
    gl_params_window(p, &d->win);
    window_counts(p, d->to_counts);
}

static void emit_direct(struct gl_shader *p, const struct ir_op *op)
{
    const struct depthwise *d = op->attr;

    gl_source(p, depthwise_conv_comp);
    bind(p, op);
    gl_define(p, "MULTIPLIER", d->multiplier);
    split_k_define(p, &d->parts, (const char *const[]){"KERNEL_H", "KERNEL_W", "1"});
    gl_grid(p, op->out->shape);
}

/* Of an invocation: for each row the sum and a place, for each tap of a column the weights and a place, and what is read. */
static uint32_t registers_of_rows(const struct ir_window *w, int32_t rows)
{
    return (uint32_t)(6 * rows + 6 * w->kernel_h + 12);
}

static int32_t rows_of(const struct ir_window *w, const struct gl_limits *lim)
{
    int32_t rows = w->stride_h == 1 ? 4 : 2;

    while (rows > 1 && lim->policy.registers && registers_of_rows(w, rows) > lim->policy.registers)
        rows /= 2;
    return rows;
}

/* Rows share inputs where windows overlap. Larger windows would make long shaders. */
static bool rows_share(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct depthwise *d = op->attr;
    const struct ir_window *w = &d->win;

    (void)lim;
    return !d->parts.n && d->multiplier == 1 && w->kernel_h > w->stride_h && w->kernel_h <= 7 && op->out->shape.h > w->dilation_h &&
           window_all_finite(d->w, (size_t)w->kernel_h * (size_t)w->kernel_w * (size_t)op->out->shape.c);
}

static void emit_rows(struct gl_shader *p, const struct ir_op *op)
{
    const struct ir_window *w = op->attr;
    struct ir_shape y = op->out->shape;
    int32_t rows = rows_of(w, p->limits), span = rows * w->dilation_h;

    gl_source(p, depthwise_conv_rows_comp);
    bind(p, op);
    gl_define(p, "ROWS", rows);
    gl_define_text(p, "ADDS_BIAS", "true");
    GL_DEFINES(p, "ROW_STRIDE TAPS", w->stride_h, w->kernel_h);
    gl_grid_of(p, y.b, (y.h + span - 1) / span * w->dilation_h, y.w, ir_slices(y));
}

/* Output pixels that one invocation computes. */
struct tile {
    int32_t rows, columns;
};

/* Pixels whose windows have the input at row i and column j of what the tile reads, each with the tap that is there. */
static void add_taps(struct text *t, const struct ir_window *w, struct tile tile, int32_t i, int32_t j)
{
    for (int32_t pixel = 0; pixel < tile.rows * tile.columns; pixel++) {
        const int32_t y = i - pixel / tile.columns * w->stride_h, x = j - pixel % tile.columns * w->stride_w;

        if (y >= 0 && y < w->kernel_h && x >= 0 && x < w->kernel_w)
            text_add(t, "ADD(sum%d, weight%d) ", (int)pixel, (int)(y * w->kernel_w + x));
    }
}

/* Written out here: what a compiler has to find out of macros' arithmetic takes it longer than all the rest of the shader. */
static void define_inputs(struct gl_shader *p, const struct ir_window *w, struct tile tile)
{
    const int32_t high = (tile.rows - 1) * w->stride_h + w->kernel_h, wide = (tile.columns - 1) * w->stride_w + w->kernel_w;
    struct text *t = &p->defines;

    text_add(t, "#define READ_ALL ");
    for (int32_t i = 0; i < high; i++) {
        text_add(t, "BEGIN_ROW(%d) ", (int)i);
        for (int32_t j = 0; j < wide; j++) {
            text_add(t, "INPUT(column%d, has_column%d) ", (int)j, (int)j);
            add_taps(t, w, tile, i, j);
            text_add(t, "END ");
        }
        text_add(t, "END ");
    }
    text_add(t, "\n");
    gl_define_named(p, "EACH_COLUMN", wide, "column has_column");
}

void depthwise_tiles(struct gl_shader *p, const struct ir_window *w, const int32_t tile[2], struct ir_shape y, int32_t *tiles_h,
                     int32_t *tiles_w)
{
    const int32_t rows = tile[0], columns = tile[1], high = rows * w->dilation_h, wide = columns * w->dilation_w;

    GL_DEFINES(p, "ROWS COLUMNS ROW_STRIDE COLUMN_STRIDE TAPS_H TAPS_W DILATED", rows, columns, w->stride_h, w->stride_w,
               w->kernel_h, w->kernel_w, w->dilation_h != 1 || w->dilation_w != 1);
    gl_define_named(p, "EACH_TAP", w->kernel_h * w->kernel_w, "weight");
    gl_define_named(p, "EACH_PIXEL", rows * columns, "sum");
    define_inputs(p, w, (struct tile){rows, columns});
    *tiles_h = (y.h + high - 1) / high * w->dilation_h;
    *tiles_w = (y.w + wide - 1) / wide * w->dilation_w;
}

static void emit_tile(struct gl_shader *p, const struct ir_op *op)
{
    const struct ir_shape y = op->out->shape;
    int32_t tiles_h, tiles_w;

    gl_source_of(p, (const char *const[]){window_reads_comp, depthwise_conv_taps_comp, depthwise_conv_tile_comp}, 3);
    bind(p, op);
    gl_define_text(p, "ADDS_BIAS", "true");
    depthwise_tiles(p, op->attr, op->variant->tile, y, &tiles_h, &tiles_w);
    gl_param(p, "TILES_H", tiles_h);
    gl_grid_of(p, y.b, tiles_h * ir_slices(y), tiles_w, 1);
}

/* Its text grows with the window, the strides and the tile; the grid with the dilation. */
static bool tile_fits(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct ir_window *w = op->attr;
    const struct ir_shape y = op->out->shape;

    return rows_share(op, lim) && w->kernel_h <= 5 && w->kernel_w <= 5 && w->stride_h <= 2 && w->stride_w <= 2 &&
           y.w > w->dilation_w && (int64_t)(y.h + 4 * (int64_t)w->dilation_h) * ir_slices(y) <= INT32_MAX;
}

bool depthwise_has_tiles(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct depthwise *d = op->attr;

    return tile_fits(op, lim) && !d->unit && d->to_counts == 0;
}

static bool tile_pays(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)op;
    return lim->policy.straight_code;
}

/* Weights of all taps, sums, a place of each column that is read. */
static uint32_t registers_of_tile(const struct ir_window *w, int32_t pixels)
{
    return 4 * (uint32_t)(w->kernel_h * w->kernel_w + pixels) + 2 * (uint32_t)(w->stride_w + w->kernel_w) + 8;
}

static uint32_t registers_2x2(const struct ir_op *op)
{
    return registers_of_tile(op->attr, 4);
}

static uint32_t registers_4x2(const struct ir_op *op)
{
    return registers_of_tile(op->attr, 8);
}

static struct sum_loops loops(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return (struct sum_loops){{w->kernel_h, w->kernel_w, 1}};
}

SUM_VARIANTS(depthwise)

static struct ir_op *depthwise_new(struct ir *ir, struct ir_value *x, const struct depthwise *d, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_depthwise, IR_INS(x), y, d, sizeof *d);
}

static uint64_t iterations_of_rows(const struct ir_op *op)
{
    return GL_PASSES((uint64_t)((const struct ir_window *)op->attr)->kernel_w);
}

static const struct gl_variant variants[] = {
    {"split", can_split, .expand = split, .pays = is_long},
    {"2x2", tile_fits, emit_tile, .tile = {2, 2}, .pays = tile_pays, .registers = registers_2x2},
    {"rows", rows_share, emit_rows, .iterations = iterations_of_rows},
    {"direct", NULL, emit_direct, .iterations = iterations},
    {"4x2", tile_fits, emit_tile, .tile = {4, 2}, .pays = gl_on_trial, .registers = registers_4x2},
};

static bool rescale(struct ir *ir, struct ir_op *op, const float *scale, const float *shift, bool *done)
{
    struct depthwise *d = op->attr;
    const size_t n_out = (size_t)op->out->shape.c;

    return window_rescale(ir, &d->w, (size_t)d->win.kernel_h * (size_t)d->win.kernel_w * n_out, 1, &d->bias, &d->unit, n_out, scale,
                          shift, done);
}

const struct ir_kind gl_kind_depthwise = {.name = "depthwise",
                                          .role = IR_CONV,
                                          .constants = 1,
                                          GL_VARIANTS(variants),
                                          .halves = true,
                                          .products = true,
                                          IR_TRAITS(.rescale = rescale)};

struct ir_op *ir_depthwise(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                           struct ir_value *y)
{
    return w && x && y
               ? depthwise_new(ir, x,
                               &(struct depthwise){*win, w, bias, .unit = ir->lowering.unit, .multiplier = y->shape.c / x->shape.c,
                                                   .to_counts = ir->lowering.to_counts},
                               y)
               : NULL;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct opt_depthwise_conv_2d *o = n->opt;
    const struct tensor *x = node_in(n, 0), *w = node_in(n, 1);

    (void)lim;
    if (!volume_takes(n, 0, 1, 2) && !window_inputs(n, why))
        return false;
    if (w->dim[0] != 1 || x->dim[3] < 1 || w->dim[3] % x->dim[3])
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "the filter %s does not fit %d input channels", TENSOR_TEXT(w),
                          x->dim[3]);
    return gl_activation(o->activation, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_depthwise_conv_2d *o = n->opt;
    struct ir_window win = {0, 0, o->stride_height, o->stride_width, o->dilation_height_factor, o->dilation_width_factor};

    return conv_lower(ir, n, &win, o->padding, o->activation, err);
}

const struct gl_kernel gl_depthwise_conv = {.max_version = 7, .quantized = TAKES_QUANTIZED, .accept = accept, .lower = lower};
