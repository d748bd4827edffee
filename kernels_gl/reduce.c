/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - SUM, MEAN, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ANY, REDUCE_ALL over any axes. */
#include <float.h>
#include <limits.h>

#include "data_movement.h"

/* One invocation should not read much more than this: longer reductions take two steps, the first along H alone or W alone,
 * with one invocation per line. */
#define LONG_REDUCTION 1024

/* What is computed of `a`, the total so far, and `b`, the next elements. */
struct reducer {
    const char *combine;
    float init;
    int32_t init_int;
    bool mean; /* divided by the number of elements at the end */
};

struct reduce {
    const struct reducer *fn;
    bool over[4]; /* B, H, W, C */
};

static const struct reducer r_sum = {.combine = "(a) + (b)"};
static const struct reducer r_mean = {.combine = "(a) + (b)", .mean = true};
static const struct reducer r_prod = {.combine = "(a) * (b)", .init = 1, .init_int = 1};
/* Comparisons, since max() and min() may let a NaN win, and the CPU's do not. */
static const struct reducer r_max = {.combine = "mix(a, b, greaterThan(b, a))", .init = -FLT_MAX, .init_int = INT32_MIN};
static const struct reducer r_min = {.combine = "mix(a, b, lessThan(b, a))", .init = FLT_MAX, .init_int = INT32_MAX};
static const struct reducer r_any = {.combine = "max(a, b)"};
static const struct reducer r_all = {.combine = "min(a, b)", .init = 1};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    static const char *const counts[] = {"COUNT_B", "COUNT_H", "COUNT_W"};
    const struct reduce *r = op->attr;
    struct ir_shape x = op->in[0]->shape;

    gl_source(p, reduce_comp);
    gl_define_types(p, op->stores);
    gl_define_text(p, "COMBINE(a, b)", r->fn->combine);
    if (op->stores == IR_INT)
        gl_param(p, "INIT", r->fn->init_int);
    else
        gl_param_float(p, "INIT", r->fn->init);
    for (int axis = 0; axis < 3; axis++)
        gl_param(p, counts[axis], r->over[axis] ? ir_dim(x, axis) : 1);
    if (r->over[3])
        gl_define(p, "OVER_C", 1);
    if (r->fn->mean)
        gl_define(p, "MEAN", 1);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct reduce *r = op->attr;
    struct ir_shape x = op->in[0]->shape;
    uint64_t n[4];

    for (int axis = 0; axis < 3; axis++)
        n[axis] = r->over[axis] ? (uint64_t)ir_dim(x, axis) : 1;
    n[3] = (uint64_t)ir_slices(x);
    return gl_passes(n, r->over[3] ? 4 : 3);
}

static const struct gl_variant variants[] = {
    {"serial", NULL, emit, iterations},
    {NULL},
};

static const struct ir_kind kind_reduce = {.name = "reduce", .variants = variants};

static struct ir_value *reduce_once(struct ir *ir, struct ir_value *x, const struct reduce *r, struct ir_value *y)
{
    struct ir_op *op = ir_op_new(ir, &kind_reduce, IR_INS(x), y, sizeof *r);

    if (!op)
        return NULL;
    *(struct reduce *)op->attr = *r;
    return y;
}

static struct ir_shape reduced(struct ir_shape s, const bool over[4])
{
    for (int axis = 0; axis < 4; axis++)
        if (over[axis])
            s = ir_with(s, axis, 1);
    return s;
}

/* Reduces x to y, whose shape is that of x with ones instead of the reduced extents. */
static bool reduce(struct ir *ir, struct ir_value *x, struct reduce r, struct ir_value *y)
{
    struct reduce first = {.fn = r.fn, .over = {false, false, true, false}};

    if (!x || !y)
        return false;
    if (r.over[1] && r.over[2] && x->shape.h > 1 && (int64_t)x->shape.h * x->shape.w > LONG_REDUCTION) {
        x = reduce_once(ir, x, &first, ir_temp(ir, y->type, ir_with(x->shape, 2, 1)));
        r.over[2] = false;
    }
    return x && reduce_once(ir, x, &r, y);
}

/* ---- the reductions ---- */

static bool reduce_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 2, 2, 1, why) && gl_runtime(n, 0, "input", why) && gl_constant(n, 1, "axes", why) &&
           gl_one_type(n, 0, 1, why);
}

static enum status reduce_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0), *natural;
    struct reduce r = {.fn = n->op->gl->arg};
    int32_t rank = n->in[0]->rank;

    if (!x || !y)
        return ir_nomem(err);
    /* The op's shape function has checked the axes; of a scalar nothing is reduced. */
    for (size_t i = 0; rank && i < tensor_elems(n->in[1]); i++) {
        int32_t axis = (int32_t)tensor_int(n->in[1], i);

        r.over[ir_axis(rank, axis < 0 ? axis + rank : axis)] = true;
    }
    natural = ir_begin_reshape(ir, y, reduced(x->shape, r.over));
    return reduce(ir, x, r, natural) && ir_end_reshape(ir, natural, y) ? ST_OK : ir_nomem(err);
}

#define REDUCTION(types, reducer)                                                                                                  \
    {                                                                                                                              \
        .max_version = 3, .in_types = (types), .out_types = (types), .accept = reduce_accept, .lower = reduce_lower,               \
        .arg = (reducer)                                                                                                           \
    }

const struct gl_kernel gl_mean = REDUCTION(TAKES_FLOAT, &r_mean);
const struct gl_kernel gl_reduce_all = REDUCTION(TAKES_BOOL, &r_all);
const struct gl_kernel gl_reduce_any = REDUCTION(TAKES_BOOL, &r_any);
const struct gl_kernel gl_reduce_max = REDUCTION(TAKES_FLOAT | TAKES_INT, &r_max);
const struct gl_kernel gl_reduce_min = REDUCTION(TAKES_FLOAT | TAKES_INT, &r_min);
const struct gl_kernel gl_reduce_prod = REDUCTION(TAKES_FLOAT | TAKES_INT, &r_prod);
const struct gl_kernel gl_sum = REDUCTION(TAKES_FLOAT | TAKES_INT, &r_sum);
