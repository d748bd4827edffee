/* SPDX-License-Identifier: Apache-2.0 */
/* topk.c - one pass over the scores, with a short sorted list. */
#include "lib/eval/topk.h"

#include <math.h>

#include "lib/tensor/real_values.h"

enum status topk_classes(const struct tensor *t, uint32_t *n, struct err *err)
{
    int32_t wide = 0, most = 1;

    for (int32_t i = 0; i < t->rank; i++) {
        wide += t->dim[i] != 1;
        most = t->dim[i] != 1 ? t->dim[i] : most;
    }
    if (wide != 1 || most < 2)
        return err_set(err, ST_USAGE, "output '%.100s' %s has no scores of classes: one dimension above 1 is expected, [1,N]",
                       t->name, TENSOR_TEXT(t));
    if (!type_is_float(t->type) && t->type != TYPE_UINT8 && t->type != TYPE_INT8 && t->type != TYPE_INT16 &&
        t->type != TYPE_INT32 && t->type != TYPE_INT64)
        return err_set(err, ST_USAGE, "output '%.100s' %s: scores of this type are not read", t->name, TENSOR_TEXT(t));
    *n = (uint32_t)most;
    return ST_OK;
}

void topk_find(const struct tensor *t, uint32_t k, const bool *among, struct topk *out)
{
    const size_t classes = tensor_elems(t);

    *out = (struct topk){0};
    k = k < TOPK_MAX ? k : TOPK_MAX;
    for (size_t i = 0; i < classes; i++) {
        const double v = real_value(t, i);
        uint32_t at = out->n;

        if (among && !among[i])
            continue;
        if (isnan(v)) {
            out->n_nan++;
            continue;
        }
        if (at == k && !(v > out->score[k - 1]))
            continue;
        at -= at == k;
        for (; at > 0 && v > out->score[at - 1]; at--) {
            out->score[at] = out->score[at - 1];
            out->index[at] = out->index[at - 1];
        }
        out->score[at] = v;
        out->index[at] = (uint32_t)i;
        out->n += out->n < k;
    }
}
