/* SPDX-License-Identifier: Apache-2.0 */
/* case_run.c - runs one model; outputs are poisoned first, so that elements that no kernel writes show. */
#include "bench/opcheck/case_run.h"
#include "lib/base/clock.h"

#include <stdlib.h>
#include <string.h>

static enum status set_inputs(struct session *s, const struct case_model *m, struct err *err)
{
    if (session_n_inputs(s) != m->n_inputs)
        return err_set(err, ST_FAILED, "the session has %u inputs, the case %u", session_n_inputs(s), m->n_inputs);
    for (uint32_t i = 0; i < m->n_inputs; i++) {
        enum status st = session_set_input(s, i, m->input[i], m->input_bytes[i], err);

        if (st)
            return st;
    }
    return ST_OK;
}

/* An element that no kernel writes then differs from any golden value. */
static void poison_outputs(const struct session *s)
{
    for (uint32_t i = 0; i < session_n_outputs(s); i++) {
        const struct tensor *t = session_output(s, i);

        if (t->data && !t->is_const && !t->is_dynamic && !t->is_variable && t->type != TYPE_STRING)
            memset(t->data, 0xa5, t->bytes);
    }
}

static enum status inputs_unchanged(const struct session *s, const struct case_model *m, struct err *err)
{
    for (uint32_t i = 0; i < m->n_inputs; i++)
        if (m->input_bytes[i] && memcmp(session_input(s, i)->data, m->input[i], m->input_bytes[i]))
            return err_set(err, ST_FAILED, "the run has overwritten input %u", i);
    return ST_OK;
}

static enum status copy_outputs(const struct session *s, struct case_outputs *out, struct err *err)
{
    for (uint32_t i = 0; i < session_n_outputs(s) && i < CASE_OUTPUTS; i++) {
        const struct tensor *t = session_output(s, i);
        struct case_output *o = &out->out[i];

        *o = (struct case_output){.type = t->type, .rank = t->rank, .bytes = t->bytes};
        memcpy(o->dim, t->dim, sizeof o->dim);
        if (!(o->data = malloc(t->bytes + 1)))
            return err_set(err, ST_NOMEM, "output %u: out of memory for %zu bytes", i, t->bytes);
        out->n = i + 1;
        if (!t->bytes)
            continue;
        if (!t->data)
            return err_set(err, ST_FAILED, "output %u %s has no data", i, TENSOR_TEXT(t));
        memcpy(o->data, t->data, t->bytes);
    }
    return ST_OK;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static enum status time_runs(struct session *s, uint32_t n, uint64_t *ns, struct err *err)
{
    uint64_t *each = calloc(n, sizeof *each);
    enum status st = each ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %u times", n);

    for (uint32_t i = 0; !st && i < n; i++) {
        uint64_t start = clock_ns();

        st = session_run(s, err);
        each[i] = clock_ns() - start;
    }
    if (!st) {
        qsort(each, n, sizeof *each, by_size);
        *ns = each[n / 2];
    }
    free(each);
    return st;
}

/* True with *why filled where the delegate did not get the node. */
static bool is_refused(const struct session *s, struct reason *why)
{
    const struct partitioning *p = session_partitioning(s);

    if (p->n_delegated)
        return false;
    *why = p->reasons[0];
    if (why->code == REASON_NONE)
        reason_set(why, REASON_NONE, "computed once at plan time, all inputs being constant");
    return true;
}

enum status case_run(const struct case_model *m, uint32_t runs, const struct case_how *how, struct case_outputs *out,
                     struct reason *why, uint64_t *ns, struct err *err)
{
    struct session_options opt = {.num_threads = how->num_threads, .mode = how->mode, .delegates = {how->delegate}};
    struct session *s = NULL;
    enum status st;

    *out = (struct case_outputs){0};
    if ((st = session_new(m->model, &opt, &s, err)) || (st = session_prepare(s, err)))
        goto done;
    if ((how->delegate && is_refused(s, why)) || how->compile_only)
        goto done;
    poison_outputs(s);
    if ((st = set_inputs(s, m, err)))
        goto done;
    for (uint32_t i = 0; !st && i < (runs ? runs : 1); i++)
        st = session_run(s, err);
    if (!st && !(st = inputs_unchanged(s, m, err)))
        st = copy_outputs(s, out, err);
    if (!st && how->time_runs)
        st = time_runs(s, how->time_runs, ns, err);
done:
    session_free(s);
    return st;
}

void case_outputs_free(struct case_outputs *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        free(o->out[i].data);
    *o = (struct case_outputs){0};
}
