/* SPDX-License-Identifier: Apache-2.0 */
/* resource.h - the state that operators keep outside tensors: variables and lookup tables, by name.
 *
 * They belong to the outermost session and live until it is freed or reset. A RESOURCE tensor holds the number of one, as an int32;
 * numbers are given out in the order of first mention, from 0, and mean nothing outside the session. kernels_cpu/ops/variable.c and
 * hashtable.c are the users; subgraphs that a session calls share its resources (subgraph.h). */
#ifndef DELEGAUGE_RESOURCE_H
#define DELEGAUGE_RESOURCE_H

#include "lib/tensor/tensor.h"

struct delegate;
struct opt_var_handle;

enum resource_kind { RESOURCE_VARIABLE, RESOURCE_TABLE };

/* One of them. Its content is a copy on the heap, so it outlives the run that stored it. */
struct resource {
    enum resource_kind kind;
    char *name;
    bool is_set;         /* a variable that has been assigned, a table that has been filled */
    struct tensor value; /* variables: the content, on the heap. Tables: the values, one per key */
    struct tensor keys;  /* tables: their keys */

    /* Variables: a buffer on a delegate's device, 0: none. It has the content, or has it alone while value.data is old. */
    struct delegate *device;
    uint32_t buffer;
    size_t buffer_bytes;
    bool there, away;
};

struct resources;

/* Both accept NULL. reset forgets the content and keeps the numbers. */
void resources_free(struct resources *r);
void resources_reset(struct resources *r);

/* Write the number of the resource of that kind and name, which is made if there is none. *r is made if it is NULL. */
enum status resources_find(struct resources **r, enum resource_kind kind, const char *name, int32_t *id, struct err *err);

/* Write the resource with the number that `handle` (a RESOURCE tensor, or INT32) holds; ST_BAD_MODEL if there is none of that kind.
 */
enum status resources_get(struct resources *r, enum resource_kind kind, const struct tensor *handle, struct resource **out,
                          struct err *err);

/* Return resource number `id`, a number that resources_find has given out. */
struct resource *resources_at(struct resources *r, int32_t id);

/* Write "container/name" of a variable, by which it is found: variables of one name in different containers are different ones.
 * False, with `name` cut, if it is longer. */
#define RESOURCE_NAME_MAX 512
bool resource_variable_name(const struct opt_var_handle *variable, char name[RESOURCE_NAME_MAX]);

/* Check that the variable can be read as y: it has been assigned, has y's type and, unless y is dynamic, y's shape, for which the
 * nodes after it were planned. Else ST_BAD_MODEL. */
enum status resource_check_read(const struct resource *r, const struct tensor *y, struct err *err);

/* Give dst the type, quantization and shape of `like` and memory for its content, which is undefined unless dst had all these
 * before. Fails as resource_store does. */
enum status resource_make_room(struct tensor *dst, const struct tensor *like, struct err *err);

/* The content of a variable is in host memory, too, when it returns. Fails as buffers of the device do. */
enum status resource_fetch(struct resource *r, struct err *err);

/* It has a buffer of the delegate d, with its content if `content`; r->value has its shape. Fails likewise. */
enum status resource_settle(struct resource *r, struct delegate *d, bool content, struct err *err);

/* It was assigned, in host memory or `away`, in its buffer. */
void resource_assigned(struct resource *r, bool away);

/* Replace dst's type, shape and content by a copy of src's. After ST_NOMEM dst has no content. */
enum status resource_store(struct tensor *dst, const struct tensor *src, struct err *err);

#endif
