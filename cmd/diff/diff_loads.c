/* SPDX-License-Identifier: Apache-2.0 */
/* diff_loads.c - --repeat_loads=N: the delegate makes the model ready N times anew, and its outputs are held against each other. */
#include <stdlib.h>
#include <string.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/interrupt.h"

/* The outputs of one fresh load on the first run's inputs. */
static enum status run_load(struct comparison *c, struct trial *t, struct err *err)
{
    const struct session_options opt = comparison_options(c, c->tool.delegates.opened);
    const struct trial_terms terms = comparison_terms(c);
    enum status st = trial_open(t, c->tool.model, c->reference.session, &opt, &terms, 1, false, err);

    st = st ? st : recording_play(&c->recording, 0, c->reference.session, err);
    return st ? st : trial_run(t, 1, err);
}

static size_t outputs_bytes(const struct session *s)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < session_n_outputs(s); i++)
        bytes += session_output(s, i) ? session_output(s, i)->bytes : 0;
    return bytes;
}

/* One behind the other; true if they are those of `first` (NULL: there are none yet). */
static bool note_outputs(const struct session *s, char *to, const char *first)
{
    size_t at = 0;

    for (uint32_t i = 0; i < session_n_outputs(s); i++) {
        const struct tensor *t = session_output(s, i);

        if (t && t->bytes)
            memcpy(to + at, t->data, t->bytes);
        at += t ? t->bytes : 0;
    }
    return !first || !memcmp(to, first, at);
}

enum status diff_loads_run(struct comparison *c, struct err *err)
{
    struct loads *l = &c->loads;
    char *first = NULL, *now = NULL;
    size_t bytes = 0;
    enum status st = ST_OK;

    for (; !st && l->n < (uint32_t)c->flags.repeat_loads && c->recording.n && !interrupted(); l->n++) {
        struct trial t = {0};

        if (!(st = run_load(c, &t, err))) {
            const size_t have = outputs_bytes(t.session);

            if (!(now = malloc(have + 1)))
                st = err_set(err, ST_NOMEM, "out of memory for outputs");
            else if (have != bytes && first)
                l->different++;
            else
                l->different += !note_outputs(t.session, now, first);
            bytes = first ? bytes : have;
            if (!first)
                first = now;
            else
                free(now);
        }
        trial_free(&t);
    }
    free(first);
    if (l->different)
        c->test.verdict.passed = false;
    return st ? err_prefix(err, st, "--repeat_loads") : ST_OK;
}
