/* SPDX-License-Identifier: Apache-2.0 */
/* session_submit.c - partitions and runs that are handed over, and waited for later. */
#include "lib/session/session_impl.h"

/* ---- partitions ---- */

/* Nothing of what it makes goes to host memory. */
static bool leaves_all_there(const struct step *step)
{
    const struct delegate_kernel_ops *ops = step->kernel->ops;
    struct delegate_crossing c;

    if (!ops->submit || !ops->crossing)
        return false;
    for (uint32_t i = 0; ops->crossing(step->kernel, i, &c); i++)
        if (c.output && c.way == DELEGATE_BY_HOST)
            return false;
    return true;
}

enum status session_finish(struct session *s, struct err *err)
{
    struct delegate_kernel *k = s->runtime->unfinished;
    enum status st;

    s->runtime->unfinished = NULL;
    if (!k || (st = k->ops->wait(k, err)))
        return k ? st : ST_OK;
    return k->ops->read(k, err);
}

enum status session_end_run(struct session *s, enum status st, struct err *err)
{
    enum status finished = session_is_outermost(s) ? session_finish(s, st ? NULL : err) : ST_OK;

    if (session_is_outermost(s) && !st)
        session_forget_submitted(s); /* what was submitted before is done, and the outputs are this run's */
    return st ? st : finished;
}

enum status session_invoke(struct session *s, const struct step *step, struct err *err)
{
    struct runtime *r = s->runtime;
    const struct delegate *d = step->part->delegate;
    enum status st;

    if (r->unfinished && r->unfinished_of != d && (st = session_finish(s, err)))
        return st;
    r->unfinished = NULL; /* whoever waits for this waits for that, too */
    if (!leaves_all_there(step))
        return step->kernel->ops->invoke(step->kernel, err);
    if ((st = step->kernel->ops->submit(step->kernel, err)))
        return st;
    r->unfinished = step->kernel;
    r->unfinished_of = d;
    return ST_OK;
}

/* A wait that fails here fails again at the next one. */
void session_forget(struct session *s)
{
    for (uint32_t i = 0; i < s->delegation.n_kernels; i++)
        if (s->delegation.kernels[i] == s->runtime->unfinished)
            (void)session_finish(s, NULL);
}

/* ---- runs ---- */

/* What a run leaves to be waited for; NULL: nothing. */
static struct delegate_kernel *last_kernel(const struct session *s)
{
    const struct step *last = s->plan.n_steps ? &s->plan.steps[s->plan.n_steps - 1] : NULL;

    return last && last->kernel && last->kernel->ops->submit && !last->resources ? last->kernel : NULL;
}

/* Its last partition is one of a delegate's. */
static void note_submitted(struct session *s)
{
    s->submitted = s->submitted ? 2 : 1;
    s->plan.steps[s->plan.n_steps - 1].part->delegate->submitted = s;
}

void session_forget_submitted(struct session *s)
{
    s->submitted = 0;
    for (uint32_t i = 0; s->opt.delegates[i]; i++)
        if (s->opt.delegates[i]->submitted == s)
            s->opt.delegates[i]->submitted = NULL;
}

enum status session_submit(struct session *s, struct err *err)
{
    enum status st = session_begin_run(s, err);
    struct delegate_kernel *last = last_kernel(s);

    if (!st)
        st = session_run_steps(s, s->plan.n_steps - (last != NULL), err);
    if (st || !last)
        return session_end_run(s, st, err);
    if (s->runtime->unfinished_of != s->plan.steps[s->plan.n_steps - 1].part->delegate && (st = session_finish(s, err)))
        return st;
    s->runtime->unfinished = NULL; /* whoever waits for this waits for that, too */
    if (!(st = last->ops->submit(last, err)))
        note_submitted(s);
    return st;
}

enum status session_wait(struct session *s, struct err *err)
{
    struct delegate_kernel *last = s->submitted ? last_kernel(s) : NULL;
    enum status st;

    session_forget_submitted(s);
    if (!last || (st = last->ops->wait(last, err)))
        return last ? st : ST_OK;
    return last->ops->read(last, err);
}

enum status session_fetch(struct session *s, struct err *err)
{
    struct delegate_kernel *last = last_kernel(s);

    if (s->submitted < 2 || session_ahead(s) != 1)
        return session_wait(s, err);
    s->submitted = 1;
    return last->ops->fetch(last, err);
}

enum status session_wait_others(struct session *s, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; s->opt.delegates[i] && !st; i++) {
        struct session *other = s->opt.delegates[i]->submitted;

        if (other && other != s->runtime->outermost && (st = session_wait(other, err)))
            note_submitted(other);
    }
    return st;
}

/* What earlier steps make in host memory is the last run's, and so is an input that is an output. */
static bool makes_all_outputs(const struct session *s)
{
    const struct partition *last = s->plan.steps[s->plan.n_steps - 1].part;
    const struct graph *g = s->graph;

    for (uint32_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i] && (tensor_is_among(g->outputs[i], g->inputs, g->n_inputs) ||
                              !tensor_is_among(g->outputs[i], last->outputs, last->n_outputs)))
            return false;
    return true;
}

uint32_t session_ahead(const struct session *s)
{
    const struct delegate_kernel *last = last_kernel(s);
    const uint32_t ahead = last && last->ops->ahead ? last->ops->ahead(last) : 0;

    if (!ahead || !makes_all_outputs(s))
        return 0;
    return ahead == 1 ? s->plan.n_steps == 1 : ahead; /* partitions before the last take its memory for outputs */
}

uint32_t session_inferences(const struct session *s)
{
    uint32_t most = 1;

    for (uint32_t i = 0; s->opt.delegates[i]; i++)
        if (s->opt.delegates[i]->loops > most)
            most = s->opt.delegates[i]->loops;
    return most;
}

bool session_submits(const struct session *s)
{
    return last_kernel(s) != NULL;
}

uint32_t session_n_waits(const struct session *s)
{
    const uint32_t n = s->plan.n_steps - (last_kernel(s) != NULL);
    uint32_t waits = 0;

    for (uint32_t i = 0; i < n; i++)
        waits += s->plan.steps[i].kernel && !leaves_all_there(&s->plan.steps[i]);
    return waits;
}
