/* SPDX-License-Identifier: Apache-2.0 */
/* fix_draft.c - tensors and operators added to a copy of a subgraph, and that copy as a model. */
#include <string.h>

#include "lib/rewrite/fix_impl.h"

/* Room for one more in an array of the draft; false where memory ran out. */
static bool grow(struct draft *d, void **array, uint32_t n, uint32_t *cap, size_t size)
{
    const uint32_t more = n ? 2 * n : 16;
    void *to;

    if (d->st || n < *cap)
        return !d->st;
    if (!(to = arena_alloc(d->a, more, size))) {
        d->st = ST_NOMEM;
        return false;
    }
    if (n)
        memcpy(to, *array, n * size);
    *array = to;
    *cap = more;
    return true;
}

static void find_neighbours(struct draft *d)
{
    const struct graph *g = d->g;

    d->maker = ARENA_ARRAY(d->a, g->n_tensors, const struct node *);
    d->readers = ARENA_ARRAY(d->a, g->n_tensors, uint32_t);
    if (!d->maker || !d->readers) {
        d->st = ST_NOMEM;
        return;
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];

        if (n->n_out == 1 && n->out[0])
            d->maker[n->out[0]->index] = n;
        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k])
                d->readers[n->in[k]->index]++;
    }
    for (uint32_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i])
            d->readers[g->outputs[i]->index]++;
}

void draft_init(struct draft *d, const struct graph *g, struct arena *a)
{
    const struct model *m = g->model;
    const struct model_subgraph *from = &m->subgraphs[g->subgraph];

    *d = (struct draft){.m = m, .g = g, .a = a, .n_tensors = from->n_tensors, .n_buffers = m->n_buffers, .n_opcodes = m->n_opcodes};
    d->tensors = ARENA_ARRAY(a, d->n_tensors, struct tensor);
    d->buffers = ARENA_ARRAY(a, d->n_buffers, struct model_buffer);
    d->opcodes = ARENA_ARRAY(a, d->n_opcodes, struct model_opcode);
    if (!d->tensors || !d->buffers || !d->opcodes) {
        d->st = ST_NOMEM;
        return;
    }
    memcpy(d->buffers, m->buffers, d->n_buffers * sizeof *d->buffers);
    memcpy(d->opcodes, m->opcodes, d->n_opcodes * sizeof *d->opcodes);
    for (uint32_t i = 0; i < d->n_tensors; i++) {
        const struct tensor *now = &g->tensors[i];
        struct tensor *t = &d->tensors[i];

        *t = from->tensors[i];
        t->signature = NULL;
        t->n_signature = 0;
        if (now->is_dynamic || now->type != t->type)
            continue;
        memcpy(t->dim, now->dim, sizeof t->dim);
        t->rank = now->rank;
        t->has_rank = true;
        t->bytes = now->bytes;
    }
    d->cap_tensors = d->n_tensors;
    d->cap_buffers = d->n_buffers;
    d->cap_opcodes = d->n_opcodes;
    find_neighbours(d);
}

/* ---- tensors ---- */

static int32_t add_tensor(struct draft *d, struct tensor t)
{
    if (!grow(d, (void **)&d->tensors, d->n_tensors, &d->cap_tensors, sizeof t))
        return 0;
    t.index = d->n_tensors;
    t.data = NULL;
    t.signature = NULL;
    t.n_signature = 0;
    t.has_rank = true;
    t.sparsity = NULL;
    t.is_variable = t.is_known = t.is_dynamic = false;
    t.capacity = 0;
    t.name = arena_printf(d->a, "%s/fix_%u", t.name, t.index);
    if (!t.name)
        d->st = ST_NOMEM;
    d->tensors[d->n_tensors] = t;
    return (int32_t)d->n_tensors++;
}

static void set_shape(struct draft *d, struct tensor *t, const int32_t *dim, int32_t rank)
{
    struct err ignored;

    if (tensor_set_shape(t, dim, rank, &ignored))
        d->st = ST_NOMEM; /* no rule asks for more elements than the file has */
}

int32_t draft_tensor(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank)
{
    struct tensor t = *like;

    set_shape(d, &t, dim, rank);
    t.is_const = false;
    t.buffer = 0;
    return add_tensor(d, t);
}

/* A buffer with a copy of the bytes; its index. */
static uint32_t add_buffer(struct draft *d, const void *data, size_t bytes)
{
    uint8_t *copy = arena_alloc(d->a, bytes, 1);

    if (!copy)
        d->st = ST_NOMEM;
    if (!grow(d, (void **)&d->buffers, d->n_buffers, &d->cap_buffers, sizeof *d->buffers))
        return 0;
    if (bytes)
        memcpy(copy, data, bytes);
    d->buffers[d->n_buffers] = (struct model_buffer){.data = copy, .bytes = bytes};
    return d->n_buffers++;
}

int32_t draft_const(struct draft *d, const struct tensor *like, const int32_t *dim, int32_t rank, const void *data)
{
    struct tensor t = *like;

    set_shape(d, &t, dim, rank);
    t.is_const = true;
    t.buffer = add_buffer(d, data, t.bytes);
    return add_tensor(d, t);
}

int32_t draft_ints(struct draft *d, const int32_t *v, uint32_t n)
{
    const struct tensor like = {.name = "ints", .type = TYPE_INT32};

    return draft_const(d, &like, (const int32_t[]){(int32_t)n}, 1, v);
}

int32_t draft_float(struct draft *d, float v)
{
    const struct tensor like = {.name = "number", .type = TYPE_FLOAT32};

    return draft_const(d, &like, (const int32_t[]){1}, 1, &v);
}

void draft_make_const(struct draft *d, const struct tensor *t)
{
    struct tensor *to = &d->tensors[t->index];

    to->is_const = true;
    to->buffer = add_buffer(d, t->data, t->bytes);
}

/* ---- operators ---- */

static uint32_t opcode_of(struct draft *d, int32_t builtin, int32_t version)
{
    for (uint32_t i = 0; i < d->n_opcodes; i++)
        if (d->opcodes[i].builtin == builtin && d->opcodes[i].version == version && builtin != BUILTIN_CUSTOM)
            return i;
    if (!grow(d, (void **)&d->opcodes, d->n_opcodes, &d->cap_opcodes, sizeof *d->opcodes))
        return 0;
    d->opcodes[d->n_opcodes] = (struct model_opcode){.builtin = builtin, .version = version};
    return d->n_opcodes++;
}

static void add_op(struct draft *d, struct model_op op)
{
    if (!grow(d, (void **)&d->ops, d->n_ops, &d->cap_ops, sizeof *d->ops))
        return;
    d->ops[d->n_ops++] = (struct draft_op){.op = op, .origin = d->origin, .edit = d->edit};
}

static const int32_t *copy_ints(struct draft *d, const int32_t *v, uint32_t n)
{
    int32_t *to = ARENA_ARRAY(d->a, n, int32_t);

    if (!to)
        d->st = ST_NOMEM;
    else if (n)
        memcpy(to, v, n * sizeof *v);
    return to;
}

void draft_op(struct draft *d, int32_t builtin, const void *opt, const int32_t *in, uint32_t n_in, const int32_t *out,
              uint32_t n_out)
{
    const enum options_kind kind = builtin_options(builtin);
    const struct options_table *table = options_table(kind);
    const struct tensor *x[DRAFT_MOST_OPERANDS], *y[DRAFT_MOST_OPERANDS];
    void *options = NULL;
    int32_t version;

    if (d->st || n_in > DRAFT_MOST_OPERANDS || n_out > DRAFT_MOST_OPERANDS)
        return;
    for (uint32_t i = 0; i < n_in; i++)
        x[i] = in[i] < 0 ? NULL : &d->tensors[in[i]];
    for (uint32_t i = 0; i < n_out; i++)
        y[i] = &d->tensors[out[i]];
    version = fix_version(builtin, opt, x, n_in, y, n_out);
    if (opt && table && table->size) {
        if (!(options = arena_alloc(d->a, table->size, 1))) {
            d->st = ST_NOMEM;
            return;
        }
        memcpy(options, opt, table->size);
    }
    add_op(d, (struct model_op){.opcode = opcode_of(d, builtin, version ? version : 1),
                                .inputs = copy_ints(d, in, n_in),
                                .outputs = copy_ints(d, out, n_out),
                                .n_inputs = n_in,
                                .n_outputs = n_out,
                                .options_kind = kind,
                                .options = options});
}

void draft_keep(struct draft *d, const struct node *n, int32_t version)
{
    struct model_op op = d->m->subgraphs[d->g->subgraph].ops[n->index];

    if (version)
        op.opcode = opcode_of(d, n->builtin, version);
    op.inputs = copy_ints(d, op.inputs, op.n_inputs); /* draft_tidy may lead them elsewhere */
    add_op(d, op);
}

int32_t draft_reshape(struct draft *d, int32_t x, const int32_t *dim, int32_t rank, int32_t y)
{
    struct opt_reshape opt = {.num_dimensions = rank};
    const struct tensor like = d->tensors[x];

    if (y < 0)
        y = draft_tensor(d, &like, dim, rank);
    memcpy(opt.shape, dim, (size_t)rank * sizeof *dim);
    draft_op(d, BUILTIN_RESHAPE, &opt, (const int32_t[]){x, draft_ints(d, dim, (uint32_t)rank)}, 2, &y, 1);
    return y;
}

int32_t draft_concat(struct draft *d, const int32_t *x, uint32_t n, int32_t axis, int32_t y, const int32_t *dim, int32_t rank)
{
    const struct opt_concatenation opt = {.axis = axis};
    const struct tensor like = d->tensors[x[0]];

    if (y < 0)
        y = draft_tensor(d, &like, dim, rank);
    draft_op(d, BUILTIN_CONCATENATION, &opt, x, n, &y, 1);
    return y;
}

int32_t draft_strided_slice(struct draft *d, int32_t x, const int32_t *begin, const int32_t *end, const int32_t *step, int32_t y,
                            const int32_t *dim, int32_t rank)
{
    const struct opt_strided_slice opt = {0};
    const struct tensor like = d->tensors[x];
    const uint32_t n = (uint32_t)rank;

    if (y < 0)
        y = draft_tensor(d, &like, dim, rank);
    draft_op(d, BUILTIN_STRIDED_SLICE, &opt,
             (const int32_t[]){x, draft_ints(d, begin, n), draft_ints(d, end, n), draft_ints(d, step, n)}, 4, &y, 1);
    return y;
}

int32_t draft_unary(struct draft *d, int32_t builtin, int32_t x, int32_t y)
{
    const struct tensor like = d->tensors[x];

    if (y < 0)
        y = draft_tensor(d, &like, like.dim, like.rank);
    draft_op(d, builtin, NULL, &x, 1, &y, 1);
    return y;
}

int32_t draft_binary(struct draft *d, int32_t builtin, int32_t x, int32_t x2, int32_t y)
{
    /* ADD, SUB, MUL and DIV begin alike. */
    const struct opt_add add = {.activation = ACT_NONE, .pot_scale_int16 = true};
    const struct opt_mul mul = {.activation = ACT_NONE};
    const struct tensor like = d->tensors[x].is_const ? d->tensors[x2] : d->tensors[x];

    if (y < 0)
        y = draft_tensor(d, &like, like.dim, like.rank);
    draft_op(d, builtin, builtin == BUILTIN_ADD || builtin == BUILTIN_SUB ? (const void *)&add : &mul, (const int32_t[]){x, x2}, 2,
             &y, 1);
    return y;
}
