/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_model.c - times a model, with the flags, defaults and summary lines of TFLite's tool of that name. */
#include "cmd/benchmark/benchmark.h"

#include <math.h>
#include <string.h>

#include "cmd/benchmark/concurrent.h"
#include "cmd/benchmark/cycles.h"
#include "cmd/benchmark/generation.h"
#include "cmd/benchmark/result_proto.h"
#include "cmd/benchmark/sweep.h"
#include "cmd/export/runtime_info.h"
#include "cmd/host/files.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/input/outputs.h"
#include "cmd/tool/assignment_text.h"
#include "cmd/tool/devices.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/signatures.h"
#include "lib/base/clock.h"
#include "lib/base/outcome.h"

static enum status say_initialized(struct benchmark *b, struct err *err)
{
    enum status st = assignment_say_all(b->session, &b->tool.delegates, err);

    if (st)
        return st;
    b->tuning_at_init_ns = session_fact(b->session, "start.tuning.us");
    device_io_say(&b->io);
    say_info("The input model file size (MB): %g", (double)b->tool.model->file_bytes / 1e6);
    say_info("Initialized session in %gms.", bench_init_us(&b->times) / 1e3);
    return ST_OK;
}

/* Asked before the runs, and again when shapes have become known. */
static bool full_delegation_missed(const struct benchmark *b)
{
    return b->flags.require_full_delegation && !session_fully_delegated(b->session);
}

/* After the runs, as shapes that become known may add nodes. */
static bool share_missed(const struct benchmark *b)
{
    const struct assignment sum = assignment_of(session_graph(b->session), session_partitioning(b->session));
    const uint32_t of = sum.n_delegated + sum.n_cpu, n = sum.n_delegated + b->dynamic.delegated;

    return of && 100.0 * n < b->flags.require_percent * of;
}

static enum status write_runtime_info(const struct benchmark *b, struct err *err)
{
    struct proto info = {0};
    enum status st = runtime_info(b->session, b->flags.graph, &info, err);

    if (!st)
        st = file_write(b->flags.runtime_info_file, &(struct file_piece){info.data, info.n}, 1, err);
    proto_free(&info);
    return st;
}

static enum status write_outputs(const struct benchmark *b, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    const bool top = *f->labels || *b->input_flags.dir || *b->input_flags.files; /* top_results reads them */
    enum status st = ST_OK;

    if (!*f->output_dir && !*f->output_file && !*f->output_example)
        return top && (b->times.warmup.n || b->times.timed.n) ? device_io_read(&b->io, err) : ST_OK;
    if (b->warmup_result.given_up || b->timed_result.given_up) {
        say_warn("the last run was given up, so there are no outputs to write");
        return ST_OK;
    }
    if (!b->times.warmup.n && !b->times.timed.n) {
        if (!interrupted())
            return err_set(err, ST_USAGE, "no run was made, so there are no outputs to write");
        say_warn("interrupted before the first run was done, so there are no outputs to write");
        return ST_OK;
    }
    if ((st = device_io_read(&b->io, err)))
        return st;
    if (*f->output_dir)
        st = outputs_write_dir(b->session, f->output_dir, err);
    if (*f->output_file && !st)
        st = outputs_write_file(b->session, f->output_file, err);
    if (*f->output_example && !st)
        st = outputs_write_example(b->session, f->output_example, err);
    return st;
}

/* Outputs, and TFLite's messages, which its tool writes before the last lines too. */
static enum status write_files(const struct benchmark *b, struct err *err)
{
    enum status st = write_outputs(b, err);

    if (*b->flags.result_file && !st)
        st = result_proto_write(b, err);
    if (*b->flags.runtime_info_file && !st)
        st = write_runtime_info(b, err);
    return st;
}

/* After the outputs are written: profiling runs the model again. */
static enum status profile(struct benchmark *b, struct err *err)
{
    enum status st;

    if (!profile_wanted(&b->flags.profile) || b->flags.dry_run || interrupted())
        return ST_OK;
    st = op_profile_collect(b->session, interrupted, &b->profile, err);
    machine_track_note(&b->track);
    b->profile.peak = b->plausible.peak;
    b->profile.peak_of = b->tool.delegates.opened ? b->tool.delegates.opened->type->name : NULL;
    return st;
}

static enum status list_signatures(struct benchmark *b, struct err *err)
{
    enum status st = tool_open_model(&b->tool, "graph", b->flags.graph, err);

    if (!st)
        signatures_say(b->tool.model);
    return st;
}

/* TFLite's tool ends with this line; here the cause comes behind it, so that a log's last line tells something. */
static void say_failed(void)
{
    fflush(stdout);
    if (!interrupted())
        fputs("ERROR: Benchmarking failed.\n", stderr);
}

static int failed(enum status st, const struct err *err)
{
    say_failed();
    return say_error(st, err);
}

/* TFLite's tool says so where a delegate failed, and of nothing else. */
static int opening_failed(const struct benchmark *b, enum status st, const struct err *err)
{
    say_failed();
    if (b->delegate_failed)
        fprintf(stderr, "ERROR: Failed to apply %s delegate.\n", delegates_wanted(&b->tool.delegates)->label);
    return say_error(st, err);
}

/* The message is the one that TFLite's tool has; the reasons were printed with the assignment. */
static int fallback_found(void)
{
    say_failed();
    fputs("ERROR: Disallowed CPU fallback detected.\n", stderr);
    return outcome_exit_code(OUTCOME_MISSED);
}

static int share_is_missed(const struct benchmark *b)
{
    const struct assignment sum = assignment_of(session_graph(b->session), session_partitioning(b->session));

    say_failed();
    fprintf(stderr, "ERROR: --require=%s: delegates run %u of %u nodes.\n", b->flags.require,
            sum.n_delegated + b->dynamic.delegated, sum.n_delegated + sum.n_cpu);
    return outcome_exit_code(OUTCOME_MISSED);
}

/* After the timed runs. What could not be written or profiled is told last: the figures are there all the same, but no report that
 * would lack the profile. */
static int report(struct benchmark *b)
{
    struct err err, not_written, not_profiled;
    bool told = interrupted(); /* by the runs */
    enum status written = write_files(b, &not_written), profiled = profile(b, &not_profiled), st;

    if (interrupted() && !told)
        say_warn("interrupted after the timed runs: the profile covers its runs up to then");
    if (profiled)
        b->profile.runs = 0;
    if ((st = benchmark_report(b, !profiled, &err)))
        return failed(st, &err);
    if (profiled)
        return failed(profiled, &not_profiled);
    if (written)
        return failed(written, &not_written);
    return outcome_exit_code(outcome_of(true, interrupted()));
}

static enum status watch_memory(struct benchmark *b, struct err *err)
{
    int32_t ms = b->flags.memory_interval_ms;

    if (!b->flags.peak_memory)
        return ST_OK;
    if (ms <= 0) {
        say_warn("--memory_footprint_check_interval_ms=%d: not above 0, so 50 is taken, as TFLite's tool does", ms);
        ms = 50;
    }
    return memory_monitor_start(ms, &b->monitor, err);
}

static int measure(struct benchmark *b)
{
    struct err err;
    enum status st;
    int code;

    if ((st = inputs_init(&b->inputs, &b->input_flags, RNG_UNIFORM, &err)))
        return failed(st, &err);
    say_info("STARTING!");
    tool_echo(&b->tool);
    if ((st = watch_memory(b, &err)))
        return failed(st, &err);
    if ((st = benchmark_open(b, &err)))
        return opening_failed(b, st, &err);
    b->at_init = memory_now();
    if ((st = say_initialized(b, &err)))
        return failed(st, &err);
    if (full_delegation_missed(b))
        return fallback_found();
    if ((st = inputs_say_ranges(&b->inputs, b->session, &err)) || (st = benchmark_fill_inputs(b, &err)) ||
        (st = benchmark_run(b, &err)))
        return failed(st, &err);
    code = report(b);
    if (!code && full_delegation_missed(b))
        return fallback_found();
    return !code && share_missed(b) ? share_is_missed(b) : code;
}

static int benchmark(struct benchmark *b)
{
    struct err err;
    enum status st;

    b->start_ns = clock_ns();
    b->at_start = memory_now();
    if (b->flags.list_gpus)
        return (st = devices_list(&b->tool, &err)) ? say_error(st, &err) : 0;
    if (concurrent_wanted(b))
        return concurrent_main(b);
    if ((st = concurrent_check_unused(b, &err)))
        return say_error(st, &err);
    if (sweep_wanted(b))
        return sweep_main(b);
    if ((st = benchmark_check_delegates(b, &err)) || (st = benchmark_check_flags(b, &err)))
        return say_error(st, &err);
    if (b->flags.list_signatures)
        return (st = list_signatures(b, &err)) ? say_error(st, &err) : 0;
    if (b->flags.list_inputs)
        return (st = tool_list_inputs(&b->tool, "graph", b->flags.graph, "signature_to_run_for", b->flags.signature, &err))
                   ? say_error(st, &err)
                   : 0;
    if (generation_wanted(&b->generation))
        return generation_main(b);
    return b->measure.cycles ? cycles_main(b) : measure(b);
}

int main(int argc, char **argv)
{
    static struct benchmark b;
    int code;

    benchmark_add_flags(&b);
    code = tool_begin(&b.tool, argc, argv);
    if (!strcmp(b.measure.markdown, "-"))
        say_json_only();
    if (code == TOOL_GO_ON)
        code = benchmark(&b);
    return benchmark_close(&b, code);
}
