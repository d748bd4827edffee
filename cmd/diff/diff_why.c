/* SPDX-License-Identifier: Apache-2.0 */
/* diff_why.c - the reference again: in half precision, in float32, and watched. */
#include "cmd/diff/inference_diff.h"

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"

static struct session_options kernels(const struct comparison *c, enum session_precision precision)
{
    return (struct session_options){.num_threads = c->flags.num_threads,
                                    .mode = CPU_REFERENCE,
                                    .precision = precision,
                                    .float_weights = c->flags.reference_hybrid,
                                    .subgraph = c->tool.subgraph,
                                    .go_on = interrupt_go_on};
}

enum status diff_why_check(const struct comparison *c, struct err *err)
{
    if (c->flags.reference_precision != SESSION_FP32 && (c->flags.why || c->flags.auto_fp32))
        return err_set(err, ST_USAGE, "--%s holds the test side against the float32 reference: not with --reference_precision",
                       c->flags.why ? "why" : "auto_fp32");
    if (c->flags.auto_fp32 && !delegates_wanted(&c->tool.delegates))
        return err_set(err, ST_USAGE, "--auto_fp32 needs a delegate, whose nodes can be kept in float32 or left to the CPU");
    return c->flags.auto_fp32 ? delegates_check_one(&c->tool.delegates, "--auto_fp32", err) : ST_OK;
}

static enum status play(struct comparison *c, struct session *s, uint32_t run, struct err *err)
{
    enum status st = recording_play(&c->recording, run, c->reference.session, err);

    for (uint32_t i = 0; i < session_n_inputs(s) && !st; i++) {
        const struct tensor *t = session_input(c->reference.session, i);

        st = session_set_input(s, i, t->data, t->bytes, err);
    }
    session_reset_variables(s);
    if (!st)
        half_check_inputs(&c->why.half);
    return st ? st : session_run(s, err);
}

static enum status look(struct comparison *c, struct err *err)
{
    struct why *w = &c->why;
    struct session_options opt = kernels(c, SESSION_FP32);
    enum status st;

    opt.after_node = half_check_node;
    opt.after_node_arg = &w->half;
    if ((st = session_new(c->tool.model, &opt, &w->session, err)) || (st = inputs_resize(&c->inputs, w->session, err)) ||
        (st = session_prepare(w->session, err)) || (st = half_check_init(&w->half, w->session, err)))
        return st;
    for (; w->runs < c->recording.n && !st && !interrupted(); w->runs++)
        if (!(st = play(c, w->session, w->runs, err)) && (st = w->half.status))
            *err = w->half.err;
    w->looked = w->runs && (!st || st == ST_LATER);
    return st == ST_LATER ? ST_OK : st;
}

enum status diff_why_run(struct comparison *c, struct err *err)
{
    struct why *w = &c->why;
    const struct session_options half = kernels(c, SESSION_FP16), plain = kernels(c, SESSION_FP32);
    enum status st = ST_OK;

    if (!c->recording.n)
        return ST_OK;
    if (c->recording.full && (c->flags.why || c->flags.reference_precision != SESSION_FP32))
        say_warn("only %u of %u runs were kept, as more take too much memory: give --num_runs=%u to know more of the error",
                 c->recording.n, c->test.diff.runs, c->recording.n);
    if (c->flags.why && !(st = comparison_try(c, &half, 1, &w->emulated, err)))
        w->explained = w->emulated.diff.runs == c->test.diff.runs;
    if (!st && c->flags.reference_precision != SESSION_FP32 && !(st = comparison_try(c, &plain, 1, &w->plain, err)))
        w->compared = w->plain.diff.runs == c->test.diff.runs;
    if (!st && (c->flags.why || c->flags.auto_fp32 || *c->flags.repair))
        st = look(c, err);
    return st;
}

void diff_why_free(struct why *w)
{
    trial_free(&w->emulated);
    trial_free(&w->plain);
    half_check_free(&w->half);
    session_free(w->session);
    *w = (struct why){0};
}
