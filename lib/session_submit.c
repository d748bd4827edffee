/* SPDX-License-Identifier: Apache-2.0 */
/* session_submit.c - runs of which the last partition is not waited for. */
#include "session_impl.h"

/* What a run leaves to be waited for; NULL: nothing. */
static struct delegate_kernel *last_kernel(const struct session *s)
{
    const struct step *last = s->plan.n_steps ? &s->plan.steps[s->plan.n_steps - 1] : NULL;

    return last && last->kernel && last->kernel->ops->submit && !last->resources ? last->kernel : NULL;
}

enum status session_submit(struct session *s, struct err *err)
{
    enum status st = session_begin_run(s, err);
    struct delegate_kernel *last = last_kernel(s);

    if (!st)
        st = session_run_steps(s, s->plan.n_steps - (last != NULL), err);
    if (st || !last)
        return st;
    s->submitted = true;
    return last->ops->submit(last, err);
}

enum status session_wait(struct session *s, struct err *err)
{
    struct delegate_kernel *last = s->submitted ? s->plan.steps[s->plan.n_steps - 1].kernel : NULL;
    enum status st;

    s->submitted = false;
    if (!last || (st = last->ops->wait(last, err)))
        return last ? st : ST_OK;
    return last->ops->read(last, err);
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
        waits += s->plan.steps[i].kernel != NULL;
    return waits;
}
