/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_model.c - times a model, with the flags, defaults and summary lines of TFLite's tool of that name. */
#include "benchmark.h"

#include <math.h>
#include <string.h>

#include "../lib/clock.h"
#include "../lib/outcome.h"
#include "assignment_text.h"
#include "files.h"
#include "interrupt.h"
#include "outputs.h"
#include "partition_flags.h"
#include "say.h"
#include "signatures.h"

static double lap_us(uint64_t *since)
{
    uint64_t then = *since;

    *since = clock_ns();
    return (double)(*since - then) / 1e3;
}

/* Model, delegate, session: what TFLite counts as initialization, and nothing else while its clock runs. */
static enum status initialize(struct benchmark *b, struct err *err)
{
    struct session_options opt = {.num_threads = b->flags.num_threads,
                                  .mode = b->flags.cpu_kernels,
                                  .partition = partition_flags_options(&b->flags.partition)};
    uint64_t clock = clock_ns();
    enum status st;

    if ((st = tool_open_model(&b->tool, "graph", b->flags.graph, err)))
        return st;
    b->times.load_us = lap_us(&clock);
    say_info("Loaded model %s", b->flags.graph);
    lap_us(&clock);
    if ((st = delegates_open(&b->tool.delegates, err)))
        return st;
    b->times.open_us = lap_us(&clock);
    delegates_say(&b->tool.delegates);
    opt.delegates[0] = b->tool.delegates.opened;
    lap_us(&clock);
    if ((st = signatures_choose(b->tool.model, b->flags.signature, &opt.subgraph, err)) ||
        (st = session_new(b->tool.model, &opt, &b->session, err)) || (st = inputs_resize(&b->inputs, b->session, err)) ||
        (st = session_prepare(b->session, err)))
        return st;
    b->times.prepare_us = lap_us(&clock);
    return ST_OK;
}

static enum status say_initialized(const struct benchmark *b, struct err *err)
{
    enum status st = assignment_say(b->session, b->tool.delegates.opened, err);

    if (st)
        return st;
    say_info("The input model file size (MB): %g", (double)b->tool.model->file_bytes / 1e6);
    say_info("Initialized session in %gms.", bench_init_us(&b->times) / 1e3);
    return ST_OK;
}

/* The message is the one that TFLite's tool has; the reasons were printed with the assignment. */
static bool full_delegation_missed(const struct benchmark *b)
{
    if (!b->flags.require_full_delegation || assignment_of(session_graph(b->session), session_partitioning(b->session)).full)
        return false;
    fputs("ERROR: Disallowed CPU fallback detected.\n", stderr);
    return true;
}

static enum status run_once(void *session, struct err *err)
{
    return session_run(session, err);
}

static enum status run_phase(struct benchmark *b, const struct loop_limits *limits, struct samples *samples, struct err *err)
{
    enum status st;

    benchmark_say_loop(limits);
    if (!(st = bench_loop(run_once, b->session, limits, interrupted, samples, err)))
        return bench_figures(&b->times, &b->figures, err);
    if (inputs_random_integers(&b->inputs, b->session))
        say_warn("integer inputs hold random numbers; where they are indices, --input_layer_value_range bounds them");
    return st;
}

static enum status run_phases(struct benchmark *b, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    struct loop_limits warmup = {f->warmup_runs, f->warmup_min_secs, f->max_secs, f->run_delay, f->run_frequency};
    struct loop_limits timed = {f->num_runs, f->min_secs, f->max_secs, f->run_delay, f->run_frequency};
    enum status st;

    if (f->dry_run)
        warmup = timed = (struct loop_limits){.max_secs = f->max_secs};

    interrupt_catch();
    if ((st = run_phase(b, &warmup, &b->times.warmup, err)))
        return st;
    benchmark_say_phase(&b->figures.warmup);
    if ((st = run_phase(b, &timed, &b->times.timed, err)))
        return st;
    benchmark_say_phase(&b->figures.timed);
    if (interrupted())
        say_warn("interrupted: the figures cover the runs up to then");
    b->at_end = memory_now();
    session_memory(b->session, &b->memory);
    return ST_OK;
}

static enum status write_outputs(const struct benchmark *b, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    enum status st = ST_OK;

    if (!*f->output_dir && !*f->output_file)
        return ST_OK;
    if (!b->times.warmup.n && !b->times.timed.n)
        return err_set(err, ST_USAGE, "no run was made, so there are no outputs to write");
    if (*f->output_dir)
        st = outputs_write_dir(b->session, f->output_dir, err);
    if (*f->output_file && !st)
        st = outputs_write_file(b->session, f->output_file, err);
    return st;
}

/* After the outputs are written: profiling runs the model again. */
static enum status profile(struct benchmark *b, struct err *err)
{
    if (!b->flags.op_profiling || b->flags.dry_run || interrupted())
        return ST_OK;
    return op_profile_collect(b->session, interrupted, &b->profile, err);
}

/* What no row of the table can say alone. */
static enum status check_flags(struct benchmark *b, struct err *err)
{
    struct benchmark_flags *f = &b->flags;

    if (f->use_xnnpack && f->cpu_kernels != CPU_FAST)
        return err_set(err, ST_USAGE, "--use_xnnpack asks for the fast CPU kernels, --cpu_kernels=reference for the others");
    return tool_take_operand(&b->tool, "graph", &f->graph, err);
}

static enum status list_signatures(struct benchmark *b, struct err *err)
{
    enum status st = tool_open_model(&b->tool, "graph", b->flags.graph, err);

    if (!st)
        signatures_say(b->tool.model);
    return st;
}

/* Before the first run: an hour of runs must not end at a path that cannot be written. */
static enum status try_outputs(const struct benchmark *b, struct err *err)
{
    const char *const paths[] = {b->tool.json, b->flags.html, b->flags.output_file};
    enum status st = ST_OK;

    for (size_t i = 0; i < sizeof paths / sizeof *paths && !st; i++)
        if (*paths[i] && strcmp(paths[i], "-") != 0)
            st = file_try_write(paths[i], err);
    return st;
}

static enum status write_reports(const struct benchmark *b, struct err *err)
{
    enum status st = ST_OK;

    if (*b->tool.json)
        st = benchmark_write_json(b, err);
    if (*b->flags.html && !st)
        st = benchmark_write_html(b, err);
    return st;
}

static int benchmark(struct benchmark *b)
{
    struct err err;
    enum status st;

    b->at_start = memory_now();
    if (b->flags.list_gpus)
        return (st = delegates_list_devices(&err)) ? say_error(st, &err) : 0;
    if ((st = check_flags(b, &err)))
        return say_error(st, &err);
    if (b->flags.list_signatures)
        return (st = list_signatures(b, &err)) ? say_error(st, &err) : 0;
    if ((st = try_outputs(b, &err)) || (st = inputs_init(&b->inputs, &b->input_flags, RNG_UNIFORM, &err)))
        return say_error(st, &err);
    say_info("STARTING!");
    tool_echo(&b->tool);
    if ((st = initialize(b, &err)))
        return say_error(st, &err);
    b->at_init = memory_now();
    if ((st = say_initialized(b, &err)))
        return say_error(st, &err);
    if (full_delegation_missed(b))
        return outcome_exit_code(OUTCOME_MISSED);
    if ((st = inputs_fill(&b->inputs, b->session, 0, &err)) || (st = run_phases(b, &err)) || (st = write_outputs(b, &err)) ||
        (st = profile(b, &err)) || (st = benchmark_say_results(b, &err)) || (st = write_reports(b, &err)))
        return say_error(st, &err);
    return outcome_exit_code(outcome_of(true, interrupted()));
}

int main(int argc, char **argv)
{
    static struct benchmark b = {
        .tool.cli = {.tool = "benchmark_model",
                     .summary = "how fast a TensorFlow Lite model runs, on the CPU or a GPU",
                     .operand = "MODEL.tflite"},
    };
    int code;

    cli_add(&b.tool.cli, benchmark_flag_table, &b.flags);
    cli_add(&b.tool.cli, partition_flag_table, &b.flags.partition);
    cli_add(&b.tool.cli, input_flag_table, &b.input_flags);
    cli_add(&b.tool.cli, tflite_flag_table, &b.flags.tflite);
    cli_add(&b.tool.cli, tflite_delegate_flag_table, &b.flags.tflite_delegates);
    code = tool_begin(&b.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = benchmark(&b);
    arena_free(&b.profile.arena);
    samples_free(&b.times.warmup);
    samples_free(&b.times.timed);
    session_free(b.session);
    inputs_fini(&b.inputs);
    return tool_end(&b.tool, code);
}
