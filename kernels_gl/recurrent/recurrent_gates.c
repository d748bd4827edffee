/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_gates.c - weights of all gates of a cell as one value: packed where they are constant, joined where any is made at run
 * time. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/recurrent/recurrent.h"

static bool is_made(const struct ir_value *v)
{
    return v && !v->data;
}

static bool any_made(struct ir_value *const m[CELL_GATES])
{
    bool any = false;

    for (int32_t k = 0; k < CELL_GATES; k++)
        any |= is_made(m[k]);
    return any;
}

static int32_t rows_of(const struct cell *c)
{
    return 4 * cell_slices(c->n_cell);
}

static int32_t gates_of(const struct cell *c)
{
    return !c->lstm ? 1 : c->input[CELL_INPUT] ? 4 : 3;
}

/* ---- constants ---- */

/* Rows of a matrix per gate, padded with zeros to whole slices: [gates * 4 * slices(n_cell)][at + cols], from column `at` on. */
static void put_gates(const struct cell *c, struct ir_value *const m[CELL_GATES], int32_t cols, int32_t at, int32_t pitch,
                      bool diagonal, float *to)
{
    const size_t rows = (size_t)rows_of(c);

    for (int32_t k = 0; k < CELL_GATES; k++)
        for (size_t r = 0; m[k] && r < (size_t)c->n_cell; r++) {
            float *row = to + ((size_t)cell_gate(c, k) * rows + r) * (size_t)pitch + at;
            const float *from = m[k]->data;

            for (size_t i = 0; i < (size_t)cols; i++)
                row[i] = !diagonal ? from[r * (size_t)cols + i] : i == r ? from[r] : 0;
        }
}

/* ---- values ---- */

static struct ir_value *zeros(struct ir *ir, enum ir_type type, struct ir_shape s)
{
    return ir_const(ir, type, s, ARENA_ARRAY(ir->arena, ir_elems(s), float));
}

static struct ir_value *joined(struct ir *ir, struct ir_value *const *part, uint32_t n, struct ir_shape s, int axis, bool full)
{
    struct ir_value *all = part[0] ? ir_temp(ir, part[0]->type, s) : NULL;

    if (!ir_concatenate(ir, part, n, axis, all))
        return NULL;
    all->full |= full;
    return all;
}

struct ir_value *recurrent_join(struct ir *ir, const struct cell *c, struct ir_value *const m[CELL_GATES], struct ir_shape each,
                                int axis)
{
    const int32_t rows = rows_of(c);
    enum ir_type type = IR_FLOAT;
    struct ir_value *part[2 * CELL_GATES];
    bool full = false;
    uint32_t n = 0;

    for (int32_t k = 0; k < CELL_GATES; k++)
        type = m[k] ? m[k]->type : type;

    for (int32_t k = 0; k < CELL_GATES; k++) {
        const int32_t rest = m[k] ? rows - c->n_cell : rows;

        if (!c->recurrent[k])
            continue;
        if (m[k]) {
            full |= m[k]->full;
            part[n++] = m[k];
        }
        if (rest)
            part[n++] = zeros(ir, type, ir_with(each, axis, rest));
    }
    return joined(ir, part, n, ir_with(each, axis, gates_of(c) * rows), axis, full);
}

/* The vectors of all gates. */
static struct ir_value *gates_vector(struct ir *ir, const struct cell *c, struct ir_value *const v[CELL_GATES])
{
    const struct ir_shape all = {1, 1, 1, gates_of(c) * rows_of(c)};
    float *to;

    if (any_made(v))
        return recurrent_join(ir, c, v, ir_with(all, 3, c->n_cell), 3);
    if ((to = ARENA_ARRAY(ir->arena, ir_elems(all), float)))
        put_gates(c, v, 1, 0, 1, false, to);
    return ir_const(ir, IR_FLOAT, all, to);
}

static struct ir_value *all_vectors(struct ir *ir, const struct cell *c)
{
    struct ir_value *const *const v[3] = {c->peephole, c->norm, c->bias};
    struct ir_value *part[3];
    const struct ir_shape each = {1, 1, 1, gates_of(c) * rows_of(c)}, all = ir_with(each, 3, 3 * each.c);
    float *to;

    if (any_made(c->peephole) || any_made(c->norm) || any_made(c->bias)) {
        for (size_t i = 0; i < 3; i++)
            if (!(part[i] = gates_vector(ir, c, v[i])))
                return NULL;
        return joined(ir, part, 3, all, 3, true);
    }
    if ((to = ARENA_ARRAY(ir->arena, ir_elems(all), float)))
        for (size_t i = 0; i < 3; i++)
            put_gates(c, v[i], 1, 0, 1, false, to + i * (size_t)each.c);
    return ir_const(ir, IR_FLOAT, all, to);
}

/* Of the output state. */
static struct ir_value *recurrent_matrix(struct ir *ir, const struct cell *c)
{
    const struct ir_shape all = {1, 1, gates_of(c) * rows_of(c), c->n_output};
    float *to;

    if (any_made(c->recurrent))
        return c->diagonal ? gates_vector(ir, c, c->recurrent) : recurrent_join(ir, c, c->recurrent, ir_with(all, 2, c->n_cell), 2);
    if ((to = ARENA_ARRAY(ir->arena, ir_elems(all), float)))
        put_gates(c, c->recurrent, c->n_output, 0, c->n_output, c->diagonal, to);
    return ir_const(ir, IR_FLOAT, all, to);
}

/* Of the inputs: [gates * 4 * slices(n_cell)][n_input + n_aux]. */
static struct ir_value *input_matrix(struct ir *ir, const struct cell *c)
{
    const struct ir_shape all = {1, 1, gates_of(c) * rows_of(c), c->n_input + c->n_aux};
    struct ir_value *part[2];
    float *to;

    if (any_made(c->input) || any_made(c->aux)) {
        part[0] = recurrent_join(ir, c, c->input, (struct ir_shape){1, 1, c->n_cell, c->n_input}, 2);
        if (!c->n_aux)
            return part[0];
        part[1] = recurrent_join(ir, c, c->aux, (struct ir_shape){1, 1, c->n_cell, c->n_aux}, 2);
        return part[0] && part[1] ? joined(ir, part, 2, all, 3, false) : NULL;
    }
    if ((to = ARENA_ARRAY(ir->arena, ir_elems(all), float))) {
        put_gates(c, c->input, c->n_input, 0, all.c, false, to);
        put_gates(c, c->aux, c->n_aux, c->n_input, all.c, false, to);
    }
    return ir_const(ir, IR_FLOAT, all, to);
}

/* ---- what cells make of them ---- */

struct ir_op *recurrent_product(struct ir *ir, struct ir_value *x, struct ir_value *m, struct ir_value *bias, struct ir_value *y)
{
    static const struct ir_window one = {
        .kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1};
    struct ir_op *op;

    if (m && !is_made(m) && !is_made(bias))
        return ir_conv(ir, x, &one, m->data, bias ? bias->data : NULL, y);
    op = ir_rows_product(ir, x, m, y);
    return !bias || ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, bias}, NULL, IR_FLOAT) ? op : NULL;
}

bool recurrent_make_walk(struct ir *ir, const struct cell *c, const struct recurrent *r, struct walk *w)
{
    const bool vectors = c->peephole[CELL_OUTPUT] || c->norm[CELL_OUTPUT];

    *w = (struct walk){.cell = c,
                       .gates = gates_of(c),
                       .recurrent = recurrent_matrix(ir, c),
                       .vectors = vectors ? all_vectors(ir, c) : NULL,
                       .batch_major = r->batch_major,
                       .backward = r->backward};
    return w->recurrent && !w->vectors == !vectors;
}

struct ir_value *recurrent_sums_of_inputs(struct ir *ir, const struct walk *w, const struct recurrent *r)
{
    const struct cell *c = w->cell;
    struct ir_value *x = r->x, *sums = ir_temp_full(ir, IR_FLOAT, ir_with(r->y->shape, 3, w->gates * rows_of(c))), *bias = NULL;

    if (!c->norm[CELL_OUTPUT] && !(bias = gates_vector(ir, c, c->bias)))
        return NULL;
    if (c->n_aux) {
        x = ir_temp(ir, IR_FLOAT, ir_with(x->shape, 3, c->n_input + c->n_aux));
        if (!ir_concatenate(ir, (struct ir_value *[]){r->x, r->aux}, 2, 3, x))
            return NULL;
    }
    return recurrent_product(ir, x, input_matrix(ir, c), bias, sums) ? sums : NULL;
}

bool recurrent_is_constant(const struct walk *w)
{
    return !is_made(w->recurrent) && !is_made(w->vectors) && !is_made(w->cell->projection) && !is_made(w->cell->projection_bias);
}
