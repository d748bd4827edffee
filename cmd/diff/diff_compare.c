/* SPDX-License-Identifier: Apache-2.0 */
/* diff_compare.c - the steps of one comparison, in their order. */
#include "cmd/diff/inference_diff.h"

#include <math.h>
#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "cmd/tool/assignment_text.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/say_tflite_errors.h"
#include "cmd/tool/signatures.h"
#include "lib/base/clock.h"
#include "lib/base/outcome.h"

/* More of the reference's runs are not kept: 50 inputs of a large image model, and its outputs, fit. */
#define MAX_RECORDED_BYTES (1ull << 30)

static enum status open_reference(struct comparison *c, struct session **out, struct err *err)
{
    struct session_options opt = {.num_threads = 1,
                                  .mode = CPU_REFERENCE,
                                  .precision = (enum session_precision)c->flags.reference_precision,
                                  .float_weights = c->flags.reference_hybrid,
                                  .keep_intermediates = c->flags.per_op,
                                  .go_on = interrupt_go_on};
    const struct model *m = diff_reference_model(c, &opt.subgraph);
    enum status st;

    if ((st = diff_reference_open(c, &opt, err)) || (st = session_new(m, &opt, out, err)) ||
        (st = inputs_resize(&c->inputs, *out, err)) || (st = session_prepare(*out, err)))
        return st;
    return diff_reference_check(c, *out, err);
}

/* A run for each sample where all inputs come from files, unless --num_runs says another number. */
static enum status count_samples(struct comparison *c, struct err *err)
{
    uint32_t n;
    enum status st;

    if (c->stored.inputs.n_runs || c->stored.reference.n_runs || c->tensors.dir)
        return ST_OK;
    if (!(st = inputs_samples(&c->inputs, c->reference.session, &n, err)) && n && !cli_find(&c->tool.cli, "num_runs")->given)
        c->flags.num_runs = (int32_t)n;
    return st;
}

/* A share becomes a number of nodes, once these are counted. */
static void require_share(struct comparison *c)
{
    const struct assignment *a = &c->test.assignment;
    const int32_t least = (int32_t)ceil(c->flags.require_percent * (a->n_delegated + a->n_cpu) / 100);

    if (least > c->flags.min_delegated)
        c->flags.min_delegated = least;
    c->test.terms.min_delegated = (uint32_t)c->flags.min_delegated;
}

static enum status open_sides(struct comparison *c, struct err *err)
{
    struct delegate *d = c->tool.delegates.opened;
    const struct session_options test = comparison_options(c, d);
    const struct trial_terms terms = comparison_terms(c);
    enum status st;

    if ((st = open_reference(c, &c->reference.session, err)) || (st = comparison_check_tolerances(c, err)) ||
        (st = count_samples(c, err)) ||
        (st = trial_open(&c->test, c->tool.model, c->reference.session, &test, &terms, (uint32_t)c->flags.num_runs,
                         diff_ops_wanted(c), err)))
        return st;
    require_share(c);
    c->recording.max_bytes = MAX_RECORDED_BYTES;
    if ((st = diff_ops_open(c, err)))
        return st;
    if (!c->stored.test.n_runs && (st = assignment_say_all(c->test.session, &c->tool.delegates, err)))
        return st;
    device_io_say(&c->test.io);
    diff_matrix_open(c);
    return ST_OK;
}

static enum status open_all(struct comparison *c, struct err *err)
{
    enum status st;

    c->tool.several_models = *c->flags.reference_model;
    if ((st = delegates_choose(&c->tool.delegates, c->flags.delegate, err)) || (st = diff_matrix_read(c, err)) ||
        (st = diff_reference_read(c, err)) || (st = delegates_check(&c->tool.delegates, &c->tool.cli, err)) ||
        (st = partition_flags_check(
             &c->tool.cli, &c->flags.partition,
             delegates_wanted(&c->tool.delegates) || *c->flags.delegates ? DELEGATE_ASKED : DELEGATE_NOT_ASKED, err)) ||
        (st = require_read(c->flags.require, &c->flags.require_percent, err)) || (st = diff_why_check(c, err)) ||
        (st = diff_bisect_check(c, err)) || (st = diff_node_data_check(c, err)) || (st = comparison_read_tolerances(c, err)) ||
        (st = inputs_init(&c->inputs, &c->input_flags, RNG_GAUSS, err)) ||
        (st = tool_take_operand(&c->tool, "model_file", &c->flags.model_file, err)) || (st = diff_repair_check(c, err)) ||
        (st = tool_open_model(&c->tool, "model_file", diff_model_path(&c->flags), err)) ||
        (st = signatures_choose(c->tool.model, "signature", c->flags.signature, &c->tool.subgraph, err)) ||
        (st = diff_models_open(c, err)) || (st = diff_tensors_open(c, err)) || (st = diff_stored_open(c, err)))
        return st;
    c->flags.require_full_delegation |= c->flags.require_percent == 100;
    tool_open_shapes(&c->tool, c->input_flags.shapes);
    if ((st = diff_matrix_open_delegate(c, err)))
        return st;
    delegates_say(&c->tool.delegates);
    if ((st = open_sides(c, err)) || (st = diff_stored_begin(c, err)) || (st = diff_models_begin(c, err)) ||
        (st = diff_tensors_begin(c, err)) || (st = diff_maps_open(c, err)) || (st = diff_models_say_pairs(c, err)))
        return st;
    say_tflite_errors(session_graph(c->reference.session));
    if (c->flags.reference_hybrid && !session_float_weights(c->reference.session))
        say_warn("--reference_hybrid=float changes nothing: no node multiplies floats by constant weights of 8 bits or fewer");
    return c->stored.inputs.n_runs ? ST_OK : inputs_say_ranges(&c->inputs, c->reference.session, err);
}

static enum status run_test(struct comparison *c, uint32_t run, struct err *err)
{
    enum status st;

    if (!c->stored.test.n_runs)
        return trial_run(&c->test, c->flags.repeat, err);
    if (!(st = stored_load(&c->stored.test, run, c->test.session, err)))
        session_diff_add(&c->test.diff);
    return st;
}

static enum status run_once(struct comparison *c, struct err *err)
{
    const uint32_t run = c->test.diff.runs;
    struct side *r = &c->reference;
    enum status st;

    if ((st = diff_stored_inputs(c, run, err)) ||
        (c->stored.reference.n_runs && (st = stored_load(&c->stored.reference, run, r->session, err))))
        return st;
    if (!c->stored.reference.n_runs && (st = trial_invoke(r->session, c->flags.repeat, &r->samples, &r->unsteady, err)))
        return err_prefix(err, st, "reference");
    if (c->keep_runs && (st = recording_add(&c->recording, r->session, err)))
        return st;
    if ((st = run_test(c, run, err)))
        return err_prefix(err, st, "test");
    diff_matrix_run(c);
    diff_models_add(c);
    if ((st = diff_ops_add(c, err)))
        return st;
    return diff_stored_outputs(c, err);
}

/* At least one run, however short the time. */
static bool time_is_up(const struct comparison *c, uint64_t began_ns)
{
    return c->flags.max_secs > 0 && c->test.diff.runs && (double)(clock_ns() - began_ns) >= c->flags.max_secs * 1e9;
}

static enum status run_inputs(struct comparison *c, struct err *err)
{
    const uint64_t began_ns = clock_ns();
    const struct session_diff *d = &c->test.diff;
    struct progress progress = {
        .what = "inputs", .min_runs = (int32_t)d->max_runs, .max_secs = c->flags.max_secs > 0 ? c->flags.max_secs : INFINITY};
    enum status st = ST_OK;

    while (!st && d->runs < d->max_runs && !interrupted() && !time_is_up(c, began_ns)) {
        st = run_once(c, err);
        progress_show(&progress, d->runs, (double)(clock_ns() - began_ns) / 1e9);
    }
    progress_end(&progress);
    return st == ST_LATER ? ST_OK : st;
}

static enum status run_all(struct comparison *c, struct err *err)
{
    struct trial *t = &c->test;
    enum status st;

    interrupt_catch();
    st = run_inputs(c, err);
    diff_matrix_finish(c);
    if (st || (st = diff_stored_end(c, err)) || (st = trial_finish(t, err)) ||
        (st = stats_of(c->reference.samples.us, c->reference.samples.n, &c->reference.figures, err)) ||
        (st = diff_tensors_finish(c, err)))
        return st;
    return diff_ops_finish(c, err);
}

static int list_inputs(struct comparison *c)
{
    struct err err;
    enum status st = tool_take_operand(&c->tool, "model_file", &c->flags.model_file, &err);

    if (!st)
        st = tool_list_inputs(&c->tool, "model_file", diff_model_path(&c->flags), "signature", c->flags.signature, &err);
    return st ? say_error(st, &err) : 0;
}

static int failed(struct comparison *c, enum status st, const struct err *err)
{
    c->failed = st;
    c->failure = *err;
    return say_error(st, err);
}

static int compare(struct comparison *c)
{
    struct err err;
    enum status st;

    if ((st = generation_check(&c->generation, &c->tool.cli, &err)))
        return failed(c, st, &err);
    if (generation_wanted(&c->generation))
        return diff_generation_main(c);
    if ((st = open_all(c, &err)))
        return failed(c, st, &err);
    c->flags.bisect |= *c->flags.extract && !c->flags.per_op;
    c->keep_runs |= c->flags.bisect || c->flags.repeat_loads || *c->flags.all_runtimes || diff_ops_wanted(c) || c->flags.why ||
                    c->flags.auto_fp32 || *c->flags.repair || c->flags.reference_precision != SESSION_FP32;
    if ((st = run_all(c, &err)) || (st = diff_bisect_run(c, &err)) || (st = diff_bisect_rows(c, &err)) ||
        (st = diff_loads_run(c, &err)) || (st = diff_extract_run(c, &err)) || (st = diff_why_run(c, &err)) ||
        (st = diff_fp32_run(c, &err)) || (st = diff_repair_run(c, &err))) {
        if (c->reference.session && inputs_random_integers(&c->inputs, c->reference.session))
            say_warn("integer inputs hold random numbers; where they are indices, --input_layer_value_range bounds them");
        return failed(c, st, &err);
    }
    diff_maps_choose(c);
    delegates_say_runs(c->tool.delegates.opened);
    delegates_say_runs(c->runtime.opened);
    if ((st = comparison_report(c, &err)) || (*c->flags.node_data && (st = diff_node_data_write(c, &err))))
        return failed(c, st, &err);
    if (interrupted())
        say_warn("interrupted: the figures cover the runs up to then");
    for (uint32_t i = 0; i < c->matrix.n; i++)
        if (c->matrix.rows[i].failed)
            return status_exit_code(c->matrix.rows[i].failed);
    return outcome_exit_code(outcome_of(c->repair.done ? c->repair.passed : comparison_passed(c), interrupted()));
}

int comparison_begin(struct comparison *c, int argc, char **argv)
{
    c->tool.cli = (struct cli){.tool = "inference_diff",
                               .summary = "how far a delegate's results are from those of the reference kernels",
                               .help = &diff_help,
                               .operand = "MODEL.tflite"};
    c->tool.delegate_types = delegate_types;
    cli_add(&c->tool.cli, diff_flag_table, &c->flags);
    cli_add(&c->tool.cli, partition_flag_table, &c->flags.partition);
    cli_add(&c->tool.cli, input_flag_table, &c->input_flags);
    cli_add(&c->tool.cli, stored_flag_table, &c->stored.flags);
    cli_add(&c->tool.cli, generation_flag_table, &c->generation);
    cli_add(&c->tool.cli, tflite_delegate_flag_table, &c->flags.tflite_delegates);
    return tool_begin(&c->tool, argc, argv);
}

int comparison_main(struct comparison *c)
{
    if (!c->among_signatures && diff_signatures_wanted(c))
        return diff_signatures_main(c);
    return c->flags.list_inputs ? list_inputs(c) : compare(c);
}

void comparison_free(struct comparison *c)
{
    samples_free(&c->reference.samples);
    trial_free(&c->test);
    diff_matrix_free(&c->matrix);
    diff_bisect_free(&c->bisect);
    diff_extract_free(&c->extraction);
    diff_why_free(&c->why);
    diff_fp32_free(&c->remedy);
    diff_repair_free(&c->repair);
    diff_maps_free(&c->maps);
    diff_stored_free(&c->stored);
    recording_free(&c->recording);
    tolerances_free(&c->tolerances);
    session_free(c->reference.session);
    diff_reference_free(&c->runtime);
    diff_models_free(&c->second);
    name_diffs_free(&c->names);
    diff_tensors_free(&c->tensors);
    op_alone_free(&c->alone);
    inputs_fini(&c->inputs);
}
