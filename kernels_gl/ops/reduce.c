/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - SUM, MEAN, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ANY, REDUCE_ALL over any axes. */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/int64/int64.h"
#include "kernels_gl/ops/reduce_block.h"
#include "lib/gl/ir/fold.h"

static const struct reducer r_sum = {.combine = "(a) + (b)", .wide = "int64_sum(a, b)"};
static const struct reducer r_mean = {.combine = "(a) + (b)", .mean = true};
static const struct reducer r_prod = {
    .combine = "(a) * (b)", .wide = "int64_product(a, b)", .init = 1, .init_int = 1, .init_words = {1, 0}};
/* Comparisons, since max() and min() may let a NaN win, and the CPU's do not. */
static const struct reducer r_max = {.combine = "mix(a, b, greaterThan(b, a))",
                                     .wide = "int64_pick(a, b, int64_less(a, b))",
                                     .init = -FLT_MAX,
                                     .init_int = INT32_MIN,
                                     .init_words = {0, INT32_MIN}};
static const struct reducer r_min = {.combine = "mix(a, b, lessThan(b, a))",
                                     .wide = "int64_pick(a, b, int64_less(b, a))",
                                     .init = FLT_MAX,
                                     .init_int = INT32_MAX,
                                     .init_words = {-1, INT32_MAX}};
static const struct reducer r_largest = {.combine = "mix(a, abs(b), greaterThan(abs(b), a))"};
static const struct reducer r_high = {.combine = "mix(a, b, greaterThan(b, a))"};
static const struct reducer r_low = {.combine = "mix(a, b, lessThan(b, a))"};
static const struct reducer r_any = {.combine = "max(a, b)"};
static const struct reducer r_all = {.combine = "min(a, b)", .init = 1};

static struct ir_op *reduce_new(struct ir *ir, struct ir_value *x, const struct reduce *r, struct ir_value *y)
{
    return ir_reduce_blocks(ir, IR_INS(x), r, y);
}

struct ir_op *ir_block_sums(struct ir *ir, struct ir_value *x, const int32_t block[4], bool part, struct ir_value *y)
{
    struct reduce r = {&r_sum, {block[0], block[1], block[2], block[3]}, .over_c = block[3] > 1, .part = part};

    return reduce_new(ir, x, &r, y);
}

struct ir_op *ir_int64_block_sums(struct ir *ir, struct ir_value *x, const int32_t block[4], struct ir_value *y)
{
    struct reduce r = {&r_sum, {block[0], block[1], block[2], block[3]}, .over_c = block[3] > 1, .part = true, .wide = true};

    return reduce_new(ir, x, &r, y);
}

static struct ir_shape reduced(struct ir_shape s, const bool over[4])
{
    for (int axis = 0; axis < 4; axis++)
        if (over[axis])
            s = ir_with(s, axis, 1);
    return s;
}

/* Reduces x to y, whose shape is that of x with ones instead of the reduced extents. */
static bool reduce(struct ir *ir, struct ir_value *x, const struct reducer *fn, const bool over[4], struct ir_value *y)
{
    struct reduce r = {.fn = fn, .over_c = over[3], .across = over[3], .count = fn->mean};

    r.in_order = fn->product || (ir->in_order && y && y->type == IR_FLOAT && (fn == &r_sum || fn == &r_mean));
    if (!x || !y)
        return false;
    for (int axis = 0; axis < 4; axis++) {
        int32_t extent = over[axis] ? ir_dim(x->shape, axis) : 1;

        r.block[axis] = axis == 3 ? (extent + 3) / 4 : extent;
        r.count *= extent;
    }
    return reduce_new(ir, x, &r, y);
}

/* ---- the reductions ---- */

static bool reduce_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim, (void)g;
    if (!gl_arity(n, 2, 2, 1, why) || !gl_runtime(n, 0, "input", why) || !gl_constant(n, 1, "axes", why) ||
        !gl_one_type(n, 0, 1, why))
        return false;
    if (tensor_is_plain(n->in[0]) && ((const struct reducer *)n->op->gl->arg)->mean)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "the mean of %s without a scale", type_name(n->in[0]->type));
    return true;
}

/* What is reduced: the extents of a value of any shape, or of one for the words of each kind. */
struct reduction {
    struct ir_value *x[2];
    uint32_t n_x;
    int32_t rank, dim[TENSOR_MAX_RANK];
    bool over[TENSOR_MAX_RANK];
};

static bool fold(const struct reduction *r, struct ir_fold *f)
{
    const struct ir_folded x = {.dim = r->dim, .stored = r->x[0]->shape};
    int32_t key[TENSOR_MAX_RANK];

    for (int32_t i = 0; i < r->rank; i++)
        key[i] = r->dim[i] == 1 ? -1 : r->over[i];
    return ir_fold_best(r->rank, ir_fold_apart(key, r->rank), &x, 1, f);
}

/* Moves the axes that are reduced behind the others. False: out of memory. */
static bool part_axes(struct ir *ir, struct reduction *r)
{
    struct axis_gather gather = axis_gather_of(r->rank, r->dim, r->dim);
    struct reduction to = {.rank = r->rank, .n_x = r->n_x};
    struct ir_fold f;
    int32_t n = 0;

    for (int last = 0; last < 2; last++)
        for (int32_t i = 0; i < r->rank; i++)
            if (r->over[i] == last) {
                gather.axis[n] = i;
                gather.y[n] = to.dim[n] = r->dim[i];
                to.over[n++] = last;
            }
    f = ir_fold_stored(to.dim, to.rank);
    for (uint32_t k = 0; k < r->n_x; k++) {
        to.x[k] = ir_temp(ir, r->x[k]->type, ir_fold_shape(&f, to.dim));
        if (!ir_axis_gather(ir, r->x[k], &gather, to.x[k]))
            return false;
    }
    *r = to;
    return true;
}

/* From `natural`, or a temporary that stands for it, to y. */
static bool end_reduction(struct ir *ir, const struct node *n, struct ir_value *natural, struct ir_value *y)
{
    struct ir_op *op;

    if (!ir_moves_batch(ir, n->in[0], n->out[0]))
        return ir_end_reshape(ir, natural, y);
    if ((op = ir_reshape(ir, natural, y)))
        op->moves_batch = true;
    return op;
}

/* Gives x, one or two values of the node's input, a shape in which axes of theirs are reduced, `over`. False: out of memory. */
static bool arrange(struct ir *ir, const struct node *n, struct ir_value *x[2], uint32_t n_x, bool over[4])
{
    struct reduction r = {.x = {x[0], x[1]}, .n_x = n_x, .rank = n->in[0]->rank};
    struct ir_shape s;
    struct ir_fold f;

    for (uint32_t k = 0; k < n_x; k++)
        if (!x[k])
            return false;
    memcpy(r.dim, n->in[0]->dim, sizeof r.dim);
    /* The op's shape function has checked the axes; of a scalar nothing is reduced. */
    for (size_t i = 0; r.rank && i < tensor_elems(n->in[1]); i++) {
        int32_t axis = (int32_t)tensor_int(n->in[1], i);

        r.over[axis < 0 ? axis + r.rank : axis] = true;
    }
    if (!fold(&r, &f) && (!part_axes(ir, &r) || !fold(&r, &f)))
        return false;
    s = ir_fold_shape(&f, r.dim);
    for (int32_t i = 0; i < r.rank; i++) {
        int axis = ir_fold_axis(&f, i);

        over[axis] |= r.over[i] && (r.dim[i] > 1 || ir_dim(s, axis) == 1);
    }
    for (uint32_t k = 0; k < n_x; k++)
        if (!(x[k] = ir_reshaped(ir, r.x[k], s)))
            return false;
    return true;
}

static enum status reduce_to(struct ir *ir, const struct node *n, const struct reducer *fn, struct ir_value *y, struct err *err)
{
    struct ir_value *natural, *x[2] = {ir_in(ir, n, 0), NULL};
    bool over[4] = {false};
    struct ir_shape s;

    if (!y || !arrange(ir, n, x, 1, over))
        return ir_nomem(err);
    s = reduced(x[0]->shape, over);
    natural = ir_moves_batch(ir, n->in[0], n->out[0]) ? ir_temp(ir, y->type, s) : ir_begin_reshape(ir, y, s);
    if (!natural || !reduce(ir, x[0], fn, over, natural) || !end_reduction(ir, n, natural, y))
        return ir_nomem(err);
    return ST_OK;
}

/* ---- of 64 bits ---- */

/* The words of the output, of one kind. NULL: out of memory. */
static struct ir_value *word_of_result(struct ir *ir, const struct node *n, struct ir_value *result, bool high)
{
    struct ir_value *word = int64_take_half(ir, result, high), *y;
    struct ir_shape shape;

    if (!word || !ir_shape_of(n->out[0], &shape))
        return NULL;
    if (!ir_moves_batch(ir, n->in[0], n->out[0]))
        return ir_reshaped(ir, word, shape);
    y = ir_temp(ir, IR_INT, shape);
    return y && end_reduction(ir, n, word, y) ? y : NULL;
}

/* Reduces what has these words, and divides a mean, whose quotient is rounded towards 0. */
static struct ir_value *reduce_words(struct ir *ir, const struct node *n, struct ir_value *low, struct ir_value *high)
{
    const struct reducer *fn = n->op->gl->arg;
    struct ir_value *x[2] = {low, high}, *all, *y;
    bool over[4] = {false};
    struct reduce r = {.fn = fn->mean ? &r_sum : fn, .wide = true};
    int64_t count = 1;

    if (!arrange(ir, n, x, 2, over) || !(all = int64_join(ir, x[0], x[1])))
        return NULL;
    for (int axis = 0; axis < 4; axis++) {
        const int32_t extent = over[axis] ? ir_dim(x[0]->shape, axis) : 1;

        r.block[axis] = axis == 3 ? (extent + 3) / 4 : extent;
        count *= extent;
    }
    r.over_c = r.across = over[3];
    y = ir_temp_full(ir, IR_INT, int64_shape(reduced(x[0]->shape, over)));
    if (!y || !reduce_new(ir, all, &r, y))
        return NULL;
    return fn->mean ? int64_map(ir, "divided(a, b)", y, int64_constant(ir, count)) : y;
}

static struct ir_value *int64_reduce(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *y = reduce_words(ir, n, int64_half(ir, n->in[0], false), int64_half(ir, n->in[0], true));

    *high = word_of_result(ir, n, y, true);
    return *high ? word_of_result(ir, n, y, false) : NULL;
}

/* Sums of INT32 have 64 bits before they are divided. */
static enum status mean_of_integers(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *sign = int64_sign(ir, x), *y;

    if (!sign)
        return ir_nomem(err);
    y = word_of_result(ir, n, reduce_words(ir, n, x, sign), false);
    return y && ir_copy(ir, y, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

/* Of truth values, as the CPU has them: a sum or the largest is whether any is true, a product or the smallest whether all are. */
static const struct reducer *of_bools(const struct reducer *fn)
{
    return fn == &r_sum || fn == &r_max ? &r_any : fn == &r_prod || fn == &r_min ? &r_all : fn;
}

static enum status reduce_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct reducer *fn = n->op->gl->arg;

    if (fn->mean && n->in[0]->type == TYPE_INT32)
        return mean_of_integers(ir, n, err);
    return reduce_to(ir, n, n->in[0]->type == TYPE_BOOL ? of_bools(fn) : fn, ir_out(ir, n, 0), err);
}

bool ir_largest(struct ir *ir, struct ir_value *x, const bool over[4], struct ir_value *y)
{
    return reduce(ir, x, &r_largest, over, y);
}

bool ir_range_to_zero(struct ir *ir, struct ir_value *x, const bool over[4], struct ir_value *low, struct ir_value *high)
{
    return reduce(ir, x, &r_low, over, low) && reduce(ir, x, &r_high, over, high);
}

enum status ir_sum_axes(struct ir *ir, const struct node *n, struct ir_value *y, struct err *err)
{
    return reduce_to(ir, n, &r_sum, y, err);
}

enum status ir_product_axes(struct ir *ir, const struct node *n, const struct exact_product *product, struct ir_value *y,
                            struct err *err)
{
    struct reducer *fn = ARENA_NEW(ir->arena, struct reducer);
    struct exact_product *numbers = ARENA_NEW(ir->arena, struct exact_product);

    if (!fn || !numbers)
        return ir_nomem(err);
    *numbers = *product;
    *fn = (struct reducer){.product = numbers};
    return reduce_to(ir, n, fn, y, err);
}

#define REDUCTION(types, integers, reducer, words)                                                                                 \
    {                                                                                                                              \
        .max_version = 3, .quantized = (integers), .in_types = (types), .out_types = (types), .accept = reduce_accept,             \
        .lower = reduce_lower, .arg = (reducer), .int64 = (words)                                                                  \
    }

static const struct gl_int64 words = {.lower = int64_reduce, .types = 1u << TYPE_INT64, .asks = true};

const struct gl_kernel gl_mean = REDUCTION(TAKES_FLOAT | TAKES_INT, 0, &r_mean, &words);
const struct gl_kernel gl_reduce_all = REDUCTION(TAKES_BOOL, 0, &r_all, NULL);
const struct gl_kernel gl_reduce_any = REDUCTION(TAKES_BOOL, 0, &r_any, NULL);
const struct gl_kernel gl_reduce_max = REDUCTION(TAKES_ANY, TAKES_QUANTIZED, &r_max, &words);
const struct gl_kernel gl_reduce_min = REDUCTION(TAKES_ANY, TAKES_QUANTIZED, &r_min, &words);
const struct gl_kernel gl_reduce_prod = REDUCTION(TAKES_ANY, 0, &r_prod, &words);
const struct gl_kernel gl_sum = REDUCTION(TAKES_ANY, 0, &r_sum, &words);
