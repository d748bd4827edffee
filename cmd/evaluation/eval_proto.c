/* SPDX-License-Identifier: Apache-2.0 */
/* eval_proto.c - messages from the inside out; numbers of fields are those of TFLite's evaluation_stages.proto. */
#include "cmd/evaluation/eval_proto.h"

#include <math.h>

#include "cmd/host/files.h"

/* LatencyMetrics, in microseconds; empty if nothing was measured. */
static void put_latency(struct proto *p, uint32_t field, const struct stats *s)
{
    struct proto inner = {0};

    if (s->count) {
        const double whole[] = {s->last, s->max, s->min, s->sum};

        for (uint32_t i = 0; i < 4; i++)
            proto_int(&inner, 1 + i, llround(whole[i]));
        proto_double(&inner, 5, s->avg);
        proto_int(&inner, 6, llround(s->std));
    }
    proto_message(p, field, &inner);
}

/* Frees the message, after failures too. */
static enum status write_proto(const char *path, struct proto *p, struct err *err)
{
    enum status st = p->failed ? err_set(err, ST_NOMEM, "%s: out of memory", path)
                               : file_write(path, &(struct file_piece){p->data, p->n}, 1, err);

    proto_free(p);
    return st;
}

/* EvaluationStageMetrics with ProcessMetrics with the metrics of a task that infers one answer for each picture. */
static void put_stage(struct proto *out, const struct evaluation *e, const struct eval_protos *of)
{
    struct proto process = {0}, metrics = {0}, inner = {0};

    put_latency(&metrics, 1, &e->decode_figures);
    put_latency(&metrics, 2, &e->sides[0].figures);
    proto_int(&inner, 1, (int64_t)e->n_done);
    proto_message(&metrics, 3, &inner);
    of->put(&inner, of->task);
    proto_message(&metrics, 4, &inner);
    proto_message(&process, of->field, &metrics);
    proto_int(out, 1, (int64_t)e->n_done);
    proto_message(out, 2, &process);
}

enum status eval_write_protos(const struct evaluation *e, const struct eval_protos *of, struct err *err)
{
    struct proto p = {0};
    enum status st = ST_OK;

    if (*of->stage) {
        put_stage(&p, e, of);
        st = write_proto(of->stage, &p, err);
    }
    if (!st && *of->metrics) {
        of->put(&p, of->task);
        st = write_proto(of->metrics, &p, err);
    }
    return st;
}
