/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - sums over nodes, transfers of partitions, and the verdict. */
#include "lib/coverage/cost.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/coverage/cost_impl.h"
#include "lib/delegate/op_work.h"

struct cost_terms cost_default_terms(void)
{
    return (struct cost_terms){
        .sync_us = COST_SYNC_US, .cross_gbytes = COST_CROSS_GBYTES, .cpu_gflops = COST_CPU_GFLOPS, .cpu_gbytes = COST_CPU_GBYTES};
}

void cost_terms_from_times(struct cost_terms *terms, const struct cost_times *times)
{
    if (!(times->cross_us > 0) || !(times->cross_bytes > 0))
        return;
    terms->cross_gbytes = times->cross_bytes / (1e3 * times->cross_us);
    terms->measured = true;
}

bool cost_node_bytes(const struct coverage *c, const struct verdict *v, uint64_t *bytes)
{
    const struct node *n = v->node;
    const struct op_work w = op_work_of(c->graphs[0], &n, 1);

    *bytes = w.bytes;
    return w.bytes_known;
}

static double measured(const double *us, const struct cost_times *t, uint32_t node)
{
    return t && us && node < t->n_nodes ? us[node] : NAN;
}

static double cpu_us_measured(const struct cost_times *t, uint32_t node)
{
    return t ? measured(t->cpu_us, t, node) : NAN;
}

/* What the CPU takes for a node: measured, or by its arithmetic and its bytes. */
static double cpu_us_of(const struct coverage *c, const struct verdict *v, const struct cost_terms *terms,
                        const struct cost_times *times, bool *all_measured)
{
    const double us = cpu_us_measured(times, v->node->index);
    uint64_t bytes = 0;

    if (!isnan(us))
        return us;
    *all_measured = false;
    cost_node_bytes(c, v, &bytes);
    return 2 * (double)v->macs / (1e3 * terms->cpu_gflops) + (double)bytes / (1e3 * terms->cpu_gbytes);
}

static void add(struct cost_share *s, double value, bool known, bool covered)
{
    s->unknown += !known;
    s->all += known ? value : 0;
    s->covered += known && covered ? value : 0;
}

static void add_shares(const struct coverage *c, const struct cost_times *times, struct cost *out)
{
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        double us = cpu_us_measured(times, v->node->index);
        uint64_t bytes = 0;
        bool known;

        if (v->node->folded)
            continue;
        known = cost_node_bytes(c, v, &bytes);
        if (isnan(us) && times)
            us = measured(times->device_us, times, v->node->index);
        add(&out->nodes, 1, true, v->covered);
        add(&out->macs, (double)v->macs, v->macs_known, v->covered);
        add(&out->bytes, (double)bytes, known, v->covered);
        if (times)
            add(&out->us, isnan(us) ? 0 : us, !isnan(us), v->covered);
    }
}

/* ---- what crosses ---- */

/* partition_users of the coverage's graph. */
struct users {
    const int32_t *makers, *readers;
};

static uint64_t add_side(const int32_t *users, int32_t part, struct tensor *const *list, uint32_t n, struct cost *out)
{
    uint64_t bytes = 0;
    bool boundary = false;

    for (uint32_t i = 0; i < n; i++) {
        const int32_t user = users[list[i]->index];

        bytes += list[i]->bytes;
        if (user == PARTITION_NOBODY || user == part)
            continue;
        boundary = true;
        out->inner_tensors++;
        out->inner_bytes += list[i]->bytes;
    }
    out->boundaries += boundary;
    return bytes;
}

static void add_part(const struct coverage *c, const struct users *u, uint32_t i, const struct cost_terms *terms, struct cost *out)
{
    const struct partition *p = &c->parts.parts[i];
    const uint64_t bytes = add_side(u->makers, (int32_t)i, p->inputs, p->n_inputs, out) +
                           add_side(u->readers, (int32_t)i, p->outputs, p->n_outputs, out);

    out->tensors_in += p->n_inputs;
    out->tensors_out += p->n_outputs;
    out->parts[i].cross_us = terms->sync_us + (double)bytes / (1e3 * terms->cross_gbytes);
    out->cross_us += out->parts[i].cross_us;
}

enum status cost_of(const struct coverage *c, const struct cost_terms *terms, const struct cost_times *times, struct arena *a,
                    struct cost *out, struct err *err)
{
    const struct users u = {.makers = partition_users(c->graphs[0], c->parts.part_of, false, a),
                            .readers = partition_users(c->graphs[0], c->parts.part_of, true, a)};

    *out = (struct cost){.n_parts = c->parts.n_parts, .cpu_measured = times != NULL};
    if (!u.makers || !u.readers || !(out->parts = ARENA_ARRAY(a, out->n_parts, struct cost_part)))
        return err_set(err, ST_NOMEM, "out of memory for the cost of %u partitions", out->n_parts);
    add_shares(c, times, out);
    for (uint32_t i = 0; i < out->n_parts; i++)
        add_part(c, &u, i, terms, out);
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        double us;

        if (!v->covered || v->partition < 0)
            continue;
        us = cpu_us_of(c, v, terms, times, &out->cpu_measured);
        out->parts[v->partition].cpu_us += us;
        out->cpu_us += us;
        us = times ? measured(times->device_us, times, v->node->index) : NAN;
        out->device_us += isnan(us) ? 0 : us;
    }
    out->verdict = !out->n_parts ? COST_NOTHING_DELEGATED : out->cpu_us > out->cross_us + out->device_us ? COST_PAYS : COST_LOSES;
    return cost_advise(c, terms, a, out, err);
}

/* ---- a device's own ---- */

enum { SMALL_BYTES = 64, LARGE_BYTES = 4 << 20, TRIES = 5 };

/* The least time of several in which `bytes` are written and read back. */
static enum status time_round_trip(struct delegate *d, uint8_t *data, size_t bytes, double *us, struct err *err)
{
    uint32_t id;
    enum status st = d->ops->buffer_new(d, bytes, &id, err);

    if (st)
        return st;
    *us = INFINITY;
    for (int i = 0; i <= TRIES && !st; i++) {
        const uint64_t began = clock_ns();

        if (!(st = d->ops->buffer_write(d, id, data, bytes, err)))
            st = d->ops->buffer_read(d, id, data, bytes, err);
        if (!st && i) /* the first one is not counted: the driver makes room */
            *us = fmin(*us, (double)(clock_ns() - began) / 1e3);
    }
    d->ops->buffer_free(d, id);
    return st;
}

enum status cost_measure(struct delegate *d, struct cost_terms *terms, struct err *err)
{
    double small, large;
    uint8_t *data;
    enum status st;

    if (!d->ops->buffer_new)
        return ST_OK;
    if (!(data = calloc(LARGE_BYTES, 1)))
        return err_set(err, ST_NOMEM, "out of memory for %d bytes to be timed", (int)LARGE_BYTES);
    if (!(st = time_round_trip(d, data, SMALL_BYTES, &small, err)) && !(st = time_round_trip(d, data, LARGE_BYTES, &large, err)) &&
        large > small) {
        terms->sync_us = small;
        terms->cross_gbytes = 2.0 * (LARGE_BYTES - SMALL_BYTES) / (1e3 * (large - small));
        terms->measured = true;
    }
    free(data);
    return st;
}
