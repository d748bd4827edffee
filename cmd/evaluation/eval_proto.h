/* SPDX-License-Identifier: Apache-2.0 */
/* eval_proto.h - the messages that TFLite's run_eval tools write (evaluation_stages.proto), for the evaluations of all tasks. */
#pragma once

#include "cmd/evaluation/evaluation.h"
#include "lib/base/proto.h"

/* The messages of a task. */
struct eval_protos {
    const char *stage, *metrics;                     /* paths of EvaluationStageMetrics, and of the task's metrics; "": none */
    uint32_t field;                                  /* number of the task in ProcessMetrics */
    void (*put)(struct proto *to, const void *task); /* adds the task's metrics */
    const void *task;
};

/* Write both messages. Fails with ST_NOMEM, and as file_write does. */
enum status eval_write_protos(const struct evaluation *e, const struct eval_protos *of, struct err *err);
