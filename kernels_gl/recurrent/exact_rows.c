/* SPDX-License-Identifier: Apache-2.0 */
/* exact_rows.c - see exact_rows.h */
#include "kernels_gl/recurrent/exact_rows.h"

#include "kernels_cpu/recurrent/lstm.h"

#include <string.h>

bool exact_rows_new(struct ir *ir, size_t rows, size_t cols, struct range_i32 range, struct exact_rows *out)
{
    *out = (struct exact_rows){.rows = arena_alloc(ir->arena, rows * cols, 1),
                               .bias = ARENA_ARRAY(ir->arena, rows, int32_t),
                               .mult = ARENA_ARRAY(ir->arena, rows, int32_t),
                               .shift = ARENA_ARRAY(ir->arena, rows, int32_t)};
    out->w = (struct exact_weights){.data = out->rows, .type = TYPE_INT8, .n_out = rows, .taps = 1, .n_in = cols, .step_o = cols};
    out->q = (struct exact_requant){
        .channels = rows,
        .r = {
            .kind = REQUANT_FIXED, .type = TYPE_INT16, .range = range, .bias = out->bias, .mult = out->mult, .shift = out->shift}};
    return out->rows && out->bias && out->mult && out->shift;
}

void exact_rows_put(struct exact_rows *to, const struct exact_matrix *m, size_t at, size_t end)
{
    const size_t cols = to->w.n_in;

    memcpy(to->rows + at * cols, m->w, m->rows * cols);
    memset(to->rows + (at + m->rows) * cols, 0, (end - at - m->rows) * cols);
    for (size_t i = at; i < end; i++) {
        to->bias[i] = m->bias && i - at < m->rows ? m->bias[i - at] : 0;
        to->mult[i] = m->scale.mult;
        to->shift[i] = m->scale.shift;
    }
}

enum status exact_rows_walk(struct ir *ir, const struct node *n, const struct exact_walk *w, struct err *err)
{
    struct exact_walk stored = *w;

    stored.output = n->out[0];
    stored.state = n->in[LSTM_CELL_STATE];
    return exact_walk(ir, n, &stored, err);
}
