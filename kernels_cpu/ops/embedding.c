/* SPDX-License-Identifier: Apache-2.0 */
/* embedding.c - EMBEDDING_LOOKUP: rows of a table.
 *
 * Tables of INT8, INT4 and INT2 give floats where the output is one: each row times its scale. */
#include <string.h>

#include "kernels_cpu/common/move.h"
#include "lib/session/session.h"

static enum status lookup_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK];
    const struct tensor *ids = n->in[0], *table = n->in[1];

    if (ids->rank != 1 || table->rank < 2)
        return err_set(err, ST_BAD_MODEL, "ids of rank %d, table of rank %d; expected 1 and at least 2", ids->rank, table->rank);
    memcpy(dim, table->dim, sizeof dim);
    dim[0] = ids->dim[0];
    return shape_set(n, 0, dim, table->rank, err);
}

/* The scales of a blockwise quantized table, [rows, row / block_size] of FLOAT16. */
static const struct tensor *block_scales(const struct cpu_call *c)
{
    const struct quant *q = &c->node->in[1]->quant;
    const struct graph *g = c->session ? session_graph(c->session) : NULL;

    return g && q->block_scales >= 0 && (uint32_t)q->block_scales < g->n_tensors ? &g->tensors[q->block_scales] : NULL;
}

static enum status check_blocks(struct cpu_call *c, struct err *err)
{
    const struct tensor *table = c->node->in[1], *scales = block_scales(c);
    size_t row = shape_count(table->dim, 1, table->rank), block = (size_t)table->quant.block_size;

    if (table->type != TYPE_INT4)
        return err_set(err, ST_UNSUPPORTED, "a table of %s with blockwise scales", type_name(table->type));
    if (!scales || scales->type != TYPE_FLOAT16 || !scales->is_known || !scales->data)
        return err_set(err, ST_UNSUPPORTED, "the scales of the blocks are not FLOAT16 constants");
    if (row % block || tensor_elems(scales) != (size_t)table->dim[0] * (row / block))
        return err_set(err, ST_BAD_MODEL, "%zu scales for %d rows of %zu in blocks of %zu", tensor_elems(scales), table->dim[0],
                       row, block);
    return ST_OK;
}

static bool is_low_bit(enum tensor_type t)
{
    return t == TYPE_INT8 || t == TYPE_UINT8 || t == TYPE_INT4 || t == TYPE_INT2;
}

static enum status lookup_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *ids = c->node->in[0], *table = c->node->in[1], *y = c->node->out[0];
    const struct quant *q = &table->quant;

    if (ids->type != TYPE_INT32)
        return cpu_bad_type(c->node, ids, err);
    if (table->type == y->type && !q->block_size)
        return move_same_type(c->node, table, y, err);
    if (!is_low_bit(table->type))
        return cpu_bad_type(c->node, table, err);
    if (y->type != TYPE_FLOAT32 && y->type != TYPE_FLOAT16)
        return cpu_bad_type(c->node, y, err);
    if (q->block_size)
        return check_blocks(c, err);
    if (q->n < 1 || (q->n > 1 && (q->dim != 0 || q->n != (uint32_t)table->dim[0])))
        return err_set(err, ST_BAD_MODEL, "%u scales along dimension %d for a table of %d rows", q->n, q->dim, table->dim[0]);
    for (uint32_t i = 0; i < q->n && q->zero_point; i++)
        if (q->zero_point[i])
            return err_set(err, ST_BAD_MODEL, "zero point %lld, a table of numbers must have 0", (long long)q->zero_point[i]);
    return ST_OK;
}

/* Element i of a table of 2, 4 or 8 bits. TFLite reads UINT8 tables as INT8. */
static int32_t low_bit(const struct tensor *t, size_t i)
{
    uint32_t bits = type_bits(t->type), per_byte = 8 / bits;
    uint32_t byte = ((const uint8_t *)t->data)[i / per_byte];

    return (int32_t)(byte << (32 - bits - i % per_byte * bits)) >> (32 - bits);
}

/* Row `id` of the table times its scales becomes row i of y. */
static void scaled_row(const struct tensor *table, const struct tensor *scales, struct tensor *y, size_t id, size_t i)
{
    const struct quant *q = &table->quant;
    size_t n = shape_count(table->dim, 1, table->rank), block = scales ? (size_t)q->block_size : n;

    for (size_t k = 0; k < n; k++) {
        float scale = scales ? half_to_float(((const uint16_t *)scales->data)[id * (n / block) + k / block])
                             : q->scale[q->n > 1 ? id : 0];
        float v = (float)low_bit(table, id * n + k) * scale;

        if (y->type == TYPE_FLOAT32)
            ((float *)y->data)[i * n + k] = v;
        else
            ((uint16_t *)y->data)[i * n + k] = half_from_float(v);
    }
}

static enum status lookup_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *ids = c->node->in[0], *table = c->node->in[1];
    const struct tensor *scales = table->quant.block_size ? block_scales(c) : NULL;
    struct tensor *y = c->node->out[0];
    size_t row = shape_count(table->dim, 1, table->rank);

    for (int32_t i = 0; i < ids->dim[0]; i++) {
        int64_t id = tensor_int(ids, (size_t)i);
        struct move m = {.dst0 = (ptrdiff_t)((size_t)i * row)};

        if (id < 0 || id >= table->dim[0])
            return err_set(err, ST_FAILED, "id %d is %lld, the table has %d rows", i, (long long)id, table->dim[0]);
        if (table->type != y->type) {
            scaled_row(table, scales, y, (size_t)id, (size_t)i);
            continue;
        }
        m.src0 = (ptrdiff_t)((size_t)id * row);
        move_dim(&m, row, 1, 1);
        move_run(&m, type_bits(y->type), y->data, table->data, c->threads);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_embedding_lookup = {
    .arity = {2, 2, 1}, .shape = lookup_shape, .prepare = lookup_prepare, .run = lookup_run};
