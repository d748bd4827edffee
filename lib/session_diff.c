/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff.c - adding up run after run. */
#include "session_diff.h"

#include <assert.h>

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

void session_diff_add(struct session_diff *d)
{
    assert(d->runs < d->max_runs);
    for (uint32_t i = 0; i < d->n_outputs; i++) {
        const struct tensor *reference = session_output(d->reference, i), *test = session_output(d->test, i);
        struct output_diff *out = &d->outputs[i];

        out->run_error[d->runs] = diff_add(&out->raw, reference, test, false);
        if (out->is_quantized)
            diff_add(&out->real, reference, test, true);
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

bool session_diff_passed(const struct session_diff *d, double tolerance)
{
    for (uint32_t i = 0; i < d->n_outputs; i++)
        if (diff_exceeds(&d->outputs[i].raw, tolerance))
            return false;
    return true;
}
