/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.c - merging of dimensions and the walk over rows. */
#include "kernels_cpu/common/broadcast.h"

#include "kernels_cpu/common/broadcast_plain.h"
#include "kernels_cpu/common/move.h"

/* Fewest elements worth handing to another thread. */
#define GRAIN 16384

struct walk {
    uint32_t n_in;
    broadcast_row row;
    const void *arg;
    const char *x[BROADCAST_MAX_INPUTS];
    char *y;
    size_t x_bytes[BROADCAST_MAX_INPUTS], y_bytes; /* of one element */
    int rank;                                      /* at least 1 */
    size_t dim[TENSOR_MAX_RANK];                   /* outermost first */
    size_t step[TENSOR_MAX_RANK][BROADCAST_MAX_INPUTS];
    size_t joined; /* so many short rows run as one; 0: none */
};

/* Rows of a few elements (one value per channel) cost more to start than to compute. They are joined: an input that the rows share
 * is repeated in a buffer of up to JOINED_BYTES, if the copy serves at least JOINED_USES calls. */
#define JOINED_BYTES 4096
#define JOINED_USES  4
#define SHORT_ROW    256

struct joined {
    size_t from[BROADCAST_MAX_INPUTS]; /* the offset whose row is written out; SIZE_MAX: none yet */
    char data[BROADCAST_MAX_INPUTS][JOINED_BYTES] __attribute__((aligned(64)));
};

/* Return true if t, aligned at its last dimension with an output of that rank, has one value along the output's dimension d. */
static bool is_repeated(const struct tensor *t, int32_t rank, int32_t d)
{
    const int32_t own = d - (rank - t->rank);

    return own < 0 || t->dim[own] == 1;
}

/* Find the merged dimensions; until walk_strides, step holds 1 if an input advances and 0 if it repeats. */
static void walk_merge(struct walk *w, const struct node *n)
{
    const struct tensor *y = n->out[0];

    for (int32_t d = 0; d < y->rank; d++) {
        bool same = w->rank > 0;
        size_t moves[BROADCAST_MAX_INPUTS] = {0};

        if (y->dim[d] == 1)
            continue;
        for (uint32_t i = 0; i < w->n_in; i++) {
            moves[i] = !is_repeated(n->in[i], y->rank, d);
            same = same && w->step[w->rank - 1][i] == moves[i];
        }
        if (same) {
            w->dim[w->rank - 1] *= (size_t)y->dim[d];
            continue;
        }
        w->dim[w->rank] = (size_t)y->dim[d];
        for (uint32_t i = 0; i < w->n_in; i++)
            w->step[w->rank][i] = moves[i];
        w->rank++;
    }
    if (w->rank == 0) {
        w->rank = 1;
        w->dim[0] = 1;
        for (uint32_t i = 0; i < w->n_in; i++)
            w->step[0][i] = 1;
    }
}

static void walk_strides(struct walk *w)
{
    for (uint32_t i = 0; i < w->n_in; i++) {
        size_t stride = 1;

        for (int d = w->rank - 1; d >= 0; d--) {
            if (!w->step[d][i])
                continue;
            w->step[d][i] = stride;
            stride *= w->dim[d];
        }
    }
}

static void walk_join(struct walk *w)
{
    const int last = w->rank - 1;
    size_t widest = 1;

    if (last < 1 || w->dim[last] == 0 || w->dim[last] >= SHORT_ROW)
        return;
    for (uint32_t i = 0; i < w->n_in; i++) {
        if (w->step[last][i] != 1 || (w->step[last - 1][i] && w->step[last - 1][i] != w->dim[last]))
            return;
        widest = w->x_bytes[i] > widest ? w->x_bytes[i] : widest;
    }
    w->joined = JOINED_BYTES / (w->dim[last] * widest);
    if (w->joined > w->dim[last - 1] / JOINED_USES)
        w->joined = w->dim[last - 1] / JOINED_USES;
}

/* Splits output element `begin` into its coordinates and sets the inputs' element offsets. */
static void walk_seek(const struct walk *w, size_t begin, size_t *at, size_t *offset)
{
    for (uint32_t i = 0; i < w->n_in; i++)
        offset[i] = 0;
    for (int d = w->rank - 1; d >= 0; d--) {
        at[d] = begin % w->dim[d];
        begin /= w->dim[d];
        for (uint32_t i = 0; i < w->n_in; i++)
            offset[i] += at[d] * w->step[d][i];
    }
}

/* Moves on by n indices of dimension d, at most to its end. */
static void walk_advance(const struct walk *w, int d, size_t n, size_t *at, size_t *offset)
{
    at[d] += n;
    for (uint32_t i = 0; i < w->n_in; i++)
        offset[i] += n * w->step[d][i];
    while (d > 0 && at[d] == w->dim[d]) {
        at[d] = 0;
        at[d - 1]++;
        for (uint32_t i = 0; i < w->n_in; i++)
            offset[i] += w->step[d - 1][i] - w->dim[d] * w->step[d][i];
        d--;
    }
}

/* Return the number of whole rows that the next call can compute as one, at most elems / row length; 0 if they are not joined. */
static size_t rows_joined(const struct walk *w, const size_t *at, size_t elems)
{
    const int last = w->rank - 1;
    size_t rows = elems / w->dim[last];

    if (!w->joined || at[last])
        return 0;
    rows = rows < w->joined ? rows : w->joined;
    return rows < w->dim[last - 1] - at[last - 1] ? rows : w->dim[last - 1] - at[last - 1];
}

/* Points x at the inputs of joined rows. */
static void rows_inputs(const struct walk *w, const size_t *offset, struct joined *j, const void **x)
{
    const int last = w->rank - 1;

    for (uint32_t i = 0; i < w->n_in; i++) {
        const size_t bytes = w->dim[last] * w->x_bytes[i];

        x[i] = w->x[i] + offset[i] * w->x_bytes[i];
        if (w->step[last - 1][i])
            continue;
        if (j->from[i] != offset[i])
            move_fill(j->data[i], 0, w->joined, (uint32_t)bytes * 8, x[i]);
        j->from[i] = offset[i];
        x[i] = j->data[i];
    }
}

static void walk_piece(void *arg, size_t begin, size_t end)
{
    const struct walk *w = arg;
    const int last = w->rank - 1;
    size_t at[TENSOR_MAX_RANK], offset[BROADCAST_MAX_INPUTS];
    const void *x[BROADCAST_MAX_INPUTS];
    struct joined joined;

    for (uint32_t i = 0; i < w->n_in; i++)
        joined.from[i] = SIZE_MAX;
    walk_seek(w, begin, at, offset);
    while (begin < end) {
        const size_t rows = rows_joined(w, at, end - begin), rest = w->dim[last] - at[last];
        const size_t n = rows > 1 ? rows * w->dim[last] : rest < end - begin ? rest : end - begin;

        if (rows > 1)
            rows_inputs(w, offset, &joined, x);
        for (uint32_t i = 0; i < w->n_in && rows <= 1; i++)
            x[i] = w->x[i] + offset[i] * w->x_bytes[i];
        w->row(w->arg, w->y + begin * w->y_bytes, x, w->step[last], n);
        begin += n;
        walk_advance(w, rows > 1 ? last - 1 : last, rows > 1 ? rows : n, at, offset);
    }
}

static void run_merged(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg)
{
    const struct node *n = c->node;
    struct walk w = {.n_in = n_in, .row = row, .arg = arg, .y = n->out[0]->data, .y_bytes = type_bits(n->out[0]->type) / 8};

    for (uint32_t i = 0; i < n_in; i++) {
        w.x[i] = n->in[i]->data;
        w.x_bytes[i] = type_bits(n->in[i]->type) / 8;
    }
    walk_merge(&w, n);
    walk_strides(&w);
    walk_join(&w);
    threads_for(c->threads, tensor_elems(n->out[0]), GRAIN, walk_piece, &w);
}

void broadcast_run(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg)
{
    (c->mode == CPU_REFERENCE ? broadcast_run_plain : run_merged)(c, n_in, row, arg);
}

enum status broadcast_shape(struct node *n, struct err *err)
{
    const enum status st = shape_arity(n, 2, 2, 1, err);

    if (st)
        return st;
    n->out[0]->type = n->in[0]->type;
    return shape_binary(n, err);
}

enum status broadcast_plan(struct cpu_call *c, broadcast_row row, size_t bytes, struct err *err)
{
    const enum status st = cpu_pack(c, bytes, err);

    if (!st)
        ((struct broadcast_plan *)c->packed)->row = row;
    return st;
}

enum status broadcast_types(const struct node *n, enum tensor_type out, struct err *err)
{
    const enum tensor_type in = n->in[0]->type;

    if (n->in[1]->type != in)
        return err_set(err, ST_BAD_MODEL, "the inputs have types %s and %s", type_name(in), type_name(n->in[1]->type));
    if (out == TYPE_NONE)
        out = in;
    if (n->out[0]->type != out)
        return err_set(err, ST_BAD_MODEL, "the output has type %s, not %s", type_name(n->out[0]->type), type_name(out));
    return ST_OK;
}

enum status broadcast_plan_rows(struct cpu_call *c, const broadcast_row row[TYPE_COUNT], enum tensor_type out, struct err *err)
{
    const struct tensor *a = c->node->in[0];
    enum status st;

    if (!row[a->type])
        return cpu_bad_type(c->node, a, err);
    st = broadcast_types(c->node, out, err);
    return st ? st : broadcast_plan(c, row[a->type], sizeof(struct broadcast_plan), err);
}

enum status broadcast_plan_run(struct cpu_call *c, struct err *err)
{
    const struct broadcast_plan *p = c->packed;

    (void)err;
    broadcast_run(c, 2, p->row, p);
    return ST_OK;
}
