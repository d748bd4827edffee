/* SPDX-License-Identifier: Apache-2.0 */
/* exact_rows.h - several matrices of 8 bits, each with a scale of its own, as one that ir_exact_rows() multiplies by: the gates of
 * an integer LSTM. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_ROWS_H
#define DELEGAUGE_KERNELS_GL_EXACT_ROWS_H

#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/recurrent/exact_walk.h"

struct exact_rows {
    struct exact_weights w;
    struct exact_requant q;       /* the kind is REQUANT_FIXED, the zero point 0 */
    int8_t *rows;                 /* elements that w reads */
    int32_t *bias, *mult, *shift; /* numbers that q reads */
};

/* A matrix [rows][cols] to be put in: `bias` [rows] or NULL, and the scale of its sums. */
struct exact_matrix {
    const int8_t *w;
    const int32_t *bias;
    size_t rows;
    struct fixed_mul scale;
};

/* Make *out of `rows` rows, whose scaled sums are cut to `range`, in memory of the ir. False if memory runs out. */
bool exact_rows_new(struct ir *ir, size_t rows, size_t cols, struct range_i32 range, struct exact_rows *out);

/* Fill rows `at` to `end` - 1 with the rows of m, and with zeros behind its last. */
void exact_rows_put(struct exact_rows *to, const struct exact_matrix *m, size_t at, size_t end);

/* exact_walk() of an integer LSTM: output and cell state are stored as the node's. */
enum status exact_rows_walk(struct ir *ir, const struct node *n, const struct exact_walk *w, struct err *err);

#endif
