/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - opening, running and judging one test side. */
#include "lib/compare/trial.h"

#include "lib/base/clock.h"
#include "lib/base/hash64.h"

static enum status same_inputs(struct session *s, const struct session *reference, const struct model_pairs *pairs, struct err *err)
{
    enum status st = ST_OK;

    if (session_n_inputs(s) != session_n_inputs(reference))
        return err_set(err, ST_USAGE, "the model has %u inputs, the reference %u", session_n_inputs(s),
                       session_n_inputs(reference));
    for (uint32_t i = 0; i < session_n_inputs(s) && !st; i++) {
        const struct tensor *t = session_input(reference, i);
        const uint32_t k = pairs ? pairs->inputs[i] : i;

        if (t && !tensor_same_shape(t, session_input(s, k)))
            st = session_resize_input(s, k, t->dim, t->rank, err);
    }
    return st;
}

enum status trial_open(struct trial *t, const struct model *m, struct session *reference, const struct session_options *opt,
                       const struct trial_terms *terms, uint32_t max_runs, bool per_op, struct err *err)
{
    enum status st;

    *t = (struct trial){.opt = *opt, .terms = *terms, .delegate = opt->delegates[0]};
    if ((st = session_new(m, opt, &t->session, err)) || (st = same_inputs(t->session, reference, terms->pairs, err)) ||
        (st = session_prepare(t->session, err)) || (st = device_io_open(&t->io, t->session, t->delegate, err)) ||
        (st = session_diff_init(&t->diff, reference, t->session, max_runs, err)) ||
        (terms->pairs && (st = session_diff_pair(&t->diff, terms->pairs, err))))
        return st;
    for (uint32_t i = 0; opt->delegates[i]; i++) /* the coarsest says what is allowed */
        if (precision_of(opt->delegates[i]) > t->precision)
            t->precision = precision_of(opt->delegates[i]);
    for (uint32_t i = 0; terms->tolerances && i < t->diff.n_outputs; i++) {
        const struct tensor *real = &t->diff.outputs[i].real_reference, *r = real->data ? real : session_output(reference, i);
        const struct tolerance allowed = tolerance_of(terms->tolerances, session_graph(reference), r, t->precision);

        session_diff_allow(&t->diff, i, &allowed);
    }
    t->assignment = assignment_of(session_graph(t->session), session_partitioning(t->session));
    return per_op ? op_diffs_init(&t->ops, reference, t->session, err) : ST_OK;
}

static uint64_t hash_outputs(const struct session *s)
{
    uint64_t hash = 0;

    for (uint32_t i = 0; i < session_n_outputs(s); i++) {
        const struct tensor *t = session_output(s, i);
        const uint64_t both[2] = {hash, hash64(t->data, t->bytes)};

        hash = hash64(both, sizeof both);
    }
    return hash;
}

static enum status invoke_once(struct session *s, const struct device_io *io, struct samples *samples, struct err *err)
{
    enum status st = samples_reserve(samples, err);
    uint64_t start;

    if (st)
        return st;
    session_reset_variables(s);
    start = clock_ns();
    if (!(st = session_run(s, err))) {
        const uint64_t end = clock_ns();

        st = samples_add(samples, (double)(end - start - session_outside_ns(s)) / 1e3 / session_inferences(s), err);
    }
    return st || !io ? st : device_io_read(io, err);
}

/* `d` (or NULL) is shown what the first of several invocations gave; with `io` (or NULL) outputs are fetched from there. */
static enum status invoke(struct session *s, const struct device_io *io, int times, struct samples *samples, uint32_t *unsteady,
                          struct session_diff *d, struct err *err)
{
    uint64_t first = 0;
    bool differs = false;
    enum status st = ST_OK;

    for (int i = 0; i < times && !st; i++) {
        if ((st = invoke_once(s, io, samples, err)))
            break;
        if (times == 1)
            break;
        if (i > 0) {
            differs = differs || hash_outputs(s) != first;
            continue;
        }
        first = hash_outputs(s);
        if (d)
            session_diff_add_first(d);
    }
    *unsteady += differs;
    return st;
}

enum status trial_invoke(struct session *s, int times, struct samples *samples, uint32_t *unsteady, struct err *err)
{
    return invoke(s, NULL, times, samples, unsteady, NULL, err);
}

enum status trial_run(struct trial *t, int times, struct err *err)
{
    enum status st;

    if ((st = session_diff_copy_inputs(&t->diff, err)) || (st = device_io_write(&t->io, err)) ||
        (st = invoke(t->session, &t->io, times, &t->samples, &t->unsteady, &t->diff, err)))
        return st;
    session_diff_add(&t->diff);
    op_diffs_add(&t->ops);
    return ST_OK;
}

/* Of called subgraphs, too, there may be some among those that came late. */
uint32_t trial_n_delegated(const struct trial *t)
{
    const uint32_t late = t->dynamic.delegated;

    return t->assignment.n_delegated + (late < t->assignment.n_cpu ? late : t->assignment.n_cpu);
}

uint32_t trial_n_on_delegate(const struct trial *t, uint32_t *of)
{
    *of = t->assignment.n_delegated + t->assignment.n_cpu + t->called.nodes;
    return t->assignment.n_delegated + t->dynamic.delegated + t->called.delegated;
}

static bool delegated_enough(const struct trial *t)
{
    uint32_t of;

    if (!t->delegate)
        return !t->terms.require_full_delegation;
    return trial_n_on_delegate(t, &of) >= t->terms.min_delegated &&
           (!t->terms.require_full_delegation || session_fully_delegated(t->session));
}

enum status trial_finish(struct trial *t, struct err *err)
{
    struct trial_verdict *v = &t->verdict;
    enum status st = session_diff_finish(&t->diff, err);

    session_dynamic(t->session, &t->dynamic);
    session_called(t->session, &t->called);
    v->failed_on = session_diff_failed_on(&t->diff);
    v->outputs_passed = t->diff.runs && !v->failed_on;
    v->delegated_enough = delegated_enough(t);
    v->passed = v->outputs_passed && v->delegated_enough;
    return st ? st : stats_of(t->samples.us, t->samples.n, &t->figures, err);
}

void trial_free(struct trial *t)
{
    samples_free(&t->samples);
    device_io_free(&t->io);
    session_free(t->session);
    session_diff_free(&t->diff);
    op_diffs_free(&t->ops);
    *t = (struct trial){0};
}
