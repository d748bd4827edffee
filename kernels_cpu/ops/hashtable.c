/* SPDX-License-Identifier: Apache-2.0 */
/* hashtable.c - HASHTABLE, HASHTABLE_IMPORT, HASHTABLE_FIND, HASHTABLE_SIZE: from INT64 to STRING or the other way.
 *
 * A table is filled once; later imports change nothing, since converters leave the initializer in the graph. Of equal keys the
 * first one counts. */
#include "kernels_cpu/common/strings.h"
#include "lib/session/subgraph.h"

#include <stdio.h>
#include <string.h>

static bool is_pair(enum tensor_type key, enum tensor_type value)
{
    return (key == TYPE_INT64 && value == TYPE_STRING) || (key == TYPE_STRING && value == TYPE_INT64);
}

static enum status check_pair(const struct tensor *keys, const struct tensor *values, struct err *err)
{
    enum status st;

    if (!is_pair(keys->type, values->type))
        return err_set(err, ST_UNSUPPORTED, "keys are %s, values %s, expected INT64 and STRING or STRING and INT64",
                       TENSOR_TEXT(keys), TENSOR_TEXT(values));
    if (keys->type == TYPE_STRING && (st = strings_check(keys, err)))
        return st;
    return values->type == TYPE_STRING ? strings_check(values, err) : ST_OK;
}

static enum status table_of(struct cpu_call *c, struct resource **out, struct err *err)
{
    return resources_get(*subgraph_resources(c), RESOURCE_TABLE, c->node->in[0], out, err);
}

/* Return the index of key i of `of` among the first n of `keys`, of the same type; n if it is missing. */
static size_t find(const struct tensor *of, size_t i, const struct tensor *keys, size_t n)
{
    size_t length, other;
    const char *text, *candidate;

    if (keys->type == TYPE_INT64) {
        for (size_t k = 0; k < n; k++)
            if (((const int64_t *)keys->data)[k] == ((const int64_t *)of->data)[i])
                return k;
        return n;
    }
    text = strings_get(of, i, &length);
    for (size_t k = 0; k < n; k++) {
        candidate = strings_get(keys, k, &other);
        if (other == length && !memcmp(candidate, text, length))
            return k;
    }
    return n;
}

/* ---- HASHTABLE ---- */

static enum status table_shape(struct node *n, struct err *err)
{
    return shape_set(n, 0, (int32_t[]){1}, 1, err);
}

static enum status table_run(struct cpu_call *c, struct err *err)
{
    const struct opt_hashtable *o = c->node->opt;
    char name[16];

    if (c->node->out[0]->type != TYPE_RESOURCE)
        return cpu_bad_type(c->node, c->node->out[0], err);
    if (!is_pair((enum tensor_type)o->key_dtype, (enum tensor_type)o->value_dtype))
        return err_set(err, ST_UNSUPPORTED, "a table from %s to %s", type_name((enum tensor_type)o->key_dtype),
                       type_name((enum tensor_type)o->value_dtype));
    snprintf(name, sizeof name, "%d", o->table_id);
    return resources_find(subgraph_resources(c), RESOURCE_TABLE, name, c->node->out[0]->data, err);
}

/* ---- HASHTABLE_IMPORT ---- */

static enum status import_shape(struct node *n, struct err *err)
{
    return shape_arity(n, 3, 3, 0, err);
}

static enum status import_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *keys = c->node->in[1], *values = c->node->in[2];
    struct resource *r;
    enum status st;

    if ((st = table_of(c, &r, err)) || r->is_set || (st = check_pair(keys, values, err)))
        return st;
    if (!tensor_same_shape(keys, values))
        return err_set(err, ST_BAD_MODEL, "keys are %s, values %s", TENSOR_TEXT(keys), TENSOR_TEXT(values));
    if ((st = resource_store(&r->keys, keys, err)) || (st = resource_store(&r->value, values, err)))
        return st;
    r->is_set = true;
    return ST_OK;
}

/* ---- HASHTABLE_FIND ---- */

static enum status find_shape(struct node *n, struct err *err)
{
    return shape_like(n, 0, n->in[1], err);
}

static enum status check_find(const struct node *n, const struct resource *r, struct err *err)
{
    const struct tensor *keys = n->in[1], *fallback = n->in[2];
    enum status st = check_pair(keys, fallback, err);

    if (st)
        return st;
    if (keys->type != r->keys.type || n->out[0]->type != r->value.type)
        return err_set(err, ST_BAD_MODEL, "%s looked up for %s in a table of %s", TENSOR_TEXT(keys), type_name(n->out[0]->type),
                       TENSOR_TEXT(&r->keys));
    return tensor_elems(fallback) == 1 ? ST_OK
                                       : err_set(err, ST_BAD_MODEL, "the default is %s, expected one", TENSOR_TEXT(fallback));
}

/* The string that key i leads to. */
static const char *found_string(const struct node *n, const struct resource *r, size_t i, size_t *length)
{
    size_t count = tensor_elems(&r->keys), at = find(n->in[1], i, &r->keys, count);

    return at < count ? strings_get(&r->value, at, length) : strings_get(n->in[2], 0, length);
}

static enum status find_strings(struct cpu_call *c, const struct resource *r, struct err *err)
{
    struct node *n = c->node;
    size_t count = tensor_elems(n->in[1]), head = (count + 2) * sizeof(int32_t), bytes = head, length;
    int32_t *offsets;
    enum status st;

    for (size_t i = 0; i < count; i++) {
        found_string(n, r, i, &length);
        bytes += length;
        if (bytes > INT32_MAX)
            return err_set(err, ST_NOMEM, "the strings found take more than 2 GiB");
    }
    if ((st = cpu_resize_output(c, 0, n->in[1]->dim, n->in[1]->rank, bytes, err)))
        return st;
    offsets = n->out[0]->data;
    offsets[0] = (int32_t)count;
    offsets[1] = (int32_t)head;
    for (size_t i = 0; i < count; i++) {
        const char *text = found_string(n, r, i, &length);

        memcpy((char *)n->out[0]->data + offsets[i + 1], text, length);
        offsets[i + 2] = offsets[i + 1] + (int32_t)length;
    }
    return ST_OK;
}

static enum status find_run(struct cpu_call *c, struct err *err)
{
    struct node *n = c->node;
    struct resource *r;
    size_t count;
    enum status st;

    if ((st = table_of(c, &r, err)))
        return st;
    if (!r->is_set)
        return err_set(err, ST_BAD_MODEL, "table %s is read before it is filled", r->name);
    if ((st = check_find(n, r, err)))
        return st;
    if (r->value.type == TYPE_STRING)
        return find_strings(c, r, err);
    count = tensor_elems(&r->keys);
    for (size_t i = 0; i < tensor_elems(n->in[1]); i++) {
        size_t at = find(n->in[1], i, &r->keys, count);

        ((int64_t *)n->out[0]->data)[i] = *(at < count ? (const int64_t *)r->value.data + at : (const int64_t *)n->in[2]->data);
    }
    return ST_OK;
}

/* ---- HASHTABLE_SIZE ---- */

static enum status size_run(struct cpu_call *c, struct err *err)
{
    struct resource *r;
    int64_t distinct = 0;
    enum status st = table_of(c, &r, err);

    if (st)
        return st;
    if (c->node->out[0]->type != TYPE_INT64)
        return cpu_bad_type(c->node, c->node->out[0], err);
    for (size_t i = 0; r->is_set && i < tensor_elems(&r->keys); i++)
        distinct += find(&r->keys, i, &r->keys, i) == i;
    *(int64_t *)c->node->out[0]->data = distinct;
    return ST_OK;
}

const struct cpu_kernel cpu_hashtable = {.arity = {0, 0, 1}, .shape = table_shape, .run = table_run, .stateful = true};
const struct cpu_kernel cpu_hashtable_import = {.shape = import_shape, .run = import_run, .stateful = true};
const struct cpu_kernel cpu_hashtable_find = {.arity = {3, 3, 1}, .shape = find_shape, .run = find_run, .stateful = true};
const struct cpu_kernel cpu_hashtable_size = {.arity = {1, 1, 1}, .shape = table_shape, .run = size_run, .stateful = true};
