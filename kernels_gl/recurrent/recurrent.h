/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent.h - cells that walk through time: RNN and LSTM, one step or a sequence, in either direction.
 *
 * kernels_cpu/recurrent describes the cell of a node (cell.h; lstm_int.h has the integer ones); its numbers decide how it is
 * lowered:
 *
 *   floats                            one operation, gl_kind_recurrent: a loop within one shader, several such loops, or steps
 *   floats, weights made at run time  steps
 *   floats times 8 bits, exact        steps; the factors of each are quantized, sums are rounded in the CPU's order
 *   integers, exact                   steps
 *
 * The products with the inputs of all times are always one convolution. Steps are operations of their own for each time.
 *
 * Channel k * cell_rows() + i of sums that lie before activations belongs to gate k and cell i. */
#pragma once

#include "kernels_cpu/recurrent/cell.h"
#include "kernels_gl/common/kinds.h"

/* Return the place of gate k among the gates that the cell has, and their number. */
static inline int32_t cell_gate(const struct cell *c, int32_t k)
{
    return !c->lstm ? 0 : k - cell_is_coupled(c);
}

static inline int32_t cell_gates(const struct cell *c)
{
    return !c->lstm ? 1 : GATES - cell_is_coupled(c);
}

/* Return the number of slices of four that n channels take. */
static inline int32_t cell_slices(int32_t n)
{
    return n / 4 + (n % 4 != 0);
}

/* Return the number of rows of one gate's weights: each gate begins a slice. */
static inline int32_t cell_rows(const struct cell *c)
{
    return 4 * cell_slices(c->n_cell);
}

/* Return the number of rows of all gates' weights, and of channels of their sums. */
static inline int32_t cell_sums(const struct cell *c)
{
    return cell_gates(c) * cell_rows(c);
}

/* ---- kernels of the nodes that cell_from_node() reads ---- */

bool recurrent_accept(const struct gl_limits *lim, const struct node *n, struct reason *why);
bool recurrent_accept_exact(const struct gl_limits *lim, const struct node *n, struct reason *why);
enum status recurrent_lower(struct ir *ir, const struct node *n, struct err *err);

/* Likewise of an LSTM with kernel_type BASIC. */
bool lstm_basic_accept(const struct gl_limits *lim, const struct node *n, struct reason *why);
enum status lstm_basic_lower(struct ir *ir, const struct node *n, struct err *err);

/* The rest of recurrent_lower for one cell of floats that are multiplied by 8 bits, exactly; y has the outputs of all times. */
enum status exact_hybrid_cell_lower(struct ir *ir, const struct node *n, const struct cell *c, struct ir_value *y, struct err *err);

/* ---- checks; all fill *why and return false ---- */

/* Check that input i, if it is there, is no variable, and FLOAT32 or of that 8-bit type, with one scale and no zero point. */
bool recurrent_weights_fit(const struct node *n, uint32_t i, enum tensor_type type, struct reason *why);

/* Check that there are not too many times for steps. */
bool recurrent_steps_fit(int32_t times, struct reason *why);

/* ---- weights ---- */

/* Store a tensor or NULL as floats, bytes made at run time too, in *out; NULL if it is NULL. False if memory runs out. */
bool recurrent_floats(struct ir *ir, const struct tensor *t, struct ir_value **out);

/* Return true if one of the gates' tensors is made at run time. */
bool recurrent_any_made(const struct tensor *const m[GATES]);

/* Copy constants [n_cell][cols] of all gates, `bytes` an element, to an array of zeros in which a gate begins every `gate` elements
 * and a row every `pitch`. */
void recurrent_pack(const struct cell *c, const void *const from[GATES], size_t bytes, size_t cols, size_t pitch, size_t gate,
                    void *to);

/* Return m of the gates that the cell has, all floats or all integers, one after the other along axis 2 or 3, each filled up to
 * cell_rows() with zeros, as all of one that is NULL. `each`: the shape of one. NULL: out of memory. */
struct ir_value *recurrent_join(struct ir *ir, const struct cell *c, struct ir_value *const m[GATES], struct ir_shape each,
                                int axis);

/* Likewise of tensors [n_cell][each.c] or, with axis 3, [n_cell], as floats: a constant if all of them are. */
struct ir_value *recurrent_gates(struct ir *ir, const struct cell *c, const struct tensor *const m[GATES], struct ir_shape each,
                                 int axis);

/* y = the products of x with the rows of m, plus the bias or NULL; the channels of y are the first of these rows. NULL: out of
 * memory. */
struct ir_op *recurrent_product(struct ir *ir, struct ir_value *x, struct ir_value *m, struct ir_value *bias, struct ir_value *y);

/* ---- cells of floats ---- */

/* Of gl_kind_recurrent, which reads the sums of the inputs, the output state and, of an LSTM, the cell state, [1][1][batch][width]
 * each, and puts out y and, of an LSTM, the cell state. */
struct walk {
    const struct cell *cell;
    int32_t gates;                                 /* that the cell has */
    struct ir_value *recurrent;                    /* [cell_sums()][n_output]; of diagonals made at run time without [n_output] */
    struct ir_value *vectors;                      /* peepholes, norms and biases of norms, [cell_sums()] each; or NULL */
    struct ir_value *projection, *projection_bias; /* or NULL */
    bool in_order;                                 /* of steps: sums are rounded in the CPU's order */
};

/* Fill *w. in_order: recurrent weights, unless they are diagonals, and the projection are the caller's. False: out of memory. */
bool recurrent_make_walk(struct ir *ir, const struct cell *c, bool in_order, struct walk *w);

/* Return the sums of the inputs for all times of y; with the biases, unless these come after a norm. NULL: out of memory. */
struct ir_value *recurrent_sums_of_inputs(struct ir *ir, const struct node *n, const struct cell *c, struct ir_value *y);

/* y = the recurrent products of h plus x, the sums of the inputs. NULL: out of memory. */
struct ir_op *recurrent_add_products(struct ir *ir, const struct walk *w, struct ir_value *x, struct ir_value *h,
                                     struct ir_value *y);

/* The cells of an LSTM after their sums: y, which the projection makes if there is one, and the new state. NULL: out of memory. */
struct ir_op *recurrent_cells(struct ir *ir, const struct walk *w, struct ir_value *sums, struct ir_value *c, struct ir_value *y,
                              struct ir_value *state);

/* Cut what op makes, in that type, to -limit to limit; 0: no limit. Returns op; NULL if it is NULL or memory runs out. */
struct ir_op *recurrent_clip(struct ir *ir, struct ir_op *op, float limit, enum ir_type type);

/* Define the names that both templates know. */
void recurrent_define(struct gl_shader *p, const struct walk *w);

/* ---- steps ---- */

/* One step: x is the part of steps.x for its time, h and c the states, y and c_after to be computed; c and c_after are NULL if
 * cells have no state of their own. */
struct step_values {
    struct ir_value *x, *h, *c, *y, *c_after;
};

struct steps {
    const struct rnn_walk *walk;         /* its order; times are those of y */
    struct ir_value *x, *y;              /* made of the inputs of all times; to be computed */
    const struct tensor *output, *state; /* tensors as which y and the cell state are stored, if they are integers; else NULL */
    int32_t n_cell;                      /* 0: no cell state */
    const void *cell;
    struct ir_op *(*step)(struct ir *ir, const void *cell, const struct step_values *s); /* computes y; NULL: out of memory */
};

/* Compute w->y, and give the variables of `n`, its inputs output_state and cell_state, their new content. */
enum status recurrent_lower_steps(struct ir *ir, const struct node *n, const struct steps *w, uint32_t output_state,
                                  uint32_t cell_state, struct err *err);

/* Likewise of a walk that is not constant, after the sums of the inputs. */
enum status recurrent_lower_walk(struct ir *ir, const struct node *n, const struct walk *w, struct ir_value *sums,
                                 struct ir_value *y, struct err *err);

/* Put the steps in the place of gl_kind_recurrent's op, if they are not too many. False if memory runs out. */
bool recurrent_few_steps(const struct ir_op *op, const struct gl_limits *lim);
bool recurrent_expand_steps(struct ir *ir, const struct ir_op *op);

/* Give variable i of `n` the content v, of as many elements. False if memory runs out. */
bool recurrent_set_state(struct ir *ir, const struct node *n, uint32_t i, struct ir_value *v);

/* Return elements [at, at + count) of x along one axis (1 to 3); x itself if that is all of it. NULL if memory runs out. */
struct ir_value *recurrent_part(struct ir *ir, struct ir_value *x, int axis, int32_t at, int32_t count);

/* gl_kernel.accept and .lower of an LSTM whose input is no float. */
bool exact_lstm_accept(const struct node *n, struct reason *why);
enum status exact_lstm_lower(struct ir *ir, const struct node *n, struct err *err);
