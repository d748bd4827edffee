/* SPDX-License-Identifier: Apache-2.0 */
/* resource.h - what operators keep outside tensors: variables and lookup tables, by name.
 *
 * They belong to the outermost session and live until it is freed or reset. A RESOURCE tensor holds the number of one, as an int32;
 * numbers are given out in the order of first mention, from 0, and mean nothing outside the session. kernels_cpu/ops/variable.c and
 * hashtable.c are the users; subgraphs that a session calls share its resources (subgraph.h). */
#ifndef DELEGAUGE_RESOURCE_H
#define DELEGAUGE_RESOURCE_H

#include "tensor.h"

enum resource_kind { RESOURCE_VARIABLE, RESOURCE_TABLE };

/* One of them. Its content is a copy on the heap, so it outlives the run that stored it. */
struct resource {
    enum resource_kind kind;
    char *name;
    bool is_set;         /* a variable that has been assigned, a table that has been filled */
    struct tensor value; /* variables: the content, on the heap. Tables: the values, one per key */
    struct tensor keys;  /* tables: their keys */
};

struct resources;

/* Both accept NULL. reset forgets the content and keeps the numbers. */
void resources_free(struct resources *r);
void resources_reset(struct resources *r);

/* The number of the resource of that kind and name, made where there is none. *r is made where it is NULL. */
enum status resources_find(struct resources **r, enum resource_kind kind, const char *name, int32_t *id, struct err *err);

/* The resource with the number that `handle` (a RESOURCE tensor, or INT32) holds; ST_BAD_MODEL where there is no such thing of
 * that kind. */
enum status resources_get(struct resources *r, enum resource_kind kind, const struct tensor *handle, struct resource **out,
                          struct err *err);

/* Replaces dst's type, shape and content by a copy of src's. After ST_NOMEM dst has no content. */
enum status resource_store(struct tensor *dst, const struct tensor *src, struct err *err);

#endif
