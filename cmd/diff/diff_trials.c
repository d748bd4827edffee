/* SPDX-License-Identifier: Apache-2.0 */
/* diff_trials.c - what the command line says about test sides, and further trials over the runs of the reference. */
#include "cmd/diff/inference_diff.h"
#include "cmd/host/interrupt.h"

struct session_options comparison_options(const struct comparison *c, struct delegate *d)
{
    const struct delegates *ds = &c->tool.delegates;
    struct session_options opt = {.num_threads = c->flags.num_threads,
                                  .mode = c->flags.cpu_kernels,
                                  .partition = partition_flags_options(&c->flags.partition),
                                  .delegates = {d},
                                  .keep_intermediates = c->flags.per_op || c->tensors.dir,
                                  .subgraph = c->tool.subgraph,
                                  .go_on = interrupt_go_on};

    for (uint32_t i = 1; d && d == ds->all[0] && ds->all[i]; i++)
        opt.delegates[i] = ds->all[i];
    return opt;
}

enum status comparison_try(struct comparison *c, const struct session_options *opt, int times, struct trial *t, struct err *err)
{
    const struct trial_terms terms = comparison_terms(c);
    enum status st = trial_open(t, c->tool.model, c->reference.session, opt, &terms, c->recording.n, false, err);

    for (uint32_t run = 0; run < c->recording.n && !st && !interrupted(); run++)
        if (!(st = recording_play(&c->recording, run, c->reference.session, err)))
            st = trial_run(t, times, err);
    if (st == ST_LATER) /* Ctrl-C within a loop of the model */
        st = ST_OK;
    return st ? st : trial_finish(t, err);
}
