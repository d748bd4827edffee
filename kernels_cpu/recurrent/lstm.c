/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.c - LSTM and its sequence operators: shapes, and the choice of an implementation by form and type. */
#include "kernels_cpu/recurrent/lstm.h"

#include "kernels_cpu/recurrent/float_cell.h"
#include "lib/graph/macs.h"

static bool is_sequence(const struct node *n)
{
    return n->builtin == BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM;
}

static bool is_basic(const struct node *n)
{
    return !is_sequence(n) && ((const struct opt_lstm *)n->opt)->kernel_type == LSTM_BASIC;
}

/* ---- one direction ---- */

static enum status full_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, 1, 24, 1, err);
    const struct tensor *x, *w, *r;

    if (st)
        return st;
    if (n->n_in != 20 && n->n_in != 24)
        return err_set(err, ST_BAD_MODEL, "%u inputs, expected 20 or 24", n->n_in);
    x = n->in[LSTM_X];
    w = n->in[LSTM_FORGET_WEIGHTS];
    r = n->in[LSTM_FORGET_RECURRENT];
    if (!w || !r || !n->in[LSTM_OUTPUT_STATE] || !n->in[LSTM_CELL_STATE] || w->rank != 2 ||
        r->rank != (cell_options(n).diagonal ? 1 : 2))
        return err_set(err, ST_BAD_MODEL, "the forget gate's weights or a state are omitted or of another rank");
    if (is_sequence(n)) {
        if (x->rank != 3 || x->dim[2] != w->dim[1])
            return err_set(err, ST_BAD_MODEL, "input is %s, expected [time,batch,%d] or [batch,time,%d]", TENSOR_TEXT(x), w->dim[1],
                           w->dim[1]);
        return shape_set(n, 0, (int32_t[]){x->dim[0], x->dim[1], r->dim[r->rank - 1]}, 3, err);
    }
    if (x->rank != 2 || x->dim[1] != w->dim[1])
        return err_set(err, ST_BAD_MODEL, "input is %s, expected [batch,%d]", TENSOR_TEXT(x), w->dim[1]);
    return shape_set(n, 0, (int32_t[]){x->dim[0], r->dim[1]}, 2, err);
}

static enum status lstm_shape(struct node *n, struct err *err)
{
    return is_basic(n) ? lstm_basic_shape(n, err) : full_shape(n, err);
}

static const struct lstm_impl float_cell = {float_cell_prepare, float_cell_run};

static const struct lstm_impl *impl_of(const struct node *n)
{
    enum tensor_type x = n->in[LSTM_X]->type;

    if (is_basic(n))
        return x == TYPE_FLOAT32 ? &lstm_basic_f32 : x == TYPE_UINT8 ? &lstm_basic_u8 : NULL;
    if (x == TYPE_INT8)
        return lstm_has_int8_sums(n) ? &lstm_int8 : &lstm_int;
    return x == TYPE_FLOAT32 ? &float_cell : NULL;
}

static enum status lstm_prepare(struct cpu_call *c, struct err *err)
{
    const struct lstm_impl *impl = impl_of(c->node);

    if (!impl)
        return cpu_bad_type(c->node, c->node->in[LSTM_X], err);
    if (impl == &lstm_int && cell_options(c->node).diagonal)
        return err_set(err, ST_UNSUPPORTED, "diagonal recurrent weights of an integer LSTM");
    c->compute = impl->compute;
    return impl->prepare(c, err);
}

const struct cpu_kernel cpu_lstm = {.shape = lstm_shape, .prepare = lstm_prepare, .macs = macs_recurrent};
const struct cpu_kernel cpu_unidirectional_sequence_lstm = {.shape = lstm_shape, .prepare = lstm_prepare, .macs = macs_recurrent};

/* ---- two directions ---- */

enum { FORWARD = 1, BACKWARD = 18, AUX = 39, FORWARD_AUX = 40, BACKWARD_AUX = 44, N_BOTH = 48 };

static bool has_aux_weights(const struct node *n)
{
    return n->in[AUX] && n->in[FORWARD_AUX + GATE_FORGET];
}

/* Checks the forget gate's weights of the cell whose weights begin at `first`; *units is how much it puts out. */
static enum status check_cell(const struct node *n, uint32_t first, int32_t cols, int32_t *units, struct err *err)
{
    const struct tensor *w = n->in[first + GATE_FORGET], *r = n->in[first + 4 + GATE_FORGET];

    if (!w || !r || w->rank != 2 || r->rank != 2 || w->dim[1] != cols)
        return err_set(err, ST_BAD_MODEL, "the forget gate's weights, inputs %u and %u, are not [cells,%d] and [cells,outputs]",
                       first + GATE_FORGET, first + 4 + GATE_FORGET, cols);
    *units = r->dim[1];
    return ST_OK;
}

static enum status check_aux(const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[LSTM_X], *aux = n->in[AUX];

    if (!n->in[FORWARD_AUX + GATE_FORGET] != !n->in[BACKWARD_AUX + GATE_FORGET] || (n->in[FORWARD_AUX + GATE_FORGET] && !aux))
        return err_set(err, ST_BAD_MODEL, "the auxiliary input or its weights in one direction are omitted");
    if (aux && (aux->rank != 3 || aux->dim[0] != x->dim[0] || aux->dim[1] != x->dim[1]))
        return err_set(err, ST_BAD_MODEL, "the auxiliary input is %s, expected [%d,%d,…]", TENSOR_TEXT(aux), x->dim[0], x->dim[1]);
    return ST_OK;
}

static enum status bidirectional_shape(struct node *n, struct err *err)
{
    const struct opt_bidirectional_sequence_lstm *o = n->opt;
    enum status st = shape_arity(n, 1, N_BOTH, o->merge_outputs ? 1 : 2, err);
    const struct tensor *x;
    int32_t forward = 0, backward = 0;

    if (st)
        return st;
    x = n->in[LSTM_X];
    if (n->n_in != N_BOTH || x->rank != 3)
        return err_set(err, ST_BAD_MODEL, "%u inputs, the first of rank %d; expected %d, the first of rank 3", n->n_in, x->rank,
                       N_BOTH);
    if ((st = check_aux(n, err)) || (st = check_cell(n, FORWARD, x->dim[2], &forward, err)) ||
        (st = check_cell(n, BACKWARD, n->in[n->in[AUX] && !has_aux_weights(n) ? AUX : LSTM_X]->dim[2], &backward, err)))
        return st;
    return cell_shape_two(n, forward, backward, err);
}

const struct cpu_kernel cpu_bidirectional_sequence_lstm = {
    .shape = bidirectional_shape, .prepare = float_cell_prepare, .compute = float_cell_run, .macs = macs_recurrent};
