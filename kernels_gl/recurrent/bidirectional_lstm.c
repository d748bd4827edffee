/* SPDX-License-Identifier: Apache-2.0 */
/* bidirectional_lstm.c - BIDIRECTIONAL_SEQUENCE_LSTM: two cells, one walking back in time. */
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/recurrent/exact_lstm_hybrid.h"
#include "kernels_gl/recurrent/lstm.h"

enum {
    X,
    FORWARD = 1,
    FORWARD_RECURRENT = 5,
    BACKWARD = 18,
    FORWARD_STATE = 35,
    BACKWARD_STATE = 37,
    AUX = 39,
    FORWARD_AUX = 40,
    BACKWARD_AUX = 44,
    N_BOTH = 48
};

/* The auxiliary input is a second input of both cells where it has weights, else it is the backward cell's input. */
static bool has_aux_weights(const struct node *n)
{
    return node_in(n, AUX) && node_in(n, FORWARD_AUX + CELL_FORGET);
}

static uint32_t backward_input(const struct node *n)
{
    return node_in(n, AUX) && !has_aux_weights(n) ? AUX : X;
}

static struct lstm_form direction(const struct node *n, bool backward)
{
    const bool aux = has_aux_weights(n);

    return backward ? (struct lstm_form){.first = BACKWARD, .aux = aux ? BACKWARD_AUX : 0, .state = BACKWARD_STATE}
                    : (struct lstm_form){.first = FORWARD, .aux = aux ? FORWARD_AUX : 0, .state = FORWARD_STATE};
}

static bool accept_both(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct opt_bidirectional_sequence_lstm *o = n->opt;

    (void)lim;
    (void)g;
    if (!gl_arity(n, 1, N_BOTH, o->merge_outputs ? 1 : 2, why) || !gl_runtime(n, X, "input", why) ||
        (node_in(n, AUX) && !gl_runtime(n, AUX, "auxiliary input", why)))
        return false;
    for (int backward = 0; backward < 2; backward++) {
        const struct lstm_form f = direction(n, backward);
        struct lstm_sizes s = {.batch = n->in[X]->dim[o->time_major ? 1 : 0], .n_aux = f.aux ? n->in[AUX]->dim[2] : 0};

        if (!lstm_accept_cell(n, &f, &s, o->activation, why))
            return false;
    }
    return recurrent_times_fit(n, AUX, n->in[X]->dim[!o->time_major], why);
}

/* Of 8-bit weights with --gpu_quant=exact. */
static bool exact_accept_both(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    return accept_both(lim, g, n, why) &&
           exact_lstm_hybrid_fits(lim, n->in[X]->dim[!((const struct opt_bidirectional_sequence_lstm *)n->opt)->time_major], why);
}

static enum status lower_direction(struct ir *ir, const struct node *n, bool backward, struct ir_value *y, struct err *err)
{
    const struct opt_bidirectional_sequence_lstm *o = n->opt;
    const struct lstm_form f = direction(n, backward);
    const struct recurrent r = {.x = ir_in(ir, n, backward ? backward_input(n) : X),
                                .aux = f.aux ? ir_in(ir, n, AUX) : NULL,
                                .y = y,
                                .output_state = f.state,
                                .cell_state = f.state + 1,
                                .batch_major = !o->time_major,
                                .backward = backward};
    struct cell c = {.activation = o->activation,
                     .cell_clip = o->cell_clip,
                     .projection_clip = o->proj_clip,
                     .n_aux = f.aux ? n->in[AUX]->dim[2] : 0};

    if (!lstm_read_cell(ir, n, &f, &c))
        return ir_nomem(err);
    return exact_lstm_is_hybrid(ir, n, &f) ? exact_lstm_hybrid_lower(ir, n, &f, &c, o->asymmetric_quantize_inputs, &r, err)
                                           : recurrent_lower(ir, n, &c, &r, err);
}

static enum status lower_both(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_bidirectional_sequence_lstm *o = n->opt;
    const int32_t forward = n->in[FORWARD_RECURRENT + CELL_FORGET]->dim[1];
    struct ir_value *y = ir_out(ir, n, 0), *part[2] = {y, o->merge_outputs ? NULL : ir_out(ir, n, 1)};
    enum status st;

    if (o->merge_outputs && y) {
        part[0] = ir_temp(ir, IR_FLOAT, ir_with(y->shape, 3, forward));
        part[1] = ir_temp(ir, IR_FLOAT, ir_with(y->shape, 3, y->shape.c - forward));
    }
    if ((st = lower_direction(ir, n, false, part[0], err)) || (st = lower_direction(ir, n, true, part[1], err)))
        return st;
    return !o->merge_outputs || ir_concatenate(ir, part, 2, 3, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_bidirectional_sequence_lstm = {
    .max_version = 3, .quantized = 1u << TYPE_INT8, .accept = accept_both, .lower = lower_both, .updates_variables = true};
const struct gl_kernel gl_exact_bidirectional_lstm = {.max_version = 3,
                                                      .in_types = TAKES_FLOAT | TAKES_8BIT,
                                                      .accept = exact_accept_both,
                                                      .lower = lower_both,
                                                      .updates_variables = true};
