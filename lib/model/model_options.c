/* SPDX-License-Identifier: Apache-2.0 */
/* model_options.c - decodes an operator's options by the field lists of schema/options.c. */
#include <limits.h>
#include <string.h>

#include "lib/model/model_impl.h"

static void put_int(void *to, int64_t v)
{
    int narrow = (int)v;

    memcpy(to, &narrow, sizeof narrow);
}

static void put_count(uint8_t *options, const struct field *d, uint32_t n)
{
    uint64_t wide = n;

    memcpy(options + d->count_offset, &wide, d->count_bytes);
}

static void read_enum(struct fb *f, const struct fb_table *t, const struct field *d, void *to)
{
    int first = d->kind == FIELD_ENUM_PLUS_1;
    int32_t v = d->kind == FIELD_ENUM_WIDE ? fb_i32(f, t, d->id, d->fallback) : fb_i8(f, t, d->id, d->fallback);

    if (v < 0 || v + first > d->max)
        fb_fail(f, ST_UNSUPPORTED, "%s is %d, the last known value is %d", d->name, v, d->max - first);
    else
        put_int(to, v + first);
}

static void read_type(struct fb *f, const struct fb_table *t, const struct field *d, void *to)
{
    int8_t number = fb_i8(f, t, d->id, d->fallback);
    enum tensor_type type = model_type_from_file(number);

    if (type == TYPE_NONE)
        fb_fail(f, ST_UNSUPPORTED, "%s is tensor type %d, which is unknown", d->name, number);
    else
        put_int(to, type);
}

static size_t elem_bytes(enum field_kind kind)
{
    switch (kind) {
    case FIELD_LIST_U8: return 1;
    case FIELD_ARRAY_I64:
    case FIELD_LIST_I64: return 8;
    default: return 4;
    }
}

static void read_array(struct fb *f, const struct fb_table *t, const struct field *d, uint8_t *options)
{
    size_t size = elem_bytes(d->kind);
    struct fb_vector v = fb_vector(f, t, d->id, size, d->name);
    int64_t fill = d->fallback;

    if (v.n > d->max) {
        fb_fail(f, ST_UNSUPPORTED, "%s has %u entries, the most possible is %u", d->name, v.n, d->max);
        return;
    }
    if (v.n)
        memcpy(options + d->offset, v.data, v.n * size);
    for (uint32_t i = v.n; i < d->max; i++)
        memcpy(options + d->offset + i * size, &fill, size);
    put_count(options, d, v.n);
}

static void read_list(struct fb *f, const struct fb_table *t, const struct field *d, uint8_t *options)
{
    uint32_t n;
    const void *list = d->kind == FIELD_LIST_BOOL ? fb_bools(f, t, d->id, &n, d->name)
                                                  : fb_array(f, t, d->id, elem_bytes(d->kind), &n, d->name);

    if (n > INT_MAX) /* the ABI counts some of them with an int */
        fb_fail(f, ST_BAD_MODEL, "%s has %u entries", d->name, n);
    memcpy(options + d->offset, &list, sizeof list);
    put_count(options, d, n);
}

static void read_field(struct fb *f, const struct fb_table *t, const struct field *d, uint8_t *options)
{
    uint8_t *to = options + d->offset;

    switch (d->kind) {
    case FIELD_BOOL: *(bool *)to = fb_bool(f, t, d->id, d->fallback); break;
    case FIELD_ENUM:
    case FIELD_ENUM_PLUS_1:
    case FIELD_ENUM_WIDE: read_enum(f, t, d, to); break;
    case FIELD_TYPE: read_type(f, t, d, to); break;
    case FIELD_I32:
    case FIELD_SUBGRAPH: put_int(to, fb_i32(f, t, d->id, d->fallback)); break;
    case FIELD_I64: *(int64_t *)to = fb_i64(f, t, d->id, d->fallback); break;
    case FIELD_I64_LOW: put_int(to, fb_i64(f, t, d->id, d->fallback)); break;
    case FIELD_F32: *(float *)to = fb_f32(f, t, d->id, d->fallback); break;
    case FIELD_STRING: *(const char **)to = fb_string(f, t, d->id, d->name); break;
    case FIELD_ARRAY_I32:
    case FIELD_ARRAY_I64:
    case FIELD_ARRAY_SUBGRAPH: read_array(f, t, d, options); break;
    case FIELD_LIST_BOOL:
    case FIELD_LIST_U8:
    case FIELD_LIST_I32:
    case FIELD_LIST_U32:
    case FIELD_LIST_I64:
    case FIELD_LIST_F32:
    case FIELD_LIST_SUBGRAPH: read_list(f, t, d, options); break;
    }
}

/* The two unions are the same kind of thing under different fields; TFLite writes only one of them. */
static const struct union_fields {
    uint8_t type, value;
} union_fields[] = {
    {OPERATOR_OPTIONS_TYPE, OPERATOR_OPTIONS},
    {OPERATOR_OPTIONS_2_TYPE, OPERATOR_OPTIONS_2},
};

/* Elsewhere missing options are read as zeros, but a call to subgraph 0 that the file does not state would escape the search
 * for cycles. */
static void check_present(struct fb *f, const struct model_op *op, enum options_kind expected)
{
    const struct options_table *table = options_table(expected);

    if (!table || op->options_kind == expected)
        return;
    for (uint16_t i = 0; i < table->n_fields; i++)
        if (table->fields[i].kind == FIELD_SUBGRAPH)
            fb_fail(f, ST_BAD_MODEL, "its options, which name subgraphs, are missing");
}

void model_read_options(struct loader *l, const struct fb_table *from, struct model_op *op)
{
    struct fb *f = &l->fb;
    const struct options_table *table;
    struct fb_table t = {0};
    uint8_t *options;

    for (int u = 0; u < 2 && !t.at; u++) {
        op->options_kind = options_from_union(u + 1, fb_u8(f, from, union_fields[u].type, 0));
        /* A member beyond the known ones belongs to an operator beyond them; there is nothing to decode it with. */
        if (op->options_kind != OPTIONS_NONE)
            t = fb_child(f, from, union_fields[u].value, "its options");
    }
    if (!t.at)
        op->options_kind = OPTIONS_NONE;
    check_present(f, op, builtin_options(l->m->opcodes[op->opcode].builtin));
    table = options_table(op->options_kind);
    if (!table || !table->size || !(options = fb_alloc(f, 1, table->size)))
        return;
    for (uint16_t i = 0; i < table->n_fields; i++)
        read_field(f, &t, &table->fields[i], options);
    op->options = options;
}
