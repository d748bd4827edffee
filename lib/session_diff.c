/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff.c - adding up run after run. */
#include "session_diff.h"

#include <assert.h>

#include "hash64.h"

enum status session_diff_init(struct session_diff *d, struct session *reference, struct session *test, uint32_t max_runs,
                              struct err *err)
{
    uint32_t n = session_n_outputs(reference);

    *d = (struct session_diff){.reference = reference, .test = test, .max_runs = max_runs};
    if (!(d->outputs = ARENA_ARRAY(&d->arena, n, struct output_diff)))
        return err_set(err, ST_NOMEM, "out of memory for %u outputs", n);
    for (; d->n_outputs < n; d->n_outputs++) {
        struct output_diff *out = &d->outputs[d->n_outputs];

        out->is_quantized = session_output(reference, d->n_outputs)->quant.n > 0;
        if (!(out->run_error = ARENA_ARRAY(&d->arena, max_runs, double)))
            return err_set(err, ST_NOMEM, "out of memory for the errors of %u runs", max_runs);
    }
    return ST_OK;
}

void session_diff_free(struct session_diff *d)
{
    arena_free(&d->arena);
    *d = (struct session_diff){0};
}

enum status session_diff_copy_inputs(struct session_diff *d, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < session_n_inputs(d->reference) && !st; i++) {
        const struct tensor *t = session_input(d->reference, i);

        st = session_set_input(d->test, i, t->data, t->bytes, err);
    }
    return st;
}

void session_diff_allow(struct session_diff *d, uint32_t i, const struct tolerance *allowed)
{
    d->outputs[i].raw.allowed = d->outputs[i].first.allowed = *allowed;
}

void session_diff_add_first(struct session_diff *d)
{
    for (uint32_t i = 0; i < d->n_outputs; i++)
        diff_add(&d->outputs[i].first, session_output(d->reference, i), session_output(d->test, i), false);
}

static void note_change(struct output_diff *out, const struct tensor *reference, const struct tensor *test, bool first)
{
    const uint64_t now[2] = {hash64(reference->data, reference->bytes), hash64(test->data, test->bytes)};

    if (!first && now[0] != out->last[0]) {
        out->changed++;
        out->stale += now[1] == out->last[1];
    }
    out->last[0] = now[0];
    out->last[1] = now[1];
}

void session_diff_add(struct session_diff *d)
{
    assert(d->runs < d->max_runs);
    for (uint32_t i = 0; i < d->n_outputs; i++) {
        const struct tensor *reference = session_output(d->reference, i), *test = session_output(d->test, i);
        struct output_diff *out = &d->outputs[i];

        out->run_error[d->runs] = diff_add(&out->raw, reference, test, false);
        if (out->is_quantized)
            diff_add(&out->real, reference, test, true);
        note_change(out, reference, test, d->runs == 0);
    }
    d->runs++;
}

enum status session_diff_finish(struct session_diff *d, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < d->n_outputs && !st; i++)
        st = stats_of(d->outputs[i].run_error, d->runs, &d->outputs[i].error, err);
    return st;
}

unsigned session_diff_failed_on(const struct session_diff *d)
{
    unsigned failed = 0;

    for (uint32_t i = 0; i < d->n_outputs; i++)
        failed |= diff_failed_on(&d->outputs[i].raw) | diff_failed_on(&d->outputs[i].first);
    return failed;
}
