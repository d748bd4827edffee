/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - SUM, MEAN, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ANY, REDUCE_ALL over any axes. */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/common/workgroup_reduce.h"
#include "kernels_gl/int64/int64.h"
#include "lib/gl/ir/fold.h"
#include "lib/gl/ir/kernel.h"
#include "lib/gl/passes/choose.h"

/* ---- a function of one or two values whose results are reduced without being stored ---- */

/* The reduced value: fn of in[0] and, if it exists, in[1], which along each axis has in[0]'s extent or 1. */
struct reduce_map {
    const struct ir_fn *fn; /* NULL: in[0] itself */
    bool swaps;             /* fn(in[1], in[0]) */
};

/* Return true if the function is a short expression of its operands alone. */
static bool is_plain(const struct ir_fn *fn)
{
    return fn->arity <= 2 && fn->f && !fn->params && !fn->helper && !fn->keeps_nan;
}

/* Of a map with one such function: the value of its output's shape that it reads, and the other, or NULL; *swaps: that is the
 * function's first operand. */
static void find_operands(const struct ir_op *map, struct ir_value *in[2], bool *swaps)
{
    const struct ir_epilogue *e = map->epilogue;
    const bool is_first = e->operand[0] != NULL, broadcast = !ir_same_shape(map->in[0]->shape, map->out->shape);

    in[broadcast] = map->in[0];
    in[!broadcast] = e->operand[is_first ? 0 : 1];
    *swaps = is_first != broadcast;
}

static bool is_float(const struct ir_value *v)
{
    return v->type == IR_FLOAT;
}

/* Some rows, pixels or channels alone would be zeros in the others (struct ir_epilogue). */
static bool is_all_or_one(struct ir_shape s, struct ir_shape of)
{
    for (int axis = 0; axis < 4; axis++)
        if (ir_dim(s, axis) != 1 && ir_dim(s, axis) != ir_dim(of, axis))
            return false;
    return true;
}

/* All that it makes are floats, by one function of floats. */
static bool can_take(const struct ir_op *map, struct ir_value *in[2], bool *swaps)
{
    const struct ir_epilogue *e = map->epilogue;

    if (map->kind->role != IR_MAP || !e || e->next || !is_plain(e->fn) || (e->operand[0] && e->operand[1]) || !is_float(map->out))
        return false;
    find_operands(map, in, swaps);
    return in[0] && is_float(in[0]) && ir_same_shape(in[0]->shape, map->out->shape) &&
           (!in[1] || (is_float(in[1]) && is_all_or_one(in[1]->shape, in[0]->shape)));
}

/* Fuse `first`, a map whose floats `op` reduces, into `op`, and fill *map (ir_traits.join). Nothing changes unless *done. False if
 * memory runs out. */
/* Each element is in one block alone, so that nothing is computed twice. */
static bool reduce_map_take(struct ir *ir, struct ir_op *op, const struct ir_op *first, struct reduce_map *map, bool *done)
{
    struct ir_value **in = ARENA_ARRAY(ir->arena, 2, struct ir_value *);
    const struct ir_op apart = *op;
    bool swaps;

    if (!in)
        return false;
    *done = !map->fn && !ir->limits->policy.any_batch && can_take(first, in, &swaps) &&
            gl_fits_bindings(op, in[1] != NULL, ir->limits);
    if (!*done)
        return true;
    *map = (struct reduce_map){first->epilogue->fn, swaps};
    op->in = in;
    op->n_in = in[1] ? 2 : 1;
    op->n_nodes = op->cap_nodes = 0;
    return ir_merge_nodes(ir, op, first) && ir_merge_nodes(ir, op, &apart);
}

/* Define the map's macros for reduce.comp, in which in[1] is bound as `with`. */
static void reduce_map_emit(struct gl_shader *p, const struct ir_op *op, const struct reduce_map *map)
{
    const struct ir_shape s = op->in[op->n_in - 1]->shape;

    gl_define(p, "OPERANDS", map->fn ? (int32_t)op->n_in : 0);
    if (!map->fn)
        return;
    gl_define_text(p, map->swaps ? "MAP(b, a)" : "MAP(a, b)", map->fn->f);
    GL_DEFINES(p, "ALONG_B ALONG_H ALONG_W ALONG_C", s.b > 1, s.h > 1, s.w > 1, s.c > 1);
}

/* ---- the operation of reductions: each output element reduces a block of input elements ---- */

/* A reduction's function of `a`, the total so far, and `b`, the next elements. */
struct reducer {
    const char *combine, *wide; /* GLSL; `wide` is for 64 bits: int64_value.comp */
    float init;
    int32_t init_int;
    int32_t init_words[2];               /* initial value of 64 bits, low and high half */
    bool mean;                           /* divide by the number of elements at the end */
    const struct exact_product *product; /* not NULL: exact_product.comp computes the product */
};

struct reduce {
    const struct reducer *fn;
    int32_t block[4]; /* block of one output element: elements along B, H and W, slices of four channels */
    bool over_c;      /* reduce slices */
    bool across;      /* then reduce their lanes to one channel */
    bool part;        /* is a part of a split: not split again */
    bool in_order;    /* element after element, as the CPU sums floats */
    bool wide;        /* 64-bit input and output: int64_value.h */
    int32_t count;    /* of a mean: divisor of the total; else 0 */
    struct reduce_map map;
};

static void emit_product(struct gl_shader *p, const struct exact_product *e)
{
    gl_source_with(p, exact_wide_comp, exact_product_comp);
    GL_PARAMS(p, "X_ZERO Y_ZERO LEAST MOST MULT SHIFT", e->x_zero, e->y_zero, e->lo, e->hi, e->mult, e->shift);
}

static void emit_reducer(struct gl_shader *p, const struct ir_op *op)
{
    const struct reduce *r = op->attr;

    if (r->in_order && r->count)
        gl_source_with(p, exact_divide_comp, reduce_comp);
    else
        gl_source(p, reduce_comp);
    gl_define_types(p, op->stores);
    gl_define_text(p, "COMBINE(a, b)", r->fn->combine);
    if (op->stores == IR_INT)
        gl_param(p, "INIT", r->fn->init_int);
    else
        gl_param_float(p, "INIT", r->fn->init);
    reduce_map_emit(p, op, &r->map);
}

static void emit_wide(struct gl_shader *p, const struct reducer *fn)
{
    gl_source_with(p, int64_value_comp, int64_reduce_comp);
    gl_define_text(p, "COMBINE(a, b)", fn->wide);
    GL_PARAMS(p, "INIT_LOW INIT_HIGH", fn->init_words[0], fn->init_words[1]);
}

/* That of the elements, of whatever size. */
static struct ir_shape shape_of(const struct reduce *r, const struct ir_value *v)
{
    return r->wide ? int64_half_shape(v->shape) : v->shape;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const blocks[] = {"BLOCK_B", "BLOCK_H", "BLOCK_W"};
    const struct reduce *r = op->attr;

    if (r->fn->product)
        emit_product(p, r->fn->product);
    else if (r->wide)
        emit_wide(p, r->fn);
    else
        emit_reducer(p, op);
    for (int axis = 0; axis < 3; axis++)
        gl_param(p, blocks[axis], r->block[axis]);
    if (r->over_c) {
        gl_define(p, "OVER_C", 1);
        gl_param(p, "BLOCK_S", r->block[3]);
    }
    if (r->across)
        gl_define(p, "ACROSS", 1);
    gl_define(p, "IN_ORDER", r->in_order);
    if (r->count) {
        gl_define(p, "MEAN", 1);
        gl_param(p, "COUNT", r->count);
    }
    gl_operands(p, "x with");
    gl_grid(p, shape_of(r, op->out));
}

static void emit_serial(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op);
    GL_DEFINES(p, "LANES_B LANES_H LANES_W LANES_S", 1, 1, 1, 1);
    gl_shared(p, 0);
}

/* Passes where so many lanes take turns along each axis. */
static uint64_t passes(const struct reduce *r, const int32_t lanes[4])
{
    uint64_t n[4];

    for (int axis = 0; axis < 4; axis++)
        n[axis] = (uint64_t)split_k_count(r->block[axis], lanes[axis]);
    return gl_passes(n, r->over_c ? 4 : 3);
}

static uint64_t iterations(const struct ir_op *op)
{
    return passes(op->attr, (const int32_t[]){1, 1, 1, 1});
}

static uint64_t steps(const struct reduce *r)
{
    return (uint64_t)r->block[0] * (uint64_t)r->block[1] * (uint64_t)r->block[2] * (uint64_t)r->block[3];
}

/* There is one block along each axis that is folded, so that parts cannot reach into a second. */
static bool ends_with_input(const struct reduce *r, struct ir_shape x)
{
    for (int axis = 0; axis < 4; axis++)
        if (r->block[axis] > 1 && r->block[axis] < (axis == 3 ? ir_slices(x) : ir_dim(x, axis)))
            return false;
    return true;
}

static bool can_split(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct reduce *r = op->attr;

    (void)lim;
    return !r->part && !r->in_order && ends_with_input(r, shape_of(r, op->in[0])) && split_k_fits(steps(r));
}

static bool is_long(const struct ir_op *op, const struct gl_limits *lim)
{
    return split_k_pays(steps(op->attr), iterations(op), ir_vectors(op->out->shape), lim);
}

/* Append y = r of in[0], and of in[1] if r->map reads a second value. NULL if memory runs out. */
static struct ir_op *ir_reduce_blocks(struct ir *ir, struct ir_value *const *in, uint32_t n_in, const struct reduce *r,
                                      struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_reduce, in, n_in, y, r, sizeof *r);
}

/* Parts of a block, then what they make. W is given up first: lanes that lie along it read what is adjacent in memory. */
static bool split(struct ir *ir, const struct ir_op *op)
{
    static const int order[4] = {2, 1, 0, 3};
    const struct reduce *whole = op->attr;
    struct reduce part = *whole, rest = *whole;
    struct ir_shape x = shape_of(whole, op->in[0]), t = x;
    struct ir_value *partial;

    part.part = true;
    part.across = false;
    part.count = 0;
    rest.map.fn = NULL;
    split_k_shorten(part.block, order, 4, (uint64_t)split_k_length(steps(whole), ir_vectors(op->out->shape)));
    for (int axis = 0; axis < 4; axis++) {
        int32_t extent = axis == 3 ? ir_slices(x) : ir_dim(x, axis);

        rest.block[axis] = split_k_count(whole->block[axis], part.block[axis]);
        if (axis < 3)
            t = ir_with(t, axis, split_k_count(extent, part.block[axis]));
        else if (whole->over_c)
            t.c = 4 * split_k_count(extent, part.block[axis]);
    }
    partial = ir_temp_full(ir, op->stores, whole->wide ? int64_shape(t) : t);
    return ir_reduce_blocks(ir, op->in, op->n_in, &part, partial) &&
           ir_hand_over(op, ir_reduce_blocks(ir, IR_INS(partial), &rest, op->out));
}

/* ---- by a workgroup ---- */

static bool workgroup_reduce_can(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct reduce *r = op->attr;

    return !r->in_order && !r->wide && workgroup_reduce_fits(op, steps(r), lim);
}

static bool workgroup_reduce_should(const struct ir_op *op, const struct gl_limits *lim)
{
    return workgroup_reduce_pays(op, steps(op->attr), lim);
}

/* Lanes along each axis, as many as cover it while there are some: along W first, where what they read is adjacent in memory. */
static void tree_lanes(const struct reduce *r, int32_t lanes[4])
{
    static const int order[4] = {2, 1, 3, 0};
    int32_t left = REDUCE_LANES;

    for (int i = 0; i < 4; i++)
        for (lanes[order[i]] = 1; left > 1 && lanes[order[i]] < r->block[order[i]]; left /= 2)
            lanes[order[i]] *= 2;
}

static void emit_tree(struct gl_shader *p, const struct ir_op *op)
{
    int32_t lanes[4];

    tree_lanes(op->attr, lanes);
    emit(p, op);
    gl_defines(p, "LANES_B LANES_H LANES_W LANES_S", lanes);
    workgroup_reduce_emit(p, op, reduce_comp, VECTOR_BYTES);
}

static uint64_t iterations_of_tree(const struct ir_op *op)
{
    int32_t lanes[4];

    tree_lanes(op->attr, lanes);
    return passes(op->attr, lanes) + workgroup_reduce_iterations();
}

static const struct gl_variant variants[] = {
    {"tree", workgroup_reduce_can, emit_tree, .iterations = iterations_of_tree, .pays = workgroup_reduce_should},
    {"split", can_split, .expand = split, .pays = is_long},
    {"serial", NULL, emit_serial, .iterations = iterations},
};

static bool join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done)
{
    struct reduce *r = op->attr;

    *done = !r->in_order && !r->wide;
    return !*done || reduce_map_take(ir, op, first, &r->map, done);
}

static const struct ir_fn *applies_first(const struct ir_op *op)
{
    return ((const struct reduce *)op->attr)->map.fn;
}

const struct ir_kind gl_kind_reduce = {
    .name = "reduce", IR_TRAITS(.join = join, .applies_first = applies_first), GL_VARIANTS(variants)};

/* ---- reducers ---- */

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

static bool reduce_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    if (!gl_runtime(n, 0, "input", why) || !gl_constant(n, 1, "axes", why) || !gl_one_type(n, 0, 1, why))
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
