/* SPDX-License-Identifier: Apache-2.0 */
/* fb.h - reading a flatbuffer that is not trusted.
 *
 * Every accessor checks the bytes that it touches: vtables, bounds of fields, vectors and strings, and two budgets, since tables
 * and vectors may be shared so that a small file describes an endless tree. The first failure writes the message and sticks: from
 * then on accessors give empty answers, and the caller looks at `st` once per table instead of after each field.
 *
 * Source of the format: flatbuffers' "Internals" page. A table begins with the distance to its vtable, which lists the place of
 * each field in the table, 0 for absent ones; strings, vectors and tables are reached by offsets that point forward.
 *
 * Alignment is not required, as in TFLite: scalars are read by memcpy, arrays handed out by pointer are copied into the arena if
 * they are not aligned. Little-endian machines only. */
#ifndef DELEGAUGE_FB_H
#define DELEGAUGE_FB_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

/* The file being read. data is borrowed, and so are the pointers into it that accessors return. */
struct fb {
    const uint8_t *data;
    size_t bytes;
    struct arena *arena;
    size_t tables_left; /* tables that may still be opened */
    size_t bytes_left;  /* bytes of tables, vectors and strings that may still be visited */
    enum status st;     /* status of the first failure */
    struct err *err;
};

/* A table: its place and its length; its fields are looked up by their id in the vtable. */
struct fb_table {
    size_t at, vtable; /* offsets in the file; at == 0: there is none */
    uint16_t bytes, vtable_bytes;
};

/* A vector of n elements, within the file. */
struct fb_vector {
    const uint8_t *data; /* NULL if the field is absent */
    uint32_t n;
};

/* Starts with full budgets, which follow from `bytes`. `err` gets the first failure; `arena` gets the copies. */
void fb_init(struct fb *f, const void *data, size_t bytes, struct arena *arena, struct err *err);

/* Records the first failure; later ones are consequences. Always returns f->st. */
enum status fb_fail(struct fb *f, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before the message of a failure. Returns f->st. */
enum status fb_prefix(struct fb *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Charge to the budget `bytes` that the caller is about to walk over. False, with a failure, if the budget is used up. */
bool fb_charge(struct fb *f, size_t bytes);

/* Allocate with arena_alloc in f->arena; NULL is a failure with ST_NOMEM. */
void *fb_alloc(struct fb *f, size_t n, size_t size);
#define FB_ARRAY(f, n, type) ((type *)fb_alloc((f), (n), sizeof(type)))

/* Return the table at the root. */
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

/* Return a field that is a string, vector or table; `what` names it in messages. Absent fields give NULL, no elements, or a table
 * with at == 0. */
const char *fb_string(struct fb *f, const struct fb_table *t, unsigned id, const char *what);
struct fb_vector fb_vector(struct fb *f, const struct fb_table *t, unsigned id, size_t size, const char *what);
struct fb_table fb_child(struct fb *f, const struct fb_table *t, unsigned id, const char *what);

/* Return a vector of tables; fails if it is longer than the tables budget, so that its length can size an allocation. */
struct fb_vector fb_tables(struct fb *f, const struct fb_table *t, unsigned id, const char *what);

/* Return element i < v->n of a vector of tables. */
struct fb_table fb_item(struct fb *f, const struct fb_vector *v, uint32_t i, const char *what);

/* Return a vector of `size`-byte numbers as an aligned array. */
const void *fb_array(struct fb *f, const struct fb_table *t, unsigned id, size_t size, uint32_t *n, const char *what);

/* Return a vector of bools; a byte other than 0 is true. */
const bool *fb_bools(struct fb *f, const struct fb_table *t, unsigned id, uint32_t *n, const char *what);

#endif
