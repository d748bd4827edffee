/* SPDX-License-Identifier: Apache-2.0 */
/* classification_proto.c - messages from the inside out; numbers of fields are those of TFLite's evaluation_stages.proto. */
#include "cmd/classification/eval_classification.h"
#include "cmd/evaluation/eval_proto.h"

/* TopkAccuracyEvalMetrics. */
static void put_accuracies(struct proto *p, const struct classification *e)
{
    for (uint32_t i = 0; i < e->n_ranks && e->base.n_done; i++)
        proto_float(p, 1, (float)((double)e->right[0][i] / (double)e->base.n_done));
}

/* EvaluationStageMetrics with ProcessMetrics with ImageClassificationMetrics. */
static void put_stage(struct proto *out, const struct classification *e)
{
    struct proto process = {0}, metrics = {0}, inner = {0};

    eval_put_latency(&metrics, 1, &e->base.decode_figures);
    eval_put_latency(&metrics, 2, &e->base.sides[0].figures);
    proto_int(&inner, 1, (int64_t)e->base.n_done);
    proto_message(&metrics, 3, &inner);
    put_accuracies(&inner, e);
    proto_message(&metrics, 4, &inner);
    proto_message(&process, 4, &metrics);
    proto_int(out, 1, (int64_t)e->base.n_done);
    proto_message(out, 2, &process);
}

enum status classification_write_protos(const struct classification *e, struct err *err)
{
    struct proto p = {0};
    enum status st = ST_OK;

    if (*e->flags.output) {
        put_stage(&p, e);
        st = eval_write_proto(e->flags.output, &p, err);
    }
    if (!st && *e->flags.proto) {
        put_accuracies(&p, e);
        st = eval_write_proto(e->flags.proto, &p, err);
    }
    return st;
}
