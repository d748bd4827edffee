/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast_plain.c - the reference walk over tensors that broadcast. */
#include "kernels_cpu/common/broadcast_plain.h"

struct plain_walk {
    const struct node *n;
    uint32_t n_in;
    broadcast_row row;
    const void *arg;
    size_t length; /* of a row: the output's last dimension */
};

/* Return the offset in t, in elements, of the first element that row `row` of y reads. */
static size_t input_at(const struct tensor *y, const struct tensor *t, size_t row)
{
    size_t at = 0, stride = 1;

    if (t->rank)
        stride = (size_t)t->dim[t->rank - 1];
    for (int32_t d = y->rank - 2; d >= 0; d--) {
        const size_t coordinate = row % (size_t)y->dim[d];
        const int32_t own = d - (y->rank - t->rank);

        row /= (size_t)y->dim[d];
        if (own < 0)
            continue;
        at += t->dim[own] == 1 ? 0 : coordinate * stride;
        stride *= (size_t)t->dim[own];
    }
    return at;
}

static void plain_rows(void *arg, size_t begin, size_t end)
{
    const struct plain_walk *p = arg;
    const struct tensor *y = p->n->out[0];

    for (size_t row = begin; row < end; row++) {
        size_t at[BROADCAST_MAX_INPUTS], step[BROADCAST_MAX_INPUTS];

        for (uint32_t i = 0; i < p->n_in; i++) {
            const struct tensor *t = p->n->in[i];

            at[i] = input_at(y, t, row);
            step[i] = p->length == 1 || (t->rank && t->dim[t->rank - 1] != 1);
        }
        for (size_t k = 0; k < p->length; k += PLAIN_ELEMS) {
            const void *x[BROADCAST_MAX_INPUTS];

            for (uint32_t i = 0; i < p->n_in; i++)
                x[i] = (const char *)p->n->in[i]->data + (at[i] + k * step[i]) * (type_bits(p->n->in[i]->type) / 8);
            p->row(p->arg, (char *)y->data + (row * p->length + k) * (type_bits(y->type) / 8), x, step,
                   p->length - k < PLAIN_ELEMS ? p->length - k : PLAIN_ELEMS);
        }
    }
}

void broadcast_run_plain(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg)
{
    const struct tensor *y = c->node->out[0];
    struct plain_walk p = {c->node, n_in, row, arg, y->rank ? (size_t)y->dim[y->rank - 1] : 1};

    if (tensor_elems(y))
        threads_for(c->threads, tensor_elems(y) / p.length, 4096 / p.length + 1, plain_rows, &p);
}
