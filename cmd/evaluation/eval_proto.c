/* SPDX-License-Identifier: Apache-2.0 */
/* eval_proto.c - latencies, and files of messages. */
#include "cmd/evaluation/eval_proto.h"

#include <math.h>

#include "cmd/host/files.h"

/* LatencyMetrics. */
void eval_put_latency(struct proto *p, uint32_t field, const struct stats *s)
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

enum status eval_write_proto(const char *path, struct proto *p, struct err *err)
{
    enum status st = p->failed ? err_set(err, ST_NOMEM, "%s: out of memory", path)
                               : file_write(path, &(struct file_piece){p->data, p->n}, 1, err);

    proto_free(p);
    return st;
}
