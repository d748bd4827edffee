/* SPDX-License-Identifier: Apache-2.0 */
/* exact_walk.c - see exact_walk.h */
#include "kernels_gl/recurrent/exact_walk.h"

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/operands.h"

bool exact_walk_fits(int32_t times, struct reason *why)
{
    return times <= RECURRENT_STEPS ||
           reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%d times, each of which is operations of its own: at most %d", times,
                      RECURRENT_STEPS);
}

static struct ir_value *part(struct ir *ir, const struct tensor *stored_as, struct ir_shape s)
{
    struct ir_value *v = stored_as ? ir_temp(ir, IR_INT, s) : ir_temp_full(ir, IR_FLOAT, s);

    if (v)
        v->tensor = stored_as;
    return v;
}

enum status exact_walk(struct ir *ir, const struct node *n, const struct exact_walk *w, struct err *err)
{
    const struct recurrent *r = w->r;
    const int axis = r->batch_major ? 2 : 1;
    const int32_t times = r->x && r->y ? recurrent_steps(r).h : 0;
    const struct ir_shape shape = times ? ir_with(r->y->shape, axis, 1) : (struct ir_shape){0};
    struct ir_value **y = ARENA_ARRAY(ir->arena, (size_t)times + 1, struct ir_value *);
    struct exact_step s = {.h = times ? ir_reshaped(ir, ir_in(ir, n, r->output_state), shape) : NULL};

    if (!times || !y || !s.h || !w->x)
        return ir_nomem(err);
    if (w->n_cell && !(s.c = ir_reshaped(ir, ir_in(ir, n, r->cell_state), ir_with(shape, 3, w->n_cell))))
        return ir_nomem(err);
    for (int32_t i = 0; i < times; i++) {
        const int32_t t = r->backward ? times - 1 - i : i;

        s.x = recurrent_part(ir, w->x, axis, t, 1);
        s.y = times == 1 ? r->y : part(ir, w->output, shape);
        s.c_after = w->n_cell ? part(ir, w->state, ir_with(shape, 3, w->n_cell)) : NULL;
        if (!s.x || !s.y || (w->n_cell && !s.c_after) || !w->step(ir, w->cell, &s))
            return ir_nomem(err);
        s.h = y[t] = s.y;
        s.c = s.c_after;
    }
    if (times > 1 && !ir_concatenate(ir, y, (uint32_t)times, axis, r->y))
        return ir_nomem(err);
    return recurrent_set_state(ir, n, r->output_state, s.h) && (!w->n_cell || recurrent_set_state(ir, n, r->cell_state, s.c))
               ? ST_OK
               : ir_nomem(err);
}
