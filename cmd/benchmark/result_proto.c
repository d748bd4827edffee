/* SPDX-License-Identifier: Apache-2.0 */
/* result_proto.c - messages from the inside out; numbers of fields are those of TFLite's benchmark_result.proto. */
#include "cmd/benchmark/result_proto.h"

#include <math.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "lib/base/proto.h"

#define MEGABYTE (1 << 20) /* in this message, but for the model's size */

/* LatencyMetrics, in milliseconds. */
static void put_latency(struct proto *p, const struct benchmark *b)
{
    const struct stats *s = &b->figures.timed;
    const double us[] = {s->avg, s->min, s->max, s->std, s->p50, s->p5, s->p95};

    for (uint32_t i = 0; i < 7 && s->count; i++)
        proto_float(p, 1 + i, (float)(us[i] / 1e3));
    proto_float(p, 8, (float)(b->figures.init_us / 1e3));
    if (s->count || b->figures.warmup.count)
        proto_float(p, 9, (float)(b->figures.first_us / 1e3));
    if (b->figures.warmup.count)
        proto_float(p, 10, (float)(b->figures.warmup.avg / 1e3));
}

/* MemoryMetrics; kilobytes are 1024 bytes there. */
static void put_memory(struct proto *p, const struct benchmark *b)
{
    proto_int(p, 1, llround(memory_growth_mb(&b->at_start, &b->at_init) * 1e6 / 1024));
    proto_int(p, 2, llround(memory_growth_mb(&b->at_start, &b->at_end) * 1e6 / 1024));
    if (b->flags.peak_memory)
        proto_float(p, 3, (float)((double)b->sampled_peak_bytes / MEGABYTE));
}

static uint64_t input_bytes(const struct session *s)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < session_n_inputs(s); i++)
        bytes += session_input(s, i) ? session_input(s, i)->bytes : 0;
    return bytes;
}

/* MiscMetrics: the model in 10^6 bytes, as in the line about it, throughput in 2^20 bytes of input a second. */
static void put_misc(struct proto *p, const struct benchmark *b)
{
    const struct stats *s = &b->figures.timed;

    proto_float(p, 1, (float)((double)b->tool.model->file_bytes / 1e6));
    proto_int(p, 2, (int64_t)s->count);
    proto_int(p, 3, (int64_t)b->figures.warmup.count);
    if (s->sum > 0)
        proto_float(p, 4, (float)((double)input_bytes(b->session) / MEGABYTE * (double)s->count * 1e6 / s->sum));
}

enum status result_proto_write(const struct benchmark *b, struct err *err)
{
    struct proto result = {0}, inner = {0};
    enum status st;

    say_info("Saving benchmark result to: %s", b->flags.result_file);
    put_latency(&inner, b);
    proto_message(&result, 2, &inner);
    put_memory(&inner, b);
    proto_message(&result, 3, &inner);
    put_misc(&inner, b);
    proto_message(&result, 4, &inner);
    st = result.failed ? err_set(err, ST_NOMEM, "out of memory for the benchmark result")
                       : file_write(b->flags.result_file, &(struct file_piece){result.data, result.n}, 1, err);
    proto_free(&result);
    if (!st)
        say_info("Saved benchmark result to: %s", b->flags.result_file);
    return st;
}
