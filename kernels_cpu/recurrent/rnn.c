/* SPDX-License-Identifier: Apache-2.0 */
/* rnn.c - shapes of RNN, UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN: y = activation(W x + R h + b), h = y. */
#include "kernels_cpu/recurrent/float_cell.h"
#include "lib/graph/macs.h"

#include <string.h>

enum { X, WEIGHTS, RECURRENT, BIAS, STATE, N_INPUTS }; /* the first four after X again for the backward cell */
enum { BACKWARD_WEIGHTS = 5, BACKWARD_STATE = 8, AUX = 9, AUX_WEIGHTS, BACKWARD_AUX_WEIGHTS, N_BIDIRECTIONAL };

static enum status check_matrix(const struct node *n, uint32_t i, int32_t cols, struct err *err)
{
    const struct tensor *w = n->in[i];

    if (!w || w->rank != 2 || w->dim[1] != cols)
        return err_set(err, ST_BAD_MODEL, "the weights, input %u, are %s, expected [units,%d]", i, w ? TENSOR_TEXT(w) : "omitted",
                       cols);
    return ST_OK;
}

static enum status rnn_shape(struct node *n, struct err *err)
{
    enum status st = shape_arity(n, N_INPUTS, N_INPUTS, 1, err);
    int32_t rank = n->builtin == BUILTIN_RNN ? 2 : 3, dim[3];
    const struct tensor *x;

    if (st)
        return st;
    x = n->in[X];
    if (x->rank != rank)
        return err_set(err, ST_BAD_MODEL, "input is %s, expected rank %d", TENSOR_TEXT(x), rank);
    if ((st = check_matrix(n, WEIGHTS, x->dim[rank - 1], err)))
        return st;
    memcpy(dim, x->dim, sizeof dim);
    dim[rank - 1] = n->in[WEIGHTS]->dim[0];
    return shape_set(n, 0, dim, rank, err);
}

static enum status check_aux(const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[X], *aux = n->in[AUX];

    if (!n->in[AUX_WEIGHTS] != !n->in[BACKWARD_AUX_WEIGHTS] || (n->in[AUX_WEIGHTS] && !aux))
        return err_set(err, ST_BAD_MODEL, "the auxiliary input or its weights in one direction are omitted");
    if (aux && !tensor_same_shape(aux, x)) /* another width would be legal, but TFLite walks it by the input's width */
        return err_set(err, ST_UNSUPPORTED, "the auxiliary input is %s, not of the input's shape %s", TENSOR_TEXT(aux),
                       TENSOR_TEXT(x));
    return ST_OK;
}

static enum status bidirectional_shape(struct node *n, struct err *err)
{
    const struct cell o = cell_options(n);
    enum status st;
    const struct tensor *x;
    int32_t forward, backward;

    if ((st = shape_arity(n, BACKWARD_STATE + 1, N_BIDIRECTIONAL, o.merge ? 1 : 2, err)))
        return st;
    if (n->n_in != N_BIDIRECTIONAL)
        return err_set(err, ST_BAD_MODEL, "%u inputs, expected %d", n->n_in, N_BIDIRECTIONAL);
    x = n->in[X];
    if (x->rank != 3)
        return err_set(err, ST_BAD_MODEL, "input is %s, expected rank 3", TENSOR_TEXT(x));
    if ((st = check_aux(n, err)) || (st = check_matrix(n, WEIGHTS, x->dim[2], err)) ||
        (st = check_matrix(n, BACKWARD_WEIGHTS, x->dim[2], err)))
        return st;
    forward = n->in[WEIGHTS]->dim[0];
    backward = n->in[BACKWARD_WEIGHTS]->dim[0];
    return cell_shape_two(n, forward, backward, err);
}

#define RNN(shape_)                                                                                                                \
    {                                                                                                                              \
        .shape = shape_, .prepare = float_cell_prepare, .compute = float_cell_run, .macs = macs_recurrent                          \
    }

const struct cpu_kernel cpu_rnn = RNN(rnn_shape);
const struct cpu_kernel cpu_unidirectional_sequence_rnn = RNN(rnn_shape);
const struct cpu_kernel cpu_bidirectional_sequence_rnn = RNN(bidirectional_shape);
