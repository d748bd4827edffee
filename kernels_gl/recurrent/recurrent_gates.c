/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_gates.c - weights of all gates of a cell as one value: packed if they are constant, joined if any is made at run time.
 */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/recurrent/recurrent.h"

#include <string.h>

/* ---- one tensor ---- */

/* p: the scale. Beside floats UINT8 has the bytes of INT8. */
static const struct ir_fn fn_reals = {"BYTES_TO_REALS", NULL, "vec4(a << 24 >> 24) * vec4(p.x)", .arity = 1, .params = true};

/* v itself where it is floats. NULL: out of memory. */
static struct ir_value *reals_of(struct ir *ir, const struct tensor *t, struct ir_value *v)
{
    struct ir_value *real;
    struct ir_op *op;

    if (!v || v->type == IR_FLOAT)
        return v;
    real = ir_temp_full(ir, IR_FLOAT, v->shape);
    if ((op = ir_copy(ir, v, real)))
        op->stores = IR_INT;
    return ir_apply(ir, op, &fn_reals, NULL, (float[4]){t->quant.scale[0]}, IR_FLOAT) ? real : NULL;
}

bool recurrent_floats(struct ir *ir, const struct tensor *t, struct ir_value **out)
{
    struct ir_shape s;

    *out = NULL;
    if (t)
        *out = t->is_const && ir_shape_of(t, &s) ? ir_const(ir, IR_FLOAT, s, ir_floats(ir, t))
                                                 : reals_of(ir, t, ir_of_tensor(ir, t));
    return *out || !t;
}

/* ---- constants of all gates ---- */

bool recurrent_any_made(const struct tensor *const m[GATES])
{
    bool any = false;

    for (int32_t k = 0; k < GATES; k++)
        any |= m[k] && !m[k]->is_const;
    return any;
}

void recurrent_pack(const struct cell *c, const void *const from[GATES], size_t bytes, size_t cols, size_t pitch, size_t gate,
                    void *to)
{
    for (int32_t k = 0; k < GATES; k++)
        for (size_t r = 0; from[k] && r < (size_t)c->n_cell; r++)
            memcpy((char *)to + ((size_t)cell_gate(c, k) * gate + r * pitch) * bytes, (const char *)from[k] + r * cols * bytes,
                   cols * bytes);
}

/* False: out of memory. */
static bool pack_floats(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], size_t cols, size_t pitch,
                        size_t gate, float *to)
{
    const void *from[GATES] = {NULL};

    for (int32_t k = 0; k < GATES; k++)
        if (m[k] && !(from[k] = ir_floats(ir, m[k])))
            return false;
    if (to)
        recurrent_pack(c, from, sizeof *to, cols, pitch, gate, to);
    return to;
}

/* ---- values of all gates ---- */

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

struct ir_value *recurrent_join(struct ir *ir, const struct cell *c, struct ir_value *const m[GATES], struct ir_shape each,
                                int axis)
{
    const int32_t rows = cell_rows(c);
    enum ir_type type = IR_FLOAT;
    struct ir_value *part[2 * GATES];
    bool full = false;
    uint32_t n = 0;

    for (int32_t k = 0; k < GATES; k++)
        type = m[k] ? m[k]->type : type;

    for (int32_t k = 0; k < GATES; k++) {
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
    return joined(ir, part, n, ir_with(each, axis, cell_sums(c)), axis, full);
}

static struct ir_value *join_floats(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], struct ir_shape each,
                                    int axis)
{
    struct ir_value *v[GATES];

    for (int32_t k = 0; k < GATES; k++)
        if (!recurrent_floats(ir, m[k], &v[k]))
            return NULL;
    return recurrent_join(ir, c, v, each, axis);
}

struct ir_value *recurrent_gates(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], struct ir_shape each,
                                 int axis)
{
    const int32_t rows = cell_rows(c);
    const struct ir_shape all = ir_with(each, axis, cell_sums(c));
    const size_t cols = axis == 3 ? 1 : (size_t)each.c;
    float *to;

    if (recurrent_any_made(m))
        return join_floats(ir, c, m, each, axis);
    to = ARENA_ARRAY(ir->arena, ir_elems(all), float);
    return pack_floats(ir, c, m, cols, cols, (size_t)rows * cols, to) ? ir_const(ir, IR_FLOAT, all, to) : NULL;
}

/* ---- a walk ---- */

static struct ir_value *all_vectors(struct ir *ir, const struct cell *c)
{
    const struct tensor *const *const v[3] = {c->peephole, c->norm, c->bias};
    const size_t rows = (size_t)cell_rows(c);
    const struct ir_shape one = {1, 1, 1, c->n_cell}, each = ir_with(one, 3, cell_sums(c)), all = ir_with(each, 3, 3 * each.c);
    const bool made = recurrent_any_made(v[0]) || recurrent_any_made(v[1]) || recurrent_any_made(v[2]);
    float *to = made ? NULL : ARENA_ARRAY(ir->arena, ir_elems(all), float);
    struct ir_value *part[3];

    for (size_t i = 0; i < 3; i++)
        if (made ? !(part[i] = recurrent_gates(ir, c, v[i], one, 3))
                 : !to || !pack_floats(ir, c, v[i], 1, 1, rows, to + i * (size_t)each.c))
            return NULL;
    return made ? joined(ir, part, 3, all, 3, true) : ir_const(ir, IR_FLOAT, all, to);
}

/* Of the output state. Constant diagonals become square. */
static struct ir_value *recurrent_matrix(struct ir *ir, const struct cell *c)
{
    const struct ir_shape each = {1, 1, c->n_cell, c->n_output}, all = ir_with(each, 2, cell_sums(c));
    const size_t cols = (size_t)c->n_output;
    float *to;

    if (!c->diagonal)
        return recurrent_gates(ir, c, c->recurrent, each, 2);
    if (recurrent_any_made(c->recurrent))
        return recurrent_gates(ir, c, c->recurrent, (struct ir_shape){1, 1, 1, c->n_cell}, 3);
    to = ARENA_ARRAY(ir->arena, ir_elems(all), float);
    return pack_floats(ir, c, c->recurrent, 1, cols + 1, (size_t)cell_rows(c) * cols, to) ? ir_const(ir, IR_FLOAT, all, to) : NULL;
}

bool recurrent_make_walk(struct ir *ir, const struct cell *c, bool in_order, struct walk *w)
{
    const bool vectors = c->peephole[GATE_OUTPUT] || c->norm[GATE_OUTPUT], recurrent = !in_order || c->diagonal;

    *w = (struct walk){.cell = c,
                       .gates = cell_gates(c),
                       .recurrent = recurrent ? recurrent_matrix(ir, c) : NULL,
                       .vectors = vectors ? all_vectors(ir, c) : NULL,
                       .in_order = in_order};
    return !w->recurrent == !recurrent && !w->vectors == !vectors &&
           (in_order ||
            (recurrent_floats(ir, c->projection, &w->projection) && recurrent_floats(ir, c->projection_bias, &w->projection_bias)));
}

/* ---- sums ---- */

struct ir_op *recurrent_product(struct ir *ir, struct ir_value *x, struct ir_value *m, struct ir_value *bias, struct ir_value *y)
{
    static const struct ir_window one = {
        .kernel_h = 1, .kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1};
    struct ir_op *op;

    if (m && m->data && (!bias || bias->data))
        return ir_conv(ir, x, &one, m->data, bias ? bias->data : NULL, y);
    op = ir_rows_product(ir, x, m, y);
    return !bias || ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, bias}, NULL, IR_FLOAT) ? op : NULL;
}

/* Of the inputs: [gates * 4 * slices(n_cell)][n_input + n_aux]. */
static struct ir_value *input_matrix(struct ir *ir, const struct cell *c)
{
    const size_t input = (size_t)c->n_input, cols = input + (size_t)c->n_aux, rows = (size_t)cell_rows(c);
    const struct ir_shape each = {1, 1, c->n_cell, c->n_input}, all = {1, 1, cell_sums(c), (int32_t)cols};
    struct ir_value *part[2];
    float *to;

    if (!c->n_aux)
        return recurrent_gates(ir, c, c->input, each, 2);
    if (recurrent_any_made(c->input) || recurrent_any_made(c->aux)) {
        part[0] = join_floats(ir, c, c->input, each, 2);
        part[1] = join_floats(ir, c, c->aux, ir_with(each, 3, c->n_aux), 2);
        return part[0] && part[1] ? joined(ir, part, 2, all, 3, false) : NULL;
    }
    to = ARENA_ARRAY(ir->arena, ir_elems(all), float);
    return to && pack_floats(ir, c, c->input, input, cols, rows * cols, to) &&
                   pack_floats(ir, c, c->aux, cols - input, cols, rows * cols, to + input)
               ? ir_const(ir, IR_FLOAT, all, to)
               : NULL;
}

struct ir_value *recurrent_sums_of_inputs(struct ir *ir, const struct node *n, const struct cell *c, struct ir_value *y)
{
    struct ir_value *x = ir_in(ir, n, c->x), *bias = NULL, *sums = ir_temp_full(ir, IR_FLOAT, ir_with(y->shape, 3, cell_sums(c)));

    if (!x || (!c->norm[GATE_OUTPUT] && !(bias = recurrent_gates(ir, c, c->bias, (struct ir_shape){1, 1, 1, c->n_cell}, 3))))
        return NULL;
    if (c->n_aux) {
        struct ir_value *const both[2] = {x, ir_in(ir, n, c->x_aux)};

        x = ir_temp(ir, IR_FLOAT, ir_with(x->shape, 3, c->n_input + c->n_aux));
        if (!both[1] || !ir_concatenate(ir, both, 2, 3, x))
            return NULL;
    }
    return recurrent_product(ir, x, input_matrix(ir, c), bias, sums) ? sums : NULL;
}
