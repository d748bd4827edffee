/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.c - SCATTER_ND and SPARSE_TO_DENSE, and the scatter operation of scatter.h.
 *
 * Each element of the result searches the rows that go to it and takes them in order, as the CPU does, so results are reproducible.
 * Many rows are sorted first. More rows than an invocation may take are split over several dispatches. */
#include "kernels_gl/ops/scatter.h"

#include <float.h>
#include <stdio.h>

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/int64/int64.h"

const struct fold_rows fold_sum = {"a + v", "a + v", "int64_sum(a, v)", 0, 0}, fold_prod = {"a * v", "a * v", NULL, 1, 1},
                       fold_max = {"mix(a, v, lessThan(a, v))", "max(a, v)", NULL, -FLT_MAX, INT32_MIN},
                       fold_min = {"mix(a, v, lessThan(v, a))", "min(a, v)", NULL, FLT_MAX, INT32_MAX};
static const struct fold_rows fold_any = {"max(a, v)", NULL, NULL, 0, 0}; /* of bools */
static const struct fold_rows fold_last = {"v", "v", NULL, 0, 0};

/* Rows that are taken in one turn. */
#define TURN 16384

void scatter_define_extent(struct gl_shader *p, const struct scatter *t, int32_t i)
{
    char name[24];

    snprintf(name, sizeof name, "EXTENT%d", i);
    gl_param(p, name, t->extent[i]);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct scatter *t = op->attr;
    bool ints = op->stores == IR_INT;

    gl_source_of(p, (const char *const[]){int64_value_comp, scatter_place_comp, scatter_comp}, 3);
    gl_define_types(p, op->stores);
    gl_define(p, "TWO_WORDS", t->wide);
    gl_define_text(p, "FOLD(a, v)", t->wide ? t->fold->wide : ints ? t->fold->i : t->fold->f);
    GL_DEFINES(p, "SORTED DEPTH", t->sorted, t->sorted ? 0 : t->depth);
    for (int32_t i = 0; !t->sorted && i < t->depth; i++)
        scatter_define_extent(p, t, i);
    GL_PARAMS(p, "FIRST END", t->turns.first, t->turns.end);
    gl_operands(p, "at x before");
    if (op->n_in > 2)
        gl_define(p, "CONTINUED", 1);
    else if (ints)
        gl_param(p, "NOTHING", t->fold->first_int);
    else
        gl_param_float(p, "NOTHING", t->fold->first);
    gl_grid(p, t->wide ? int64_half_shape(op->out->shape) : op->out->shape);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct scatter *t = op->attr;

    return GL_PASSES((uint64_t)(t->turns.end - t->turns.first)) + (t->sorted ? GL_PASSES(32) : 0);
}

static struct ir_op *scatter_new(struct ir *ir, struct ir_value *const *in, uint32_t n_in, const struct scatter *t,
                                 struct ir_value *y)
{
    return ir_op_with(ir, &gl_kind_scatter, in, n_in, y, t, sizeof *t);
}

/* So many rows that looking at all of them for each element of the result takes longer than sorting them. */
#define MANY_ROWS  256
#define MANY_LOOKS (1 << 20)

static bool has_many(const struct ir_op *op, const struct gl_limits *lim)
{
    const struct scatter *t = op->attr;

    (void)lim;
    return !t->sorted && t->turns.end > MANY_ROWS && (uint64_t)t->turns.end * ir_vectors(op->out->shape) > MANY_LOOKS;
}

static bool sort_first(struct ir *ir, const struct ir_op *op)
{
    struct scatter t = *(const struct scatter *)op->attr;
    struct ir_value *in[] = {scatter_sorted(ir, op->in[0], &t), op->in[1], op->n_in > 2 ? op->in[2] : NULL};

    t.sorted = true;
    return in[0] && ir_hand_over(op, scatter_new(ir, in, op->n_in, &t, op->out));
}

static const struct gl_variant variants[] = {
    {"sorted", has_many, .expand = sort_first},
    {"turns", turns_are_many, .expand = turns_take},
    {"search", turns_are_over, emit, .iterations = iterations},
};
const struct ir_kind gl_kind_scatter = {.name = "scatter", GL_VARIANTS(variants)};

/* ---- what the operators have in common: rows of x, seen as [1, 1, picks, inner], and y as [1, 1, places, inner] ---- */

/* No extent overflows: the elements of a stored tensor do not. */
static struct ir_shape rows_of(int64_t rows, int64_t inner)
{
    return (struct ir_shape){1, 1, (int32_t)rows, (int32_t)inner};
}

enum status scatter_lower(struct ir *ir, const struct tensor *at, const struct tensor *x, const struct tensor *to, struct scatter t,
                          struct err *err)
{
    int64_t picks = (int64_t)tensor_elems(at) / t.depth, inner = (int64_t)tensor_elems(x) / picks;
    struct ir_value *which = ir_reshaped(ir, ir_of_tensor(ir, at), rows_of(picks, t.depth));
    struct ir_value *rows = ir_reshaped(ir, ir_of_tensor(ir, x), rows_of(picks, inner)), *y = ir_of_tensor(ir, to), *natural;

    t.turns = (struct turns){0, (int32_t)picks, TURN, 2};
    if (y)
        y->full |= t.fold == &fold_max || t.fold == &fold_min; /* halves have no FLT_MAX */
    natural = ir_begin_reshape(ir, y, rows_of((int64_t)tensor_elems(to) / inner, inner));
    return scatter_new(ir, IR_INS(which, rows), &t, natural) && ir_end_reshape(ir, natural, y) ? ST_OK : ir_nomem(err);
}

bool scatter_accept(const struct gl_limits *lim, const struct node *n, uint32_t at, uint32_t x, struct reason *why)
{
    if (n->in[x]->type != n->out[0]->type)
        return reason_set(why, REASON_UNSUPPORTED_OUTPUT_TYPE, "rows of type %s, output of type %s", type_name(n->in[x]->type),
                          type_name(n->out[0]->type));
    if (!n->in[at]->is_const && ir_type_of(n->in[at]) != IR_INT)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[at]->type));
    return gl_storable(lim, n, 0, 2, why);
}

/* ---- SCATTER_ND ---- */

static bool accept_nd(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_constant(n, 2, "shape", why) || !scatter_accept(lim, n, 0, 1, why))
        return false;
    return !n->in[0]->is_const || gl_indices_fit(n->in[0], (size_t)n->in[0]->dim[n->in[0]->rank - 1], n->out[0], why);
}

static enum status lower_nd(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *at = n->in[0];
    struct scatter t = {.fold = n->out[0]->type == TYPE_BOOL ? &fold_any : &fold_sum, .depth = at->dim[at->rank - 1]};

    for (int32_t i = 0; i < t.depth; i++)
        t.extent[i] = n->out[0]->dim[i];
    return scatter_lower(ir, at, n->in[1], n->out[0], t, err);
}

/* Of 64 bits. */
static struct ir_value *int64_scatter(struct ir *ir, const struct node *n, struct ir_value **high)
{
    const struct tensor *at = n->in[0], *to = n->out[0];
    struct scatter t = {.fold = &fold_sum, .depth = at->dim[at->rank - 1], .wide = true};
    const int64_t picks = (int64_t)tensor_elems(at) / t.depth, inner = (int64_t)tensor_elems(n->in[1]) / picks;
    struct ir_value *which = ir_reshaped(ir, int64_index(ir, at), rows_of(picks, t.depth)), *rows, *y;
    struct ir_shape shape;

    t.turns = (struct turns){0, (int32_t)picks, TURN, 2};
    for (int32_t i = 0; i < t.depth; i++)
        t.extent[i] = to->dim[i];
    rows = int64_join(ir, ir_reshaped(ir, int64_half(ir, n->in[1], false), rows_of(picks, inner)),
                      ir_reshaped(ir, int64_half(ir, n->in[1], true), rows_of(picks, inner)));
    y = ir_temp_full(ir, IR_INT, int64_shape(rows_of((int64_t)tensor_elems(to) / inner, inner)));
    if (!which || !rows || !ir_shape_of(to, &shape) || !scatter_new(ir, IR_INS(which, rows), &t, y))
        return NULL;
    *high = ir_reshaped(ir, int64_take_half(ir, y, true), shape);
    return *high ? ir_reshaped(ir, int64_take_half(ir, y, false), shape) : NULL;
}

const struct gl_kernel gl_scatter_nd = {
    .max_version = 1,
    .in_types = TAKES_ANY,
    .out_types = TAKES_ANY,
    .accept = accept_nd,
    .lower = lower_nd,
    .int64 = &(const struct gl_int64){.lower = int64_scatter, .types = 1u << TYPE_INT64, .asks = true, .by_output = true}};

/* ---- SPARSE_TO_DENSE: of values that go to one place the last stays ---- */

static bool accept_dense(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_constant(n, 1, "shape", why) || !gl_one_type(n, 2, 4, why) || !gl_storable(lim, n, 2, 4, why) ||
        !scatter_accept(lim, n, 0, 2, why))
        return false;
    return !n->in[0]->is_const || gl_indices_fit(n->in[0], (size_t)n->out[0]->rank, n->out[0], why);
}

static enum status lower_dense(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *at = n->in[0];
    struct scatter t = {.fold = &fold_last, .depth = n->out[0]->rank};
    const int64_t picks = (int64_t)tensor_elems(at) / t.depth;
    struct ir_value *which = ir_reshaped(ir, ir_in(ir, n, 0), rows_of(picks, t.depth)), *y = ir_out(ir, n, 0), *rows, *before;
    struct ir_value *values = ir_reshaped(ir, ir_in(ir, n, 2), rows_of((int64_t)tensor_elems(n->in[2]), 1)), *natural;

    if (!y || !values || !(rows = values))
        return ir_nomem(err);
    if (values->shape.w != picks && (!(rows = ir_temp(ir, y->type, rows_of(picks, 1))) || !ir_copy(ir, values, rows)))
        return ir_nomem(err);
    t.turns = (struct turns){0, (int32_t)picks, TURN, 2};
    for (int32_t i = 0; i < t.depth; i++)
        t.extent[i] = n->out[0]->dim[i];
    natural = ir_begin_reshape(ir, y, rows_of((int64_t)tensor_elems(n->out[0]), 1));
    before = natural ? ir_temp(ir, y->type, natural->shape) : NULL;
    if (!before || !ir_copy(ir, ir_reshaped(ir, ir_in(ir, n, 3), rows_of(1, 1)), before))
        return ir_nomem(err);
    return scatter_new(ir, (struct ir_value *[]){which, rows, before}, 3, &t, natural) && ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_sparse_to_dense = {
    .max_version = 3, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept_dense, .lower = lower_dense};
