/* SPDX-License-Identifier: Apache-2.0 */
/* topk.c - TOPK_V2: the largest elements of each row and their indices, the first of equals first.
 *
 * A first dispatch counts the elements that come before each element; a second picks for each rank the element with that count. The
 * work grows with the square of a row, so in long rows the best of each block are found first, and then the best of these. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/int64/int64.h"

/* A block has so many times the elements that are kept of it, so that the longest row takes six rounds (expand.c). */
#define SHRINKS 16

/* Blocks of `block` elements, a multiple of 4 where there are several; of each the `keep` best, a multiple of 4 likewise. */
struct topk {
    int32_t block, keep;
    bool wide; /* elements are of 64 bits (int64_value.h), ranks and places of 32 */
};

/* That of the elements, of whatever size. */
static struct ir_shape shape_of(const struct topk *t, const struct ir_value *v)
{
    return t->wide ? int64_half_shape(v->shape) : v->shape;
}

/* ---- how many elements of its block come before each ---- */

static void define_order(struct gl_shader *p, const struct ir_op *op)
{
    gl_define_types(p, op->in[0]->type);
    GL_DEFINES(p, "FLOATS TWO_WORDS", op->in[0]->type != IR_INT, ((const struct topk *)op->attr)->wide);
    gl_param(p, "BLOCK", ((const struct topk *)op->attr)->block);
}

static void emit_rank(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, topk_rank_comp);
    define_order(p, op);
    gl_operands(p, "x at");
    if (op->n_in > 1)
        gl_define(p, "INDEXED", 1);
}

static uint64_t rank_iterations(const struct ir_op *op)
{
    return GL_PASSES(((uint64_t)((const struct topk *)op->attr)->block + 3) / 4);
}

static const struct gl_variant rank_variants[] = {{"count", NULL, emit_rank, .iterations = rank_iterations}};
const struct ir_kind gl_kind_topk_rank = {.name = "topk_rank", GL_VARIANTS(rank_variants)};

/* ---- in: elements and their ranks; out2, or NULL: where the result was ---- */

static void emit_pick(struct gl_shader *p, const struct ir_op *op)
{
    gl_source(p, topk_pick_comp);
    define_order(p, op);
    gl_param(p, "KEEP", ((const struct topk *)op->attr)->keep);
    gl_operands(p, "x rank");
    if (op->out2) {
        gl_define(p, "PLACES", 1);
        gl_output(p, "which", op->out2);
    }
    gl_grid(p, shape_of(op->attr, op->out));
}

static const struct gl_variant pick_variants[] = {{"search", NULL, emit_pick, .iterations = rank_iterations}};
const struct ir_kind gl_kind_topk_pick = {.name = "topk_pick", GL_VARIANTS(pick_variants)};

static struct ir_op *topk_new(struct ir *ir, const struct ir_kind *kind, struct ir_value *x, struct ir_value *second, struct topk t,
                              struct ir_value *y)
{
    return ir_op_with(ir, kind, (struct ir_value *[]){x, second}, second ? 2 : 1, y, &t, sizeof t);
}

/* Appends what finds the best of x, whose elements were at `at` (NULL: where they are); `y` and `which` have room for `keep` of
 * each block. Where places are known they are picked apart, as a device need not bind five buffers. */
static struct ir_op *rank_and_pick(struct ir *ir, struct ir_value *x, struct ir_value *at, struct topk t, struct ir_value *y,
                                   struct ir_value *which)
{
    struct ir_value *rank = x ? ir_temp(ir, IR_INT, shape_of(&t, x)) : NULL;
    const struct topk of_places = {t.block, t.keep, false};
    struct ir_op *op;

    if (!which || !topk_new(ir, &gl_kind_topk_rank, x, at, t, rank))
        return NULL;
    if (at && !topk_new(ir, &gl_kind_topk_pick, at, rank, of_places, which))
        return NULL;
    op = topk_new(ir, &gl_kind_topk_pick, x, rank, t, y);
    if (op && !at)
        op->out2 = which;
    return op;
}

/* ---- both together, in one step or in blocks ---- */

static struct topk in_blocks(const struct ir_op *op)
{
    int32_t keep = 4 * ir_slices(op->out->shape);

    return (struct topk){SHRINKS * keep, keep, ((const struct topk *)op->attr)->wide};
}

static bool has_blocks(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return op->out->shape.c < op->in[0]->shape.c / (4 * SHRINKS);
}

static bool is_short(const struct ir_op *op, const struct gl_limits *lim)
{
    return !has_blocks(op, lim);
}

/* What a last block has too few elements for is said to have been nowhere. */
static bool expand_blocks(struct ir *ir, const struct ir_op *op)
{
    struct topk t = in_blocks(op);
    struct ir_value *x = op->in[0], *best, *at;
    struct ir_shape s = x->shape;

    s.c = ((s.c - 1) / t.block + 1) * t.keep;
    best = ir_temp_full(ir, x->type, s);
    at = ir_temp(ir, IR_INT, t.wide ? int64_half_shape(s) : s);
    if (!rank_and_pick(ir, x, op->n_in > 1 ? op->in[1] : NULL, t, best, at))
        return false;
    return ir_hand_over(op, topk_new(ir, &gl_kind_topk, best, at, t, op->out));
}

static bool expand_whole(struct ir *ir, const struct ir_op *op)
{
    struct topk t = {op->in[0]->shape.c, op->out->shape.c, ((const struct topk *)op->attr)->wide};
    struct ir_value *at = op->n_in > 1 ? op->in[1] : NULL;
    struct ir_op *last = rank_and_pick(ir, op->in[0], at, t, op->out, op->out2);
    struct ir_value *which = last ? last->out2 : NULL;

    if (!ir_hand_over(op, last))
        return false;
    last->out2 = which;
    return true;
}

static const struct gl_variant variants[] = {
    {"blocks", has_blocks, .expand = expand_blocks},
    {"whole", is_short, .expand = expand_whole},
};
const struct ir_kind gl_kind_topk = {.name = "topk", GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    if (!gl_runtime(n, 0, "input", why) || !gl_constant(n, 1, "number of elements", why))
        return false;
    if (n->out[0]->type != n->in[0]->type)
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "input of type %s, output of type %s", type_name(n->in[0]->type),
                          type_name(n->out[0]->type));
    if (ir_type_of(n->out[1]) != IR_INT)
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "indices of type %s", type_name(n->out[1]->type));
    return true;
}

/* Whatever the rank, rows lie along the channels, and nothing but their length changes. */
static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0), *which = ir_out(ir, n, 1);
    struct ir_op *op = topk_new(ir, &gl_kind_topk, x, NULL, (struct topk){0}, y);

    if (!op || !which)
        return ir_nomem(err);
    op->out2 = which;
    return ST_OK;
}

static struct ir_value *int64_topk(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *x = int64_join(ir, int64_half(ir, n->in[0], false), int64_half(ir, n->in[0], true)), *which = ir_out(ir, n, 1),
                    *y;
    struct ir_shape shape;
    struct ir_op *op;

    if (!x || !which || !ir_shape_of(n->out[0], &shape))
        return NULL;
    y = ir_temp_full(ir, IR_INT, int64_shape(shape));
    if (!(op = topk_new(ir, &gl_kind_topk, x, NULL, (struct topk){.wide = true}, y)))
        return NULL;
    op->out2 = which;
    *high = int64_take_half(ir, y, true);
    return *high ? int64_take_half(ir, y, false) : NULL;
}

const struct gl_kernel gl_topk = {.max_version = 3,
                                  .quantized = TAKES_QUANTIZED,
                                  .in_types = TAKES_FLOAT | TAKES_INT,
                                  .out_types = TAKES_FLOAT | TAKES_INT,
                                  .accept = accept,
                                  .lower = lower,
                                  .int64 = INT64_ASKS(int64_topk, 1u << TYPE_INT64)};
