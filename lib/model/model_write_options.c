/* SPDX-License-Identifier: Apache-2.0 */
/* model_write_options.c - encodes an operator's options by the field lists of schema/options.c. */
#include <string.h>

#include "lib/model/model_impl.h"
#include "lib/model/model_write_impl.h"

static int get_int(const void *from)
{
    int v;

    memcpy(&v, from, sizeof v);
    return v;
}

static size_t get_count(const uint8_t *options, const struct field *d)
{
    uint64_t n = 0;

    memcpy(&n, options + d->count_offset, d->count_bytes);
    return (size_t)n;
}

static fbw_ref put_list(struct fbw *w, const uint8_t *options, const struct field *d, size_t size)
{
    const void *list;

    memcpy(&list, options + d->offset, sizeof list);
    return fbw_vector(w, list, get_count(options, d), size, size);
}

static fbw_ref put_array(struct fbw *w, const uint8_t *options, const struct field *d, size_t size)
{
    size_t n = get_count(options, d);

    if (n > d->max)
        w->failed = true;
    return n && n <= d->max ? fbw_vector(w, options + d->offset, n, size, size) : 0;
}

/* What a field keeps outside of its table; 0 where that is nothing. */
static fbw_ref put_child(struct fbw *w, const uint8_t *options, const struct field *d)
{
    const char *string;

    switch (d->kind) {
    case FIELD_STRING: memcpy(&string, options + d->offset, sizeof string); return fbw_string(w, string);
    case FIELD_ARRAY_I32:
    case FIELD_ARRAY_SUBGRAPH: return put_array(w, options, d, 4);
    case FIELD_ARRAY_I64: return put_array(w, options, d, 8);
    case FIELD_LIST_BOOL:
    case FIELD_LIST_U8: return put_list(w, options, d, 1);
    case FIELD_LIST_I32:
    case FIELD_LIST_U32:
    case FIELD_LIST_F32:
    case FIELD_LIST_SUBGRAPH: return put_list(w, options, d, 4);
    case FIELD_LIST_I64: return put_list(w, options, d, 8);
    default: return 0;
    }
}

static void put_field(struct fbw *w, const uint8_t *options, const struct field *d, fbw_ref child)
{
    const uint8_t *from = options + d->offset;

    switch (d->kind) {
    case FIELD_BOOL: fbw_u8(w, d->id, *(const bool *)from, (uint8_t)d->fallback); break;
    case FIELD_ENUM: fbw_i8(w, d->id, (int8_t)get_int(from), d->fallback); break;
    case FIELD_ENUM_PLUS_1: fbw_i8(w, d->id, (int8_t)(get_int(from) - 1), d->fallback); break;
    case FIELD_TYPE:
        /* Options built by hand may leave a type at 0, meaning the default. */
        if (get_int(from) != TYPE_NONE)
            fbw_i8(w, d->id, model_type_to_file((enum tensor_type)get_int(from)), d->fallback);
        break;
    case FIELD_ENUM_WIDE:
    case FIELD_I32:
    case FIELD_SUBGRAPH: fbw_i32(w, d->id, get_int(from), d->fallback); break;
    case FIELD_I64: fbw_i64(w, d->id, *(const int64_t *)from, d->fallback); break;
    case FIELD_I64_LOW: fbw_i64(w, d->id, get_int(from), d->fallback); break;
    case FIELD_F32: fbw_f32(w, d->id, *(const float *)from, d->fallback); break;
    default: fbw_table(w, d->id, child); break;
    }
}

fbw_ref model_put_options(struct fbw *w, enum options_kind kind, const void *options)
{
    const struct options_table *table = options_table(kind);
    uint16_t n = table && options ? table->n_fields : 0;
    fbw_ref child[FBW_MAX_FIELDS];

    if (!table)
        return 0;
    for (uint16_t i = 0; i < n; i++)
        child[i] = put_child(w, options, &table->fields[i]);
    fbw_start(w);
    for (uint16_t i = 0; i < n; i++)
        put_field(w, options, &table->fields[i], child[i]);
    return fbw_end(w);
}
