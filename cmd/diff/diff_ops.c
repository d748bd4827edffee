/* SPDX-License-Identifier: Apache-2.0 */
/* diff_ops.c - --per_op: what is asked of the sessions, and when. */
#include "cmd/diff/inference_diff.h"
#include "cmd/host/interrupt.h"

bool diff_ops_wanted(const struct comparison *c)
{
    return c->flags.per_op && !c->second.model;
}

enum status diff_ops_open(struct comparison *c, struct err *err)
{
    const struct session_options opt = comparison_options(c, NULL);

    c->alone.stop = interrupted;
    return diff_ops_wanted(c) && c->test.delegate ? op_alone_open(&c->alone, c->reference.session, &opt, err) : ST_OK;
}

enum status diff_ops_add(struct comparison *c, struct err *err)
{
    enum status st = c->alone.session && !interrupted() ? op_alone_run(&c->alone, &c->test.ops, err) : ST_OK;

    return st ? err_prefix(err, st, "--per_op") : ST_OK;
}

/* Brings the reference to where it was after that run, all of its tensors. */
static enum status play(void *arg, uint32_t run, struct err *err)
{
    struct comparison *c = arg;
    enum status st = recording_play(&c->recording, run, c->reference.session, err);

    session_reset_variables(c->reference.session);
    return st ? st : session_run(c->reference.session, err);
}

enum status diff_ops_finish(struct comparison *c, struct err *err)
{
    struct op_diffs *o = &c->test.ops;
    enum status st = ST_OK;

    if (!diff_ops_wanted(c) || !c->test.diff.runs)
        return ST_OK;
    op_diffs_judge(o);
    if (c->alone.session && c->recording.n == c->test.diff.runs)
        st = op_alone_rank(&c->alone, o, play, c, err);
    if (!st && c->test.delegate && !interrupted())
        st = session_profile(c->test.session, &c->pieces, &c->n_pieces, err);
    if (st == ST_LATER)
        st = ST_OK;
    c->first_drift = op_diffs_first_drift(o, tolerances_atol(&c->tolerances));
    c->worst_op = op_diffs_worst(o);
    return st ? err_prefix(err, st, "--per_op") : ST_OK;
}

const struct profile_row *diff_ops_piece(const struct comparison *c, const struct node *node)
{
    for (size_t i = 0; i < c->n_pieces; i++)
        for (uint32_t k = 0; c->pieces[i].delegate && k < c->pieces[i].n_nodes; k++)
            if (c->pieces[i].nodes[k] == node)
                return &c->pieces[i];
    return NULL;
}
