/* SPDX-License-Identifier: Apache-2.0 */
/* name_diff.c - pairs of tensors by name, and their differences. */
#include "lib/compare/name_diff.h"

#include <math.h>
#include <string.h>

#include "lib/base/intern.h"
#include "lib/compare/op_diff.h"
#include "lib/tensor/element.h"
#include "lib/tensor/real_values.h"

/* No two of rank 4 fit one pair of shapes, unless all three dimensions are equal: then the shapes are, too. */
static const struct name_layout layouts[] = {
    {"NCHW", 4, {0, 3, 1, 2}},
    {"NHWC", 4, {0, 2, 3, 1}},
    {"NCW", 3, {0, 2, 1}},
};

/* Tensors that nodes make under one name: the first of each model. */
struct name {
    const struct tensor *made[2]; /* of the reference, of the test side */
    bool several;                 /* one model has more */
};

struct names {
    struct intern table;
    struct name *list;
    uint32_t n;
    struct arena arena;
};

static size_t count_made(const struct graph *g)
{
    size_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].n_out;
    return n;
}

static struct name *name_of(struct names *names, const struct tensor *t)
{
    const uint32_t number = intern(&names->table, t->name, strlen(t->name), names->n);

    names->n += number == names->n;
    return &names->list[number];
}

static void add_made(struct names *names, const struct tensor *t, int side)
{
    struct name *name = t ? name_of(names, t) : NULL;

    if (name && !name->made[side])
        name->made[side] = t;
    else if (name && name->made[side] != t)
        name->several = true;
}

static void add_graph(struct names *names, const struct graph *g, int side)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            add_made(names, g->nodes[i].out[k], side);
}

static bool same_but_for(const struct name_layout *l, const struct tensor *reference, const struct tensor *test)
{
    bool same = l->rank == reference->rank && l->rank == test->rank && type_bits(test->type);

    for (int32_t k = 0; same && k < l->rank; k++)
        same = reference->dim[k] == test->dim[l->axis[k]];
    return same;
}

const struct name_layout *name_layout_between(const struct tensor *reference, const struct tensor *test)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts && !tensor_same_shape(reference, test); i++)
        if (same_but_for(&layouts[i], reference, test))
            return &layouts[i];
    return NULL;
}

/* Whether the shapes are equal, or are so in the order of axes that is stored in *layout. */
static bool shapes_match(const struct tensor *reference, const struct tensor *test, const struct name_layout **layout)
{
    *layout = name_layout_between(reference, test);
    return *layout || tensor_same_shape(reference, test);
}

/* Shapes that the content decides are not known yet. */
static bool is_twin(struct name_diff *row)
{
    return real_comparable(row->reference, row->test) &&
           (shapes_match(row->reference, row->test, &row->layout) || row->reference->is_dynamic || row->test->is_dynamic);
}

static void add_node(struct name_diffs *o, struct names *names, const struct session *test, uint32_t node)
{
    const struct node *n = &session_graph(test)->nodes[node];

    for (uint32_t i = 0; i < n->n_out; i++) {
        struct name_diff row = {.node = n, .test = n->out[i]};
        const struct name *name;

        if (!n->out[i] || n->folded)
            continue;
        name = name_of(names, n->out[i]);
        if (*n->out[i]->name && op_diff_visible(session_partitioning(test), node, n->out[i]))
            row.reference = name->made[0];
        if (row.reference && !name->several && is_twin(&row)) {
            o->rows[o->n++] = row;
        } else {
            o->without++;
            o->same_names += row.reference && name->several;
        }
    }
}

/* Of a session, or else of made[n]. */
static enum status list_rows(struct name_diffs *o, struct names *names, const struct session *reference, const struct tensor *made,
                             uint32_t n, const struct session *test, struct err *err)
{
    const struct graph *g = session_graph(test);
    const size_t rows = count_made(g), all = (reference ? count_made(session_graph(reference)) : n) + rows;

    if (!(o->rows = ARENA_ARRAY(&o->arena, rows, struct name_diff)) ||
        !(names->list = ARENA_ARRAY(&names->arena, all, struct name)) || !intern_init(&names->table, &names->arena, all))
        return err_set(err, ST_NOMEM, "out of memory for comparing the names of %zu tensors", all);
    if (reference)
        add_graph(names, session_graph(reference), 0);
    for (uint32_t i = 0; i < n; i++)
        add_made(names, &made[i], 0);
    add_graph(names, g, 1);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        add_node(o, names, test, i);
    return ST_OK;
}

/* Where the reference's shape is decided while running, nothing is compared. */
static enum status make_room(struct name_diffs *o, struct err *err)
{
    size_t elems = 1, bytes = 1;

    for (const struct name_diff *row = o->rows; row < o->rows + o->n; row++) {
        const size_t n = row->reference->is_dynamic ? 0 : tensor_elems(row->reference), b = type_bytes(row->test->type, n);

        elems = n > elems ? n : elems;
        bytes = (row->layout || row->test->is_dynamic) && b > bytes ? b : bytes;
    }
    for (int k = 0; k < 2; k++)
        if (!(o->scratch[k] = ARENA_ARRAY(&o->arena, elems, float)))
            return err_set(err, ST_NOMEM, "out of memory for %zu real numbers", elems);
    if (!(o->turned = arena_alloc(&o->arena, bytes, 1)))
        return err_set(err, ST_NOMEM, "out of memory for a tensor of %zu bytes", bytes);
    return ST_OK;
}

static enum status init(struct name_diffs *o, const struct session *reference, const struct tensor *made, uint32_t n,
                        const struct session *test, struct err *err)
{
    struct names names = {.n = 0};
    enum status st;

    *o = (struct name_diffs){0};
    st = list_rows(o, &names, reference, made, n, test, err);
    arena_free(&names.arena);
    return st ? st : make_room(o, err);
}

enum status name_diffs_init(struct name_diffs *o, const struct session *reference, const struct session *test, struct err *err)
{
    return init(o, reference, NULL, 0, test, err);
}

enum status name_diffs_init_tensors(struct name_diffs *o, const struct tensor *made, uint32_t n, const struct session *test,
                                    struct err *err)
{
    return init(o, NULL, made, n, test, err);
}

void name_diffs_free(struct name_diffs *o)
{
    arena_free(&o->arena);
    *o = (struct name_diffs){0};
}

void name_diffs_allow(struct name_diffs *o, const struct session *reference, const struct tolerances *ts, enum precision p)
{
    for (struct name_diff *row = o->rows; row < o->rows + o->n; row++) {
        struct tensor t = *row->reference;

        if (!real_same_kind(row->reference, row->test))
            t.type = TYPE_FLOAT32;
        row->diff.allowed = tolerance_of(ts, session_graph(reference), &t, p);
    }
}

static void copy_element(const struct tensor *from, size_t i, const struct tensor *to, size_t k)
{
    const size_t bytes = type_bits(to->type) / 8;

    if (bytes)
        memcpy((char *)to->data + k * bytes, (const char *)from->data + i * bytes, bytes);
    else
        element_set_int(to, k, element_int(from, i));
}

void name_layout_turn(const struct name_layout *l, const struct tensor *from, const struct tensor *to)
{
    size_t stride[TENSOR_MAX_RANK], step = 1;

    for (int32_t k = from->rank - 1; k >= 0; k--) {
        stride[k] = step;
        step *= (size_t)from->dim[k];
    }
    for (size_t i = 0; i < tensor_elems(to); i++) {
        int32_t at[TENSOR_MAX_RANK];
        size_t source = 0;

        diff_index(to, i, at);
        for (int32_t k = 0; k < to->rank; k++)
            source += (size_t)at[k] * stride[l->axis[k]];
        copy_element(from, source, to, i);
    }
}

/* The test side's tensor in the shape of the reference. */
static struct tensor turn(const struct name_diffs *o, const struct name_diff *row)
{
    struct tensor to = *row->test;

    memcpy(to.dim, row->reference->dim, sizeof to.dim);
    to.data = o->turned;
    name_layout_turn(row->layout, row->test, &to);
    return to;
}

static void add_values(struct name_diffs *o, struct name_diff *row, const struct tensor *test)
{
    const struct tensor *from[2] = {row->reference, test};
    struct tensor real[2];
    size_t cut;

    if (real_same_kind(from[0], from[1])) {
        diff_add(&row->diff, from[0], from[1], false);
        return;
    }
    for (int k = 0; k < 2; k++) {
        real[k] = *from[k];
        real[k].type = TYPE_FLOAT32;
        real[k].quant = (struct quant){0};
        real[k].data = o->scratch[k];
        real[k].bytes = tensor_elems(from[k]) * sizeof(float);
        real_convert(from[k], &real[k], &cut, NULL);
    }
    diff_add(&row->diff, &real[0], &real[1], false);
}

static void add_row(struct name_diffs *o, struct name_diff *row)
{
    const struct tensor *reference = row->reference, *test = row->test;

    /* A shape that the content decides may be another one in each run. */
    if (reference->is_dynamic || !shapes_match(reference, test, &row->layout)) {
        row->skipped[NAME_DIFF_SHAPE]++;
    } else if (tensor_elems(reference) && (!reference->data || !test->data)) {
        row->skipped[NAME_DIFF_NO_DATA]++;
    } else if (row->layout) {
        const struct tensor turned = turn(o, row);

        add_values(o, row, &turned);
    } else {
        add_values(o, row, test);
    }
}

void name_diffs_add(struct name_diffs *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        add_row(o, &o->rows[i]);
}

uint32_t name_diffs_skipped(const struct name_diffs *o, enum name_diff_skip why)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < o->n; i++)
        n += o->rows[i].skipped[why] > 0;
    return n;
}

/* What is not finite on one side alone has no distance: nothing is farther. */
static double nearness(const struct name_diff *row)
{
    double db = diff_snr_db(&row->diff);

    return isnan(db) ? -INFINITY : db;
}

const struct name_diff *name_diffs_worst(const struct name_diffs *o)
{
    const struct name_diff *worst = NULL;

    for (uint32_t i = 0; i < o->n; i++)
        if ((o->rows[i].diff.different || o->rows[i].diff.unequal) && (!worst || nearness(&o->rows[i]) < nearness(worst)))
            worst = &o->rows[i];
    return worst;
}

const struct name_diff *name_diffs_first_off(const struct name_diffs *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (diff_failed_on(&o->rows[i].diff))
            return &o->rows[i];
    return NULL;
}

bool name_diff_dequantized(const struct name_diff *row)
{
    return !real_same_kind(row->reference, row->test) && (row->reference->quant.n || row->test->quant.n);
}

/* A tensor is right if a row says so, or if it is given. */
static void note_right(const struct name_diffs *o, const struct graph *g, bool *right)
{
    for (uint32_t i = 0; i < g->n_tensors; i++)
        right[i] = g->tensors[i].is_const;
    for (const struct name_diff *row = o->rows; row < o->rows + o->n; row++)
        right[row->test - g->tensors] = row->diff.comparisons && !diff_failed_on(&row->diff);
}

static bool makes_wanted(const struct graph *g, const struct node *n, const bool *wanted)
{
    bool any = false;

    for (uint32_t k = 0; k < n->n_out && !n->folded; k++)
        any |= n->out[k] && wanted[n->out[k] - g->tensors];
    return any;
}

enum status name_diffs_begins(const struct name_diffs *o, const struct name_diff *row, const struct session *test,
                              const struct node **nodes, uint32_t *n, struct err *err)
{
    const struct graph *g = session_graph(test);
    struct arena a = {0};
    bool *right = ARENA_ARRAY(&a, g->n_tensors, bool), *wanted = ARENA_ARRAY(&a, g->n_tensors, bool);
    uint32_t found = 0;

    *n = 0;
    if (!right || !wanted) {
        arena_free(&a);
        return err_set(err, ST_NOMEM, "out of memory for %u tensors", g->n_tensors);
    }
    note_right(o, g, right);
    wanted[row->test - g->tensors] = true;
    /* From the last to the first: all readers of a tensor are seen before its maker. */
    for (uint32_t i = g->n_nodes; i--;) {
        const struct node *node = &g->nodes[i];

        if (!makes_wanted(g, node, wanted))
            continue;
        nodes[found++] = node;
        for (uint32_t k = 0; k < node->n_in; k++)
            if (node->in[k] && !right[node->in[k] - g->tensors])
                wanted[node->in[k] - g->tensors] = true;
    }
    for (uint32_t i = 0; i < found / 2; i++) {
        const struct node *last = nodes[found - 1 - i];

        nodes[found - 1 - i] = nodes[i];
        nodes[i] = last;
    }
    *n = found;
    arena_free(&a);
    return ST_OK;
}
