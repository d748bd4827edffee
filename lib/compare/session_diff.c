/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff.c - differences of outputs, added up run by run. */
#include "lib/compare/session_diff.h"

#include <assert.h>
#include <math.h>

#include "lib/base/hash64.h"
#include "lib/tensor/real_values.h"

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

static const struct tensor *test_output(const struct session_diff *d, uint32_t i)
{
    return session_output(d->test, d->pairs ? d->pairs->outputs[i] : i);
}

static enum status make_real(struct session_diff *d, struct tensor *real, const struct tensor *from, struct err *err)
{
    enum status st;

    *real = (struct tensor){.name = from->name, .index = from->index, .type = TYPE_FLOAT32};
    if ((st = tensor_set_shape(real, from->dim, from->rank, err)))
        return st;
    real->data = arena_alloc(&d->arena, real->bytes, 1);
    return real->data ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %zu real numbers", tensor_elems(from));
}

static enum status pair_output(struct session_diff *d, uint32_t i, struct err *err)
{
    const struct tensor *r = session_output(d->reference, i), *t = test_output(d, i);
    struct output_diff *out = &d->outputs[i];
    const bool fixed = !r->is_dynamic && !t->is_dynamic, same = real_same_kind(r, t);
    enum status st;

    if (fixed && !tensor_same_shape(r, t))
        return err_set(err, ST_USAGE, "output '%.100s' %s goes with '%.100s' %s of the reference model: other shapes", t->name,
                       TENSOR_TEXT(t), r->name, TENSOR_TEXT(r));
    if (!real_comparable(r, t) || (!same && !fixed))
        return err_set(err, ST_USAGE,
                       "output '%.100s' %s goes with '%.100s' %s of the reference model: these types are not compared", t->name,
                       TENSOR_TEXT(t), r->name, TENSOR_TEXT(r));
    if (same)
        return ST_OK;
    out->is_quantized = false;
    if ((st = make_real(d, &out->real_reference, r, err)))
        return st;
    return make_real(d, &out->real_test, t, err);
}

enum status session_diff_pair(struct session_diff *d, const struct model_pairs *pairs, struct err *err)
{
    enum status st = ST_OK;

    d->pairs = pairs;
    for (uint32_t i = 0; i < d->n_outputs && !st; i++)
        st = pair_output(d, i, err);
    return st;
}

static enum status convert_input(struct session_diff *d, const struct tensor *from, const struct tensor *to, struct err *err)
{
    size_t cut;
    enum status st = real_convert(from, to, &cut, err);

    d->inputs_cut += st ? 0 : cut;
    return st;
}

enum status session_diff_copy_inputs(struct session_diff *d, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < session_n_inputs(d->reference) && !st; i++) {
        const struct tensor *t = session_input(d->reference, i);
        const uint32_t k = d->pairs ? d->pairs->inputs[i] : i;

        if (d->pairs && !real_same_kind(t, session_input(d->test, k)))
            st = convert_input(d, t, session_input(d->test, k), err);
        else
            st = session_set_input(d->test, k, t->data, t->bytes, err);
    }
    return st;
}

/* What is compared of output i. */
struct compared {
    const struct tensor *reference, *test;
};

static struct compared compared(const struct session_diff *d, uint32_t i)
{
    struct compared c = {session_output(d->reference, i), test_output(d, i)};
    struct output_diff *out = &d->outputs[i];
    size_t cut;

    if (!out->real_test.data)
        return c;
    real_convert(c.reference, &out->real_reference, &cut, NULL);
    real_convert(c.test, &out->real_test, &cut, NULL);
    return (struct compared){&out->real_reference, &out->real_test};
}

void session_diff_allow(struct session_diff *d, uint32_t i, const struct tolerance *allowed)
{
    d->outputs[i].raw.allowed = d->outputs[i].first.allowed = *allowed;
}

void session_diff_add_first(struct session_diff *d)
{
    for (uint32_t i = 0; i < d->n_outputs; i++) {
        const struct compared c = compared(d, i);

        diff_add(&d->outputs[i].first, c.reference, c.test, false);
    }
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
        const struct compared c = compared(d, i);
        struct output_diff *out = &d->outputs[i];

        out->run_error[d->runs] = diff_add(&out->raw, c.reference, c.test, false);
        if (out->is_quantized)
            diff_add(&out->real, c.reference, c.test, true);
        note_change(out, c.reference, c.test, d->runs == 0);
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

static double off_by(const struct diff *d)
{
    return diff_relative_above(d, d->allowed.floor);
}

uint32_t session_diff_worst(const struct session_diff *d)
{
    uint32_t worst = 0;

    for (uint32_t i = 1; i < d->n_outputs; i++)
        if (off_by(&d->outputs[i].raw) > off_by(&d->outputs[worst].raw))
            worst = i;
    return worst;
}

unsigned session_diff_failed_on(const struct session_diff *d)
{
    unsigned failed = 0;

    for (uint32_t i = 0; i < d->n_outputs; i++)
        failed |= diff_failed_on(&d->outputs[i].raw) | diff_failed_on(&d->outputs[i].first);
    return failed;
}

double session_diff_max_abs(const struct session_diff *d)
{
    double worst = 0;

    for (uint32_t i = 0; i < d->n_outputs; i++) {
        const double e = diff_max_abs(&d->outputs[i].raw);

        if (isnan(e))
            return NAN;
        worst = fmax(worst, e);
    }
    return worst;
}
