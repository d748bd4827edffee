/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_steps.c - a walk in which each step is operations of its own. Of floats: the recurrent product, added to the sums of
 * the inputs; of an LSTM the cells, and their projection. */
#include "kernels_gl/recurrent/recurrent.h"

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "lib/gl/codegen/shader.h"

/* ---- the cells of one step ---- */

/* The gates' sums and the cell state in, the cell's result or its new state out, or both. */
enum cell_stage { CELL_BOTH, CELL_STATE, CELL_RESULT };

struct cell_step {
    const struct walk *walk;
    enum cell_stage stage;
};

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

    return w->cell->norm[GATE_OUTPUT] ? (uint64_t)(w->gates + 1) * 2 * (w->in_order ? GL_PASSES(slices, 4) : GL_PASSES(slices)) : 0;
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_recurrent_cell = {.name = "recurrent_cell", GL_VARIANTS(variants)};

static struct ir_op *cell_step(struct ir *ir, const struct walk *w, enum cell_stage stage, struct ir_value *sums,
                               struct ir_value *c, struct ir_value *y)
{
    struct ir_value *const in[] = {sums, c, w->vectors};
    return ir_op_with(ir, &gl_kind_recurrent_cell, in, w->vectors ? 3 : 2, y, IR_ATTR(struct cell_step, w, stage));
}

/* ---- a step ---- */

static const struct ir_fn fn_sum = {"SUM_OF_INPUTS", "a + b", NULL, .arity = 2, .role = IR_FN_SUM};
static const struct ir_fn fn_clip = {"CLIP", "clamp(a, -p, p)", "clamp(a, -ivec4(p), ivec4(p))", .arity = 1, .params = true};

struct ir_op *recurrent_clip(struct ir *ir, struct ir_op *op, float limit, enum ir_type type)
{
    return op && (!(limit > 0) || ir_apply(ir, op, &fn_clip, NULL, (float[4]){limit, limit, limit, limit}, type)) ? op : NULL;
}

struct ir_op *recurrent_add_products(struct ir *ir, const struct walk *w, struct ir_value *x, struct ir_value *h,
                                     struct ir_value *y)
{
    struct ir_op *op;

    if (w->cell->diagonal && !w->recurrent->data) {
        op = ir_copy(ir, recurrent_join(ir, w->cell, (struct ir_value *const[GATES]){h, h, h, h}, h->shape, 3), y);
        if (!ir_apply(ir, op, &fn_mul, (struct ir_value *[3]){NULL, w->recurrent}, NULL, IR_FLOAT))
            return NULL;
    } else {
        op = recurrent_product(ir, h, w->recurrent, NULL, y);
    }
    return ir_apply(ir, op, &fn_sum, (struct ir_value *[3]){NULL, x}, NULL, IR_FLOAT) ? op : NULL;
}

struct ir_op *recurrent_cells(struct ir *ir, const struct walk *w, struct ir_value *sums, struct ir_value *c, struct ir_value *y,
                              struct ir_value *state)
{
    struct ir_value *hidden = w->projection ? ir_temp_full(ir, IR_FLOAT, ir_with(y->shape, 3, w->cell->n_cell)) : y;
    struct ir_op *op;

    if (!w->vectors) {
        if (!(op = cell_step(ir, w, CELL_BOTH, sums, c, hidden)))
            return NULL;
        op->out2 = state;
    } else if (!cell_step(ir, w, CELL_STATE, sums, c, state) || !(op = cell_step(ir, w, CELL_RESULT, sums, state, hidden))) {
        return NULL;
    }
    if (!w->projection)
        return op;
    op = recurrent_product(ir, hidden, w->projection, w->projection_bias, y);
    return recurrent_clip(ir, op, w->cell->projection_clip, IR_FLOAT);
}

static struct ir_op *step(struct ir *ir, const void *walk, const struct step_values *s)
{
    const struct walk *w = walk;
    struct ir_value *sums;
    struct ir_op *op;

    if (!w->cell->lstm)
        return ir_activation(ir, op = recurrent_add_products(ir, w, s->x, s->h, s->y), w->cell->activation) ? op : NULL;
    sums = ir_temp_full(ir, IR_FLOAT, s->x->shape);
    return recurrent_add_products(ir, w, s->x, s->h, sums) ? recurrent_cells(ir, w, sums, s->c, s->y, s->c_after) : NULL;
}

/* ---- all of them ---- */

/* Times that may be operations of their own each. */
#define MOST_STEPS 1024

bool recurrent_few_steps(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return ir_dim(op->out->shape, ((const struct walk *)op->attr)->cell->walk.time_major ? 1 : 2) <= MOST_STEPS;
}

bool recurrent_steps_fit(int32_t times, struct reason *why)
{
    return times <= MOST_STEPS || reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE,
                                             "%d times, each of which is operations of its own: at most %d", times, MOST_STEPS);
}

static struct ir_value *part(struct ir *ir, const struct tensor *stored_as, struct ir_shape s)
{
    struct ir_value *v = stored_as ? ir_temp(ir, IR_INT, s) : ir_temp_full(ir, IR_FLOAT, s);

    if (v)
        v->tensor = stored_as;
    return v;
}

/* From s->h and s->c on; these become what the last step left, c_last if that is not NULL. Returns what computes w->y. NULL: out of
 * memory. */
static struct ir_op *append_steps(struct ir *ir, const struct steps *w, struct step_values *s, struct ir_value *c_last)
{
    const int axis = w->walk->time_major ? 1 : 2;
    const int32_t times = ir_dim(w->y->shape, axis);
    const struct ir_shape shape = ir_with(w->y->shape, axis, 1);
    struct ir_value **y = ARENA_ARRAY(ir->arena, (size_t)times, struct ir_value *);
    struct ir_op *last = NULL;

    for (int32_t i = 0; i < times; i++) {
        const int32_t t = w->walk->backward ? times - 1 - i : i;

        s->x = recurrent_part(ir, w->x, axis, t, 1);
        s->y = times == 1 ? w->y : part(ir, w->output, shape);
        if (w->n_cell)
            s->c_after = i == times - 1 && c_last ? c_last : part(ir, w->state, ir_with(shape, 3, w->n_cell));
        if (!y || !s->x || !s->h || !s->y || (w->n_cell && (!s->c || !s->c_after)) || !(last = w->step(ir, w->cell, s)))
            return NULL;
        s->h = y[t] = s->y;
        s->c = s->c_after;
    }
    return times > 1 ? ir_concatenate(ir, y, (uint32_t)times, axis, w->y) : last;
}

/* The states before: values of as many elements. */
static struct step_values begin(struct ir *ir, const struct steps *w, struct ir_value *h, struct ir_value *c)
{
    const struct ir_shape shape = ir_with(w->y->shape, w->walk->time_major ? 1 : 2, 1);

    return (struct step_values){.h = h ? ir_reshaped(ir, h, shape) : NULL,
                                .c = c ? ir_reshaped(ir, c, ir_with(shape, 3, w->n_cell)) : NULL};
}

enum status recurrent_lower_steps(struct ir *ir, const struct node *n, const struct steps *w, uint32_t output_state,
                                  uint32_t cell_state, struct err *err)
{
    struct step_values s;

    if (!w->x || !w->y)
        return ir_nomem(err);
    s = begin(ir, w, ir_in(ir, n, output_state), w->n_cell ? ir_in(ir, n, cell_state) : NULL);
    return append_steps(ir, w, &s, NULL) && recurrent_set_state(ir, n, output_state, s.h) &&
                   (!w->n_cell || recurrent_set_state(ir, n, cell_state, s.c))
               ? ST_OK
               : ir_nomem(err);
}

static struct steps steps_of(const struct walk *w, struct ir_value *x, struct ir_value *y)
{
    const struct cell *c = w->cell;

    return (struct steps){.walk = &c->walk, .x = x, .y = y, .n_cell = c->lstm ? c->n_cell : 0, .cell = w, .step = step};
}

enum status recurrent_lower_walk(struct ir *ir, const struct node *n, const struct walk *w, struct ir_value *sums,
                                 struct ir_value *y, struct err *err)
{
    struct walk *kept = ARENA_NEW(ir->arena, struct walk);
    struct steps all;

    if (!kept)
        return ir_nomem(err);
    *kept = *w;
    all = steps_of(kept, sums, y);
    return recurrent_lower_steps(ir, n, &all, w->cell->output_state, w->cell->cell_state, err);
}

/* The functions of `op` come after those that `last` has. */
static void hand_functions(const struct ir_op *op, struct ir_op *last)
{
    struct ir_epilogue **end = &last->epilogue;

    while (*end)
        end = &(*end)->next;
    *end = op->epilogue;
}

bool recurrent_expand_steps(struct ir *ir, const struct ir_op *op)
{
    const struct steps w = steps_of(op->attr, op->in[0], op->out);
    struct step_values s = begin(ir, &w, op->in[1], w.n_cell ? op->in[2] : NULL);
    struct ir_op *last = append_steps(ir, &w, &s, s.c && ir_same_shape(s.c->shape, op->out2->shape) ? op->out2 : NULL);

    if (!last)
        return false;
    hand_functions(op, last);
    return !w.n_cell || s.c == op->out2 || ir_reshape(ir, s.c, op->out2);
}
