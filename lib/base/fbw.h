/* SPDX-License-Identifier: Apache-2.0 */
/* fbw.h - writing a flatbuffer, from its end to its start: children first, then the tables that refer to them.
 *
 * Offsets in a flatbuffer point forward, and the end is the side that does not move while the buffer grows; so a ref counts from
 * there. lib/model/model_write.c and its like walk the model and use this; tests write broken files with it. The result is the same
 * for the same calls, on every machine. Little-endian machines only.
 *
 * Failures (out of memory, 2 GiB) stick: later calls do nothing, and fbw_finish answers NULL. */
#ifndef DELEGAUGE_FBW_H
#define DELEGAUGE_FBW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fields of one table; field ids are below it. */
#define FBW_MAX_FIELDS 32

/* The beginning of a string, vector or table, counted in bytes from the end of the file; 0: none. */
typedef uint32_t fbw_ref;

struct fbw {
    uint8_t *buf; /* the last `used` of its `size` bytes are written */
    size_t size, used;
    size_t align; /* the largest so far */
    bool failed;
    uint32_t table_end;             /* `used` when the open table was started */
    uint32_t field[FBW_MAX_FIELDS]; /* places of its fields, 0: absent */
    unsigned n_fields;
    fbw_ref *vtables; /* written so far; equal ones are shared */
    size_t n_vtables;
};

/* Begin an empty file; free drops it, finished or not, and leaves zeros. */
void fbw_init(struct fbw *w);
void fbw_free(struct fbw *w);

/* Write a copy with its terminating zero; 0 for NULL. */
fbw_ref fbw_string(struct fbw *w, const char *s);

/* Write `n` elements of `size` bytes, the first of them on a multiple of `align`. 0 if data is NULL. */
fbw_ref fbw_vector(struct fbw *w, const void *data, size_t n, size_t size, size_t align);

/* Write a vector of tables that are written already, in the order of refs[n]. */
fbw_ref fbw_tables(struct fbw *w, const fbw_ref *refs, size_t n);

/* Open a table: fields may then be put, in any order, and nothing else be written until fbw_end, which returns the table. Strings,
 * vectors and tables that a field refers to are written before fbw_start. */
void fbw_start(struct fbw *w);
fbw_ref fbw_end(struct fbw *w);

/* A field equal to its fallback (the schema's default) is not stored: readers give the fallback for it. */
void fbw_i8(struct fbw *w, unsigned id, int8_t v, int8_t fallback);
void fbw_u8(struct fbw *w, unsigned id, uint8_t v, uint8_t fallback);
void fbw_i32(struct fbw *w, unsigned id, int32_t v, int32_t fallback);
void fbw_u32(struct fbw *w, unsigned id, uint32_t v, uint32_t fallback);
void fbw_i64(struct fbw *w, unsigned id, int64_t v, int64_t fallback);
void fbw_f32(struct fbw *w, unsigned id, float v, float fallback);
void fbw_table(struct fbw *w, unsigned id, fbw_ref ref); /* or string, or vector; 0 is not stored */

/* Store v, whatever it is, and return its place, so that it can be patched: at [bytes of the file - result]. */
uint32_t fbw_u64_later(struct fbw *w, unsigned id, uint64_t v);

/* Close the file. The result is malloc'ed, the caller's to free, and begins at a multiple of the largest alignment if it is put at
 * one. NULL after a failure. */
uint8_t *fbw_finish(struct fbw *w, fbw_ref root, const char identifier[4], size_t *bytes);

#endif
