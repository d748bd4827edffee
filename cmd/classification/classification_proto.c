/* SPDX-License-Identifier: Apache-2.0 */
/* classification_proto.c - the task's metrics in TFLite's evaluation_stages.proto. */
#include "cmd/classification/eval_classification.h"
#include "cmd/evaluation/eval_proto.h"

/* TopkAccuracyEvalMetrics. */
static void put_accuracies(struct proto *p, const void *task)
{
    const struct classification *e = task;

    for (uint32_t i = 0; i < e->n_ranks && e->base.n_done; i++)
        proto_float(p, 1, (float)((double)e->right[0][i] / (double)e->base.n_done));
}

enum status classification_write_protos(const struct classification *e, struct err *err)
{
    return eval_write_protos(&e->base, &(struct eval_protos){e->flags.output, e->flags.proto, 4, put_accuracies, e}, err);
}
