/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_open.c - from flags to a session that is ready to run, each step of it timed. */
#include "cmd/benchmark/benchmark.h"

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/say_tflite_errors.h"
#include "cmd/tool/signatures.h"
#include "lib/base/clock.h"

void benchmark_add_flags(struct benchmark *b)
{
    struct cli *c = &b->tool.cli;

    *c = (struct cli){.tool = "benchmark_model",
                      .summary = "how fast a TensorFlow Lite model runs, on the CPU or a GPU",
                      .help = &benchmark_help,
                      .operand = "MODEL.tflite"};
    b->tool.delegate_types = delegate_types;
    cli_add(c, benchmark_flag_table, &b->flags);
    cli_add(c, measure_flag_table, &b->measure);
    cli_add(c, generation_flag_table, &b->generation);
    cli_add(c, partition_flag_table, &b->flags.partition);
    cli_add(c, input_flag_table, &b->input_flags);
    cli_add(c, tflite_flag_table, &b->flags.tflite);
    cli_add(c, tflite_delegate_flag_table, &b->flags.tflite_delegates);
}

/* What asks for runs where none are to be made. */
static enum status check_runs(const struct benchmark *b, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    const char *wants_runs = b->measure.compare_cpu ? "compare_cpu" : b->measure.sustained > 0 ? "sustained" : NULL;

    if (b->measure.compare_cpu && !delegates_wanted(&b->tool.delegates))
        return err_set(err, ST_USAGE, "--compare_cpu compares a delegate with the CPU, and none is asked for: --use_gpu");
    if (f->dry_run && wants_runs)
        return err_set(err, ST_USAGE, "--%s and --dry_run, which makes no run", wants_runs);
    if (b->measure.compare_cpu && !benchmark_timed_limits(b).min_runs && !(benchmark_timed_limits(b).min_secs > 0))
        return err_set(err, ST_USAGE, "--compare_cpu, but no run is asked for: --num_runs or --min_secs above 0");
    return ST_OK;
}

enum status benchmark_check_delegates(const struct benchmark *b, struct err *err)
{
    const struct delegates *ds = &b->tool.delegates;
    const struct cli *c = &b->tool.cli;
    bool refused = false;
    enum status st;

    for (uint32_t i = 0; i < ds->n_choices; i++)
        refused |= cli_find(c, ds->choices[i].type->use_flag)->given;
    st = partition_flags_check(c, &b->flags.partition,
                               delegates_wanted(ds) ? DELEGATE_ASKED
                               : refused            ? DELEGATE_REFUSED
                                                    : DELEGATE_NOT_ASKED,
                               err);
    return st ? st : delegates_check(ds, c, err);
}

enum status benchmark_check_single(const struct benchmark *b, const char *mode, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    const struct {
        const char *name;
        bool given;
    } alone[] = {{"enable_op_profiling", profile_wanted(&f->profile)},
                 {"compare_cpu", b->measure.compare_cpu},
                 {"sustained", b->measure.sustained > 0},
                 {"stop_at", *b->measure.stop_at != '\0'},
                 {"leave_out_disturbed", b->measure.leave_out_disturbed},
                 {"recover_secs", b->measure.recover_secs > 0},
                 {"energy", b->measure.energy},
                 {"output_dir", *f->output_dir != '\0'},
                 {"output_filepath", *f->output_file != '\0'},
                 {"output_proto_filepath", *f->output_example != '\0'},
                 {"require", *f->require != '\0'},
                 {"require_full_delegation", f->require_full_delegation},
                 {"run_frequency", f->run_frequency > 0},
                 {"list_signatures", f->list_signatures},
                 {"list_inputs", f->list_inputs},
                 {"labels", *f->labels != '\0'},
                 {"result_file_path", *f->result_file != '\0'},
                 {"model_runtime_info_output_file", *f->runtime_info_file != '\0'},
                 {"report_peak_memory_footprint", f->peak_memory},
                 {"dry_run", f->dry_run}};

    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (alone[i].given)
            return err_set(err, ST_USAGE, "--%s is for one model and one configuration, not for %s", alone[i].name, mode);
    return ST_OK;
}

enum status benchmark_check_flags(struct benchmark *b, struct err *err)
{
    struct benchmark_flags *f = &b->flags;
    enum status st;

    if ((st = check_runs(b, err)) || (st = require_read(f->require, &f->require_percent, err)))
        return st;
    f->require_full_delegation |= f->require_percent == 100;
    b->measure.leave_out_disturbed |= b->measure.recover_secs > 0;
    if (b->measure.leave_out_disturbed && b->measure.sustained > 0)
        return err_set(err, ST_USAGE, "--sustained shows what heat costs, and --leave_out_disturbed leaves such runs out");
    if (f->export_runtime_info && !*f->runtime_info_file)
        return err_set(err, ST_USAGE, "--export_model_runtime_info needs --model_runtime_info_output_file");
    if (!b->measure.cycles && cli_find(&b->tool.cli, "max_growth")->given)
        return err_set(err, ST_USAGE, "--max_growth changes nothing without --cycles");
    if (*b->measure.stop_at && (!flag_read_percent(b->measure.stop_at, &b->stop_at) || !(b->stop_at > 0)))
        return err_set(err, ST_USAGE, "--stop_at=%.60s: expected a percentage above 0, like 1%%", b->measure.stop_at);
    if ((st = generation_check(&b->generation, &b->tool.cli, err)) || (st = profile_check(&f->profile, err)) ||
        (st = measure_percentiles(b->measure.percentiles, b->percent, &b->n_percent, err)))
        return st;
    return tool_take_operand(&b->tool, "graph", &f->graph, err);
}

static double lap_us(uint64_t *since)
{
    uint64_t then = *since;

    *since = clock_ns();
    return (double)(*since - then) / 1e3;
}

/* What lies before it is not counted. */
static double begin_us(uint64_t *since)
{
    lap_us(since);
    return (double)*since / 1e3;
}

struct session_options benchmark_session_options(const struct benchmark *b, enum cpu_mode mode, struct delegate *const *ds)
{
    struct session_options opt = {.num_threads = b->flags.num_threads,
                                  .mode = mode,
                                  .subgraph = b->tool.subgraph,
                                  .partition = partition_flags_options(&b->flags.partition),
                                  .go_on = interrupt_go_on,
                                  .go_on_arg = (void *)&b->flags.max_secs};

    for (uint32_t i = 0; ds && ds[i]; i++)
        opt.delegates[i] = ds[i];
    return opt;
}

enum status benchmark_new_session(const struct benchmark *b, enum cpu_mode mode, struct delegate *const *ds, struct session **out,
                                  struct err *err)
{
    const struct session_options opt = benchmark_session_options(b, mode, ds);
    enum status st;

    if ((st = session_new(b->tool.model, &opt, out, err)) || (st = inputs_resize(&b->inputs, *out, err)))
        return st;
    return session_prepare(*out, err);
}

/* Files of --input_dir are numbered as the inputs of the primary subgraph, not named as those of a signature: they choose it. */
static enum status choose_subgraph(struct benchmark *b, struct err *err)
{
    const struct model *m = b->tool.model;

    if (*b->flags.signature || !*b->input_flags.dir || m->n_signatures < 2)
        return signatures_choose(m, "signature_to_run_for", b->flags.signature, &b->tool.subgraph, err);
    say_warn("the model has %u signatures: --input_dir numbers the inputs of the primary subgraph, so that is what runs; "
             "--signature_to_run_for names another",
             m->n_signatures);
    return ST_OK;
}

/* After a failure: nothing else is done once a delegate begins to make ready what it took. */
static bool failed_in_delegate(const struct session *s)
{
    struct session_times times;

    session_times(s, &times);
    return times.delegates_ns > 0;
}

/* What a runtime refuses as a whole would be measured on the CPU kernels here. */
static enum status check_whole(struct benchmark *b, struct err *err)
{
    const struct delegate *d = b->tool.delegates.opened;
    const struct partitioning *p = session_partitioning(b->session);

    if (!d || !d->whole_model || p->n_delegated)
        return ST_OK;
    b->delegate_failed = true;
    for (uint32_t i = 0; i < session_graph(b->session)->n_nodes; i++)
        if (p->reasons[i].code)
            return err_set(err, ST_FAILED, "%s does not run the model: %s", d->type->label, p->reasons[i].text);
    return err_set(err, ST_UNSUPPORTED, "%s does not run the model: it has no nodes", d->type->label);
}

enum status benchmark_open(struct benchmark *b, struct err *err)
{
    uint64_t clock = clock_ns();
    enum status st;

    b->times.load_begin_us = (double)clock / 1e3;
    if ((st = tool_open_model(&b->tool, "graph", b->flags.graph, err)))
        return st;
    b->times.load_us = lap_us(&clock);
    say_info("Loaded model %s", b->flags.graph);
    if ((st = choose_subgraph(b, err)))
        return st;
    tool_open_shapes(&b->tool, b->input_flags.shapes);
    b->times.open_begin_us = begin_us(&clock);
    if ((st = delegates_open(&b->tool.delegates, err))) {
        b->delegate_failed = true;
        return st;
    }
    b->times.open_us = lap_us(&clock);
    delegates_say(&b->tool.delegates);
    b->times.prepare_begin_us = begin_us(&clock);
    if ((st = benchmark_new_session(b, b->flags.cpu_kernels, b->tool.delegates.all, &b->session, err))) {
        b->delegate_failed = b->session && failed_in_delegate(b->session);
        return st;
    }
    b->times.prepare_us = lap_us(&clock);
    if ((st = check_whole(b, err)))
        return st;
    say_tflite_errors(session_graph(b->session));
    return device_io_open(&b->io, b->session, b->tool.delegates.opened, err);
}

enum status benchmark_fill_inputs(struct benchmark *b, struct err *err)
{
    uint32_t samples;
    enum status st = inputs_samples(&b->inputs, b->session, &samples, err);

    if (!st && samples > 1)
        say_info("The inputs have %u samples; all runs have the first.", samples);
    st = st ? st : inputs_fill(&b->inputs, b->session, 0, err);
    return st ? st : device_io_write(&b->io, err);
}

int benchmark_close(struct benchmark *b, int code)
{
    arena_free(&b->profile.arena);
    machine_track_free(&b->track);
    samples_free(&b->times.warmup);
    samples_free(&b->times.timed);
    left_out_free(&b->times.left_out);
    samples_free(&b->submission);
    memory_monitor_stop(b->monitor);
    cpu_comparison_free(&b->versus_cpu);
    device_io_free(&b->io);
    session_free(b->session);
    inputs_fini(&b->inputs);
    return tool_end(&b->tool, code);
}
