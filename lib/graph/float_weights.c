/* SPDX-License-Identifier: Apache-2.0 */
/* float_weights.c - constants of few bits as the floats that they stand for. */
#include "lib/graph/float_weights.h"

#include <stdio.h>
#include <string.h>

struct float_weight {
    struct float_weight *next;
    struct tensor *now, was;
};

static bool is_product(const struct node *n)
{
    switch (n->builtin) {
    case BUILTIN_CONV_2D:
    case BUILTIN_DEPTHWISE_CONV_2D:
    case BUILTIN_TRANSPOSE_CONV:
    case BUILTIN_FULLY_CONNECTED:
    case BUILTIN_BATCH_MATMUL:
    case BUILTIN_SVDF:
    case BUILTIN_RNN:
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_RNN:
    case BUILTIN_BIDIRECTIONAL_SEQUENCE_RNN:
    case BUILTIN_LSTM:
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM:
    case BUILTIN_BIDIRECTIONAL_SEQUENCE_LSTM: return true;
    default: return false;
    }
}

static bool is_weight(const struct tensor *t)
{
    return t && t->is_const && t->data && (t->quant.n || t->quant.block_size > 0) &&
           (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT4 || t->type == TYPE_INT2);
}

bool node_is_hybrid(const struct node *n)
{
    bool floats = false, weights = false;

    for (uint32_t i = 0; i < n->n_in; i++) {
        floats |= n->in[i] && n->in[i]->type == TYPE_FLOAT32 && !n->in[i]->is_const;
        weights |= is_weight(n->in[i]);
    }
    return floats && weights && is_product(n) && n->n_out && n->out[0] && n->out[0]->type == TYPE_FLOAT32;
}

void node_name_once(char *list, size_t size, const struct node *node)
{
    const char *name = node->name;
    const size_t n = strlen(list), length = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || !at[length]))
            return;
    if (n + length + 3 < size)
        snprintf(list + n, size - n, "%s%s", n ? ", " : "", name);
}

/* Elements of fewer than 8 bits are packed, the lowest bits first. UINT8 has the bits of INT8 beside floats, as the first
 * converters wrote it. */
static int32_t element(const struct tensor *t, size_t i)
{
    const uint32_t bits = type_bits(t->type);
    const uint8_t byte = ((const uint8_t *)t->data)[i * bits / 8];

    return (int8_t)(uint8_t)((uint32_t)byte >> (i * bits % 8) << (8 - bits)) >> (8 - bits);
}

static void to_floats(const struct tensor *t, float *out, size_t n)
{
    const size_t inner = shape_count(t->dim, t->quant.dim + 1, t->rank);

    for (size_t i = 0; i < n; i++) {
        const size_t k = t->quant.n > 1 ? i / inner % t->quant.n : 0;
        const int64_t zero = t->quant.zero_point ? t->quant.zero_point[k] : 0;

        out[i] = t->quant.scale[k] * (float)((int64_t)element(t, i) - zero);
    }
}

/* Of blocks along the last dimension, one for each; NULL where g has none such. */
static const struct tensor *block_scales(const struct graph *g, const struct tensor *t)
{
    const struct quant *q = &t->quant;
    const size_t block = (size_t)q->block_size;
    const struct tensor *s = q->block_scales >= 0 && (uint32_t)q->block_scales < g->n_tensors ? &g->tensors[q->block_scales] : NULL;

    return s && s->is_const && s->data && (s->type == TYPE_FLOAT16 || s->type == TYPE_FLOAT32) && t->rank &&
                   (size_t)t->dim[t->rank - 1] % block == 0 && tensor_elems(s) == tensor_elems(t) / block &&
                   q->block_zero_points < 0
               ? s
               : NULL;
}

static void blocks_to_floats(const struct tensor *t, const struct tensor *scales, float *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t k = i / (size_t)t->quant.block_size;
        const float scale = scales->type == TYPE_FLOAT16 ? half_to_float(((const uint16_t *)scales->data)[k])
                                                         : ((const float *)scales->data)[k];

        out[i] = scale * (float)element(t, i);
    }
}

/* What reads a weight: nobody, hybrid nodes of the CPU alone, or others too. */
enum readers { READ_BY_NOBODY, READ_AS_WEIGHT, READ_OTHERWISE };

static void see_readers(const struct graph *g, const int32_t *part_of, uint8_t *readers)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        const bool otherwise = !n->folded && (!node_is_hybrid(n) || (part_of && part_of[i] >= 0));

        for (uint32_t k = 0; k < n->n_in && !n->folded; k++) {
            uint8_t *r = n->in[k] ? &readers[n->in[k] - g->tensors] : NULL;

            if (r)
                *r = otherwise || *r == READ_OTHERWISE ? READ_OTHERWISE : READ_AS_WEIGHT;
        }
    }
}

static bool can_be_floats(const struct graph *g, const struct tensor *t, enum readers r)
{
    return r == READ_AS_WEIGHT && is_weight(t) && !t->sparsity && !t->quant.n_axes &&
           (t->quant.block_size <= 0 || block_scales(g, t));
}

static enum status make_one(struct float_weights *f, const struct graph *g, struct tensor *t, struct err *err)
{
    const size_t n = tensor_elems(t);
    struct float_weight *w = ARENA_ARRAY(&f->arena, 1, struct float_weight);
    float *data = ARENA_ARRAY(&f->arena, n ? n : 1, float);

    if (!w || !data)
        return err_set(err, ST_NOMEM, "out of memory for %zu weights of \"%s\" as floats", n, t->name);
    *w = (struct float_weight){f->list, t, *t};
    f->list = w;
    if (t->quant.block_size > 0)
        blocks_to_floats(t, block_scales(g, t), data, n);
    else
        to_floats(t, data, n);
    t->type = TYPE_FLOAT32;
    t->data = data;
    t->bytes = n * sizeof *data;
    t->quant = (struct quant){0};
    return ST_OK;
}

enum status float_weights_make(struct float_weights *f, struct graph *g, const int32_t *part_of, struct err *err)
{
    uint8_t *readers;
    enum status st = ST_OK;

    float_weights_undo(f);
    if (!(readers = ARENA_ARRAY(&f->arena, (size_t)g->n_tensors + 1, uint8_t)))
        return err_set(err, ST_NOMEM, "out of memory for %u tensors", g->n_tensors);
    see_readers(g, part_of, readers); /* before any is changed: a node with one float weight is none that is hybrid */
    for (uint32_t i = 0; i < g->n_tensors && !st; i++)
        if (can_be_floats(g, &g->tensors[i], (enum readers)readers[i]))
            st = make_one(f, g, &g->tensors[i], err);
    return st;
}

void float_weights_undo(struct float_weights *f)
{
    for (struct float_weight *w = f->list; w; w = w->next)
        *w->now = w->was;
    f->list = NULL;
    arena_free(&f->arena);
}
