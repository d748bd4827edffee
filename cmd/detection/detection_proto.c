/* SPDX-License-Identifier: Apache-2.0 */
/* detection_proto.c - the task's metrics in TFLite's evaluation_stages.proto. */
#include <math.h>

#include "cmd/detection/eval_detection.h"
#include "cmd/evaluation/eval_proto.h"

/* ObjectDetectionAveragePrecisionMetrics. */
static void put_precision(struct proto *p, const void *task)
{
    const struct eval_detection *e = task;

    for (int i = 0; i < COCO_IOUS; i++) {
        struct proto one = {0};

        proto_float(&one, 1, (float)(0.5 + 0.05 * i));
        proto_float(&one, 2, (float)fmax(e->metrics[0].ap_iou[i], 0));
        proto_message(p, 1, &one);
    }
    proto_float(p, 2, (float)fmax(e->metrics[0].ap, 0));
}

enum status detection_write_protos(const struct eval_detection *e, struct err *err)
{
    return eval_write_protos(&e->base, &(struct eval_protos){e->flags.output, e->flags.proto, 7, put_precision, e}, err);
}
