/* SPDX-License-Identifier: Apache-2.0 */
/* resource.h - state of operators outside tensors: resource variables and hash tables, by name.
 *
 * The outermost session owns the resources and shares them with called subgraphs (subgraph.h); content lives until the session is
 * freed or reset. A RESOURCE tensor holds a resource's number, an int32: numbers count from 0 in the order of first use and are
 * valid in this session only. kernels_cpu/ops/variable.c and hashtable.c use this interface. */
#pragma once

#include "lib/tensor/tensor.h"

struct delegate;
struct opt_var_handle;

enum resource_kind { RESOURCE_VARIABLE, RESOURCE_TABLE };

/* A resource. Its content is a copy on the heap, which outlives the run that stored it. */
struct resource {
    enum resource_kind kind;
    char *name;
    bool is_set;         /* the variable was assigned, or the table filled */
    struct tensor value; /* variables: the content. Tables: the values, one per key */
    struct tensor keys;  /* tables: the keys */

    /* Variables: a buffer on a delegate's device. */
    struct delegate *device;
    uint32_t buffer; /* 0: none */
    size_t buffer_bytes;
    bool there, /* the buffer has the content */
        away;   /* only the buffer has the content: value.data is out of date */
};

struct resources;

/* Free all resources; drop the content of all resources and keep their numbers. Both accept NULL. */
void resources_free(struct resources *r);
void resources_reset(struct resources *r);

/* Store in *id the number of the resource of that kind and name, made if there is none. *r is made if it is NULL. Fails only with
 * ST_NOMEM. */
enum status resources_find(struct resources **r, enum resource_kind kind, const char *name, int32_t *id, struct err *err);

/* Store in *out the resource whose number `handle`, a RESOURCE or INT32 tensor, holds. Fails with ST_BAD_MODEL if there is none of
 * that kind. */
enum status resources_get(struct resources *r, enum resource_kind kind, const struct tensor *handle, struct resource **out,
                          struct err *err);

/* Return resource number `id`, which must come from resources_find. */
struct resource *resources_at(struct resources *r, int32_t id);

/* Write the variable's key, "container/name": variables of one name in different containers are different. Return false, with
 * `name` cut, if it is too long. */
#define RESOURCE_NAME_MAX 512
bool resource_variable_name(const struct opt_var_handle *variable, char name[RESOURCE_NAME_MAX]);

/* Check that the variable can be read as y. Fails with ST_BAD_MODEL unless it was assigned, has y's type and, if y is not dynamic,
 * y's shape, for which later nodes were planned. */
enum status resource_check_read(const struct resource *r, const struct tensor *y, struct err *err);

/* Give dst the type, quantization and shape of `like` and memory for its content, which is undefined unless dst had all these
 * before. Fails as resource_store does. */
enum status resource_make_room(struct tensor *dst, const struct tensor *like, struct err *err);

/* Copy the content of a variable from its buffer to host memory, unless it is there. Fails as delegate_ops.buffer_read does. */
enum status resource_fetch(struct resource *r, struct err *err);

/* Give the variable a buffer of the delegate d that holds r->value, and with `content` copy its content there. Fails as the
 * buffer functions of delegate_ops do. */
enum status resource_settle(struct resource *r, struct delegate *d, bool content, struct err *err);

/* Mark the variable as assigned: in its buffer if `away`, else in host memory. */
void resource_assigned(struct resource *r, bool away);

/* Replace dst's type, shape and content by a copy of src's. After ST_NOMEM dst has no content. */
enum status resource_store(struct tensor *dst, const struct tensor *src, struct err *err);
