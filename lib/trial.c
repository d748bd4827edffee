/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - opening, running and judging one test side. */
#include "trial.h"

#include "clock.h"

static enum status same_inputs(struct session *s, const struct session *reference, struct err *err)
{
    enum status st = ST_OK;

    if (session_n_inputs(s) != session_n_inputs(reference))
        return err_set(err, ST_USAGE, "the model has %u inputs, the reference %u", session_n_inputs(s),
                       session_n_inputs(reference));
    for (uint32_t i = 0; i < session_n_inputs(s) && !st; i++) {
        const struct tensor *t = session_input(reference, i);

        if (t && !tensor_same_shape(t, session_input(s, i)))
            st = session_resize_input(s, i, t->dim, t->rank, err);
    }
    return st;
}

enum status trial_open(struct trial *t, const struct model *m, struct session *reference, const struct session_options *opt,
                       uint32_t max_runs, bool per_op, struct err *err)
{
    enum status st;

    *t = (struct trial){.opt = *opt, .delegate = opt->delegates[0]};
    if ((st = session_new(m, opt, &t->session, err)) || (st = same_inputs(t->session, reference, err)) ||
        (st = session_prepare(t->session, err)) || (st = session_diff_init(&t->diff, reference, t->session, max_runs, err)))
        return st;
    t->assignment = assignment_of(session_graph(t->session), session_partitioning(t->session));
    return per_op ? op_diffs_init(&t->ops, reference, t->session, err) : ST_OK;
}

enum status trial_invoke(struct session *s, int times, struct samples *samples, struct err *err)
{
    enum status st = ST_OK;

    for (int i = 0; i < times && !st; i++) {
        uint64_t start;

        if ((st = samples_reserve(samples, err)))
            break;
        session_reset_variables(s);
        start = clock_ns();
        if (!(st = session_run(s, err)))
            st = samples_add(samples, (double)(clock_ns() - start) / 1e3, err);
    }
    return st;
}

enum status trial_run(struct trial *t, int times, struct err *err)
{
    enum status st;

    if ((st = session_diff_copy_inputs(&t->diff, err)) || (st = trial_invoke(t->session, times, &t->samples, err)))
        return st;
    session_diff_add(&t->diff);
    op_diffs_add(&t->ops);
    return ST_OK;
}

enum status trial_finish(struct trial *t, struct err *err)
{
    enum status st = session_diff_finish(&t->diff, err);

    return st ? st : stats_of(t->samples.us, t->samples.n, &t->figures, err);
}

static bool delegated_enough(const struct trial *t, const struct trial_terms *terms)
{
    if (!t->delegate)
        return !terms->require_full_delegation;
    return t->assignment.n_delegated >= terms->min_delegated && (!terms->require_full_delegation || t->assignment.full);
}

void trial_judge(struct trial *t, const struct trial_terms *terms)
{
    struct trial_verdict *v = &t->verdict;

    v->outputs_passed = t->diff.runs && session_diff_passed(&t->diff, terms->tolerance);
    v->delegated_enough = delegated_enough(t, terms);
    v->passed = v->outputs_passed && v->delegated_enough;
}

void trial_free(struct trial *t)
{
    samples_free(&t->samples);
    session_free(t->session);
    session_diff_free(&t->diff);
    op_diffs_free(&t->ops);
    *t = (struct trial){0};
}
