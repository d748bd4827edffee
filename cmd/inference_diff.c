/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.c - how far a delegate, or the fast CPU kernels, are from the reference kernels on random inputs. */
#include "inference_diff.h"

#include "partition_flags.h"
#include "placement.h"
#include "say.h"

/* As TFLite's tool: the latencies would be those of cold caches otherwise. */
#define INVOCATIONS_PER_RUN 3

static enum status open_session(struct comparison *c, const struct session_options *opt, struct session **out, struct err *err)
{
    enum status st;

    if ((st = session_new(c->tool.model, opt, out, err)) || (st = inputs_resize(&c->inputs, c->tool.model, *out, err)))
        return st;
    return session_prepare(*out, err);
}

static enum status open_sides(struct comparison *c, struct err *err)
{
    struct session_options reference = {.num_threads = 1, .mode = CPU_REFERENCE, .keep_intermediates = c->flags.per_op};
    struct session_options test = {.num_threads = c->flags.num_threads,
                                   .mode = c->flags.cpu_kernels,
                                   .partition = c->flags.partition,
                                   .delegate = c->tool.delegates.opened,
                                   .keep_intermediates = c->flags.per_op};
    enum status st;

    if ((st = open_session(c, &reference, &c->reference.session, err)) || (st = open_session(c, &test, &c->test.session, err)))
        return st;
    if (c->flags.per_op && test.delegate && (st = open_session(c, &reference, &c->alone, err)))
        return st;
    placement_say(c->test.session, test.delegate);
    return c->flags.per_op ? per_op_init(c, err) : ST_OK;
}

static enum status init_outputs(struct comparison *c, struct err *err)
{
    uint32_t n = session_n_outputs(c->reference.session);

    if (!(c->outputs = ARENA_ARRAY(&c->arena, n, struct output_diff)))
        return err_set(err, ST_NOMEM, "no memory for %u outputs", n);
    for (; c->n_outputs < n; c->n_outputs++) {
        struct output_diff *out = &c->outputs[c->n_outputs];

        out->is_quantized = session_output(c->reference.session, c->n_outputs)->quant.n > 0;
        if (!(out->run_error = ARENA_ARRAY(&c->arena, (size_t)c->flags.num_runs, double)))
            return err_set(err, ST_NOMEM, "no memory for the errors of %d runs", c->flags.num_runs);
    }
    return ST_OK;
}

static enum status open_all(struct comparison *c, struct err *err)
{
    enum status st;

    if ((st = delegates_choose(&c->tool.delegates, c->flags.delegate, err)) ||
        (st = inputs_init(&c->inputs, &c->input_flags, RNG_GAUSS, err)) ||
        (st = tool_open_model(&c->tool, "model_file", comparison_path(c), err)) || (st = delegates_open(&c->tool.delegates, err)))
        return st;
    delegates_say(&c->tool.delegates);
    if ((st = open_sides(c, err)))
        return st;
    return init_outputs(c, err);
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
        us = (double)(clock_ns() - start) / 1000;
        if (!st)
            st = samples_add(&side->samples, us, err);
    }
    return st;
}

static enum status same_inputs(struct comparison *c, struct err *err)
{
    enum status st = inputs_fill(&c->inputs, c->reference.session, c->runs, err);

    for (uint32_t i = 0; i < session_n_inputs(c->reference.session) && !st; i++) {
        const struct tensor *t = session_input(c->reference.session, i);

        st = session_set_input(c->test.session, i, t->data, t->bytes, err);
    }
    return st;
}

static void compare_outputs(struct comparison *c)
{
    for (uint32_t i = 0; i < c->n_outputs; i++) {
        const struct tensor *reference = session_output(c->reference.session, i);
        const struct tensor *test = session_output(c->test.session, i);
        struct output_diff *out = &c->outputs[i];

        out->run_error[c->runs] = diff_add(&out->raw, reference, test, false);
        if (out->is_quantized)
            diff_add(&out->real, reference, test, true);
    }
    per_op_compare(c);
}

static enum status run_all(struct comparison *c, struct err *err)
{
    enum status st = ST_OK;

    interrupt_catch();
    for (; c->runs < (uint32_t)c->flags.num_runs && !interrupted(); c->runs++) {
        if ((st = same_inputs(c, err)))
            return st;
        if ((st = invoke(&c->reference, err)))
            return err_prefix(err, st, "reference");
        if ((st = invoke(&c->test, err)))
            return err_prefix(err, st, "test");
        compare_outputs(c);
    }
    st = per_op_run_alone(c, err);
    for (uint32_t i = 0; i < c->n_outputs && !st; i++)
        st = stats_of(c->outputs[i].run_error, c->runs, &c->outputs[i].error, err);
    if (st || (st = stats_of(c->reference.samples.us, c->reference.samples.n, &c->reference.us, err)))
        return st;
    return stats_of(c->test.samples.us, c->test.samples.n, &c->test.us, err);
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
    if (interrupted()) {
        say_warn("interrupted: the figures cover the runs up to then");
        return EXIT_INTERRUPTED;
    }
    return comparison_failed(c) ? EXIT_MISSED : 0;
}

int main(int argc, char **argv)
{
    static struct comparison c = {
        .tool.cli = {.tool = "inference_diff", .summary = "how far a delegate's results are from those of the reference kernels"},
    };
    int code;

    cli_add(&c.tool.cli, diff_flag_table, &c.flags);
    cli_add(&c.tool.cli, partition_flag_table, &c.flags.partition);
    cli_add(&c.tool.cli, input_flag_table, &c.input_flags);
    code = tool_begin(&c.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = compare(&c);
    samples_free(&c.reference.samples);
    samples_free(&c.test.samples);
    session_free(c.reference.session);
    session_free(c.test.session);
    session_free(c.alone);
    inputs_fini(&c.inputs);
    arena_free(&c.arena);
    return tool_end(&c.tool, code);
}
