/* SPDX-License-Identifier: Apache-2.0 */
/* exact_lstm_hybrid.c - see exact_lstm_hybrid.h */
#include "exact_lstm_hybrid.h"

#include <string.h>

#include "elementwise.h"
#include "exact_conv.h"
#include "exact_hybrid.h"
#include "exact_walk.h"
#include "lstm.h"

/* Bytes that multiply one vector: those of all gates, each of which begins with a slice of its own. */
struct product {
    struct exact_weights w;
    struct exact_requant q;
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
    return ir->exact && n->in[0]->type == TYPE_FLOAT32 && n->in[f->first + CELL_FORGET]->type != TYPE_FLOAT32;
}

bool exact_lstm_hybrid_fits(const struct gl_limits *lim, int32_t times, struct reason *why)
{
    return exact_hybrid_fits(lim, why) && exact_walk_fits(times, why);
}

static size_t rows_of(const struct cell *c)
{
    return 4 * (size_t)cell_slices(c->n_cell);
}

/* The matrices at input `first` and the next three; `biases` [4] are those of the gates, or NULL. False: out of memory. */
static bool gates_product(struct ir *ir, const struct node *n, const struct walk *w, uint32_t first, struct ir_value *const *biases,
                          struct product *out)
{
    const struct cell *c = w->cell;
    const size_t each = rows_of(c), all = (size_t)w->gates * each, cols = (size_t)n->in[first + CELL_FORGET]->dim[1];
    int8_t *bytes = ARENA_ARRAY(ir->arena, all * cols, int8_t);
    float *scale = ARENA_ARRAY(ir->arena, all, float), *bias = ARENA_ARRAY(ir->arena, all, float);

    if (!bytes || !scale || !bias)
        return false;
    for (int32_t k = 0; k < CELL_GATES; k++) {
        const struct tensor *t = c->input[k] ? n->in[first + (uint32_t)k] : NULL;
        const size_t at = t ? (size_t)cell_gate(c, k) * each : 0;

        if (!t)
            continue;
        memcpy(bytes + at * cols, t->data, (size_t)c->n_cell * cols);
        if (biases && biases[k])
            memcpy(bias + at, biases[k]->data, (size_t)c->n_cell * sizeof *bias);
        for (size_t i = 0; i < each; i++)
            scale[at + i] = t->quant.scale[0];
    }
    out->w = (struct exact_weights){.data = bytes, .type = TYPE_INT8, .n_out = all, .taps = 1, .n_in = cols, .step_o = cols};
    out->q = (struct exact_requant){.channels = all, .scale = scale, .scale_step = 1, .bias = biases ? bias : NULL};
    return true;
}

static struct ir_op *multiply(struct ir *ir, const struct product *p, struct ir_value *x, bool asymmetric, struct ir_value *y)
{
    struct hybrid_value v;

    return x && y && ir_exact_hybrid(ir, x, true, asymmetric, &v) ? ir_exact_rows(ir, v.q, v.steps, 0, &p->w, &p->q, y) : NULL;
}

static bool add(struct ir *ir, struct ir_op *op, struct ir_value *more)
{
    return op && ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, more}, NULL, IR_FLOAT);
}

/* Of the inputs of all times, with the biases, but where these come after a norm. NULL: out of memory. */
static struct ir_value *sums_of_inputs(struct ir *ir, const struct node *n, const struct lstm_form *f,
                                       const struct walk_of_cells *w, const struct recurrent *r)
{
    const struct cell *c = &w->cell;
    struct ir_value *sums = ir_temp_full(ir, IR_FLOAT, ir_with(r->y->shape, 3, w->walk.gates * (int32_t)rows_of(c))), *all = sums;
    struct product p;

    if (!gates_product(ir, n, &w->walk, f->first, c->norm[CELL_OUTPUT] ? NULL : c->bias, &p) ||
        !multiply(ir, &p, r->x, w->asymmetric, sums))
        return NULL;
    if (!r->aux)
        return sums;
    all = ir_temp_full(ir, IR_FLOAT, sums->shape);
    return gates_product(ir, n, &w->walk, f->aux, NULL, &p) && add(ir, multiply(ir, &p, r->aux, w->asymmetric, all), sums) ? all
                                                                                                                           : NULL;
}

/* p: what stays. */
static const struct ir_fn fn_clip = {"CLIP", 1, "clamp(a, -p, p)", NULL, .params = true};

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
    struct ir_op *op = w->cell.diagonal ? recurrent_product(ir, s->h, w->walk.recurrent, NULL, sums)
                                        : multiply(ir, &w->recurrent, s->h, w->asymmetric, sums);

    return add(ir, op, s->x) && recurrent_cells(ir, &w->walk, sums, s->c, hidden, s->c_after) &&
           (!w->project || project(ir, w, hidden, s->y));
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
    if ((!cell->diagonal && !gates_product(ir, n, &w->walk, f->first + LSTM_RECURRENT, NULL, &w->recurrent)) ||
        !(x = sums_of_inputs(ir, n, f, w, r)))
        return ir_nomem(err);
    return exact_walk(ir, n, &(struct exact_walk){.r = r, .x = x, .n_cell = cell->n_cell, .cell = w, .step = step}, err);
}

bool exact_lstm_hybrid_accept(const struct gl_limits *lim, const struct node *n, int32_t times, struct reason *why)
{
    return lstm_accept_full(n, why) && recurrent_constants(n, 0, why) && exact_lstm_hybrid_fits(lim, times, why);
}

enum status exact_lstm_hybrid_lower_full(struct ir *ir, const struct node *n, struct err *err)
{
    return lstm_lower_full(ir, n, err);
}
