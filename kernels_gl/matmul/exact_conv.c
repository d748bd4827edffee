/* SPDX-License-Identifier: Apache-2.0 */
/* exact_conv.c - CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED in integers: sums of 8-bit weights times 8- or 16-bit values,
 * requantized as on the CPU. */
#include "kernels_gl/matmul/exact_conv.h"

#include "kernels_cpu/matmul/conv.h"
#include "kernels_cpu/matmul/depthwise_conv.h"
#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/widen.h"
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/window.h"
#include "kernels_gl/matmul/conv_common.h"
#include "kernels_gl/matmul/conv_groups.h"
#include "kernels_gl/matmul/exact_hybrid.h"

#define PIXELS 4
#define SLICES 2

/* Slices of inputs whose products add up to whole numbers below 2^24, which floats hold: 64 * 4 * 255 * 255; of 16 bits, 4 * 2^15 *
 * 2^7 is just that. */
#define CHUNK_8BIT  64
#define CHUNK_16BIT 1

struct exact_conv {
    struct ir_window win; /* first: passes merge padding into it */
    struct exact_weights w;
    struct exact_requant q;
    int32_t x_zero, chunk, multiplier;
};

enum { INPUT, FILTER, BIAS };

static bool takes_border(const struct ir_op *op, float value)
{
    return value == (float)((const struct exact_conv *)op->attr)->x_zero;
}

/* ---- dense ---- */

static void emit_dense(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_conv *c = op->attr;
    const struct ir_shape y = op->out->shape;
    const int32_t step = (y.h * y.w + PIXELS - 1) / PIXELS, width = step < 65536 ? step : 65536;

    exact_source_of(p, &c->w, exact_conv_comp);
    GL_DEFINES(p, "POINTWISE FLAT", conv_is_pointwise(op), conv_is_pointwise(op) && gl_flatten(p));
    gl_operands(p, "x");
    exact_inputs(p, op, &c->w);
    exact_weights_dense(p, &c->w);
    gl_params_window(p, &c->win);
    GL_PARAMS(p, "X_ZERO STEP", c->x_zero, step);
    GL_DEFINES(p, "CHUNK PIXELS SLICES", c->chunk, PIXELS, SLICES);
    gl_grid_of(p, y.b, (step + width - 1) / width, width, (ir_slices(y) + SLICES - 1) / SLICES);
}

static uint64_t iterations_dense(const struct ir_op *op)
{
    const struct exact_conv *c = op->attr;
    const uint64_t slices = (uint64_t)ir_slices(op->in[0]->shape), chunk = (uint64_t)c->chunk;

    return GL_PASSES((uint64_t)c->win.kernel_h, (uint64_t)c->win.kernel_w, (slices + chunk - 1) / chunk,
                     slices < chunk ? slices : chunk);
}

static const struct gl_variant dense_variants[] = {{"4x2", NULL, emit_dense, .iterations = iterations_dense}};
const struct ir_kind gl_kind_exact_conv = {
    .name = "exact_conv", .constants = 1, GL_VARIANTS(dense_variants), IR_TRAITS(.takes_border = takes_border)};

/* ---- depthwise ---- */

static void emit_depthwise(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_conv *c = op->attr;

    exact_source_of(p, &c->w, exact_depthwise_comp);
    gl_operands(p, "x");
    exact_inputs(p, op, &c->w);
    exact_weights_depthwise(p, &c->w);
    gl_params_window(p, &c->win);
    gl_param(p, "X_ZERO", c->x_zero);
    gl_define(p, "MULTIPLIER", c->multiplier);
}

static uint64_t iterations_depthwise(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;

    return GL_PASSES((uint64_t)w->kernel_h, (uint64_t)w->kernel_w);
}

static const struct gl_variant depthwise_variants[] = {{"direct", NULL, emit_depthwise, .iterations = iterations_depthwise}};
const struct ir_kind gl_kind_exact_depthwise = {
    .name = "exact_depthwise", .constants = 1, GL_VARIANTS(depthwise_variants), IR_TRAITS(.takes_border = takes_border)};

/* ---- what the three operators share ---- */

static uint64_t farthest(const struct tensor *x)
{
    return x->type == TYPE_INT16 ? 1 << 15 : 255;
}

static bool is_hybrid(const struct node *n)
{
    return n->in[0]->type == TYPE_FLOAT32;
}

/* Fills what is not set of an operator's numbers: `spec` of integers, `hybrid` of floats. */
static enum status fill(struct exact_conv *c, const struct node *n, const struct requant_spec *spec, struct exact_requant hybrid,
                        struct arena *a, struct err *err)
{
    const struct tensor *x = n->in[0], *w = n->in[1];

    c->chunk = x->type == TYPE_INT16 ? CHUNK_16BIT : CHUNK_8BIT;
    c->w.data = w->is_const ? w->data : NULL;
    c->w.type = is_hybrid(n) && w->type == TYPE_UINT8 ? TYPE_INT8 : w->type; /* as hybrid_filter() */
    c->w.n_out = spec->channels;
    c->q = hybrid;
    if (is_hybrid(n))
        return ST_OK;
    c->x_zero = quant_zero(x);
    c->w.zero = quant_zero(w);
    return exact_requant_init(&c->q, spec, exact_weights_most(&c->w, farthest(x)), a, err);
}

static int32_t groups_of(const struct node *n)
{
    return n->in[0]->dim[3] / n->in[1]->dim[3];
}

static enum status fill_conv(struct exact_conv *c, const struct node *n, struct arena *a, struct err *err)
{
    const struct tensor *w = n->in[1];
    const struct requant_spec spec = conv_quant_spec(n);
    struct exact_requant hybrid = exact_requant_hybrid(w, node_in(n, 2), (size_t)w->dim[0]);
    enum status st = is_hybrid(n) ? conv_hybrid_check(n, (size_t)groups_of(n), &hybrid.channel_first, err)
                                  : conv_quant_check(n, 0, err);

    c->w.taps = (size_t)w->dim[1] * (size_t)w->dim[2];
    c->w.n_in = (size_t)w->dim[3];
    c->w.step_t = c->w.n_in;
    c->w.step_o = c->w.taps * c->w.n_in;
    return st ? st : fill(c, n, &spec, hybrid, a, err);
}

static enum status fill_depthwise(struct exact_conv *c, const struct node *n, struct arena *a, struct err *err)
{
    const struct tensor *w = n->in[1];
    const struct requant_spec spec = dw_quant_spec(n);
    enum status st = is_hybrid(n) ? quant_check_filter(w, 3, err) : conv_quant_check(n, 3, err);

    c->multiplier = w->dim[3] / n->in[0]->dim[3];
    c->w.taps = (size_t)w->dim[1] * (size_t)w->dim[2];
    c->w.n_in = 1;
    c->w.step_t = (size_t)w->dim[3];
    c->w.step_o = 1;
    return st ? st : fill(c, n, &spec, exact_requant_hybrid(w, node_in(n, 2), (size_t)w->dim[3]), a, err);
}

static struct fc_shape rows_shape(const struct node *n)
{
    const struct tensor *x = n->in[INPUT], *w = n->in[FILTER];

    return (struct fc_shape){.batch = tensor_elems(x) / (size_t)w->dim[1],
                             .units = (size_t)w->dim[0],
                             .depth = (size_t)w->dim[1],
                             .fixed_point = fc_stored(n)};
}

/* Return a copy of `n` with its filter in plain order, in memory of `a`. NULL if memory runs out. */
static const struct node *plain_order(const struct node *n, struct arena *a)
{
    struct fc_plain_node *plain = ARENA_NEW(a, struct fc_plain_node);
    void *data = arena_alloc(a, n->in[FILTER]->bytes, 1);

    if (!plain || !data)
        return NULL;
    fc_plain_node(n, rows_shape(n), data, plain);
    return &plain->node;
}

static enum status fill_fully_connected(struct exact_conv *c, const struct node *n, struct arena *a, struct err *err)
{
    const struct fc_shape s = rows_shape(n);
    const struct tensor *w, *bias;
    struct requant_spec spec;
    struct tensor as_read;
    enum status st;

    if (fc_stored(n) && !(n = plain_order(n, a)))
        return err_set(err, ST_NOMEM, "out of memory");
    w = n->in[FILTER];
    bias = node_in(n, BIAS);
    as_read = hybrid_filter(w);
    spec = fc_quant_spec(n, s);
    st = is_hybrid(n) ? quant_check_filter(&as_read, 0, err) : fc_quant_check(n, err);
    c->w.taps = 1;
    c->w.n_in = s.depth;
    c->w.step_o = s.depth;
    return st ? st : fill(c, n, &spec, exact_requant_hybrid(w, bias, s.units), a, err);
}

typedef enum status (*fill_fn)(struct exact_conv *c, const struct node *n, struct arena *a, struct err *err);

static size_t channels_of(const struct node *n)
{
    const struct tensor *w = n->in[FILTER];

    return (size_t)w->dim[n->builtin == BUILTIN_DEPTHWISE_CONV_2D ? 3 : 0];
}

static bool activation_fits(const struct node *n, struct reason *why)
{
    return gl_activation(n->builtin == BUILTIN_CONV_2D             ? ((const struct opt_conv_2d *)n->opt)->activation
                         : n->builtin == BUILTIN_DEPTHWISE_CONV_2D ? ((const struct opt_depthwise_conv_2d *)n->opt)->activation
                                                                   : ((const struct opt_fully_connected *)n->opt)->activation,
                         why);
}

/* Check a filter or bias that is made at run time, which the operator's own accept refuses. */
static bool values_fit(const struct node *n, struct reason *why)
{
    const bool rows = n->builtin == BUILTIN_FULLY_CONNECTED, depthwise = n->builtin == BUILTIN_DEPTHWISE_CONV_2D;
    const struct tensor *x = node_in(n, INPUT), *w = node_in(n, FILTER);

    if (!gl_runtime(n, INPUT, "input", why))
        return false;
    if (w->rank != (rows ? 2 : 4) || (!rows && x->rank != 4))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "an input %s and a filter %s", TENSOR_TEXT(x), TENSOR_TEXT(w));
    if (tensor_elems(w) == 0 || (depthwise && (w->dim[0] != 1 || w->dim[3] % x->dim[3])) ||
        (!rows && !depthwise && w->dim[3] != 1 && x->dim[3] / w->dim[3] > CONV_MOST_GROUPS))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "a filter %s for %d channels, of at most %d groups", TENSOR_TEXT(w),
                          x->dim[x->rank - 1], CONV_MOST_GROUPS);
    if (rows && ((const struct opt_fully_connected *)n->opt)->weights_format != FC_WEIGHTS_DEFAULT)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "shuffled weights that are computed at run time");
    return exact_values_fit(n, INPUT, FILTER, BIAS, channels_of(n), why) && activation_fits(n, why);
}

/* Of a filter that is stored in another order. */
static bool stored_fits(const struct node *n, struct reason *why)
{
    const struct tensor *w = node_in(n, FILTER);
    struct err err = {""};

    if (!gl_runtime(n, INPUT, "input", why) || !gl_constant(n, FILTER, "filter", why) ||
        (node_in(n, BIAS) && !gl_constant(n, BIAS, "bias", why)))
        return false;
    if (w->rank != 2 || tensor_elems(w) == 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "the filter is %s instead of [out,in]", TENSOR_TEXT(w));
    if (fc_stored_check(n, rows_shape(n), &err))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%s", err.msg);
    return activation_fits(n, why);
}

static bool is_stored(const struct node *n)
{
    return n->builtin == BUILTIN_FULLY_CONNECTED && node_in(n, FILTER) && n->in[FILTER]->is_const && fc_stored(n);
}

/* The operator's own checks, then the types, then the numbers. */
static bool accept(const struct gl_limits *lim, const struct node *n, fill_fn fill_of, struct reason *why)
{
    const struct tensor *x = node_in(n, 0), *w = node_in(n, 1);
    struct exact_conv c = {0};
    struct arena a = {0};
    struct err err = {""};
    enum status st;

    if (is_stored(n)                        ? !stored_fits(n, why)
        : exact_has_values(n, FILTER, BIAS) ? !values_fit(n, why)
                                            : !n->op->gl->accept(lim, n, why))
        return false;
    if (!(1u << x->type & (TAKES_FLOAT | TAKES_QUANTIZED)))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input 0 has type %s", type_name(x->type));
    if (!(1u << w->type & (TAKES_8BIT | TAKES_PACKED)))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "weights of type %s have no exact integer shader",
                          type_name(w->type));
    if (w->quant.block_size > 0)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "weights with scales for blocks have no exact integer shader");
    st = fill_of(&c, n, &a, &err);
    arena_free(&a);
    return !st || reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
}

static struct ir_op *append(struct ir *ir, const struct ir_kind *kind, struct ir_value *x, const struct exact_values *in,
                            const struct exact_conv *c, struct ir_value *y)
{
    struct ir_op *op = exact_op_new(ir, kind, x, in, y, sizeof *c);

    if (!op)
        return NULL;
    *(struct exact_conv *)op->attr = *c;
    ((struct exact_conv *)op->attr)->w.q = &((struct exact_conv *)op->attr)->q;
    return op;
}

struct ir_op *ir_exact_rows(struct ir *ir, struct ir_value *x, const struct exact_values *in, int32_t x_zero,
                            const struct exact_weights *w, const struct exact_requant *q, struct ir_value *y)
{
    const struct exact_values none = {0};
    const struct exact_conv c = {
        .win = {.kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1},
        .w = *w,
        .q = *q,
        .x_zero = x_zero,
        .chunk = (in && in->steps) || (x && x->tensor && type_bits(x->tensor->type) == 8) ? CHUNK_8BIT : CHUNK_16BIT};

    return append(ir, &gl_kind_exact_conv, x, in ? in : &none, &c, y);
}

/* What the operations read: x, or its floats quantized by images or by pixels, and what else is made at run time. NULL: out of
 * memory. */
static struct ir_value *operand(struct ir *ir, const struct node *n, struct ir_value *x, bool by_pixel, bool asymmetric,
                                struct exact_values *in)
{
    struct hybrid_value v = {x, NULL};

    if (!x || (is_hybrid(n) && !ir_exact_hybrid(ir, x, by_pixel, asymmetric, &v)) || !exact_values_of(ir, n, FILTER, BIAS, in))
        return NULL;
    in->steps = v.steps;
    return v.q;
}

/* Floats of the result get a bias behind it, perhaps, and an activation of their own; those of integers are in it. */
static bool finish(struct ir *ir, const struct node *n, struct ir_op *op, enum activation act, struct ir_value *y)
{
    op = exact_add_bias(ir, exact_bias_behind(n, FILTER, BIAS), op, y);
    return op && (!is_hybrid(n) || ir_activation(ir, op, act));
}

static bool append_all(struct ir *ir, const struct node *n, const struct ir_kind *kind, struct ir_value *x,
                       const struct exact_values *in, const struct exact_conv *c, enum activation act, struct ir_value *y)
{
    struct ir_value *sums = exact_without_bias(ir, exact_bias_behind(n, FILTER, BIAS), y);

    return finish(ir, n, append(ir, kind, x, in, c, sums), act, y);
}

/* ---- CONV_2D ---- */

static bool conv_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return accept(lim, n, fill_conv, why);
}

/* Each group by itself, then joined. */
static bool append_groups(struct ir *ir, const struct node *n, struct ir_value *x, const struct exact_values *in,
                          const struct exact_conv *all, enum activation act, struct ir_value *y)
{
    const int32_t groups = groups_of(n), each = y->shape.c / groups;
    struct ir_value *joined = exact_without_bias(ir, exact_bias_behind(n, FILTER, BIAS), y);
    struct ir_value **parts = ARENA_ARRAY(ir->arena, (size_t)groups, struct ir_value *);

    for (int32_t k = 0; parts && k < groups; k++) {
        struct exact_values of = *in;
        struct exact_conv c = *all;

        if (in->bias && !(of.bias = ir_channels(ir, in->bias, k * each, each)))
            return false;
        c.w.first = c.q.first = (size_t)k * (size_t)each;
        c.w.n_out = c.q.channels = (size_t)each;
        if (!(parts[k] = (joined != y ? ir_temp_full : ir_temp)(ir, y->type, ir_with(y->shape, 3, each))))
            return false;
        if (!is_hybrid(n))
            parts[k]->tensor = n->out[0]; /* whose elements these are: they are stored as bytes */
        if (!append(ir, &gl_kind_exact_conv, ir_channels(ir, x, k * n->in[1]->dim[3], n->in[1]->dim[3]), &of, &c, parts[k]))
            return false;
    }
    return parts && finish(ir, n, ir_concatenate(ir, parts, (uint32_t)groups, 3, joined), act, y);
}

static enum status conv_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_conv_2d *o = n->opt;
    struct exact_conv c = {.win = {0, 0, o->stride_height, o->stride_width, o->dilation_height_factor, o->dilation_width_factor}};
    struct ir_value *x, *y = ir_out(ir, n, 0);
    const bool one_each = groups_of(n) > 1 && n->in[1]->dim[3] == 1;
    struct exact_values in = {0};
    enum status st = fill_conv(&c, n, ir->arena, err);

    if (st || (st = window_of(n, o->padding, &c.win, err)))
        return st;
    if (!y || !(x = operand(ir, n, ir_in(ir, n, 0), false, c.q.channel_first, &in)))
        return ir_nomem(err);
    if (groups_of(n) > 1 && !one_each)
        return append_groups(ir, n, x, &in, &c, o->activation, y) ? ST_OK : ir_nomem(err);
    if (one_each) { /* [out][taps] is a filter of taps, too */
        c.w.is_grouped = true;
        c.multiplier = n->in[1]->dim[0] / groups_of(n);
        c.w.step_t = 1;
    }
    return append_all(ir, n, one_each ? &gl_kind_exact_depthwise : &gl_kind_exact_conv, x, &in, &c, o->activation, y)
               ? ST_OK
               : ir_nomem(err);
}

/* ---- DEPTHWISE_CONV_2D ---- */

static bool depthwise_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return accept(lim, n, fill_depthwise, why);
}

static enum status depthwise_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_depthwise_conv_2d *o = n->opt;
    struct exact_conv c = {.win = {0, 0, o->stride_height, o->stride_width, o->dilation_height_factor, o->dilation_width_factor}};
    struct exact_values in = {0};
    struct ir_value *x;
    enum status st = fill_depthwise(&c, n, ir->arena, err);

    if (st || (st = window_of(n, o->padding, &c.win, err)))
        return st;
    return (x = operand(ir, n, ir_in(ir, n, 0), false, true, &in)) &&
                   append_all(ir, n, &gl_kind_exact_depthwise, x, &in, &c, o->activation, ir_out(ir, n, 0))
               ? ST_OK
               : ir_nomem(err);
}

/* ---- FULLY_CONNECTED: a 1x1 convolution over as many pixels as the input has rows ---- */

static bool fully_connected_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return accept(lim, n, fill_fully_connected, why);
}

static const struct ir_fn fn_flip_sign = {"FLIP_SIGN", NULL, "a ^ 128", .arity = 1};

/* What a filter in blocks puts out beside the product: the input's bits as INT8, 16 of each row in turn. */
static bool append_shuffled(struct ir *ir, const struct node *n)
{
    const int32_t depth = n->in[FILTER]->dim[1], rows = (int32_t)rows_shape(n).batch;
    const int32_t from[3] = {rows, depth / 16, 16}, to[3] = {depth / 16, rows, 16};
    struct ir_value *x = ir_in(ir, n, INPUT), *bits = x ? ir_temp(ir, IR_INT, x->shape) : NULL;
    struct axis_gather turn = axis_gather_of(3, from, to);

    turn.axis[0] = 1;
    turn.axis[1] = 0;
    return bits && ir_apply(ir, ir_copy(ir, x, bits), &fn_flip_sign, NULL, NULL, IR_INT) &&
           ir_axis_gather(ir, bits, &turn, ir_out(ir, n, 1));
}

static enum status fully_connected_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_fully_connected *o = n->opt;
    struct exact_conv c = {.win = {.kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1}};
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct exact_values in = {0};
    struct ir_shape rows;
    enum status st = fill_fully_connected(&c, n, ir->arena, err);

    if (st || !x || !y)
        return st ? st : ir_nomem(err);
    rows = y->shape;
    rows.c = n->in[1]->dim[1];
    return (n->n_out < 2 || append_shuffled(ir, n)) &&
                   (x = operand(ir, n, ir_reshaped(ir, x, rows), true, o->asymmetric_quantize_inputs, &in)) &&
                   append_all(ir, n, &gl_kind_exact_conv, x, &in, &c, o->activation, y)
               ? ST_OK
               : ir_nomem(err);
}

#define EXACT_PRODUCT(version, accepts, lowers)                                                                                    \
    {                                                                                                                              \
        .max_version = version, .in_types = TAKES_FLOAT | TAKES_QUANTIZED | TAKES_PACKED | TAKES_INT,                              \
        .out_types = TAKES_FLOAT | TAKES_QUANTIZED | TAKES_INT, .reads_sparse = true, .accept = accepts, .lower = lowers           \
    }

const struct gl_kernel gl_exact_conv = EXACT_PRODUCT(8, conv_accept, conv_lower);
const struct gl_kernel gl_exact_depthwise = EXACT_PRODUCT(7, depthwise_accept, depthwise_lower);
const struct gl_kernel gl_exact_fully_connected = EXACT_PRODUCT(14, fully_connected_accept, fully_connected_lower);
