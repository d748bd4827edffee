/* SPDX-License-Identifier: Apache-2.0 */
/* cumsum.c - CUMSUM: sums of all elements up to each one along an axis. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/int64/int64.h"
#include "lib/gl/ir/fold.h"

struct cumsum {
    int axis;
    bool exclusive, reverse;
    bool wide;            /* all values are of 64 bits: int64_value.h */
    int32_t block, parts; /* elements (of channels: slices) of one invocation, and how many such blocks the axis has */
};

/* That of the elements, of whatever size. */
static struct ir_shape shape_of(const struct cumsum *c, const struct ir_value *v)
{
    return c->wide ? int64_half_shape(v->shape) : v->shape;
}

/* in: what is summed; with a second one, the sum of all blocks before each block. */
static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct cumsum *c = op->attr;
    struct ir_shape y = shape_of(c, op->out), lines = ir_with(y, c->axis, c->axis == 3 ? 4 * c->parts : c->parts);

    if (c->wide) {
        gl_source_with(p, int64_value_comp, int64_cumsum_comp);
    } else {
        gl_source(p, cumsum_comp);
        gl_define_types(p, op->stores);
    }
    GL_DEFINES(p, "AXIS EXCLUSIVE REVERSE", c->axis, c->exclusive, c->reverse);
    gl_param(p, "BLOCK", c->block);
    gl_operands(p, "x before");
    if (op->n_in > 1)
        gl_define(p, "CONTINUED", 1);
    gl_grid(p, lines);
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES((uint64_t)((const struct cumsum *)op->attr)->block);
}

static uint64_t invocations(const struct ir_op *op)
{
    const struct cumsum *c = op->attr;

    return ir_vectors(ir_with(shape_of(c, op->out), c->axis, 1));
}

static bool can_split(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return op->n_in == 1 && split_k_fits((uint64_t)((const struct cumsum *)op->attr)->block);
}

static bool is_long(const struct ir_op *op, const struct gl_limits *lim)
{
    return split_k_pays((uint64_t)((const struct cumsum *)op->attr)->block, iterations(op), invocations(op), lim);
}

static struct ir_op *cumsum_new(struct ir *ir, struct ir_value *const *in, uint32_t n_in, const struct cumsum *c,
                                struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_cumsum, in, n_in, y, c, sizeof *c);
}

/* Sums of blocks; of those, the sums before each; then each block from there on. Of channels, the sums of a block are four, one a
 * lane, and the first or, in reverse, the last of the four has all that comes before. */
static bool split(struct ir *ir, const struct ir_op *op)
{
    const struct cumsum *whole = op->attr;
    struct cumsum part = *whole, scan = *whole;
    int32_t block[4] = {1, 1, 1, 1};
    struct ir_shape s = shape_of(whole, op->out);
    struct ir_value *sums, *before;
    struct ir_op *first;

    part.block = block[whole->axis] = split_k_length((uint64_t)whole->block, invocations(op));
    part.parts = scan.block = split_k_count(whole->block, part.block);
    scan.exclusive = true;
    s = ir_with(s, whole->axis, whole->axis == 3 ? 4 * part.parts : part.parts);
    s = whole->wide ? int64_shape(s) : s;
    sums = ir_temp_full(ir, op->stores, s);
    before = ir_temp_full(ir, op->stores, s);
    first = whole->wide ? ir_int64_block_sums(ir, op->in[0], block, sums) : ir_block_sums(ir, op->in[0], block, true, sums);
    return first && cumsum_new(ir, IR_INS(sums), &scan, before) &&
           ir_hand_over(op, cumsum_new(ir, IR_INS(op->in[0], before), &part, op->out));
}

static const struct gl_variant variants[] = {
    {"split", can_split, .expand = split, .pays = is_long},
    {"serial", NULL, emit, .iterations = iterations},
};
const struct ir_kind gl_kind_cumsum = {.name = "cumsum", .constants = 1, GL_VARIANTS(variants)};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    int32_t axis;

    if (!gl_one_type(n, 0, 1, why))
        return false;
    if (n->in[1]->is_const)
        return gl_runtime(n, 0, "input", why) && gl_axis(n, 1, n->in[0]->rank, &axis, why);
    if (n->in[1]->type != TYPE_INT32 || tensor_elems(n->in[1]) != 1 || n->in[0]->rank == 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "the axis is %s, of rank %d", TENSOR_TEXT(n->in[1]),
                          n->in[0]->rank);
    return gl_storable(lim, n, 0, 1, why);
}

/* How elements of t are walked along, in the shape *natural. */
static struct cumsum walk_of(const struct node *n, int32_t axis, struct ir_shape stored, struct ir_shape *natural)
{
    const struct opt_cumsum *o = n->opt;
    const struct tensor *t = n->out[0];
    struct ir_folded all = {.dim = t->dim, .stored = stored};
    struct ir_fold f;
    struct cumsum c;

    ir_fold_best(t->rank, ir_fold_around(t->dim, t->rank, axis), &all, 1, &f);
    *natural = ir_fold_shape(&f, t->dim);
    c = (struct cumsum){.axis = ir_fold_axis(&f, axis), .exclusive = o->exclusive, .reverse = o->reverse, .parts = 1};
    c.block = c.axis == 3 ? ir_slices(*natural) : ir_dim(*natural, c.axis);
    return c;
}

/* Sums along an axis, of x or of words, to y, which is made where it is NULL. NULL: out of memory. */
static struct ir_value *sums_along(struct ir *ir, const struct node *n, int32_t axis, struct ir_value *const x[2],
                                   struct ir_value *y, struct ir_value **high)
{
    struct ir_shape stored, shape;
    struct ir_value *natural;
    struct cumsum c;

    if (!x[0] || !ir_shape_of(n->out[0], &stored))
        return NULL;
    c = walk_of(n, axis, stored, &shape);
    c.wide = x[1];
    if (c.wide) {
        natural = ir_temp_full(ir, IR_INT, int64_shape(shape));
        if (!cumsum_new(ir, IR_INS(int64_join(ir, ir_reshaped(ir, x[0], shape), ir_reshaped(ir, x[1], shape))), &c, natural))
            return NULL;
        *high = ir_reshaped(ir, int64_take_half(ir, natural, true), stored);
        return *high ? ir_reshaped(ir, int64_take_half(ir, natural, false), stored) : NULL;
    }
    y = y ? y : ir_temp_full(ir, x[0]->type, stored);
    natural = ir_begin_reshape(ir, y, shape);
    return cumsum_new(ir, IR_INS(ir_reshaped(ir, x[0], shape)), &c, natural) && ir_end_reshape(ir, natural, y) ? y : NULL;
}

/* a where `first`, a single truth, else b; to y, which is made where it is NULL. */
static struct ir_value *one_of(struct ir *ir, struct ir_value *first, struct ir_value *a, struct ir_value *b, struct ir_value *y)
{
    y = y || !a ? y : ir_temp_full(ir, a->type, a->shape);
    return y && ir_map(ir, &fn_select, (struct ir_value *[3]){first, a, b}, NULL, y) ? y : NULL;
}

/* Likewise along the axis of the node. One that is named at run time is found among the sums along all of them; what names none,
 * which ends a run on the CPU, is taken for the first. */
static struct ir_value *sums_of(struct ir *ir, const struct node *n, struct ir_value *const x[2], struct ir_value *y,
                                struct ir_value **high)
{
    static const struct ir_fn fn_is_axis = {"IS_AXIS", NULL, "vec4(equal(a, ivec4(p.x))) + vec4(equal(a, ivec4(p.y)))", .arity = 1,
                                            .params = true};
    const int32_t rank = n->out[0]->rank;
    struct ir_value *named, *is, *sums, *next, *next_high = NULL;
    struct reason why;
    int32_t axis = 0;

    if (n->in[1]->is_const) {
        gl_axis(n, 1, rank, &axis, &why);
        return sums_along(ir, n, axis, x, y, high);
    }
    named = ir_reshaped(ir, ir_in(ir, n, 1), (struct ir_shape){1, 1, 1, 1});
    sums = sums_along(ir, n, 0, x, rank == 1 ? y : NULL, high);
    for (axis = 1; axis < rank && named && sums; axis++) {
        is = ir_temp(ir, IR_BOOL, named->shape);
        next = sums_along(ir, n, axis, x, NULL, &next_high);
        if (!is || !next ||
            !ir_map(ir, &fn_is_axis, (struct ir_value *[3]){named}, (float[4]){(float)axis, (float)(axis - rank)}, is))
            return NULL;
        sums = one_of(ir, is, next, sums, axis == rank - 1 ? y : NULL);
        if (x[1] && !(*high = one_of(ir, is, next_high, *high, NULL)))
            return NULL;
    }
    return named ? sums : NULL;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *const x[2] = {ir_in(ir, n, 0), NULL}, *y = ir_out(ir, n, 0);

    return y && sums_of(ir, n, x, y, NULL) ? ST_OK : ir_nomem(err);
}

static struct ir_value *int64_cumsum(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *const word[2] = {int64_half(ir, n->in[0], false), int64_half(ir, n->in[0], true)};

    return word[1] ? sums_of(ir, n, word, NULL, high) : NULL;
}

const struct gl_kernel gl_cumsum = {.max_version = 1,
                                    .in_types = TAKES_FLOAT | TAKES_INT,
                                    .out_types = TAKES_FLOAT | TAKES_INT,
                                    .accept = accept,
                                    .lower = lower,
                                    .int64 = INT64_ASKS(int64_cumsum, 1u << TYPE_INT64)};
