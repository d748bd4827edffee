/* SPDX-License-Identifier: Apache-2.0 */
/* extraction.h - the model that --extract made, of the nodes at fault alone. diff_extract.c makes and prints it. */
#pragma once

#include "cmd/tool/delegates.h"

#define EXTRACTION_PATH_SIZE 4096

/* The delegates of a part of the model. Zeroed to begin with. */
struct part_delegates {
    struct {
        struct delegate *opened;              /* owned; NULL: the one of the whole model does */
        const struct delegate_choice *choice; /* type and flags of the options */
        void *options;                        /* options for the part, in `arena` */
    } of[MAX_DELEGATES];
    uint32_t n;
    struct arena arena;
};

struct extraction {
    bool written;                    /* true if the file and the arrays beside it are written */
    char nothing[600];               /* reason why nothing was written; "" if written, or without --extract */
    uint32_t *nodes, n_nodes;        /* their numbers in the file of the whole model, in order; owned */
    uint32_t n_delegated;            /* number of them that ran on the delegate when tried */
    uint32_t run;                    /* run whose values the inputs have */
    char output[96];                 /* the output with the largest difference: cleaned name, type and shape */
    struct part_delegates delegates; /* those it was tried with */
    double max_error, relative;      /* its largest errors; NAN if not finite */
    uint32_t n_inputs, n_outputs;
    char stem[EXTRACTION_PATH_SIZE]; /* "op" of op.tflite: op.input0.npy, op.reference0.npy and op.test0.npy lie beside it, and the
                                        inputs again in op.inputs */
};
