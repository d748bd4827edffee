/* SPDX-License-Identifier: Apache-2.0 */
/* float_weights.c - constants of few bits as the floats that they stand for. */
#include "float_weights.h"

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
    return t && t->is_const && t->data && t->quant.n &&
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
    size_t inner = 1;

    for (int32_t d = t->quant.dim + 1; d < t->rank; d++)
        inner *= (size_t)t->dim[d];
    for (size_t i = 0; i < n; i++) {
        const size_t k = t->quant.n > 1 ? i / inner % t->quant.n : 0;
        const int64_t zero = t->quant.zero_point ? t->quant.zero_point[k] : 0;

        out[i] = t->quant.scale[k] * (float)((int64_t)element(t, i) - zero);
    }
}

static bool reads(const struct node *n, const struct tensor *t)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] == t)
            return true;
    return false;
}

static bool can_be_floats(const struct graph *g, const int32_t *part_of, const struct tensor *t)
{
    bool read = false;

    if (!is_weight(t) || t->sparsity || t->quant.block_size > 0 || t->quant.n_axes)
        return false;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (g->nodes[i].folded || !reads(&g->nodes[i], t))
            continue;
        if (!node_is_hybrid(&g->nodes[i]) || (part_of && part_of[i] >= 0))
            return false;
        read = true;
    }
    return read;
}

static enum status make_one(struct float_weights *f, struct tensor *t, struct err *err)
{
    const size_t n = tensor_elems(t);
    struct float_weight *w = ARENA_ARRAY(&f->arena, 1, struct float_weight);
    float *data = ARENA_ARRAY(&f->arena, n ? n : 1, float);

    if (!w || !data)
        return err_set(err, ST_NOMEM, "out of memory for %zu weights of \"%s\" as floats", n, t->name);
    *w = (struct float_weight){f->list, t, *t};
    f->list = w;
    to_floats(t, data, n);
    t->type = TYPE_FLOAT32;
    t->data = data;
    t->bytes = n * sizeof *data;
    t->quant = (struct quant){0};
    return ST_OK;
}

enum status float_weights_make(struct float_weights *f, struct graph *g, const int32_t *part_of, struct err *err)
{
    bool *chosen;
    enum status st = ST_OK;

    float_weights_undo(f);
    if (!(chosen = ARENA_ARRAY(&f->arena, (size_t)g->n_tensors + 1, bool)))
        return err_set(err, ST_NOMEM, "out of memory for %u tensors", g->n_tensors);
    for (uint32_t i = 0; i < g->n_tensors; i++) /* before any is changed: a node with one float weight is none that is hybrid */
        chosen[i] = can_be_floats(g, part_of, &g->tensors[i]);
    for (uint32_t i = 0; i < g->n_tensors && !st; i++)
        if (chosen[i])
            st = make_one(f, &g->tensors[i], err);
    return st;
}

void float_weights_undo(struct float_weights *f)
{
    for (struct float_weight *w = f->list; w; w = w->next)
        *w->now = w->was;
    f->list = NULL;
    arena_free(&f->arena);
}
