/* SPDX-License-Identifier: Apache-2.0 */
/* session_profile.c - a run in which every step is timed. */
#include "lib/base/clock.h"
#include "lib/session/session_impl.h"
#include "lib/session/variable_binding.h"

#include <stdlib.h>

enum status session_add_row(struct session *s, const struct profile_row *row, struct err *err)
{
    if (s->n_rows == s->max_rows) {
        size_t max = s->max_rows ? 2 * s->max_rows : 256;
        struct profile_row *rows = realloc(s->rows, max * sizeof *rows);

        if (!rows)
            return err_set(err, ST_NOMEM, "out of memory for %zu profile rows", max);
        s->rows = rows;
        s->max_rows = max;
    }
    s->rows[s->n_rows++] = *row;
    return ST_OK;
}

/* Step by step: what one handed over is in its time. */
static enum status run_step(struct session *s, struct step *step, struct err *err)
{
    enum status st = session_run_step(s, step, err);

    return st ? st : session_finish(s, err);
}

/* All of it as one piece: its delegate knows no smaller ones. */
static enum status time_partition(struct session *s, struct step *step, struct err *err)
{
    const uint64_t start = clock_ns();
    enum status st = run_step(s, step, err);
    const struct profile_row row = {.type = step->part->delegate->type->kernel,
                                    .detail = "the whole partition",
                                    .nodes = (const struct node *const *)step->part->nodes,
                                    .n_nodes = step->part->n_nodes,
                                    .partition = step->part_index,
                                    .delegate = step->part->delegate,
                                    .ns = clock_ns() - start,
                                    .timed = true};

    return st ? st : session_add_row(s, &row, err);
}

static enum status profile_partition(struct session *s, struct step *step, struct err *err)
{
    const struct delegate_timing *t;
    size_t n = 0;
    enum status st = variables_bind(s->runtime->resources, step, err);

    if (!st)
        st = step->kernel->ops->profile(step->kernel, &t, &n, &s->overhead, err);
    variables_commit(s->runtime->resources, step, !st);

    for (size_t i = 0; !st && i < n; i++)
        st = session_add_row(s,
                             &(struct profile_row){.type = t[i].kind,
                                                   .detail = t[i].label,
                                                   .why_copy = t[i].why_copy,
                                                   .nodes = t[i].nodes,
                                                   .n_nodes = t[i].n_nodes,
                                                   .tensor = t[i].tensor,
                                                   .border = t[i].border,
                                                   .partition = step->part_index,
                                                   .delegate = step->part->delegate,
                                                   .ns = t[i].ns,
                                                   .halves = t[i].halves,
                                                   .timed = t[i].timed},
                             err);
    return st;
}

static enum status profile_cpu(struct session *s, struct step *step, struct err *err)
{
    const uint64_t start = clock_ns();
    enum status st = run_step(s, step, err);
    struct profile_row row = {.type = step->call.node->name,
                              .nodes = (const struct node *const *)&step->call.node,
                              .n_nodes = 1,
                              .partition = -1,
                              .ns = clock_ns() - start,
                              .timed = true};

    return st ? st : session_add_row(s, &row, err);
}

enum status session_profile(struct session *s, const struct profile_row **rows, size_t *n, struct err *err)
{
    enum status st = session_begin_run(s, err);

    s->overhead = (struct delegate_overhead){0};
    s->n_rows = 0;
    s->profiled_parts = (int32_t)s->delegation.parts.n_parts;
    for (uint32_t i = 0, steps; !st && i < s->plan.n_steps; i += steps) {
        struct step *step = &s->plan.steps[i];

        if ((st = dynamic_run(s, i, true, &steps, err)) || steps)
            continue;
        steps = 1;
        st = !step->kernel                ? profile_cpu(s, step, err)
             : step->kernel->ops->profile ? profile_partition(s, step, err)
                                          : time_partition(s, step, err);
    }
    *rows = s->rows;
    *n = s->n_rows;
    return session_end_run(s, st, err);
}

struct delegate_overhead session_profile_overhead(const struct session *s)
{
    return s->overhead;
}
