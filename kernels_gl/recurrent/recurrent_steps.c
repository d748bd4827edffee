/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_steps.c - a walk in which each step is operations of its own: the recurrent product, added to the sums of the inputs;
 * of an LSTM the cells, and their projection. */
#include "kernels_gl/recurrent/recurrent.h"

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/recurrent/exact_walk.h"

/* ---- the cells of one step ---- */

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct cell_step *s = op->attr;
    const struct walk *w = s->walk;
    const int32_t items = w->gates * cell_slices(w->cell->n_cell);

    gl_source(p, recurrent_comp);
    gl_define(p, "STEP", 1);
    if (w->in_order)
        gl_define(p, "IN_ORDER", 1);
    recurrent_define(p, w);
    if (s->stage != CELL_RESULT)
        gl_define(p, "MAKES_STATE", 1);
    if (s->stage != CELL_STATE)
        gl_define(p, "MAKES_RESULT", 1);
    gl_param(p, "PEEPHOLES_AT", 0);
    gl_param(p, "NORM_AT", items);
    gl_param(p, "NORM_BIAS_AT", 2 * items);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "c", op->in[1]);
    if (w->vectors)
        gl_input(p, "v", op->in[2]);
    if (s->stage != CELL_STATE)
        gl_output(p, "y", op->out);
    if (s->stage != CELL_RESULT)
        gl_output(p, "state", s->stage == CELL_STATE ? op->out : op->out2);
    gl_shared(p, 0);
    gl_grid(p, op->out->shape);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct walk *w = ((const struct cell_step *)op->attr)->walk;

    const uint64_t slices = (uint64_t)cell_slices(w->cell->n_cell);

    return w->cell->norm[CELL_OUTPUT] ? (uint64_t)(w->gates + 1) * 2 * (w->in_order ? GL_PASSES(slices, 4) : GL_PASSES(slices)) : 0;
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_recurrent_cell = {.name = "recurrent_cell", GL_VARIANTS(variants)};

static struct ir_op *cell_step(struct ir *ir, const struct walk *w, enum cell_stage stage, struct ir_value *sums,
                               struct ir_value *c, struct ir_value *y)
{
    struct ir_value *const in[] = {sums, c, w->vectors};
    struct ir_op *op = ir_op_new(ir, &gl_kind_recurrent_cell, in, w->vectors ? 3 : 2, y, sizeof(struct cell_step));

    if (op)
        *(struct cell_step *)op->attr = (struct cell_step){w, stage};
    return op;
}

/* ---- a step ---- */

static const struct ir_fn fn_sum = {"SUM_OF_INPUTS", "a + b", NULL, .arity = 2, .role = IR_FN_SUM};
static const struct ir_fn fn_clip = {"CLIP", "clamp(a, -p, p)", NULL, .arity = 1, .params = true};

struct ir_op *recurrent_add_products(struct ir *ir, const struct walk *w, struct ir_value *x, struct ir_value *h,
                                     struct ir_value *y)
{
    struct ir_op *op;

    if (w->cell->diagonal && !w->recurrent->data) {
        op = ir_copy(ir, recurrent_join(ir, w->cell, (struct ir_value *const[CELL_GATES]){h, h, h, h}, h->shape, 3), y);
        if (!ir_apply(ir, op, &fn_mul, (struct ir_value *[3]){NULL, w->recurrent}, NULL, IR_FLOAT))
            return NULL;
    } else {
        op = recurrent_product(ir, h, w->recurrent, NULL, y);
    }
    return ir_apply(ir, op, &fn_sum, (struct ir_value *[3]){NULL, x}, NULL, IR_FLOAT) ? op : NULL;
}

static struct ir_op *project(struct ir *ir, const struct cell *c, struct ir_value *hidden, struct ir_value *y)
{
    const float p = c->projection_clip;
    struct ir_op *op = recurrent_product(ir, hidden, c->projection, c->projection_bias, y);

    return op && (!(p > 0) || ir_apply(ir, op, &fn_clip, NULL, (float[4]){p, p, p, p}, IR_FLOAT)) ? op : NULL;
}

struct ir_op *recurrent_cells(struct ir *ir, const struct walk *w, struct ir_value *sums, struct ir_value *c, struct ir_value *y,
                              struct ir_value *state)
{
    const struct cell *cell = w->cell;
    struct ir_value *hidden = cell->projection ? ir_temp_full(ir, IR_FLOAT, ir_with(y->shape, 3, cell->n_cell)) : y;
    struct ir_op *op;

    if (!w->vectors) {
        if (!(op = cell_step(ir, w, CELL_BOTH, sums, c, hidden)))
            return NULL;
        op->out2 = state;
    } else if (!cell_step(ir, w, CELL_STATE, sums, c, state) || !(op = cell_step(ir, w, CELL_RESULT, sums, state, hidden))) {
        return NULL;
    }
    return cell->projection ? project(ir, cell, hidden, y) : op;
}

/* ---- all of them ---- */

static int32_t times_of(const struct ir_op *op)
{
    return ((const struct walk *)op->attr)->batch_major ? op->out->shape.w : op->out->shape.h;
}

bool recurrent_few_steps(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return times_of(op) <= RECURRENT_STEPS;
}

static struct ir_op *append_step(struct ir *ir, const struct walk *w, const struct exact_step *s)
{
    struct ir_value *sums;
    struct ir_op *op;

    if (!w->cell->lstm)
        return ir_activation(ir, op = recurrent_add_products(ir, w, s->x, s->h, s->y), w->cell->activation) ? op : NULL;
    sums = ir_temp_full(ir, IR_FLOAT, s->x->shape);
    return recurrent_add_products(ir, w, s->x, s->h, sums) ? recurrent_cells(ir, w, sums, s->c, s->y, s->c_after) : NULL;
}

static bool step(struct ir *ir, const void *walk, const struct exact_step *s)
{
    return append_step(ir, walk, s);
}

enum status recurrent_lower_steps(struct ir *ir, const struct node *n, const struct walk *w, struct ir_value *sums,
                                  const struct recurrent *r, struct err *err)
{
    const int32_t n_cell = w->cell->lstm ? w->cell->n_cell : 0;
    struct walk *kept = ARENA_NEW(ir->arena, struct walk);

    if (!kept)
        return ir_nomem(err);
    *kept = *w;
    return exact_walk(ir, n, &(struct exact_walk){.r = r, .x = sums, .n_cell = n_cell, .cell = kept, .step = step}, err);
}

/* The functions of `op` come after those that `last` has. */
static void hand_functions(const struct ir_op *op, struct ir_op *last)
{
    struct ir_epilogue **end = &last->epilogue;

    while (*end)
        end = &(*end)->next;
    *end = op->epilogue;
}

/* The outputs of all steps become what op puts out. */
static bool join_steps(struct ir *ir, const struct ir_op *op, struct ir_value **y, int32_t times, struct ir_op *last)
{
    if (times > 1)
        last = ir_concatenate(ir, y, (uint32_t)times, ((const struct walk *)op->attr)->batch_major ? 2 : 1, op->out);
    if (last)
        hand_functions(op, last);
    return last;
}

bool recurrent_expand_steps(struct ir *ir, const struct ir_op *op)
{
    const struct walk *w = op->attr;
    const int axis = w->batch_major ? 2 : 1;
    const int32_t times = times_of(op);
    struct ir_value **y = ARENA_ARRAY(ir->arena, (size_t)times, struct ir_value *);
    const struct ir_shape shape = ir_with(op->out->shape, axis, 1), cells = ir_with(shape, 3, w->cell->n_cell);
    struct exact_step s = {.h = ir_reshaped(ir, op->in[1], shape)};
    struct ir_op *last = NULL;

    if (w->cell->lstm)
        s.c = ir_reshaped(ir, op->in[2], cells);
    for (int32_t i = 0; i < times; i++) {
        const int32_t t = w->backward ? times - 1 - i : i;

        s.x = recurrent_part(ir, op->in[0], axis, t, 1);
        s.y = times == 1 ? op->out : ir_temp_full(ir, IR_FLOAT, shape);
        if (w->cell->lstm)
            s.c_after = i == times - 1 && ir_same_shape(cells, op->out2->shape) ? op->out2 : ir_temp_full(ir, IR_FLOAT, cells);
        if (!y || !s.x || !s.h || !s.y || (w->cell->lstm && (!s.c || !s.c_after)) || !(last = append_step(ir, w, &s)))
            return false;
        s.h = y[t] = s.y;
        s.c = s.c_after;
    }
    return (!w->cell->lstm || s.c == op->out2 || ir_reshape(ir, s.c, op->out2)) && join_steps(ir, op, y, times, last);
}
