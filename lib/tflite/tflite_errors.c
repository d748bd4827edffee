/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_errors.c - see tflite_errors.h */
#include "lib/tflite/tflite_errors.h"

#include "lib/graph/float_weights.h"

/* Input 2 of convolutions. */
static const struct tensor *bias_of(const struct node *n)
{
    return n->n_in > 2 ? n->in[2] : NULL;
}

static const char *error_of_conv(const struct node *n)
{
    const struct tensor *x = n->n_in ? n->in[0] : NULL, *bias = bias_of(n);

    if (!bias)
        return "refuses the model, as it wants a bias";
    if (x && x->type == TYPE_INT16 && bias->type == TYPE_INT32)
        return "reads the INT32 bias as INT64: its outputs are wrong";
    return NULL;
}

static const char *error_of_depthwise(const struct node *n)
{
    const struct tensor *w = n->n_in > 1 ? n->in[1] : NULL;

    if (node_is_hybrid(n) && w && w->quant.n == 1 && w->rank == 4 && w->dim[3] > 1)
        return "reads a scale for each channel behind the only one: its outputs are wrong";
    return NULL;
}

const char *tflite_error_of(const struct node *n)
{
    switch (n->builtin) {
    case BUILTIN_CONV_2D: return error_of_conv(n);
    case BUILTIN_DEPTHWISE_CONV_2D: return error_of_depthwise(n);
    default: return NULL;
    }
}
