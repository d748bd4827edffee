/* SPDX-License-Identifier: Apache-2.0 */
/* extraction.h - what --extract made: a model of the nodes at fault alone. diff_extract.c makes and prints it. */
#ifndef DELEGAUGE_CMD_EXTRACTION_H
#define DELEGAUGE_CMD_EXTRACTION_H

#include "lib/graph/graph.h"

#define EXTRACTION_PATH_SIZE 4096

struct extraction {
    bool written;               /* the file, and the arrays beside it */
    char nothing[600];          /* why nothing was; "" where written, or without --extract */
    uint32_t *nodes, n_nodes;   /* of the file of the whole model, in order; owned */
    uint32_t n_delegated;       /* of them, on the delegate when tried */
    uint32_t run;               /* whose values the inputs are */
    char output[96];            /* where the difference is largest: cleaned name, type and shape */
    double max_error, relative; /* there; NAN where it is not finite */
    uint32_t n_inputs, n_outputs;
    char stem[EXTRACTION_PATH_SIZE]; /* "op" of op.tflite: op.input0.npy, op.reference0.npy and op.test0.npy lie beside it */
};

#endif
