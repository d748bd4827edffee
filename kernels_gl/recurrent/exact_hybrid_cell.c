/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid_cell.c - RNN and LSTM of floats with 8-bit weights, as the CPU has them: their factors are quantized at run time, in
 * every step; sums are of floats, in the CPU's order. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/matmul/exact_hybrid.h"
#include "kernels_gl/matmul/exact_hybrid_rows.h"
#include "kernels_gl/recurrent/recurrent.h"

/* Bytes that multiply one vector: those of all gates, each of which begins with a slice of its own; or of RNN one matrix. */
struct product {
    const struct tensor *one, *one_bias; /* NULL: of gates, what follows */
    struct exact_weights w;
    struct exact_requant q;
    struct ir_value *filter; /* NULL: they are constant */
    struct ir_value *bias;   /* of floats, to be added behind; or NULL */
};

struct hybrid {
    struct walk walk;
    struct product recurrent;
};

/* Bytes of all gates [all][cols] that are constant. NULL: out of memory. */
static int8_t *constant_bytes(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], size_t all, size_t cols)
{
    const size_t gate = (size_t)cell_rows(c) * cols;
    int8_t *bytes = ARENA_ARRAY(ir->arena, all * cols, int8_t);
    const void *from[GATES] = {NULL};

    for (int32_t k = 0; k < GATES; k++)
        from[k] = m[k] ? m[k]->data : NULL;
    if (bytes)
        recurrent_pack(c, from, 1, cols, cols, gate, bytes);
    return bytes;
}

/* The same as a value, of which some are made at run time. NULL: out of memory. */
static struct ir_value *joined_bytes(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], size_t cols)
{
    const struct ir_shape each = {1, 1, c->n_cell, (int32_t)cols};
    struct ir_value *v[GATES] = {NULL}, *all;

    for (int32_t k = 0; k < GATES; k++)
        if (m[k] && !(v[k] = ir_reshaped(ir, ir_of_tensor(ir, m[k]), each)))
            return NULL;
    if (!(all = recurrent_join(ir, c, v, each, 2)))
        return NULL;
    all->tensor = m[GATE_CELL]; /* whose elements these are: they are stored as bytes */
    return ir_reshaped(ir, all, (struct ir_shape){all->shape.w, 1, 1, all->shape.c});
}

/* Scales of all rows. NULL: out of memory. */
static float *scales_of(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], size_t all)
{
    const size_t each = (size_t)cell_rows(c);
    float *scale = ARENA_ARRAY(ir->arena, all, float);

    for (int32_t k = 0; scale && k < GATES; k++)
        for (size_t i = 0; m[k] && i < each; i++)
            scale[(size_t)cell_gate(c, k) * each + i] = m[k]->quant.scale[0];
    return scale;
}

/* Constants behind constant weights go with the product. */
static bool put_bias(struct ir *ir, const struct cell *c, struct product *out)
{
    struct ir_value *bias = recurrent_gates(ir, c, c->bias, (struct ir_shape){1, 1, 1, c->n_cell}, 3);

    if (out->filter || !bias || !bias->data)
        out->bias = bias;
    else
        out->q.bias = bias->data;
    return bias;
}

/* The matrices m of the gates; with_bias: and their biases. False: out of memory. */
static bool gates_product(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], bool with_bias,
                          struct product *out)
{
    const size_t all = (size_t)cell_sums(c), cols = (size_t)m[GATE_CELL]->dim[1];
    const float *scale;

    *out = (struct product){.one = m[GATE_CELL], .one_bias = with_bias ? c->bias[GATE_CELL] : NULL};
    if (!c->lstm)
        return true;
    scale = scales_of(ir, c, m, all);
    *out = (struct product){
        .w = exact_weights_of_rows(NULL, TYPE_INT8, all, cols),
        .q = {.channels = all, .scale = scale, .scale_step = 1},
    };
    if (recurrent_any_made(m))
        out->filter = joined_bytes(ir, c, m, cols);
    else
        out->w.data = constant_bytes(ir, c, m, all, cols);
    return scale && (out->filter || out->w.data) && (!with_bias || put_bias(ir, c, out));
}

static struct ir_op *add(struct ir *ir, struct ir_op *op, struct ir_value *more)
{
    return op && ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, more}, NULL, IR_FLOAT) ? op : NULL;
}

static struct ir_op *multiply(struct ir *ir, const struct product *p, struct ir_value *x, bool asymmetric, struct ir_value *y)
{
    struct hybrid_value v;
    struct ir_op *op;

    if (p->one)
        return ir_exact_hybrid_rows(ir, x, p->one, p->one_bias, asymmetric, y);
    if (!x || !y || !ir_exact_hybrid(ir, x, true, asymmetric, &v))
        return NULL;
    op = ir_exact_rows(ir, v.q, &(struct exact_values){.steps = v.steps, .filter = p->filter}, 0, &p->w, &p->q, y);
    return p->bias ? add(ir, op, p->bias) : op;
}

/* Of the inputs of all times, with the biases, but where these come after a norm. NULL: out of memory. */
static struct ir_value *sums_of_inputs(struct ir *ir, const struct node *n, const struct cell *c, struct ir_value *y)
{
    struct ir_value *sums = ir_temp_full(ir, IR_FLOAT, ir_with(y->shape, 3, c->lstm ? cell_sums(c) : c->n_cell)), *all;
    struct product p;

    if (!gates_product(ir, c, c->input, !c->norm[GATE_OUTPUT], &p) || !multiply(ir, &p, ir_in(ir, n, c->x), c->asymmetric, sums))
        return NULL;
    if (!c->x_aux)
        return sums;
    all = ir_temp_full(ir, IR_FLOAT, sums->shape);
    return gates_product(ir, c, c->aux, false, &p) && add(ir, multiply(ir, &p, ir_in(ir, n, c->x_aux), c->asymmetric, all), sums)
               ? all
               : NULL;
}

/* y = the recurrent products and the sums of the inputs. */
static struct ir_op *add_products(struct ir *ir, const struct hybrid *h, const struct step_values *s, struct ir_value *y)
{
    const struct cell *c = h->walk.cell;

    return c->diagonal ? recurrent_add_products(ir, &h->walk, s->x, s->h, y)
                       : add(ir, multiply(ir, &h->recurrent, s->h, c->asymmetric, y), s->x);
}

static struct ir_op *step(struct ir *ir, const void *arg, const struct step_values *s)
{
    const struct hybrid *h = arg;
    const struct cell *c = h->walk.cell;
    struct ir_value *sums, *hidden;
    struct ir_op *op;

    if (!c->lstm)
        return ir_activation(ir, op = add_products(ir, h, s, s->y), c->activation) ? op : NULL;
    sums = ir_temp_full(ir, IR_FLOAT, s->x->shape);
    hidden = c->projection ? ir_temp_full(ir, IR_FLOAT, s->c->shape) : s->y;
    if (!add_products(ir, h, s, sums) || !(op = recurrent_cells(ir, &h->walk, sums, s->c, hidden, s->c_after)))
        return NULL;
    if (!c->projection)
        return op;
    op = ir_exact_hybrid_rows(ir, hidden, c->projection, c->projection_bias, c->asymmetric, s->y);
    return recurrent_clip(ir, op, c->projection_clip, IR_FLOAT);
}

enum status exact_hybrid_cell_lower(struct ir *ir, const struct node *n, const struct cell *c, struct ir_value *y, struct err *err)
{
    struct hybrid *h = ARENA_NEW(ir->arena, struct hybrid);

    if (!h || !y || !recurrent_make_walk(ir, c, true, &h->walk) ||
        (!c->diagonal && !gates_product(ir, c, c->recurrent, false, &h->recurrent)))
        return ir_nomem(err);
    return recurrent_lower_steps(
        ir, n,
        &(struct steps){
            .walk = &c->walk, .x = sums_of_inputs(ir, n, c, y), .y = y, .n_cell = c->lstm ? c->n_cell : 0, .cell = h, .step = step},
        c->output_state, c->cell_state, err);
}
