/* SPDX-License-Identifier: Apache-2.0 */
/* int_weights.c - input 1 of a node as the weights of an integer product: constant ones are packed once, others in each run. */
#include <stdlib.h>

#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/quant/widen.h"

struct int_weights int_weights_init(const struct tensor *as_read, int32_t zero)
{
    return (struct int_weights){
        .type = as_read->type,
        .zero = zero,
        .elems = tensor_elems(as_read),
        .constant = as_read->is_const,
    };
}

struct layout *int_weights_layout(struct int_weights *w, struct layout *packed, struct layout *scratch)
{
    if (w->constant)
        return packed;
    w->widened = layout_add(scratch, w->elems, sizeof(int16_t));
    return scratch;
}

static void widen_and_pack(struct cpu_call *c, const struct int_weights *w, int_weights_pack pack, int16_t *widened, char *base)
{
    widen_all(c->threads, w->type, c->node->in[1]->data, w->zero, w->elems, widened);
    pack(c, widened, base);
}

enum status int_weights_prepare(struct cpu_call *c, const struct int_weights *w, int_weights_pack pack, struct err *err)
{
    int16_t *widened;

    if (!w->constant)
        return ST_OK;
    if (!(widened = malloc(w->elems * sizeof *widened + 1)))
        return err_set(err, ST_NOMEM, "out of memory for %zu elements", w->elems);
    widen_and_pack(c, w, pack, widened, c->packed);
    free(widened);
    return ST_OK;
}

char *int_weights_run(struct cpu_call *c, const struct int_weights *w, int_weights_pack pack)
{
    if (w->constant)
        return c->packed;
    widen_and_pack(c, w, pack, (int16_t *)((char *)c->scratch + w->widened), c->scratch);
    return c->scratch;
}
