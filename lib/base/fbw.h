/* SPDX-License-Identifier: Apache-2.0 */
/* fbw.h - writing of flatbuffers, from end to start: children first, then the tables that refer to them.
 *
 * Offsets in a flatbuffer point forward, and its end does not move while the buffer grows: so references count from the end. Used
 * by lib/model/model_write*.c, and by tests to write broken files. Equal calls give equal bytes on every machine. Little-endian
 * machines only.
 *
 * A failure (out of memory, 2 GiB) is kept: later calls do nothing, and fbw_finish returns NULL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest number of fields of a table; field ids are below it. */
#define FBW_MAX_FIELDS 32

/* A reference to a string, vector or table: the distance of its start from the end of the file, in bytes; 0: none. */
typedef uint32_t fbw_ref;

struct fbw {
    uint8_t *buf; /* [size] the last `used` bytes are written */
    size_t size, used;
    size_t align; /* largest alignment so far */
    bool failed;
    uint32_t table_end;             /* `used` at the start of the open table */
    uint32_t field[FBW_MAX_FIELDS]; /* positions of the open table's fields; 0: absent */
    unsigned n_fields;
    fbw_ref *vtables; /* [n_vtables] written vtables; equal ones are shared */
    size_t n_vtables;
};

/* Begin an empty file; free its memory, finished or not, and zero *w. */
void fbw_init(struct fbw *w);
void fbw_free(struct fbw *w);

/* Write a string with its terminating zero. Return 0 for NULL. */
fbw_ref fbw_string(struct fbw *w, const char *s);

/* Write a vector of `n` elements of `size` bytes, the first at a multiple of `align`. Return 0 if data is NULL. */
fbw_ref fbw_vector(struct fbw *w, const void *data, size_t n, size_t size, size_t align);

/* Write a vector of references to written tables, in the order of refs[n]. */
fbw_ref fbw_tables(struct fbw *w, const fbw_ref *refs, size_t n);

/* Open a table, add fields in any order, then close it with fbw_end, which returns its reference. Write nothing else in between:
 * write strings, vectors and tables to which a field refers before fbw_start. */
void fbw_start(struct fbw *w);
fbw_ref fbw_end(struct fbw *w);

/* Add a field to the open table, unless it equals its fallback (the schema's default), which readers then return. */
void fbw_i8(struct fbw *w, unsigned id, int8_t v, int8_t fallback);
void fbw_u8(struct fbw *w, unsigned id, uint8_t v, uint8_t fallback);
void fbw_i32(struct fbw *w, unsigned id, int32_t v, int32_t fallback);
void fbw_u32(struct fbw *w, unsigned id, uint32_t v, uint32_t fallback);
void fbw_i64(struct fbw *w, unsigned id, int64_t v, int64_t fallback);
void fbw_f32(struct fbw *w, unsigned id, float v, float fallback);
void fbw_table(struct fbw *w, unsigned id, fbw_ref ref); /* or a string or vector; 0 adds no field */

/* Add a field even if v is 0, and return its position, so that it can be overwritten later: at file size - result. */
uint32_t fbw_u64_later(struct fbw *w, unsigned id, uint64_t v);

/* Finish the file and return its *bytes bytes, which the caller frees. Its length is such that alignments hold if the file is
 * placed at a multiple of the largest one. NULL after a failure. */
uint8_t *fbw_finish(struct fbw *w, fbw_ref root, const char identifier[4], size_t *bytes);
