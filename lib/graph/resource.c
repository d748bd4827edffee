/* SPDX-License-Identifier: Apache-2.0 */
/* resource.c - a list that is searched by name; a resource number is the place in it. */
#include "lib/graph/resource.h"

#include "lib/delegate/delegate.h"
#include "schema/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct resources {
    struct resource *list;
    int32_t n;
};

static void forget(struct resource *r)
{
    free(r->value.data);
    free(r->keys.data);
    r->value = r->keys = (struct tensor){0};
    r->is_set = r->there = r->away = false;
}

static void free_buffer(struct resource *r)
{
    if (r->buffer)
        r->device->ops->buffer_free(r->device, r->buffer);
    r->buffer = 0;
    r->is_set = r->is_set && !r->away; /* what was nowhere else is lost */
    r->there = r->away = false;
}

void resources_reset(struct resources *r)
{
    for (int32_t i = 0; r && i < r->n; i++)
        forget(&r->list[i]);
}

void resources_free(struct resources *r)
{
    if (!r)
        return;
    resources_reset(r);
    for (int32_t i = 0; i < r->n; i++) {
        free_buffer(&r->list[i]);
        free(r->list[i].name);
    }
    free(r->list);
    free(r);
}

enum status resources_find(struct resources **r, enum resource_kind kind, const char *name, int32_t *id, struct err *err)
{
    struct resource *list;
    char *copy;

    if (!*r && !(*r = calloc(1, sizeof **r)))
        return err_set(err, ST_NOMEM, "out of memory for a resource");
    for (*id = 0; *id < (*r)->n; ++*id)
        if ((*r)->list[*id].kind == kind && !strcmp((*r)->list[*id].name, name))
            return ST_OK;
    copy = strdup(name);
    list = copy ? realloc((*r)->list, ((size_t)(*r)->n + 1) * sizeof *list) : NULL;
    if (!list) {
        free(copy);
        return err_set(err, ST_NOMEM, "out of memory for a resource");
    }
    (*r)->list = list;
    list[(*r)->n++] = (struct resource){.kind = kind, .name = copy};
    return ST_OK;
}

enum status resources_get(struct resources *r, enum resource_kind kind, const struct tensor *handle, struct resource **out,
                          struct err *err)
{
    static const char *const what[] = {"variable", "table"};
    int64_t id;

    if ((handle->type != TYPE_RESOURCE && handle->type != TYPE_INT32) || handle->bytes < 4 || !handle->data)
        return err_set(err, ST_BAD_MODEL, "%s is not a resource", TENSOR_TEXT(handle));
    id = *(const int32_t *)handle->data;
    if (!r || id < 0 || id >= r->n || r->list[id].kind != kind)
        return err_set(err, ST_BAD_MODEL, "there is no %s number %lld", what[kind], (long long)id);
    *out = &r->list[id];
    return ST_OK;
}

struct resource *resources_at(struct resources *r, int32_t id)
{
    return &r->list[id];
}

bool resource_variable_name(const struct opt_var_handle *v, char name[RESOURCE_NAME_MAX])
{
    int n = snprintf(name, RESOURCE_NAME_MAX, "%s/%s", v->container ? v->container : "", v->shared_name ? v->shared_name : "");

    return n >= 0 && n < RESOURCE_NAME_MAX;
}

enum status resource_check_read(const struct resource *r, const struct tensor *y, struct err *err)
{
    if (!r->is_set)
        return err_set(err, ST_BAD_MODEL, "variable \"%s\" is read before anything is assigned to it", r->name);
    if (r->value.type != y->type)
        return err_set(err, ST_BAD_MODEL, "variable \"%s\" is %s, not %s", r->name, TENSOR_TEXT(&r->value), type_name(y->type));
    if (y->is_dynamic || (tensor_same_shape(&r->value, y) && r->value.bytes == y->bytes))
        return ST_OK;
    /* A resized input may have changed what is assigned. */
    return err_set(err, ST_BAD_MODEL, "variable \"%s\" is now %s; the file says %s wherever it is read or assigned", r->name,
                   TENSOR_TEXT(&r->value), TENSOR_TEXT(y));
}

enum status resource_make_room(struct tensor *dst, const struct tensor *like, struct err *err)
{
    enum status st;

    dst->type = like->type;
    dst->quant = like->quant;
    dst->bytes = like->bytes;
    st = tensor_set_shape(dst, like->dim, like->rank, err);
    return st ? st : tensor_reserve(dst, err);
}

enum status resource_store(struct tensor *dst, const struct tensor *src, struct err *err)
{
    enum status st = resource_make_room(dst, src, err);

    if (st)
        return st;
    if (src->bytes)
        memcpy(dst->data, src->data, src->bytes);
    return ST_OK;
}

enum status resource_fetch(struct resource *r, struct err *err)
{
    enum status st = r->away ? r->device->ops->buffer_read(r->device, r->buffer, r->value.data, r->value.bytes, err) : ST_OK;

    r->away = r->away && st;
    return st;
}

enum status resource_settle(struct resource *r, struct delegate *d, bool content, struct err *err)
{
    const size_t bytes = delegate_dense_bytes(&r->value);
    enum status st = ST_OK;

    if (r->buffer && (r->device != d || r->buffer_bytes < bytes)) {
        if (content && (st = resource_fetch(r, err)))
            return st;
        free_buffer(r);
    }
    if (!r->buffer) {
        if ((st = d->ops->buffer_new(d, bytes, &r->buffer, err)))
            return st;
        r->device = d;
        r->buffer_bytes = bytes;
    }
    if (!content || r->there)
        return ST_OK;
    st = d->ops->buffer_write(d, r->buffer, r->value.data, r->value.bytes, err);
    r->there = !st;
    return st;
}

void resource_assigned(struct resource *r, bool away)
{
    r->is_set = true;
    r->there = r->away = away;
}
