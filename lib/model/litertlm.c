/* SPDX-License-Identifier: Apache-2.0 */
/* litertlm.c - the header of a LiteRT-LM file: a flatbuffer that lists sections.
 *
 * Source: LiteRT-LM's schema/core/litertlm_header_schema.fbs, and litert-lm-builder 0.18, which writes version 1.7. Byte 0:
 * "LITERTLM"; 8: three uint32, the version; 24: uint64, the end of the flatbuffer, which begins at 32. Sections begin at multiples
 * of 16 KiB. */
#include <string.h>
#include <strings.h>

#include "lib/base/fb.h"
#include "lib/model/bundle.h"

enum { VERSION_AT = 8, END_AT = 24, HEADER_AT = 32, MAJOR = 1, MOST_HEADER = 1 << 26 };

/* Tables of the schema: the number of each field. */
enum { ROOT_SECTIONS = 1, SECTIONS_OBJECTS = 0 };
enum { SECTION_ITEMS, SECTION_BEGIN, SECTION_END, SECTION_TYPE };
enum { ITEM_KEY, ITEM_VALUE_TYPE, ITEM_VALUE, VALUE_IS_STRING = 9, STRING_VALUE = 0 };

/* enum AnySectionDataType, in its order; version 1.6 and older have ExecutorMetadata at 8. */
static const char *const types[] = {"none",        "GenericBinaryData", "Deprecated",    "TFLiteModel",       "SP_Tokenizer",
                                    "LlmMetadata", "HF_Tokenizer",      "TFLiteWeights", "EmbeddingMetadata", "ExecutorMetadata",
                                    "TtsMetadata", "AsrMetadata"};
enum { TYPE_MODEL = 3, TYPE_WEIGHTS = 7 };

static void read_item(struct fb *f, const struct fb_table *item, struct bundle_section *s)
{
    const char *key = fb_string(f, item, ITEM_KEY, "the key of an item"), *text = NULL;
    struct fb_table value;

    if (fb_u8(f, item, ITEM_VALUE_TYPE, 0) == VALUE_IS_STRING) {
        value = fb_child(f, item, ITEM_VALUE, "the value of an item");
        text = value.at ? fb_string(f, &value, STRING_VALUE, "the value of an item") : NULL;
    }
    if (!key || !text || f->st)
        return;
    if (!strcmp(key, "model_type"))
        s->model_type = arena_strdup(f->arena, strncasecmp(text, "tf_lite_", 8) ? text : text + 8);
    else if (!strcmp(key, "backend_constraint"))
        s->backend = arena_strdup(f->arena, text);
    if (!s->model_type || !s->backend)
        fb_fail(f, ST_NOMEM, "out of memory");
}

static void read_section(struct fb *f, const struct fb_table *from, uint64_t header_end, uint64_t file_bytes,
                         struct bundle_section *s)
{
    const uint64_t begin = fb_u64(f, from, SECTION_BEGIN, 0), end = fb_u64(f, from, SECTION_END, 0);
    const uint8_t type = fb_u8(f, from, SECTION_TYPE, 0);
    struct fb_vector items = fb_tables(f, from, SECTION_ITEMS, "items");

    s->kind = type == TYPE_MODEL ? SECTION_MODEL : type == TYPE_WEIGHTS ? SECTION_WEIGHTS : SECTION_OTHER;
    s->type = type < sizeof types / sizeof *types ? types[type] : arena_printf(f->arena, "type %u", type);
    s->name = s->model_type = s->backend = "";
    s->at = begin;
    s->bytes = end - begin;
    if (!s->type)
        fb_fail(f, ST_NOMEM, "out of memory");
    if (begin > end || end > file_bytes)
        fb_fail(f, ST_BAD_MODEL, "it lies from %llu to %llu, but the file has %llu bytes", (unsigned long long)begin,
                (unsigned long long)end, (unsigned long long)file_bytes);
    else if (begin < header_end)
        fb_fail(f, ST_BAD_MODEL, "it begins at %llu, in the header, which ends at %llu", (unsigned long long)begin,
                (unsigned long long)header_end);
    for (uint32_t i = 0; i < items.n && !f->st; i++) {
        struct fb_table item = fb_item(f, &items, i, "an item");

        read_item(f, &item, s);
    }
}

static void list_sections(struct fb *f, struct bundle *b, uint64_t header_end)
{
    struct fb_table root = fb_root(f), list = fb_child(f, &root, ROOT_SECTIONS, "the list of sections");
    struct fb_vector v = {0};

    if (list.at)
        v = fb_tables(f, &list, SECTIONS_OBJECTS, "sections");
    if (!(b->sections = FB_ARRAY(f, v.n, struct bundle_section)))
        return;
    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, "the section");

        read_section(f, &at, header_end, b->file.bytes, &b->sections[i]);
        if (f->st)
            fb_prefix(f, "section %u", i);
    }
    b->n = v.n;
}

enum status bundle_read_litertlm(struct bundle *b, struct err *err)
{
    uint8_t head[HEADER_AT];
    struct file_range header;
    uint64_t end;
    enum status st;
    struct fb f;

    if (!file_map_copy(&b->file, 0, sizeof head, head))
        return err_set(err, ST_BAD_MODEL, "the file has %llu bytes, too few for the header of a LiteRT-LM bundle",
                       (unsigned long long)b->file.bytes);
    memcpy(b->version, head + VERSION_AT, sizeof b->version);
    memcpy(&end, head + END_AT, sizeof end);
    if (b->version[0] != MAJOR)
        return err_set(err, ST_UNSUPPORTED, "LiteRT-LM bundle of version %u.%u.%u, only %d is known", b->version[0], b->version[1],
                       b->version[2], MAJOR);
    if (end < HEADER_AT || end > b->file.bytes || end - HEADER_AT > MOST_HEADER)
        return err_set(err, ST_BAD_MODEL, "its header ends at %llu, but the file has %llu bytes", (unsigned long long)end,
                       (unsigned long long)b->file.bytes);
    if ((st = file_map_range(&b->file, HEADER_AT, end - HEADER_AT, &header, err)))
        return st;
    fb_init(&f, header.data, header.bytes, &b->arena, err);
    list_sections(&f, b, end);
    file_unmap(&header);
    return f.st;
}
