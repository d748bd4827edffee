/* SPDX-License-Identifier: Apache-2.0 */
/* reference_tensors.h - tensors of another framework: a folder of .npy files, named as the model's tensors are.
 *
 * NAME.npy is of the tensor NAME. Bytes of the name other than A-Z a-z 0-9 . _ - are written as % and two hexadecimal digits
 * ("%2F" for "/"). Those of inputs are what both sides read; the others are held against what the test side's nodes make. */
#pragma once

#include "lib/compare/name_diff.h"

/* What became of a file. */
enum tensor_use {
    TENSOR_UNKNOWN,  /* no input of the model has the name, and no node makes such a tensor while running */
    TENSOR_INPUT,    /* both sides read it */
    TENSOR_COMPARED, /* it has a row */
    TENSOR_HIDDEN,   /* inside a partition of a delegate, which does not show it */
    TENSOR_SEVERAL,  /* several tensors of the model have the name */
    TENSOR_MISFIT,   /* another shape, or numbers that are no such tensor's */
    TENSOR_USES
};

struct tensor_file {
    const char *path, *name; /* the name is that of the tensor */
    enum tensor_use use;
    const struct tensor *of; /* the test side's tensor, or the reference's input; NULL: TENSOR_UNKNOWN */
    struct tensor *read;     /* content of the file; NULL: not read */
};

/* Zeroed to begin with. All belongs to the arena, but for the folder's path as typed. */
struct reference_tensors {
    const char *dir;           /* NULL without the flag */
    struct tensor_file *files; /* [n] by name */
    uint32_t n;
    struct tensor *made; /* [n_made] content of the files that are no inputs */
    uint32_t n_made;
    size_t cut;                 /* elements of inputs beyond what the quantized input holds */
    uint32_t compared, off;     /* rows; after diff_tensors_finish */
    const struct node **begins; /* [n_begins] nodes in which the error of the first row that is off may begin */
    uint32_t n_begins;
    struct arena arena;
};
