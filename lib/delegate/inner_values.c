/* SPDX-License-Identifier: Apache-2.0 */
/* inner_values.c - see inner_values.h. */
#include "lib/delegate/inner_values.h"

#include "lib/base/aligned.h"

static enum status place(struct inner_values *v, struct tensor *const *list, uint32_t n, struct err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        struct tensor *t = list[i];

        if (!t || t->data || t->is_lent)
            continue;
        if (!(t->data = aligned_new(VECTOR_ALIGN, t->bytes + 1)))
            return err_set(err, ST_NOMEM, "out of memory for %zu bytes", t->bytes);
        v->of[v->n++] = t;
        v->bytes += t->bytes;
    }
    return ST_OK;
}

enum status inner_values_place(struct inner_values *v, const struct partition *p, struct err *err)
{
    enum status st = ST_OK;
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_nodes; i++)
        n += p->nodes[i]->n_out + p->nodes[i]->n_mid;
    if (!(v->of = calloc(n + 1, sizeof *v->of)))
        return err_set(err, ST_NOMEM, "out of memory for %zu values", n);
    for (uint32_t i = 0; i < p->n_nodes && !st; i++) {
        const struct node *node = p->nodes[i];

        if (!(st = place(v, node->out, node->n_out, err)))
            st = place(v, node->mid, node->n_mid, err);
    }
    return st;
}

void inner_values_free(struct inner_values *v)
{
    for (size_t i = 0; i < v->n; i++) {
        free(v->of[i]->data);
        v->of[i]->data = NULL;
    }
    free(v->of);
    *v = (struct inner_values){0};
}
