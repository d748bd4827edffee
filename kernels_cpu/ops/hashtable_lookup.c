/* SPDX-License-Identifier: Apache-2.0 */
/* hashtable_lookup.c - HASHTABLE_LOOKUP: rows of a table by key; zeros, or an empty string, for a missing key. */
#include <string.h>

#include "kernels_cpu/common/move.h"
#include "kernels_cpu/common/strings.h"

/* Inputs: lookups[n], ascending keys[rows], table[rows, ...]. Outputs: the rows, and for each whether there was one. */
static enum status hashtable_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK];
    const struct tensor *lookups = n->in[0], *keys = n->in[1], *table = n->in[2];
    enum status st;

    if (lookups->rank != 1 || keys->rank != 1 || table->rank < 1 || table->dim[0] != keys->dim[0])
        return err_set(err, ST_BAD_MODEL, "lookups of rank %d, keys of rank %d, a table of rank %d, or key and row counts differ",
                       lookups->rank, keys->rank, table->rank);
    memcpy(dim, table->dim, sizeof dim);
    dim[0] = lookups->dim[0];
    if ((st = shape_set(n, 0, dim, table->rank, err)))
        return st;
    return shape_set(n, 1, dim, 1, err);
}

static enum status hashtable_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *table = c->node->in[2];

    c->scratch_bytes = (size_t)c->node->in[0]->dim[0] * sizeof(int32_t);
    if (table->type == TYPE_STRING && c->node->out[0]->type == TYPE_STRING && table->rank == 1)
        return ST_OK;
    if (!type_bits(table->type))
        return cpu_bad_type(c->node, table, err);
    if (shape_count(table->dim, 1, table->rank) * type_bits(table->type) % 8)
        return err_set(err, ST_UNSUPPORTED, "the rows of %s do not fill whole bytes", TENSOR_TEXT(table));
    return move_same_type(c->node, table, c->node->out[0], err);
}

/* The row of a key in an ascending list, or -1. */
static int32_t find_key(const struct tensor *keys, int64_t key)
{
    int32_t lo = 0, hi = keys->dim[0];

    while (lo < hi) {
        int32_t mid = lo + (hi - lo) / 2;
        int64_t k = tensor_int(keys, (size_t)mid);

        if (k == key)
            return mid;
        if (k < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return -1;
}

static enum status hashtable_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *lookups = c->node->in[0], *keys = c->node->in[1], *table = c->node->in[2];
    struct tensor *y = c->node->out[0], *hits = c->node->out[1];
    bool strings = table->type == TYPE_STRING;
    size_t bytes = table->dim[0] ? table->bytes / (size_t)table->dim[0] : 0;
    int32_t *pick = c->scratch;
    enum status st = strings ? strings_check(table, err) : ST_OK;

    if (st)
        return st;
    if (!strings && y->bytes)
        memset(y->data, 0, y->bytes);
    for (int32_t i = 0; i < lookups->dim[0]; i++) {
        int32_t row = find_key(keys, tensor_int(lookups, (size_t)i));

        ((uint8_t *)hits->data)[i] = row >= 0;
        pick[i] = row;
        if (!strings && row >= 0 && bytes)
            memcpy((uint8_t *)y->data + (size_t)i * bytes, (const uint8_t *)table->data + (size_t)row * bytes, bytes);
    }
    return strings ? strings_pick(c, 0, table, pick, err) : ST_OK;
}

const struct cpu_kernel cpu_hashtable_lookup = {.arity = {3, 3, 2},
                                                .shape = hashtable_shape,
                                                .in = {CPU_I32, CPU_I32},
                                                .out = {0, 1u << TYPE_UINT8},
                                                .prepare = hashtable_prepare,
                                                .run = hashtable_run};
