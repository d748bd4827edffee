/* SPDX-License-Identifier: Apache-2.0 */
/* recording.c - copies of inputs and outputs, and their restoration. */
#include "lib/compare/recording.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct recorded_tensor {
    int32_t dim[TENSOR_MAX_RANK];
    int32_t rank;
    size_t bytes;
    void *data; /* within the run's block; NULL where nothing is kept */
};

/* One block for all content of a run. */
struct recorded_run {
    struct recorded_tensor *tensors; /* inputs, then outputs */
    uint8_t *block;
};

static uint32_t n_tensors(const struct session *s)
{
    return session_n_inputs(s) + session_n_outputs(s);
}

/* Tensor i of inputs and outputs together. A constant among the outputs needs no copy and may not be written. */
static struct tensor *tensor_at(const struct session *s, uint32_t i)
{
    const struct graph *g = session_graph(s);
    struct tensor *t = i < g->n_inputs ? g->inputs[i] : g->outputs[i - g->n_inputs];

    return t && !t->is_const ? t : NULL;
}

static uint64_t bytes_of(const struct session *s)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < n_tensors(s); i++)
        bytes += tensor_at(s, i) ? tensor_at(s, i)->bytes : 0;
    return bytes;
}

static enum status make_room(struct recording *r, struct err *err)
{
    uint32_t capacity = r->capacity ? 2 * r->capacity : 8;
    struct recorded_run *runs;

    if (r->n < r->capacity)
        return ST_OK;
    if (!(runs = realloc(r->runs, capacity * sizeof *runs)))
        return err_set(err, ST_NOMEM, "out of memory for %u recorded runs", capacity);
    r->runs = runs;
    r->capacity = capacity;
    return ST_OK;
}

static void copy_tensors(struct recorded_run *run, const struct session *s)
{
    uint8_t *at = run->block;

    for (uint32_t i = 0; i < n_tensors(s); i++) {
        const struct tensor *t = tensor_at(s, i);
        struct recorded_tensor *to = &run->tensors[i];

        if (!t || (t->bytes && !t->data))
            continue;
        memcpy(to->dim, t->dim, sizeof to->dim);
        to->rank = t->rank;
        to->bytes = t->bytes;
        to->data = at;
        if (t->bytes)
            memcpy(at, t->data, t->bytes);
        at += t->bytes;
    }
}

enum status recording_add(struct recording *r, const struct session *s, struct err *err)
{
    uint64_t bytes = bytes_of(s);
    struct recorded_run run;
    enum status st;

    r->full = r->full || (r->max_bytes && bytes > r->max_bytes - r->bytes);
    if (r->full)
        return ST_OK;
    if ((st = make_room(r, err)))
        return st;
    run.tensors = calloc((size_t)n_tensors(s) + 1, sizeof *run.tensors);
    run.block = malloc(bytes + 1);
    if (!run.tensors || !run.block) {
        free(run.tensors);
        free(run.block);
        return err_set(err, ST_NOMEM, "out of memory for the %llu bytes of a recorded run", (unsigned long long)bytes);
    }
    copy_tensors(&run, s);
    r->runs[r->n++] = run;
    r->bytes += bytes;
    return ST_OK;
}

static enum status play_tensor(const struct recorded_tensor *from, struct tensor *t, struct err *err)
{
    enum status st = ST_OK;

    if (t->is_dynamic) {
        memcpy(t->dim, from->dim, sizeof t->dim);
        t->rank = from->rank;
        t->bytes = from->bytes;
        st = tensor_reserve(t, err);
    }
    assert(st || t->bytes == from->bytes);
    if (!st && from->bytes)
        memcpy(t->data, from->data, from->bytes);
    return st;
}

enum status recording_play(const struct recording *r, uint32_t run, struct session *s, struct err *err)
{
    enum status st = ST_OK;

    assert(run < r->n);
    for (uint32_t i = 0; i < n_tensors(s) && !st; i++) {
        struct tensor *t = tensor_at(s, i);

        if (t && r->runs[run].tensors[i].data)
            st = play_tensor(&r->runs[run].tensors[i], t, err);
    }
    return st;
}

void recording_free(struct recording *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        free(r->runs[i].tensors);
        free(r->runs[i].block);
    }
    free(r->runs);
    *r = (struct recording){0};
}
