/* SPDX-License-Identifier: Apache-2.0 */
/* channel_runs.c - the walk by runs, and the check before it. */
#include "kernels_cpu/quant/channel_runs.h"

enum status channel_runs_check(const struct tensor *t, struct err *err)
{
    const struct quant *q = &t->quant;

    if (q->block_size > 0)
        return err_set(err, ST_UNSUPPORTED, "no CPU kernel for the blockwise quantization of %s", TENSOR_TEXT(t));
    if (q->n == 0)
        return err_set(err, ST_BAD_MODEL, "%s has no quantization parameters", TENSOR_TEXT(t));
    if (q->n > 1 && (q->dim < 0 || q->dim >= t->rank || t->dim[q->dim] != (int32_t)q->n))
        return err_set(err, ST_BAD_MODEL, "%u scales along dimension %d do not fit %s", q->n, (int)q->dim, TENSOR_TEXT(t));
    return ST_OK;
}

void channel_runs(const struct node *n, const struct tensor *t, size_t begin, size_t end, channel_run run)
{
    size_t length = t->quant.n == 1 ? end : 1; /* elements from one channel to the next */

    for (int32_t d = t->quant.dim + 1; t->quant.n > 1 && d < t->rank; d++)
        length *= (size_t)t->dim[d];
    while (begin < end) {
        const size_t rest = length - begin % length, left = rest < end - begin ? rest : end - begin;
        const size_t count = left < QUANT_CHUNK ? left : QUANT_CHUNK;

        run(n, begin, count, (uint32_t)(begin / length % t->quant.n));
        begin += count;
    }
}
