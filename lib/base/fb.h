/* SPDX-License-Identifier: Apache-2.0 */
/* fb.h - reading of untrusted flatbuffers.
 *
 * Every accessor checks the bytes that it reads: vtables, bounds of fields, vectors and strings, and two budgets, since shared
 * tables and vectors let a small file describe an endless tree. The first failure writes the message and is kept: from then on
 * accessors return empty values, so that the caller checks `st` once per table instead of after each field.
 *
 * Source of the format: flatbuffers' "Internals" page. A table begins with the distance to its vtable, which lists the offset of
 * each field in the table, 0 if absent; offsets to strings, vectors and tables point forward.
 *
 * Alignment is not required, as in TFLite: scalars are read by memcpy; arrays returned by pointer are copied into the arena if they
 * are not aligned. Little-endian machines only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

/* A reader. data is borrowed; accessors return pointers into it. */
struct fb {
    const uint8_t *data;
    size_t bytes;
    struct arena *arena;
    size_t tables_left; /* tables that may still be opened */
    size_t bytes_left;  /* bytes of tables, vectors and strings that may still be visited */
    enum status st;     /* status of the first failure */
    struct err *err;
};

/* A table, whose fields are looked up by id in its vtable. */
struct fb_table {
    size_t at, vtable;            /* offsets in the file; at == 0: no table */
    uint16_t bytes, vtable_bytes; /* lengths of both */
};

/* A vector in the file. */
struct fb_vector {
    const uint8_t *data; /* NULL if the field is absent */
    uint32_t n;
};

/* Begin to read data[bytes], with budgets that follow from `bytes`. `err` receives the first failure; copies go to `arena`. */
void fb_init(struct fb *f, const void *data, size_t bytes, struct arena *arena, struct err *err);

/* Record a failure, unless there was one before, of which later ones are consequences. Return f->st. */
enum status fb_fail(struct fb *f, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Insert "prefix: " before the message of a failure. Return f->st. */
enum status fb_prefix(struct fb *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Charge `bytes`, which the caller is about to read, to the budget. Return false, with a failure, if the budget is exceeded. */
bool fb_charge(struct fb *f, size_t bytes);

/* Allocate with arena_alloc in f->arena; NULL, with a failure ST_NOMEM, if out of memory. */
void *fb_alloc(struct fb *f, size_t n, size_t size);
#define FB_ARRAY(f, n, type) ((type *)fb_alloc((f), (n), sizeof(type)))

/* Return the root table. */
struct fb_table fb_root(struct fb *f);

/* Return field `id` of the table, or `fallback` (the schema's default) if it is absent. */
bool fb_bool(struct fb *f, const struct fb_table *t, unsigned id, bool fallback);
int8_t fb_i8(struct fb *f, const struct fb_table *t, unsigned id, int8_t fallback);
uint8_t fb_u8(struct fb *f, const struct fb_table *t, unsigned id, uint8_t fallback);
int32_t fb_i32(struct fb *f, const struct fb_table *t, unsigned id, int32_t fallback);
uint32_t fb_u32(struct fb *f, const struct fb_table *t, unsigned id, uint32_t fallback);
int64_t fb_i64(struct fb *f, const struct fb_table *t, unsigned id, int64_t fallback);
uint64_t fb_u64(struct fb *f, const struct fb_table *t, unsigned id, uint64_t fallback);
float fb_f32(struct fb *f, const struct fb_table *t, unsigned id, float fallback);

/* Return a string, vector or table field; `what` names it in messages. An absent field gives NULL, a vector without elements, or a
 * table with at == 0. */
const char *fb_string(struct fb *f, const struct fb_table *t, unsigned id, const char *what);
struct fb_vector fb_vector(struct fb *f, const struct fb_table *t, unsigned id, size_t size, const char *what);
struct fb_table fb_child(struct fb *f, const struct fb_table *t, unsigned id, const char *what);

/* Return a vector of tables. Fails if it is longer than tables_left, so that the caller may allocate by its length. */
struct fb_vector fb_tables(struct fb *f, const struct fb_table *t, unsigned id, const char *what);

/* Return element i < v->n of a vector of tables. */
struct fb_table fb_item(struct fb *f, const struct fb_vector *v, uint32_t i, const char *what);

/* Return a vector of `size`-byte numbers as an aligned array. */
const void *fb_array(struct fb *f, const struct fb_table *t, unsigned id, size_t size, uint32_t *n, const char *what);

/* Return a vector of bools; a byte other than 0 is true. */
const bool *fb_bools(struct fb *f, const struct fb_table *t, unsigned id, uint32_t *n, const char *what);
