/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.c - how far a delegate, or the fast CPU kernels, are from the reference kernels on random inputs. */
#include "inference_diff.h"

#include "../lib/clock.h"
#include "../lib/outcome.h"
#include "assignment_text.h"
#include "interrupt.h"
#include "partition_flags.h"
#include "say.h"
#include "signatures.h"

/* As TFLite's tool: the latencies would be those of cold caches otherwise. */
#define INVOCATIONS_PER_RUN 3

static enum status open_session(struct comparison *c, const struct session_options *opt, struct session **out, struct err *err)
{
    enum status st;

    if ((st = session_new(c->tool.model, opt, out, err)) || (st = inputs_resize(&c->inputs, *out, err)))
        return st;
    return session_prepare(*out, err);
}

static enum status open_sides(struct comparison *c, uint32_t subgraph, struct err *err)
{
    struct session_options reference = {.num_threads = 1,
                                        .mode = CPU_REFERENCE,
                                        .keep_intermediates = c->flags.per_op,
                                        .subgraph = subgraph,
                                        .go_on = interrupt_go_on};
    struct session_options test = {.num_threads = c->flags.num_threads,
                                   .mode = c->flags.cpu_kernels,
                                   .partition = partition_flags_options(&c->flags.partition),
                                   .delegates = {c->tool.delegates.opened},
                                   .keep_intermediates = c->flags.per_op,
                                   .subgraph = subgraph,
                                   .go_on = interrupt_go_on};
    enum status st;

    if ((st = open_session(c, &reference, &c->reference.session, err)) || (st = open_session(c, &test, &c->test.session, err)))
        return st;
    if (c->flags.per_op && test.delegates[0] && (st = open_session(c, &reference, &c->alone, err)))
        return st;
    c->assignment = assignment_of(session_graph(c->test.session), session_partitioning(c->test.session));
    return assignment_say(c->test.session, test.delegates[0], err);
}

static enum status open_all(struct comparison *c, struct err *err)
{
    enum status st;
    uint32_t subgraph;

    if ((st = delegates_choose(&c->tool.delegates, c->flags.delegate, err)) ||
        (st = delegates_check(&c->tool.delegates, &c->tool.cli, err)) ||
        (st = inputs_init(&c->inputs, &c->input_flags, RNG_GAUSS, err)) ||
        (st = tool_take_operand(&c->tool, "model_file", &c->flags.model_file, err)) ||
        (st = tool_open_model(&c->tool, "model_file", diff_model_path(&c->flags), err)) ||
        (st = signatures_choose(c->tool.model, "signature", c->flags.signature, &subgraph, err)) ||
        (st = delegates_open(&c->tool.delegates, err)))
        return st;
    delegates_say(&c->tool.delegates);
    if ((st = open_sides(c, subgraph, err)) || (st = inputs_say_ranges(&c->inputs, c->reference.session, err)) ||
        (st = session_diff_init(&c->diff, c->reference.session, c->test.session, (uint32_t)c->flags.num_runs, err)))
        return st;
    return c->flags.per_op ? op_diffs_init(&c->ops, c->reference.session, c->test.session, err) : ST_OK;
}

static enum status invoke(struct side *side, struct err *err)
{
    enum status st = ST_OK;

    for (int i = 0; i < INVOCATIONS_PER_RUN && !st; i++) {
        double us;
        uint64_t start;

        session_reset_variables(side->session);
        start = clock_ns();
        st = session_run(side->session, err);
        us = (double)(clock_ns() - start) / 1e3;
        if (!st)
            st = samples_add(&side->samples, us, err);
    }
    return st;
}

static enum status run_once(struct comparison *c, struct err *err)
{
    enum status st;

    if ((st = inputs_fill(&c->inputs, c->reference.session, c->diff.runs, err)) || (st = session_diff_copy_inputs(&c->diff, err)))
        return st;
    if ((st = invoke(&c->reference, err)))
        return err_prefix(err, st, "reference");
    if ((st = invoke(&c->test, err)))
        return err_prefix(err, st, "test");
    session_diff_add(&c->diff);
    op_diffs_add(&c->ops);
    return ST_OK;
}

static enum status run_all(struct comparison *c, struct err *err)
{
    enum status st = ST_OK;

    interrupt_catch();
    while (!st && c->diff.runs < c->diff.max_runs && !interrupted())
        st = run_once(c, err);
    if (st == ST_LATER)
        st = ST_OK;
    if (!st && c->alone)
        st = op_diffs_run_alone(&c->ops, c->alone, interrupted, err);
    if (st || (st = session_diff_finish(&c->diff, err)) ||
        (st = stats_of(c->reference.samples.us, c->reference.samples.n, &c->reference.figures, err)) ||
        (st = stats_of(c->test.samples.us, c->test.samples.n, &c->test.figures, err)))
        return st;
    c->passed = comparison_outputs_passed(c) && comparison_delegated_enough(c);
    c->first_off = op_diffs_first_off(&c->ops, c->flags.tolerance);
    c->first_off_alone = op_diffs_first_off_alone(&c->ops, c->flags.tolerance);
    return ST_OK;
}

static int compare(struct comparison *c)
{
    struct err err;
    enum status st;

    if ((st = open_all(c, &err)))
        return say_error(st, &err);
    if ((st = run_all(c, &err))) {
        if (c->reference.session && inputs_random_integers(&c->inputs, c->reference.session))
            say_warn("integer inputs hold random numbers; where they are indices, --input_layer_value_range bounds them");
        return say_error(st, &err);
    }
    comparison_say(c);
    if (*c->tool.json && (st = comparison_write_json(c, &err)))
        return say_error(st, &err);
    if (interrupted())
        say_warn("interrupted: the figures cover the runs up to then");
    return outcome_exit_code(outcome_of(c->passed, interrupted()));
}

int main(int argc, char **argv)
{
    static struct comparison c = {
        .tool.cli = {.tool = "inference_diff",
                     .summary = "how far a delegate's results are from those of the reference kernels",
                     .operand = "MODEL.tflite"},
    };
    int code;

    cli_add(&c.tool.cli, diff_flag_table, &c.flags);
    cli_add(&c.tool.cli, partition_flag_table, &c.flags.partition);
    cli_add(&c.tool.cli, input_flag_table, &c.input_flags);
    cli_add(&c.tool.cli, tflite_delegate_flag_table, &c.flags.tflite_delegates);
    code = tool_begin(&c.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = compare(&c);
    samples_free(&c.reference.samples);
    samples_free(&c.test.samples);
    session_free(c.reference.session);
    session_free(c.test.session);
    session_free(c.alone);
    inputs_fini(&c.inputs);
    session_diff_free(&c.diff);
    op_diffs_free(&c.ops);
    return tool_end(&c.tool, code);
}
