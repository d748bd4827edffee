/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm_hybrid.c - see exact_lstm_hybrid.h */
#include "kernels_gl/recurrent/exact_lstm_hybrid.h"

#include <string.h>

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/matmul/exact_hybrid.h"
#include "kernels_gl/matmul/exact_hybrid_rows.h"
#include "kernels_gl/recurrent/exact_walk.h"
#include "kernels_gl/recurrent/lstm.h"

/* Bytes that multiply one vector: those of all gates, each of which begins with a slice of its own. */
struct product {
    struct exact_weights w;
    struct exact_requant q;
    struct ir_value *filter; /* NULL: they are constant */
    struct ir_value *bias;   /* of floats, to be added behind; or NULL */
};

struct walk_of_cells {
    struct walk walk;
    struct cell cell;             /* walk's, without its projection */
    const struct tensor *project; /* NULL: there is none */
    const struct tensor *project_bias;
    bool asymmetric;
    float projection_clip;
    struct product recurrent;
};

bool exact_lstm_is_hybrid(const struct ir *ir, const struct node *n, const struct lstm_form *f)
{
    return ir->lowering.exact && n->in[0]->type == TYPE_FLOAT32 && n->in[f->first + CELL_FORGET]->type != TYPE_FLOAT32;
}

bool exact_lstm_hybrid_fits(const struct gl_limits *lim, int32_t times, struct reason *why)
{
    return exact_hybrid_fits(lim, why) && exact_walk_fits(times, why);
}

static size_t rows_of(const struct cell *c)
{
    return 4 * (size_t)cell_slices(c->n_cell);
}

/* Of the gates that the cell has one is made at run time. */
static bool any_made(struct ir_value *const m[CELL_GATES])
{
    for (int32_t k = 0; k < CELL_GATES; k++)
        if (m[k] && !m[k]->data)
            return true;
    return false;
}

/* Bytes of all gates [all][cols] that are constant. NULL: out of memory. */
static int8_t *constant_bytes(struct ir *ir, const struct node *n, const struct walk *w, uint32_t first, size_t cols)
{
    const struct cell *c = w->cell;
    const size_t each = rows_of(c);
    int8_t *bytes = ARENA_ARRAY(ir->arena, (size_t)w->gates * each * cols, int8_t);

    for (int32_t k = 0; bytes && k < CELL_GATES; k++)
        if (c->input[k])
            memcpy(bytes + (size_t)cell_gate(c, k) * each * cols, n->in[first + (uint32_t)k]->data, (size_t)c->n_cell * cols);
    return bytes;
}

/* The same as a value, of which some are made at run time. NULL: out of memory. */
static struct ir_value *joined_bytes(struct ir *ir, const struct node *n, const struct walk *w, uint32_t first, size_t cols)
{
    const struct cell *c = w->cell;
    const struct ir_shape each = {1, 1, c->n_cell, (int32_t)cols};
    struct ir_value *m[CELL_GATES] = {NULL}, *all;

    for (int32_t k = 0; k < CELL_GATES; k++)
        if (c->input[k] && !(m[k] = ir_reshaped(ir, ir_in(ir, n, first + (uint32_t)k), each)))
            return NULL;
    if (!(all = recurrent_join(ir, c, m, each, 2)))
        return NULL;
    all->tensor = n->in[first + CELL_FORGET]; /* whose elements these are: they are stored as bytes */
    return ir_reshaped(ir, all, (struct ir_shape){all->shape.w, 1, 1, all->shape.c});
}

/* Scales of all rows, [all]. NULL: out of memory. */
static float *scales_of(struct ir *ir, const struct node *n, const struct walk *w, uint32_t first)
{
    const size_t each = rows_of(w->cell);
    float *scale = ARENA_ARRAY(ir->arena, (size_t)w->gates * each, float);

    for (int32_t k = 0; scale && k < CELL_GATES; k++)
        for (size_t i = 0; w->cell->input[k] && i < each; i++)
            scale[(size_t)cell_gate(w->cell, k) * each + i] = n->in[first + (uint32_t)k]->quant.scale[0];
    return scale;
}

/* Biases of gates, or NULL: constants behind constant weights go with the product. */
static bool put_bias(struct ir *ir, const struct walk *w, struct ir_value *const *biases, struct product *out)
{
    const struct cell *c = w->cell;
    const size_t each = rows_of(c);
    float *bias;

    if (!biases)
        return true;
    if (out->filter || any_made(biases))
        return (out->bias = recurrent_join(ir, c, biases, (struct ir_shape){1, 1, 1, c->n_cell}, 3));
    if (!(bias = ARENA_ARRAY(ir->arena, (size_t)w->gates * each, float)))
        return false;
    for (int32_t k = 0; k < CELL_GATES; k++)
        if (c->input[k] && biases[k])
            memcpy(bias + (size_t)cell_gate(c, k) * each, biases[k]->data, (size_t)c->n_cell * sizeof *bias);
    out->q.bias = bias;
    return true;
}

/* The matrices `m` at input `first` and the next three; `biases` [4] are those of the gates, or NULL. False: out of memory. */
static bool gates_product(struct ir *ir, const struct node *n, const struct walk *w, uint32_t first,
                          struct ir_value *const m[CELL_GATES], struct ir_value *const *biases, struct product *out)
{
    const size_t all = (size_t)w->gates * rows_of(w->cell), cols = (size_t)n->in[first + CELL_FORGET]->dim[1];
    const float *scale = scales_of(ir, n, w, first);

    *out = (struct product){
        .w = {.type = TYPE_INT8, .n_out = all, .taps = 1, .n_in = cols, .step_o = cols},
        .q = {.channels = all, .scale = scale, .scale_step = 1},
    };
    if (any_made(m))
        out->filter = joined_bytes(ir, n, w, first, cols);
    else
        out->w.data = constant_bytes(ir, n, w, first, cols);
    return scale && (out->filter || out->w.data) && put_bias(ir, w, biases, out);
}

static bool add(struct ir *ir, struct ir_op *op, struct ir_value *more)
{
    return op && ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, more}, NULL, IR_FLOAT);
}

static struct ir_op *multiply(struct ir *ir, const struct product *p, struct ir_value *x, bool asymmetric, struct ir_value *y)
{
    struct hybrid_value v;
    struct ir_op *op;

    if (!x || !y || !ir_exact_hybrid(ir, x, true, asymmetric, &v))
        return NULL;
    op = ir_exact_rows(ir, v.q, &(struct exact_values){.steps = v.steps, .filter = p->filter}, 0, &p->w, &p->q, y);
    return !p->bias || add(ir, op, p->bias) ? op : NULL;
}

/* Of the inputs of all times, with the biases, but where these come after a norm. NULL: out of memory. */
static struct ir_value *sums_of_inputs(struct ir *ir, const struct node *n, const struct lstm_form *f,
                                       const struct walk_of_cells *w, const struct recurrent *r)
{
    const struct cell *c = &w->cell;
    struct ir_value *sums = ir_temp_full(ir, IR_FLOAT, ir_with(r->y->shape, 3, w->walk.gates * (int32_t)rows_of(c))), *all = sums;
    struct product p;

    if (!gates_product(ir, n, &w->walk, f->first, c->input, c->norm[CELL_OUTPUT] ? NULL : c->bias, &p) ||
        !multiply(ir, &p, r->x, w->asymmetric, sums))
        return NULL;
    if (!r->aux)
        return sums;
    all = ir_temp_full(ir, IR_FLOAT, sums->shape);
    return gates_product(ir, n, &w->walk, f->aux, c->aux, NULL, &p) && add(ir, multiply(ir, &p, r->aux, w->asymmetric, all), sums)
               ? all
               : NULL;
}

/* p: what stays. */
static const struct ir_fn fn_clip = {"CLIP", "clamp(a, -p, p)", NULL, .arity = 1, .params = true};

static bool project(struct ir *ir, const struct walk_of_cells *w, struct ir_value *hidden, struct ir_value *y)
{
    const float p = w->projection_clip;
    struct ir_op *op = ir_exact_hybrid_rows(ir, hidden, w->project, w->project_bias, w->asymmetric, y);

    return op && (!(p > 0) || ir_apply(ir, op, &fn_clip, NULL, (float[4]){p, p, p, p}, IR_FLOAT));
}

static bool step(struct ir *ir, const void *arg, const struct exact_step *s)
{
    const struct walk_of_cells *w = arg;
    struct ir_value *sums = ir_temp_full(ir, IR_FLOAT, s->x->shape);
    struct ir_value *hidden = w->project ? ir_temp_full(ir, IR_FLOAT, s->c->shape) : s->y;
    const bool added = w->cell.diagonal ? recurrent_add_products(ir, &w->walk, s->x, s->h, sums) != NULL
                                        : add(ir, multiply(ir, &w->recurrent, s->h, w->asymmetric, sums), s->x);

    return added && recurrent_cells(ir, &w->walk, sums, s->c, hidden, s->c_after) && (!w->project || project(ir, w, hidden, s->y));
}

enum status exact_lstm_hybrid_lower(struct ir *ir, const struct node *n, const struct lstm_form *f, const struct cell *cell,
                                    bool asymmetric, const struct recurrent *r, struct err *err)
{
    struct walk_of_cells *w = ARENA_NEW(ir->arena, struct walk_of_cells);
    struct ir_value *x;

    if (!w || !r->x || !r->y)
        return ir_nomem(err);
    *w = (struct walk_of_cells){.cell = *cell,
                                .project = node_in(n, f->first + LSTM_PROJECTION),
                                .project_bias = node_in(n, f->first + LSTM_PROJECTION_BIAS),
                                .asymmetric = asymmetric,
                                .projection_clip = cell->projection_clip};
    w->cell.projection = NULL;
    if (!recurrent_make_walk(ir, &w->cell, r, &w->walk))
        return ir_nomem(err);
    w->walk.in_order = true;
    if ((!cell->diagonal && !gates_product(ir, n, &w->walk, f->first + LSTM_RECURRENT, cell->recurrent, NULL, &w->recurrent)) ||
        !(x = sums_of_inputs(ir, n, f, w, r)))
        return ir_nomem(err);
    return exact_walk(ir, n, &(struct exact_walk){.r = r, .x = x, .n_cell = cell->n_cell, .cell = w, .step = step}, err);
}

bool exact_lstm_hybrid_accept(const struct gl_limits *lim, const struct node *n, int32_t times, struct reason *why)
{
    return lstm_accept_full(n, why) && exact_lstm_hybrid_fits(lim, times, why);
}

enum status exact_lstm_hybrid_lower_full(struct ir *ir, const struct node *n, struct err *err)
{
    return lstm_lower_full(ir, n, err);
}
