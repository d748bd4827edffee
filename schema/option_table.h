/* SPDX-License-Identifier: Apache-2.0 */
/* option_table.h - decodes option tables of the file into option structs: one row of data for each field.
 *
 * options.c has the rows. Three readers use them and know nothing else about options: lib/model/model_options.c decodes,
 * lib/model/model_write_options.c encodes, lib/model/model_calls.c finds references to subgraphs. A field that the file does not
 * store gets its `fallback`; fields without a row are skipped, as flatbuffers demand of readers older than the file. */
#pragma once

#include <stdint.h>

#include "schema/schema.h"

/* Type of a field in the file and in its struct; the struct's member is an int if no other type is given.
 *
 * An ARRAY is copied into the struct, at most `max` entries (more are ST_UNSUPPORTED), with `fallback` behind them. A LIST is a
 * pointer into the file, or to a copy in the model's arena if the file does not align it; NULL if the file has none. Both have a
 * count, `count_bytes` wide. */
enum field_kind {
    FIELD_BOOL,           /* one byte, any but 0 is true; bool */
    FIELD_ENUM,           /* an int8; `max` is the last known value, larger ones are ST_UNSUPPORTED */
    FIELD_ENUM_PLUS_1,    /* an int8, one less than in the struct: the C ABI has 0 for "unknown" */
    FIELD_ENUM_WIDE,      /* an int32; `max` as above */
    FIELD_TYPE,           /* int8 in the file's numbering of tensor types, enum tensor_type in the struct; `max` as above */
    FIELD_I32,            /* an int32 */
    FIELD_SUBGRAPH,       /* an int32; an index of a subgraph, which the loader checks, cycles included */
    FIELD_I64,            /* int64_t in both */
    FIELD_I64_LOW,        /* an int64; its low 32 bits */
    FIELD_F32,            /* float in both */
    FIELD_STRING,         /* const char *, terminated; NULL if the file has none */
    FIELD_ARRAY_I32,      /* int32_t [max] */
    FIELD_ARRAY_I64,      /* int64_t [max] */
    FIELD_ARRAY_SUBGRAPH, /* int32_t [max], each like FIELD_SUBGRAPH */
    FIELD_LIST_BOOL,      /* const bool *, always a copy, since the file's bytes may be neither 0 nor 1 */
    FIELD_LIST_U8,
    FIELD_LIST_I32,
    FIELD_LIST_U32,
    FIELD_LIST_I64,
    FIELD_LIST_F32,
    FIELD_LIST_SUBGRAPH /* const int32_t *, each like FIELD_SUBGRAPH */
};

/* One row: the place of a field in the file's table, and in the struct. Offsets are bytes from the struct's start. */
struct field {
    const char *name; /* of the struct's member, for messages */
    enum field_kind kind;
    uint8_t id;            /* field number in the file's table (schema.fbs), which is its entry in the vtable */
    uint8_t max;           /* last value of an enum, in our numbering; capacity of an array; else 0 */
    uint8_t count_bytes;   /* sizeof the count of an array or list */
    int8_t fallback;       /* the schema's value for a field that is not stored, in the file's numbering */
    uint16_t offset;       /* offset of the member */
    uint16_t count_offset; /* offset of its count, for arrays and lists */
};

/* One option table. `union_` and `number` are the file's name of this kind of options. */
struct options_table {
    const char *name;       /* "CONV_2D" */
    uint8_t union_, number; /* union 1 or 2 of an operator; number of the table in it, from 1 */
    uint16_t size;          /* bytes of the struct; 0 if there are no fields */
    uint16_t n_fields;
    const struct field *fields; /* [n_fields] */
};

/* Return the table of a kind, static; NULL for OPTIONS_NONE and for numbers beyond the kinds. */
const struct options_table *options_table(enum options_kind kind);

/* Return the kind of member `number` of union 1 or 2; OPTIONS_NONE if there is none: 0, or a member newer than this list. */
enum options_kind options_from_union(int union_, uint32_t number);
