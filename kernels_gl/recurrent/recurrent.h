/* SPDX-License-Identifier: Apache-2.0 */
/* recurrent.h - cells that walk through time: RNN and LSTM, one step or a sequence, in either direction.
 *
 * The products with the inputs of all times are one convolution. The walk is then one operation, gl_kind_recurrent, whose variants
 * are a loop within one shader, a workgroup for each batch; several such loops one after the other, if a device would end a single
 * one; and operations of their own for each step, if the weights are too many for one workgroup.
 *
 * Channel k * 4 * slices(n_cell) + i of sums that lie before activations belongs to gate k and cell i. */
#ifndef DELEGAUGE_KERNELS_GL_RECURRENT_H
#define DELEGAUGE_KERNELS_GL_RECURRENT_H

#include "kernels_gl/common/kinds.h"

/* Times that may be operations of their own each. */
enum { RECURRENT_STEPS = 1024 };

enum { CELL_INPUT, CELL_FORGET, CELL_NEW, CELL_OUTPUT, CELL_GATES };

/* A cell as its node has it. Weights are floats, constant or made at run time; NULL if the cell has none. */
struct cell {
    bool lstm;                              /* else y = activation(sum), and of all gates there is CELL_NEW alone */
    int32_t n_input, n_aux;                 /* widths of the input and of a second one; 0: there is no second */
    int32_t n_cell, n_output;               /* the same without a projection */
    struct ir_value *input[CELL_GATES];     /* [n_cell][n_input]; NULL for CELL_INPUT: 1 less the forget gate stands for it */
    struct ir_value *aux[CELL_GATES];       /* [n_cell][n_aux] */
    struct ir_value *recurrent[CELL_GATES]; /* [n_cell][n_output] */
    bool diagonal;                          /* of these, [n_cell], the rest being zeros */
    struct ir_value *peephole[CELL_GATES], *bias[CELL_GATES], *norm[CELL_GATES]; /* [n_cell] */
    struct ir_value *projection;                                                 /* [n_output][n_cell] */
    struct ir_value *projection_bias;                                            /* [n_output] */
    enum activation activation;
    float cell_clip, projection_clip; /* 0: none */
};

/* The tensors that a cell walks over: x and aux (or NULL) are [1][times][batch][width], or with batch_major
 * [1][batch][times][width]; y likewise, of n_output. */
struct recurrent {
    struct ir_value *x, *aux, *y;
    uint32_t output_state, cell_state; /* inputs of the node: variables of n_output and, of an LSTM, n_cell per batch */
    bool batch_major, backward;
};

/* Append the operations that compute y, and give the variables of `n` their new content. */
enum status recurrent_lower(struct ir *ir, const struct node *n, const struct cell *cell, const struct recurrent *r,
                            struct err *err);

/* Give variable i of `n` the content v, of as many elements. False if memory runs out. */
bool recurrent_set_state(struct ir *ir, const struct node *n, uint32_t i, struct ir_value *v);

/* Return the numbers of batches and times of x. */
struct ir_shape recurrent_steps(const struct recurrent *r);

/* y = the products of x with the rows of m, plus the bias or NULL; the channels of y are the first of these rows. NULL: out of
 * memory. */
struct ir_op *recurrent_product(struct ir *ir, struct ir_value *x, struct ir_value *m, struct ir_value *bias, struct ir_value *y);

/* ---- checks; all fill *why and return false ---- */

/* Check that input i is there if `needed`, of that type, FLOAT32 or 8-bit, and [rows, cols], or [cols] if rows is 0; of 8 bits with
 * one scale and no zero point. */
bool recurrent_weights(const struct node *n, uint32_t i, int32_t rows, int32_t cols, bool needed, enum tensor_type type,
                       struct reason *why);

/* Check that input i is a variable of batch * width elements of that type. */
bool recurrent_state(const struct node *n, uint32_t i, enum tensor_type type, int32_t batch, int32_t width, struct reason *why);

/* Check that the weights, which are all inputs but the first, `aux` (or 0) and variables, are constant, or that there are few
 * enough steps that each may be operations of its own. */
bool recurrent_times_fit(const struct node *n, uint32_t aux, int32_t times, struct reason *why);

/* Store input i as floats, bytes made at run time too, in *out; NULL if it is omitted. False if memory runs out. */
bool recurrent_floats(struct ir *ir, const struct node *n, uint32_t i, struct ir_value **out);

/* ---- kinds, for recurrent_*.c ---- */

/* Of gl_kind_recurrent, which reads the sums of the inputs, the output state and, of an LSTM, the cell state, [1][1][batch][width]
 * each, and puts out y and, of an LSTM, the cell state. */
struct walk {
    const struct cell *cell;
    int32_t gates;              /* that the cell has */
    struct ir_value *recurrent; /* [gates * 4 * slices(n_cell)][n_output]; of diagonals made at run time without [n_output] */
    struct ir_value *vectors;   /* peepholes, norms and biases of norms, [gates * 4 * slices(n_cell)] each; or NULL */
    bool batch_major, backward;
    bool in_order; /* of steps: sums are rounded in the CPU's order */
};

/* Fills *w but for in_order. False: out of memory. */
bool recurrent_make_walk(struct ir *ir, const struct cell *c, const struct recurrent *r, struct walk *w);

/* The sums of the inputs for all times; with the biases, unless these come after a norm. NULL if memory runs out. */
struct ir_value *recurrent_sums_of_inputs(struct ir *ir, const struct walk *w, const struct recurrent *r);

/* Return true if all weights that steps read are constant. */
bool recurrent_is_constant(const struct walk *w);

/* m of the gates that the cell has, all floats or all integers, one after the other along axis 2 or 3, each filled up to whole
 * slices with zeros, as all of one that is NULL. `each`: the shape of one. NULL: out of memory. */
struct ir_value *recurrent_join(struct ir *ir, const struct cell *c, struct ir_value *const m[CELL_GATES], struct ir_shape each,
                                int axis);

/* y = the recurrent products of h plus x, the sums of the inputs. NULL: out of memory. */
struct ir_op *recurrent_add_products(struct ir *ir, const struct walk *w, struct ir_value *x, struct ir_value *h,
                                     struct ir_value *y);

/* The cells after their sums: y, which the projection makes if there is one, and the new state. NULL: out of memory. */
struct ir_op *recurrent_cells(struct ir *ir, const struct walk *w, struct ir_value *sums, struct ir_value *c, struct ir_value *y,
                              struct ir_value *state);

/* The next are of the steps: the gates' sums and the cell state in, the cell's result or its new state out, or both. */
enum cell_stage { CELL_BOTH, CELL_STATE, CELL_RESULT };

struct cell_step {
    const struct walk *walk;
    enum cell_stage stage;
};

/* Return the place of gate k among the gates that the cell has. */
static inline int32_t cell_gate(const struct cell *c, int32_t k)
{
    return !c->lstm ? 0 : c->input[CELL_INPUT] ? k : k - 1;
}

/* Return the number of slices of four that n channels take. */
static inline int32_t cell_slices(int32_t n)
{
    return n / 4 + (n % 4 != 0);
}

/* Names that both templates know. */
void recurrent_define(struct gl_shader *p, const struct walk *w);

/* Put the step-by-step operations in the place of op, if they are not too many. False if memory runs out. */
bool recurrent_few_steps(const struct ir_op *op, const struct gl_limits *lim);
bool recurrent_expand_steps(struct ir *ir, const struct ir_op *op);

/* The rest of recurrent_lower, after the sums of the inputs, if weights are made at run time: the loops have them packed. */
enum status recurrent_lower_steps(struct ir *ir, const struct node *n, const struct walk *w, struct ir_value *sums,
                                  const struct recurrent *r, struct err *err);

/* Return elements [at, at + count) of x along one axis (1 to 3); x itself if that is all of it. NULL if memory runs out. */
struct ir_value *recurrent_part(struct ir *ir, struct ir_value *x, int axis, int32_t at, int32_t count);

#endif
