/* SPDX-License-Identifier: Apache-2.0 */
/* detection_proto.c - messages from the inside out; numbers of fields are those of TFLite's evaluation_stages.proto. */
#include <math.h>

#include "cmd/detection/eval_detection.h"
#include "cmd/evaluation/eval_proto.h"

/* ObjectDetectionAveragePrecisionMetrics. */
static void put_precision(struct proto *p, const struct eval_detection *e)
{
    for (int i = 0; i < COCO_IOUS; i++) {
        struct proto one = {0};

        proto_float(&one, 1, (float)(0.5 + 0.05 * i));
        proto_float(&one, 2, (float)fmax(e->metrics[0].ap_iou[i], 0));
        proto_message(p, 1, &one);
    }
    proto_float(p, 2, (float)fmax(e->metrics[0].ap, 0));
}

/* EvaluationStageMetrics with ProcessMetrics with ObjectDetectionMetrics. */
static void put_stage(struct proto *out, const struct eval_detection *e)
{
    struct proto process = {0}, metrics = {0}, inner = {0};

    eval_put_latency(&metrics, 1, &e->base.decode_figures);
    eval_put_latency(&metrics, 2, &e->base.sides[0].figures);
    proto_int(&inner, 1, (int64_t)e->base.n_done);
    proto_message(&metrics, 3, &inner);
    put_precision(&inner, e);
    proto_message(&metrics, 4, &inner);
    proto_message(&process, 7, &metrics);
    proto_int(out, 1, (int64_t)e->base.n_done);
    proto_message(out, 2, &process);
}

enum status detection_write_protos(const struct eval_detection *e, struct err *err)
{
    struct proto p = {0};
    enum status st = ST_OK;

    if (*e->flags.output) {
        put_stage(&p, e);
        st = eval_write_proto(e->flags.output, &p, err);
    }
    if (!st && *e->flags.proto) {
        put_precision(&p, e);
        st = eval_write_proto(e->flags.proto, &p, err);
    }
    return st;
}
