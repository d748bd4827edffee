/* SPDX-License-Identifier: Apache-2.0 */
/* concurrency.c - the window in which all workers ran; Jain's index. */
#include "lib/measure/concurrency.h"

#include <math.h>

static enum status add_within(const struct worker_runs *w, uint64_t begin_ns, uint64_t end_ns, struct counted_runs *out,
                              struct err *err)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < w->n && !st; i++) {
        if (w->list[i].begin_ns < begin_ns || w->list[i].end_ns > end_ns)
            continue;
        st = samples_add(&out->samples, w->list[i].us, err);
        out->runs += (double)w->stride;
    }
    out->secs += (double)(end_ns - begin_ns) / 1e9;
    return st;
}

enum status concurrency_add(const struct worker_runs *w, size_t n, struct counted_runs *out, struct err *err)
{
    uint64_t begin_ns = 0, end_ns = UINT64_MAX;
    enum status st = ST_OK;

    for (size_t i = 0; i < n; i++) {
        if (!w[i].n)
            return ST_OK;
        if (w[i].list[0].begin_ns > begin_ns)
            begin_ns = w[i].list[0].begin_ns;
        if (w[i].list[w[i].n - 1].end_ns < end_ns)
            end_ns = w[i].list[w[i].n - 1].end_ns;
    }
    for (size_t i = 0; i < n && begin_ns < end_ns && !st; i++)
        st = add_within(&w[i], begin_ns, end_ns, &out[i], err);
    return st;
}

double concurrency_rate(const struct counted_runs *c)
{
    return c->runs > 0 && c->secs > 0 ? c->runs / c->secs : 0;
}

double jain_index(const double *x, size_t n)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    return squares > 0 ? sum * sum / ((double)n * squares) : NAN;
}
