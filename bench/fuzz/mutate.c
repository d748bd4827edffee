/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.c - replaces a dimension by another in all places of equal size, so that matching dimensions still match. */
#include "bench/fuzz/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "schema/option_table.h"
#include "schema/schema.h"

#define MOST_CONSTANT (1u << 21) /* elements of one */

static uint64_t below(uint64_t *seed, uint64_t n)
{
    return splitmix_next(seed) % n;
}

/* Around powers of two, workgroups times their number, the largest images, whatever fits 32 bits. */
static int32_t draw_extent(uint64_t *seed)
{
    static const int32_t small[] = {1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 33, 64, 65, 100, 127, 255, 256},
                         large[] = {1000,    4096,    16383,   32768,    65535,    65536,     65537,
                                    70001,   131072,  262139,  262140,   262141,   300000,    524287,
                                    1048576, 4194305, 8388608, 33554432, 67108865, 134217728, 536870912};

    if (below(seed, 3))
        return small[below(seed, sizeof small / sizeof *small)];
    return large[below(seed, sizeof large / sizeof *large)];
}

static bool is_given(const struct case_tensor *t)
{
    return t->type == TYPE_NONE || t->fill == FILL_GIVEN || t->data || t->type == TYPE_STRING;
}

/* Every dimension `from` of the tensors whose bit is set becomes `to`. */
static void replace_extent(struct mutant *m, int32_t from, int32_t to, uint64_t tensors)
{
    for (size_t i = 0; i < CASE_INPUTS; i++)
        for (int32_t k = 0; k < m->c.in[i].rank; k++) {
            int32_t *d = m->c.in[i].constant || m->c.in[i].variable ? &m->c.in[i].dim[k] : &m->dim[i][k];

            if (!is_given(&m->c.in[i]) && *d == from && tensors >> i & 1)
                *d = to;
        }
}

/* Everything becomes small, so that what grows afterwards is the only large one and is not turned down for its bytes. */
static void shrink(struct mutant *m, uint64_t *seed)
{
    for (size_t i = 0; i < CASE_INPUTS; i++)
        for (int32_t k = 0; k < m->c.in[i].rank; k++) {
            int32_t d = m->c.in[i].constant ? m->c.in[i].dim[k] : m->dim[i][k];

            if (d > 5)
                replace_extent(m, d, 1 + (int32_t)below(seed, 5), UINT64_MAX);
        }
}

static void mutate_shapes(struct mutant *m, uint64_t *seed)
{
    uint32_t shaped[CASE_INPUTS], n = 0;

    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (m->c.in[i].type != TYPE_NONE && m->c.in[i].rank)
            shaped[n++] = i;
    if (!below(seed, 3))
        shrink(m, seed);
    for (uint64_t rounds = n ? below(seed, 4) : 0; rounds > 0; rounds--) {
        uint32_t i = shaped[below(seed, n)];
        uint64_t which = below(seed, 4) ? UINT64_MAX : 1ull << i;
        uint64_t k = below(seed, (uint64_t)m->c.in[i].rank);

        replace_extent(m, m->c.in[i].constant ? m->c.in[i].dim[k] : m->dim[i][k], draw_extent(seed), which);
    }
}

/* Content that belongs to the old shape becomes plain. False: too large to be stored. */
static bool settle_constants(struct mutant *m, const struct op_case *was)
{
    for (size_t i = 0; i < CASE_INPUTS; i++) {
        struct case_tensor *t = &m->c.in[i];
        uint64_t elems = 1;

        for (int32_t k = 0; k < t->rank; k++)
            if (__builtin_mul_overflow(elems, (uint64_t)t->dim[k], &elems))
                return false;
        if (t->type != TYPE_NONE && elems > MOST_CONSTANT)
            return false;
        if (t->scales && memcmp(t->dim, was->in[i].dim, sizeof t->dim) != 0) {
            t->scales = NULL;
            t->scale = 0.05f;
        }
    }
    return true;
}

static void draw_field(const struct field *f, void *member, uint64_t *seed)
{
    static const int32_t ints[] = {0, 1, 2, 3, 4, 5, -1, 7, 100, 1000, 65536};
    static const float reals[] = {0, 1, -1, 0.5f, 2, 1e-3f, 1e30f};
    int32_t i = ints[below(seed, sizeof ints / sizeof *ints)];
    float real = reals[below(seed, sizeof reals / sizeof *reals)];
    bool flag = below(seed, 2);

    switch (f->kind) {
    case FIELD_BOOL: memcpy(member, &flag, sizeof flag); break;
    case FIELD_ENUM:
    case FIELD_ENUM_WIDE: i = (int32_t)below(seed, f->max + 1u); /* fall through */
    case FIELD_I32: memcpy(member, &i, sizeof i); break;
    case FIELD_F32: memcpy(member, &real, sizeof real); break;
    default: break;
    }
}

static bool mutate_options(struct mutant *m, uint64_t *seed, struct arena *a)
{
    const struct options_table *t = options_table(builtin_options(m->ref.op->builtin));
    char *opt;

    if (!t || !t->size || below(seed, 3))
        return true;
    if (!(opt = arena_alloc(a, 1, t->size)))
        return false;
    if (m->c.opt)
        memcpy(opt, m->c.opt, t->size);
    m->c.opt = opt;
    for (uint64_t n = 1 + below(seed, 2); n > 0; n--) {
        const struct field *f = &t->fields[below(seed, t->n_fields)];

        draw_field(f, opt + f->offset, seed);
    }
    return true;
}

static void copy_case(struct mutant *m, const struct case_ref *of)
{
    *m = (struct mutant){.c = *of->c, .ref = *of};
    m->ref.c = &m->c;
    for (size_t i = 0; i < CASE_INPUTS; i++) {
        m->rank[i] = m->c.in[i].rank;
        memcpy(m->dim[i], m->c.in[i].dim, sizeof m->dim[i]);
    }
}

bool mutant_as_is(struct mutant *m, const struct case_ref *of, int32_t axes, struct arena *a)
{
    copy_case(m, of);
    return mutant_more_axes(m, axes, a);
}

bool mutant_make_extent(struct mutant *m, int32_t from, int32_t to)
{
    const struct op_case was = m->c;

    replace_extent(m, from, to, UINT64_MAX);
    return settle_constants(m, &was);
}

enum status mutant_init(struct mutant *m, const struct case_ref *of, uint64_t *seed, struct arena *a, struct err *err)
{
    copy_case(m, of);
    m->tail = below(seed, 3) ? 0 : 1 + (uint32_t)below(seed, 3);
    if (!mutate_rank(m, seed, a))
        return err_set(err, ST_NOMEM, "out of memory");
    mutate_shapes(m, seed);
    if (!settle_constants(m, of->c)) /* as it was, then */
        memcpy(m->c.in, of->c->in, sizeof m->c.in);
    return mutate_options(m, seed, a) ? ST_OK : err_set(err, ST_NOMEM, "out of memory");
}

void mutant_shape(const struct mutant *m, const struct case_model *of, uint32_t i, const int32_t **dim, int32_t *rank)
{
    *dim = m->dim[of->slot[i]];
    *rank = m->rank[of->slot[i]];
}

/* ---- the tail ---- */

/* With itself, or with a scalar. */
const struct case_tail case_tails[] = {
#define ONE(op)                                                                                                                    \
    {                                                                                                                              \
#op, BUILTIN_##op, false, false                                                                                            \
    }
#define BOTH(op)                                                                                                                   \
    {#op " scalar", BUILTIN_##op, true, false},                                                                                    \
    {                                                                                                                              \
#op " itself", BUILTIN_##op, false, true                                                                                   \
    }
    ONE(ABS),      ONE(NEG),      ONE(EXP),        ONE(LOG),        ONE(SQRT),       ONE(RSQRT),
    ONE(SIN),      ONE(COS),      ONE(TANH),       ONE(LOGISTIC),   ONE(RELU),       ONE(RELU6),
    ONE(ELU),      ONE(GELU),     ONE(HARD_SWISH), ONE(SQUARE),     ONE(FLOOR),      ONE(CEIL),
    ONE(ROUND),    ONE(SIGN),     BOTH(ADD),       BOTH(SUB),       BOTH(MUL),       BOTH(DIV),
    BOTH(MAXIMUM), BOTH(MINIMUM), BOTH(POW),       BOTH(FLOOR_DIV), BOTH(FLOOR_MOD), BOTH(SQUARED_DIFFERENCE),
#undef ONE
#undef BOTH
};
const size_t case_tails_n = sizeof case_tails / sizeof *case_tails;

/* A model with room for one more operator, two tensors and a buffer, everything else as in `of`. */
struct longer {
    struct model m;
    struct model_subgraph g;
    int32_t in[2], out[1];
};

static void *append(struct arena *a, const void *list, uint32_t n, uint32_t more, size_t size)
{
    char *all = arena_alloc(a, n + more, size);

    if (all && n)
        memcpy(all, list, n * size);
    return all;
}

static bool lengthen(struct longer *l, const struct model *of, uint64_t kind, struct arena *a)
{
    static const float real[] = {1.5f};
    static const int8_t integer[] = {3};
    uint32_t n = of->subgraphs[0].n_tensors;
    int32_t y = of->subgraphs[0].outputs[0];
    const struct tensor *before = &of->subgraphs[0].tensors[y];
    const void *scalar = before->type == TYPE_FLOAT32 ? (const void *)real : integer;
    const size_t bytes = before->type == TYPE_FLOAT32 ? sizeof real : sizeof integer;
    struct model_op *op;

    *l = (struct longer){.m = *of, .g = of->subgraphs[0]};
    l->g.tensors = append(a, l->g.tensors, n, 2, sizeof *l->g.tensors);
    l->g.ops = append(a, l->g.ops, l->g.n_ops, 1, sizeof *l->g.ops);
    l->m.opcodes = append(a, l->m.opcodes, l->m.n_opcodes, 1, sizeof *l->m.opcodes);
    l->m.buffers = append(a, l->m.buffers, l->m.n_buffers, 1, sizeof *l->m.buffers);
    if (!l->g.tensors || !l->g.ops || !l->m.opcodes || !l->m.buffers)
        return false;
    l->g.tensors[n] = (struct tensor){.name = "tail", .index = n, .type = before->type, .quant = before->quant};
    l->g.tensors[n + 1] = (struct tensor){.name = "scalar",
                                          .index = n + 1,
                                          .type = before->type,
                                          .quant = before->quant,
                                          .has_rank = true,
                                          .buffer = l->m.n_buffers,
                                          .data = (void *)scalar,
                                          .bytes = bytes,
                                          .is_const = true,
                                          .is_known = true};
    l->m.buffers[l->m.n_buffers++] = (struct model_buffer){.data = scalar, .bytes = bytes};
    l->m.opcodes[l->m.n_opcodes] = (struct model_opcode){case_tails[kind].op, NULL, 1, NULL};
    l->in[0] = y;
    l->in[1] = case_tails[kind].twice ? y : (int32_t)n + 1;
    l->out[0] = (int32_t)n;
    op = &l->g.ops[l->g.n_ops++];
    *op = (struct model_op){.opcode = l->m.n_opcodes++,
                            .inputs = l->in,
                            .outputs = l->out,
                            .n_outputs = 1,
                            .n_inputs = case_tails[kind].scalar || case_tails[kind].twice ? 2 : 1,
                            .options_kind = builtin_options(case_tails[kind].op)};
    l->g.n_tensors += 2;
    l->g.outputs = l->out;
    l->g.n_outputs = 1;
    l->m.subgraphs = &l->g;
    return true;
}

static bool is_quantized(const struct tensor *t)
{
    return (t->type == TYPE_INT8 || t->type == TYPE_UINT8) && t->quant.n == 1;
}

enum status case_lengthen(struct case_model *m, size_t tail, bool quantized, bool *done, struct err *err)
{
    const struct model_subgraph *g = &m->model->subgraphs[0];
    struct longer l;
    uint8_t *file;
    size_t bytes;
    enum status st;

    *done = g->n_outputs && (quantized ? is_quantized(&g->tensors[g->outputs[0]]) : g->tensors[g->outputs[0]].type == TYPE_FLOAT32);
    if (!*done)
        return ST_OK;
    if (!lengthen(&l, m->model, tail, &m->arena))
        return err_set(err, ST_NOMEM, "out of memory");
    if ((st = model_serialize(&l.m, &file, &bytes, err)))
        return st;
    model_close(m->model);
    free(m->file);
    m->model = NULL;
    m->file = file;
    m->file_bytes = bytes;
    return model_parse(file, bytes, "lengthened case", &m->model, err);
}

enum status mutant_model(const struct mutant *m, uint64_t *seed, struct case_model *out, struct err *err)
{
    enum status st = case_model_init(out, &m->ref, splitmix_next(seed), err);
    bool more = true;

    for (uint32_t i = 0; i < m->tail && !st && more; i++)
        st = case_lengthen(out, below(seed, case_tails_n), false, &more, err);
    return st;
}

enum status mutant_resize(const struct mutant *m, const struct case_model *cm, struct graph *g, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < cm->n_inputs && !st; i++) {
        const int32_t *dim;
        int32_t rank;

        mutant_shape(m, cm, i, &dim, &rank);
        st = graph_resize_input(g, i, dim, rank, err);
    }
    return st;
}
