/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - memory for what kernels pack, and the message about a type that a kernel does not take. */
#include "lib/graph/kernel.h"
#include "lib/base/aligned.h"

#include <stdlib.h>
#include <string.h>

/* Plans that kernels check on are small, and no more is packed to find out what one refuses. */
#define MOST_FOR_CHECKS 65536

enum status cpu_pack(struct cpu_call *c, size_t bytes, struct err *err)
{
    size_t size = (bytes + 63) & ~(size_t)63;

    if (c->checks_only && bytes > MOST_FOR_CHECKS)
        return ST_LATER;
    free(c->packed);
    c->packed = bytes <= SIZE_MAX / 2 ? aligned_new(64, size ? size : 64) : NULL;
    if (!c->packed)
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes of packed weights", bytes);
    memset(c->packed, 0, size);
    c->packed_bytes = size;
    return ST_OK;
}

enum status cpu_infer(struct node *n, struct err *err)
{
    const struct cpu_kernel *k = n->op->cpu;
    const bool fixed = k->arity.max_in || k->arity.n_out;
    const enum status st = fixed ? shape_arity(n, k->arity.min_in, k->arity.max_in, k->arity.n_out, err) : ST_OK;

    return st ? st : k->shape(n, err);
}

enum status cpu_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct cpu_kernel *k = n->op->cpu;

    for (uint32_t i = 0; i < n->n_in && i < sizeof k->in / sizeof *k->in; i++)
        if (n->in[i] && k->in[i] && !(k->in[i] >> n->in[i]->type & 1))
            return cpu_bad_type(n, n->in[i], err);
    for (uint32_t i = 0; i < n->n_out && i < sizeof k->out / sizeof *k->out; i++)
        if (n->out[i] && k->out[i] && !(k->out[i] >> n->out[i]->type & 1))
            return cpu_bad_type(n, n->out[i], err);
    return k->prepare ? k->prepare(c, err) : ST_OK;
}

enum status cpu_run(struct cpu_call *c, struct err *err)
{
    const struct cpu_kernel *k = c->node->op->cpu;
    void (*const compute)(struct cpu_call * c) = c->compute ? c->compute : k->compute;

    if (!compute)
        return k->run(c, err);
    compute(c);
    return ST_OK;
}

enum status cpu_run_once(struct cpu_call *c, struct err *err)
{
    enum status st = cpu_prepare(c, err);

    if (!st && !(c->scratch = aligned_new(64, c->scratch_bytes + 1)))
        st = err_set(err, ST_NOMEM, "out of memory for %zu bytes of scratch", c->scratch_bytes);
    if (!st)
        st = cpu_run(c, err);
    free(c->packed);
    free(c->scratch);
    c->packed = c->scratch = NULL;
    return st;
}

/* "input 1", "output 0" */
static void name_of(const struct node *n, const struct tensor *t, char *out, size_t size)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] == t) {
            snprintf(out, size, "input %u", i);
            return;
        }
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] == t) {
            snprintf(out, size, "output %u", i);
            return;
        }
    snprintf(out, size, "tensor");
}

enum status cpu_bad_type(const struct node *n, const struct tensor *t, struct err *err)
{
    char which[32];

    name_of(n, t, which, sizeof which);
    return err_set(err, ST_UNSUPPORTED, "no CPU kernel for %s of type %s", which, type_name(t->type));
}

enum status cpu_resize_output(struct cpu_call *c, uint32_t i, const int32_t *dim, int32_t rank, size_t bytes, struct err *err)
{
    struct tensor *t = c->node->out[i], now = *t;
    enum status st = tensor_set_shape(&now, dim, rank, err);

    if (!st && !t->is_dynamic && !tensor_same_shape(t, &now))
        return err_set(err, ST_BAD_MODEL, "output %u is %s, and was to be %s", i, TENSOR_TEXT(&now), TENSOR_TEXT(t));
    if (st || !t->is_dynamic || (st = tensor_set_shape(t, dim, rank, err)))
        return st;
    if (t->type == TYPE_STRING)
        t->bytes = bytes;
    return tensor_reserve(t, err);
}
