/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent_accept.c - demands of recurrent operators on their weights and states. */
#include "kernels_gl/matmul/exact_hybrid.h"
#include "kernels_gl/recurrent/recurrent.h"
#include "lib/gl/lower/exact.h"

/* Diagonal weights are computed as a square matrix, of which the file has but the diagonal. */
#define DIAGONAL_MOST 4096

/* 8-bit weights stand for floats where the input is such. */
bool gl_reals_recurrent(const struct node *n)
{
    return node_in(n, 0) && n->in[0]->type == TYPE_FLOAT32;
}

static bool is_symmetric(const struct tensor *t)
{
    return t->quant.n == 1 && t->quant.scale[0] > 0 && (!t->quant.zero_point || !t->quant.zero_point[0]);
}

bool recurrent_weights_fit(const struct node *n, uint32_t i, enum tensor_type type, struct reason *why)
{
    const struct tensor *t = node_in(n, i);

    if (!t)
        return true;
    if (t->is_variable)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the weights (input %u) are a variable", i);
    if (t->type != TYPE_FLOAT32 && t->type != type)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s instead of %s", i, type_name(t->type),
                          type_name(type));
    return t->type == TYPE_FLOAT32 || is_symmetric(t) ||
           reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "input %u is not quantized by one scale without a zero point", i);
}

static bool is_state(const struct cell *c, uint32_t i)
{
    return i == c->output_state || (c->lstm && i == c->cell_state);
}

/* All inputs but the first, the states and the auxiliary one, which alone has three dimensions. */
static bool all_weights_fit(const struct node *n, const struct cell c[2], struct reason *why)
{
    bool constant = true;

    for (uint32_t i = 1; i < n->n_in; i++) {
        if (!n->in[i] || n->in[i]->rank == 3 || is_state(&c[0], i) || is_state(&c[1], i))
            continue;
        if (!recurrent_weights_fit(n, i, c->input[GATE_CELL]->type, why))
            return false;
        constant &= n->in[i]->is_const;
    }
    return constant || recurrent_steps_fit(c->walk.times, why);
}

static bool cell_fits(const struct node *n, const struct cell *c, struct reason *why)
{
    if (!gl_runtime(n, c->x, c->x ? "auxiliary input" : "input", why) ||
        (c->x_aux && !gl_runtime(n, c->x_aux, "auxiliary input", why)) || !gl_activation(c->activation, why))
        return false;
    if (c->n_cell < 1 || c->n_input < 1 || c->n_output < 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%d cells of %d inputs and %d outputs", c->n_cell, c->n_input,
                          c->n_output);
    if (c->diagonal && c->n_cell > DIAGONAL_MOST)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "diagonal weights of %d cells, at most %d are made a matrix",
                          c->n_cell, DIAGONAL_MOST);
    if (!c->lstm && c->two && c->walk.time_major && cell_is_hybrid(c) && c->walk.times > 1)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT,
                          "8-bit weights and time-major data, which TFLite walks through %d times", c->walk.times);
    return true;
}

bool recurrent_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const bool two = cell_options(n).two;
    struct cell c[2]; /* of one direction the same twice */
    struct err err = {""};

    (void)lim;
    for (int d = 0; d < 2; d++) {
        if (cell_from_node(n, d && two, &c[d], &err))
            return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%s", err.msg);
        if (!cell_fits(n, &c[d], why))
            return false;
    }
    return all_weights_fit(n, c, why);
}

/* Of 8-bit weights with --gpu_quant=exact. */
bool recurrent_accept_exact(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return recurrent_accept(lim, n, why) && exact_hybrid_fits(lim, why) && recurrent_steps_fit(cell_options(n).walk.times, why);
}
