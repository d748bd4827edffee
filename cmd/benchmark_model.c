/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_model.c - times a model, with the flags, defaults and summary lines of TFLite's tool of that name. */
#include "benchmark.h"

#include <math.h>
#include <stdlib.h>

#include "../lib/gl/gpu.h"
#include "outputs.h"
#include "placement.h"
#include "say.h"

#define ROW(name, type, field, value, label, help)                                                                                 \
    {                                                                                                                              \
        name, type, offsetof(struct benchmark_flags, field), value, label, help                                                    \
    }

static const struct flag own_flags[] = {
    ROW("graph", FLAG_STRING, graph, "", "Graph", "The .tflite model."),
    ROW("num_runs", FLAG_INT, num_runs, "50", "Min num runs", "Least number of timed runs."),
    ROW("min_secs", FLAG_DOUBLE, min_secs, "1", "Min runs duration (seconds)",
        "Least seconds of timed runs, even beyond num_runs."),
    ROW("max_secs", FLAG_DOUBLE, max_secs, "150", "Max runs duration (seconds)",
        "Stop after so many seconds, even before num_runs."),
    ROW("run_delay", FLAG_DOUBLE, run_delay, "-1", "Inter-run delay (seconds)", "Seconds to sleep between runs."),
    ROW("num_threads", FLAG_INT, num_threads, "-1", "Num threads", "Threads of the CPU kernels; less than 1: one."),
    ROW("cpu_kernels", FLAG_STRING, cpu_kernels, "fast", "CPU kernels", "Fast, or reference: plain loops, slow and exact."),
    ROW("warmup_runs", FLAG_INT, warmup_runs, "1", "Min warmup runs", "Least number of runs before the timed ones."),
    ROW("warmup_min_secs", FLAG_DOUBLE, warmup_min_secs, "0.5", "Min warmup runs duration (seconds)", "Least seconds of them."),
    ROW("max_delegated_partitions", FLAG_INT, partition.max_partitions, "0", "Max number of delegated partitions",
        "Delegate only so many, the largest; 0: all."),
    ROW("min_nodes_per_partition", FLAG_INT, partition.min_nodes, "0", "Min nodes per partition", "Leave smaller ones to the CPU."),
    ROW("require_full_delegation", FLAG_BOOL, require_full_delegation, "false", "Require full delegation",
        "Exit with 1 where any node stays on the CPU."),
    ROW("enable_op_profiling", FLAG_BOOL, op_profiling, "false", "Enable op profiling",
        "Time each op, within the delegate too, in runs after the timed ones."),
    ROW("output_filepath", FLAG_STRING, output_file, "", "File path to export outputs layer to",
        "Write all outputs of the last run into this file."),
    ROW("output_dir", FLAG_STRING, output_dir, "", "Output directory", "Write them as output_<i>.bin into this folder."),
    ROW("list_gpus", FLAG_BOOL, list_gpus, "false", NULL, "Print the devices that --gpu_device chooses from, and exit."),
    {0},
};

static enum status check_flags(struct benchmark *b, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    const struct {
        const char *name;
        double value, lo, hi;
    } ranges[] = {
        {"num_runs", f->num_runs, 0, INT32_MAX},
        {"warmup_runs", f->warmup_runs, 0, INT32_MAX},
        {"min_secs", f->min_secs, 0, 1e6},
        {"warmup_min_secs", f->warmup_min_secs, 0, 1e6},
        {"max_secs", f->max_secs, 0, 1e6},
        {"run_delay", f->run_delay, -1, 1e6},
        {"num_threads", f->num_threads, -1, 1024},
        {"max_delegated_partitions", f->partition.max_partitions, 0, INT32_MAX},
        {"min_nodes_per_partition", f->partition.min_nodes, 0, INT32_MAX},
    };
    enum status st = ST_OK;

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && !st; i++)
        st = cli_range(ranges[i].name, ranges[i].value, ranges[i].lo, ranges[i].hi, err);
    if (st || (st = tool_cpu_mode(f->cpu_kernels, &b->mode, err)))
        return st;
    return inputs_init(&b->inputs, &b->input_flags, RNG_UNIFORM, err);
}

static double lap_us(uint64_t *since)
{
    uint64_t then = *since;

    *since = clock_ns();
    return (double)(*since - then) / 1e3;
}

/* Model, delegate, session: what TFLite counts as initialization, and nothing else while its clock runs. */
static enum status initialize(struct benchmark *b, struct err *err)
{
    struct session_options opt = {.num_threads = b->flags.num_threads, .mode = b->mode, .partition = b->flags.partition};
    uint64_t clock = clock_ns();
    enum status st;

    if ((st = tool_open_model(&b->tool, "graph", b->flags.graph, err)))
        return st;
    b->load_us = lap_us(&clock);
    say_info("Loaded model %s", b->flags.graph);
    lap_us(&clock);
    if ((st = delegates_open(&b->tool.delegates, err)))
        return st;
    b->open_us = lap_us(&clock);
    delegates_say(&b->tool.delegates);
    opt.delegate = b->tool.delegates.opened;
    lap_us(&clock);
    if ((st = session_new(b->tool.model, &opt, &b->session, err)) ||
        (st = inputs_resize(&b->inputs, b->tool.model, b->session, err)) || (st = session_prepare(b->session, err)))
        return st;
    b->prepare_us = lap_us(&clock);
    return ST_OK;
}

static void say_initialized(const struct benchmark *b)
{
    placement_say(b->session, b->tool.delegates.opened);
    say_info("The input model file size (MB): %g", (double)b->tool.model->file_bytes / 1e6);
    say_info("Initialized session in %gms.", benchmark_init_us(b) / 1e3);
}

/* The message is the one that TFLite's tool has; the reasons were printed with the placement. */
static bool full_delegation_missed(const struct benchmark *b)
{
    if (!b->flags.require_full_delegation || (b->tool.delegates.opened && !placement_of(b->session).n_cpu))
        return false;
    fputs("ERROR: Disallowed CPU fallback detected.\n", stderr);
    return true;
}

static enum status run_once(void *session, struct err *err)
{
    return session_run(session, err);
}

/* TFLite's clock counts whole microseconds, and so do its figures. */
static enum status phase_stats(struct phase *p, struct err *err)
{
    double *whole = malloc((p->samples.n + 1) * sizeof *whole);
    enum status st;

    if (!whole)
        return err_set(err, ST_NOMEM, "no memory for %zu samples", p->samples.n);
    for (size_t i = 0; i < p->samples.n; i++)
        whole[i] = floor(p->samples.us[i]);
    st = stats_of(whole, p->samples.n, &p->us, err);
    free(whole);
    return st;
}

static enum status run_phase(struct benchmark *b, struct phase *p, struct err *err)
{
    enum status st;

    benchmark_say_loop(&p->limits);
    if ((st = bench_loop(run_once, b->session, &p->limits, &p->samples, err))) {
        if (inputs_random_integers(&b->inputs, b->session))
            say_warn("integer inputs hold random numbers; where they are indices, --input_layer_value_range bounds them");
        return st;
    }
    if (!(st = phase_stats(p, err)))
        benchmark_say_phase(p);
    return st;
}

static enum status run_phases(struct benchmark *b, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    enum status st;

    b->warmup.limits = (struct loop_limits){f->warmup_runs, f->warmup_min_secs, f->max_secs, f->run_delay};
    b->timed.limits = (struct loop_limits){f->num_runs, f->min_secs, f->max_secs, f->run_delay};
    interrupt_catch();
    if ((st = run_phase(b, &b->warmup, err)) || (st = run_phase(b, &b->timed, err)))
        return st;
    if (interrupted())
        say_warn("interrupted: the figures cover the runs up to then");
    b->at_end = memory_now();
    return ST_OK;
}

static enum status write_outputs(const struct benchmark *b, struct err *err)
{
    const struct benchmark_flags *f = &b->flags;
    enum status st = ST_OK;

    if (!*f->output_dir && !*f->output_file)
        return ST_OK;
    if (!b->warmup.samples.n && !b->timed.samples.n)
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
    if (!b->flags.op_profiling || interrupted())
        return ST_OK;
    return op_profile_collect(b->session, b->tool.delegates.opened, &b->profile, err);
}

static int benchmark(struct benchmark *b)
{
    struct err err;
    enum status st;

    b->at_start = memory_now();
    if (b->flags.list_gpus)
        return (st = gl_list_devices(stdout, &err)) ? say_error(st, &err) : 0;
    if ((st = check_flags(b, &err)))
        return say_error(st, &err);
    say_info("STARTING!");
    tool_echo(&b->tool);
    if ((st = initialize(b, &err)))
        return say_error(st, &err);
    b->at_init = memory_now();
    say_initialized(b);
    if (full_delegation_missed(b))
        return EXIT_MISSED;
    if ((st = inputs_fill(&b->inputs, b->session, 0, &err)) || (st = run_phases(b, &err)) || (st = write_outputs(b, &err)) ||
        (st = profile(b, &err)) || (st = benchmark_say_results(b, &err)))
        return say_error(st, &err);
    if (*b->tool.json && (st = benchmark_write_json(b, &err)))
        return say_error(st, &err);
    return interrupted() ? EXIT_INTERRUPTED : 0;
}

int main(int argc, char **argv)
{
    static struct benchmark b = {
        .tool.cli = {.tool = "benchmark_model", .summary = "how fast a TensorFlow Lite model runs, on the CPU or a GPU"},
    };
    int code;

    cli_add(&b.tool.cli, own_flags, &b.flags);
    cli_add(&b.tool.cli, input_flag_table, &b.input_flags);
    code = tool_begin(&b.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = benchmark(&b);
    arena_free(&b.profile.arena);
    samples_free(&b.warmup.samples);
    samples_free(&b.timed.samples);
    session_free(b.session);
    inputs_fini(&b.inputs);
    return tool_end(&b.tool, code);
}
