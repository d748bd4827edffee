/* SPDX-License-Identifier: Apache-2.0 */
/* space.c - DEPTH_TO_SPACE, SPACE_TO_DEPTH, SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND: pixels dealt out to channels or batches. */
#include "kernels_gl/common/data_movement.h"

struct blocks {
    int32_t h, w, before_h, before_w; /* size of a block; padding or crop before the first row and column */
    int32_t border;                   /* what padding holds */
};

static void emit(struct gl_shader *p, const struct ir_op *op, const char *source)
{
    const struct blocks *b = op->attr;

    gl_source(p, source);
    gl_define_types(p, op->stores);
    GL_PARAMS(p, "BLOCK_H BLOCK_W BEFORE_H BEFORE_W", b->h, b->w, b->before_h, b->before_w);
    gl_operands(p, "x");
}

/* ---- to and from channels ---- */

/* The pixels of a block are whole slices of the deep side. */
static bool shallow_slices(const struct ir_op *op, const struct gl_limits *lim)
{
    struct ir_shape x = op->in[0]->shape, y = op->out->shape;

    (void)lim;
    return (x.c < y.c ? x.c : y.c) % 4 == 0;
}

static void depth_emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct blocks *b = op->attr;
    const int64_t rows = (int64_t)op->out->shape.h + b->before_h, columns = (int64_t)op->out->shape.w + b->before_w;

    if (op->variant->fits == shallow_slices)
        gl_define(p, "SLICES", 1);
    emit(p, op, depth_to_space_comp);
    gl_define(p, "BY_FLOATS", gl_divides_by_floats(p, rows > columns ? rows : columns));
}

static void space_emit(struct gl_shader *p, const struct ir_op *op)
{
    if (op->variant->fits == shallow_slices)
        gl_define(p, "SLICES", 1);
    emit(p, op, space_to_depth_comp);
}

static const struct gl_variant depth_variants[] = {
    {"slices", shallow_slices, depth_emit, .iterations = gl_unrolled},
    {"elements", NULL, depth_emit, .iterations = gl_unrolled},
};
static const struct gl_variant space_variants[] = {
    {"slices", shallow_slices, space_emit, .iterations = gl_unrolled},
    {"elements", NULL, space_emit, .iterations = gl_unrolled},
};

static bool blocks(const struct ir_op *op, struct ir_blocks *out)
{
    const struct blocks *b = op->attr;
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;

    *out = (struct ir_blocks){b->h, b->w, y.c};
    return x.c == (int64_t)b->h * b->w * y.c && y.h == (int64_t)x.h * b->h && y.w == (int64_t)x.w * b->w;
}

const struct ir_kind gl_kind_depth_to_space = {
    .name = "depth_to_space", .moves = true, GL_VARIANTS(depth_variants), IR_TRAITS(.blocks = blocks)};
const struct ir_kind gl_kind_space_to_depth = {.name = "space_to_depth", .moves = true, GL_VARIANTS(space_variants)};

static enum status lower_depth(struct ir *ir, const struct node *n, const struct ir_kind *kind, int32_t block, struct err *err)
{
    return ir_op_with(ir, kind, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), IR_ATTR(struct blocks, .h = block, .w = block))
               ? ST_OK
               : ir_nomem(err);
}

static enum status depth_to_space_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower_depth(ir, n, &gl_kind_depth_to_space, ((const struct opt_depth_to_space *)n->opt)->block_size, err);
}

static enum status space_to_depth_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower_depth(ir, n, &gl_kind_space_to_depth, ((const struct opt_space_to_depth *)n->opt)->block_size, err);
}

struct ir_op *ir_depth_to_space(struct ir *ir, struct ir_value *x, const struct ir_window *blocks, struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_depth_to_space, IR_INS(x), y,
                      IR_ATTR(struct blocks, blocks->stride_h, blocks->stride_w, blocks->pad_h, blocks->pad_w, 0));
}

/* ---- to and from batches ---- */

static void to_batch_emit(struct gl_shader *p, const struct ir_op *op)
{
    const int32_t border = ((const struct blocks *)op->attr)->border;

    emit(p, op, space_to_batch_comp);
    gl_define(p, "PADS", border != 0);
    if (border)
        gl_param(p, "BORDER", border);
}

static void to_space_emit(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, batch_to_space_comp);
}

static const struct gl_variant to_batch_variants[] = {{"slices", NULL, to_batch_emit}};
static const struct gl_variant to_space_variants[] = {{"slices", NULL, to_space_emit}};

const struct ir_kind gl_kind_space_to_batch = {.name = "space_to_batch", .moves = true, GL_VARIANTS(to_batch_variants)};
const struct ir_kind gl_kind_batch_to_space = {.name = "batch_to_space", .moves = true, GL_VARIANTS(to_space_variants)};

static bool batch_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why) && gl_constant(n, 1, "block shape", why) && gl_constant(n, 2, "paddings or crops", why) &&
           gl_one_type(n, 0, 1, why);
}

/* [batch, length, channels] is seen as [batch, length, 1, channels]. */
static struct ir_shape with_batch(const struct ir_value *v, const struct tensor *t)
{
    return t->rank == 3 ? (struct ir_shape){v->shape.h, v->shape.w, 1, v->shape.c} : v->shape;
}

static enum status batch_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct blocks b = {.h = (int32_t)tensor_int(n->in[1], 0), .w = 1, .before_h = (int32_t)tensor_int(n->in[2], 0)};
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0), *natural;

    if (!x || !y)
        return ir_nomem(err);
    if (ir->lowering.raw && tensor_is_quantized(n->out[0]) && n->out[0]->quant.zero_point)
        b.border = (int32_t)n->out[0]->quant.zero_point[0];
    if (n->in[0]->rank == 4) {
        b.w = (int32_t)tensor_int(n->in[1], 1);
        b.before_w = (int32_t)tensor_int(n->in[2], 2);
    }
    natural = ir_begin_reshape(ir, y, with_batch(y, n->out[0]));
    return ir_op_with(ir, n->op->gl->arg, IR_INS(ir_reshaped(ir, x, with_batch(x, n->in[0]))), natural, &b, sizeof b) &&
                   ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

#define SPACE(version, accept_, lower_, kind)                                                                                      \
    {                                                                                                                              \
        .max_version = (version), MOVES_ANY, .accept = (accept_), .lower = (lower_), .arg = (kind)                                 \
    }

const struct gl_kernel gl_batch_to_space_nd = SPACE(4, batch_accept, batch_lower, &gl_kind_batch_to_space);
const struct gl_kernel gl_depth_to_space = SPACE(2, gl_accept_alike, depth_to_space_lower, NULL);
const struct gl_kernel gl_space_to_batch_nd = SPACE(4, batch_accept, batch_lower, &gl_kind_space_to_batch);
const struct gl_kernel gl_space_to_depth = SPACE(2, gl_accept_alike, space_to_depth_lower, NULL);
