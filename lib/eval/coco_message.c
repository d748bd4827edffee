/* SPDX-License-Identifier: Apache-2.0 */
/* coco_message.c - ObjectDetectionGroundTruth of TFLite's evaluation_stages.proto as a ground truth: binary, or the text form of
 * protocol buffers.
 *
 * Source of both forms: protobuf.dev, "Encoding" and "Text Format Language". Fields that this reader does not know are passed over
 * in the binary form, as readers of protocol buffers do, and refused in text. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/eval/coco_files_impl.h"

/* Messages from the outside in. */
enum level { GROUND_TRUTH, RESULT, OBJECT, BOX, LEVELS };

enum kind { INTEGER, REAL, TEXT, MESSAGE };

static const struct field {
    const char *name;
    uint32_t number;
    enum kind kind;
} fields[LEVELS][5] = {
    [GROUND_TRUTH] = {{"detection_results", 1, MESSAGE}},
    [RESULT] = {{"objects", 1, MESSAGE}, {"image_name", 2, TEXT}, {"image_id", 3, INTEGER}},
    [OBJECT] = {{"class_id", 1, INTEGER}, {"bounding_box", 2, MESSAGE}, {"score", 3, REAL}},
    [BOX] = {{"normalized_top", 1, REAL},
             {"normalized_bottom", 2, REAL},
             {"normalized_left", 3, REAL},
             {"normalized_right", 4, REAL}},
};

enum { MOST_BYTES = 1 << 30, MOST_NAME = 1024 };

struct reader {
    const char *path;
    uint8_t *data; /* owned */
    size_t n, at;
    struct coco_lists *to;
    struct arena *arena;
    struct err *err;
    enum status st; /* of the first fault, from which on nothing is read */
    struct coco_image image;
    bool has_id, without_id; /* the image has one; any has none */
    double corners[5];       /* of a box, by number of field */
    int64_t category;
};

static void fault(struct reader *r, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void fault(struct reader *r, enum status st, const char *fmt, ...)
{
    char text[160];
    va_list args;

    if (r->st)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    r->st = err_set(r->err, st, "%s: byte %zu: %s", r->path, r->at, text);
}

/* ---- what the fields mean ---- */

static const struct field *field_of(enum level level, uint32_t number)
{
    for (const struct field *f = fields[level]; f->name; f++)
        if (f->number == number)
            return f;
    return NULL;
}

static void take_number(struct reader *r, enum level level, const struct field *f, double value)
{
    if (!isfinite(value) || fabs(value) > 0x1p53)
        fault(r, ST_USAGE, "%s is no number", f->name);
    else if (level == BOX)
        r->corners[f->number] = value;
    else if (level == OBJECT && f->number == 1)
        r->category = (int64_t)value;
    else if (level == RESULT && f->number == 3)
        r->image.id = (int64_t)value, r->has_id = true;
}

static void take_text(struct reader *r, const char *text, size_t n)
{
    if (memchr(text, '\0', n))
        fault(r, ST_USAGE, "a name with a NUL");
    else if (n >= MOST_NAME)
        fault(r, ST_USAGE, "a name of %zu bytes", n);
    else if (!(r->image.file = arena_printf(r->arena, "%.*s", (int)n, text)))
        fault(r, ST_NOMEM, "out of memory for names of images");
}

static void enter(struct reader *r, enum level level)
{
    if (level == RESULT) {
        r->image = (struct coco_image){0};
        r->has_id = false;
    } else if (level == OBJECT) {
        r->category = 0;
        memset(r->corners, 0, sizeof r->corners);
    }
}

static void add_object(struct reader *r)
{
    struct coco_list *categories = &r->to->categories;
    const struct coco_category *last = categories->n ? (struct coco_category *)categories->v + categories->n - 1 : NULL;
    struct coco_boxed *b = coco_list_add(&r->to->boxed);
    struct coco_category *own;

    if (!b) {
        fault(r, ST_NOMEM, "out of memory for %zu boxes", r->to->boxed.n);
        return;
    }
    b->id = (int64_t)r->to->boxed.n;
    b->image = (int64_t)r->to->images.n; /* its place, until all ids are known */
    b->category = r->category;
    b->box = (struct coco_box){r->corners[3], r->corners[1], r->corners[4] - r->corners[3], r->corners[2] - r->corners[1]};
    if (last && last->id == r->category)
        return;
    if ((own = coco_list_add(categories)))
        own->id = r->category;
    else
        fault(r, ST_NOMEM, "out of memory for %zu categories", categories->n);
}

static void leave(struct reader *r, enum level level)
{
    struct coco_image *image;

    if (r->st)
        return;
    if (level == OBJECT)
        add_object(r);
    if (level != RESULT)
        return;
    r->without_id |= !r->has_id;
    if ((image = coco_list_add(&r->to->images)))
        *image = r->image;
    else
        fault(r, ST_NOMEM, "out of memory for %zu images", r->to->images.n);
}

/* ---- the binary form ---- */

static uint64_t varint(struct reader *r, size_t end)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 70 && r->at < end; shift += 7) {
        const uint8_t byte = r->data[r->at++];

        v |= shift < 64 ? (uint64_t)(byte & 127) << shift : 0;
        if (byte < 128)
            return v;
    }
    fault(r, ST_USAGE, "a number without an end");
    return 0;
}

/* The end of a piece with its length before it. */
static size_t piece(struct reader *r, size_t end)
{
    const uint64_t n = varint(r, end);

    if (!r->st && n > end - r->at)
        fault(r, ST_USAGE, "%llu bytes, where %zu follow", (unsigned long long)n, end - r->at);
    return r->st ? r->at : r->at + (size_t)n;
}

/* Passes over a value of fixed length, or takes it if it is a float that is wanted. */
static void fixed(struct reader *r, enum level level, const struct field *f, size_t bytes, size_t end)
{
    float value;

    if (end - r->at < bytes) {
        fault(r, ST_USAGE, "%zu bytes, where %zu follow", bytes, end - r->at);
        return;
    }
    memcpy(&value, r->data + r->at, sizeof value);
    if (f && f->kind == REAL && bytes == sizeof value)
        take_number(r, level, f, (double)value);
    r->at += bytes;
}

static void read_binary(struct reader *r, enum level level, size_t end)
{
    while (!r->st && r->at < end) {
        const uint64_t key = varint(r, end);
        const struct field *f = field_of(level, key >> 3 < 16 ? (uint32_t)(key >> 3) : 0);
        const unsigned wire = key & 7;
        size_t to;

        if (r->st)
            return;
        if (wire == 0) {
            const int64_t value = (int64_t)varint(r, end);

            if (f && f->kind == INTEGER)
                take_number(r, level, f, (double)value);
        } else if (wire == 1 || wire == 5) {
            fixed(r, level, f, wire == 1 ? 8 : 4, end);
        } else if (wire == 2) {
            to = piece(r, end);
            if (f && f->kind == TEXT && !r->st)
                take_text(r, (const char *)r->data + r->at, to - r->at);
            if (f && f->kind == MESSAGE && !r->st) {
                enter(r, level + 1);
                read_binary(r, level + 1, to);
                leave(r, level + 1);
            }
            r->at = r->st ? r->at : to;
        } else {
            fault(r, ST_USAGE, "a field of kind %u", wire);
        }
    }
}

/* ---- the text form ---- */

static int peek(const struct reader *r)
{
    return r->at < r->n ? r->data[r->at] : -1;
}

static void skip_blanks(struct reader *r)
{
    for (int c = peek(r); c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#'; c = peek(r)) {
        while (c == '#' && r->at < r->n && r->data[r->at] != '\n')
            r->at++;
        r->at += r->at < r->n;
    }
}

static bool accept(struct reader *r, const char *any)
{
    const int c = peek(r);

    if (c <= 0 || !strchr(any, c))
        return false;
    r->at++;
    skip_blanks(r);
    return true;
}

/* A name or a number. */
static size_t word(struct reader *r, char out[64])
{
    size_t n = 0;

    for (int c = peek(r); n < 63 && c > 0 && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-", c);
         c = peek(r)) {
        out[n++] = (char)c;
        r->at++;
    }
    out[n] = '\0';
    return n;
}

/* A byte behind a backslash. */
static char escaped(struct reader *r)
{
    static const char from[] = "nrt", to[] = "\n\r\t";
    const int c = peek(r);
    const char *at = c > 0 ? strchr(from, c) : NULL;
    int value = 0;

    if (c < '0' || c > '7') {
        r->at++;
        return at ? to[at - from] : (char)c;
    }
    for (int i = 0; i < 3 && peek(r) >= '0' && peek(r) <= '7'; i++)
        value = 8 * value + (r->data[r->at++] - '0');
    return (char)value;
}

static void quoted(struct reader *r, bool wanted)
{
    const int quote = r->data[r->at++];
    char text[MOST_NAME];
    size_t n = 0;

    while (peek(r) >= 0 && peek(r) != quote && peek(r) != '\n') {
        char c = (char)r->data[r->at++];

        if (c == '\\')
            c = escaped(r);
        if (n == sizeof text)
            fault(r, ST_USAGE, "a text longer than %zu bytes", sizeof text);
        else
            text[n++] = c;
    }
    if (peek(r) != quote)
        fault(r, ST_USAGE, "a text without an end");
    r->at++;
    if (wanted && !r->st)
        take_text(r, text, n);
}

static void read_text(struct reader *r, enum level level, int closing);

static void read_value(struct reader *r, enum level level, const struct field *f)
{
    char text[64], *end;
    const int c = peek(r);
    double value;

    if (f->kind == MESSAGE) {
        if (!accept(r, "{<")) {
            fault(r, ST_USAGE, "'{' is expected behind %s", f->name);
            return;
        }
        enter(r, level + 1);
        read_text(r, level + 1, c == '{' ? '}' : '>');
        leave(r, level + 1);
    } else if (f->kind == TEXT) {
        if (c == '"' || c == '\'')
            quoted(r, true);
        else
            fault(r, ST_USAGE, "a text in quotation marks is expected behind %s", f->name);
    } else {
        word(r, text);
        value = strtod(text, &end);
        if (end == text || *end)
            fault(r, ST_USAGE, "a number is expected behind %s", f->name);
        else
            take_number(r, level, f, value);
    }
}

/* Fields up to a bracket, or to the end of the file. */
static void read_text(struct reader *r, enum level level, int closing)
{
    skip_blanks(r);
    while (!r->st && peek(r) != closing) {
        const struct field *f = fields[level];
        char name[64];

        if (!word(r, name)) {
            fault(r, ST_USAGE, "the name of a field is expected");
            return;
        }
        while (f->name && strcmp(f->name, name) != 0)
            f++;
        if (!f->name) {
            fault(r, ST_USAGE, "there is no field '%s' here", name);
            return;
        }
        skip_blanks(r);
        accept(r, ":");
        read_value(r, level, f);
        skip_blanks(r);
        accept(r, ",;");
    }
    if (closing >= 0 && !r->st)
        r->at++;
}

/* ---- files ---- */

static enum status load(const char *path, struct reader *r, size_t most)
{
    FILE *file = fopen(path, "rbe");
    size_t room = 0;

    if (!file)
        return err_set(r->err, ST_IO, "%s: %s", path, strerror(errno));
    for (size_t got = 1; got && r->n < most;) {
        if (r->n == room) {
            uint8_t *larger = realloc(r->data, room = room ? 2 * room : 1 << 16);

            if (!larger) {
                fclose(file);
                return err_set(r->err, ST_NOMEM, "%s: out of memory for %zu bytes", path, room);
            }
            r->data = larger;
        }
        got = fread(r->data + r->n, 1, room - r->n, file);
        r->n += got;
    }
    if (ferror(file)) {
        fclose(file);
        return err_set(r->err, ST_IO, "%s: %s", path, strerror(errno));
    }
    fclose(file);
    return ST_OK;
}

/* Text begins with the name of its field; else it is binary: what a key is, and no bracket of JSON behind blanks. */
static bool is_text(const uint8_t *data, size_t n)
{
    static const char first[] = "detection_results";
    struct reader r = {.data = (uint8_t *)data, .n = n};

    skip_blanks(&r);
    return n - r.at > sizeof first && !memcmp(data + r.at, first, sizeof first - 1);
}

/* Lists of results alone, from the first byte to the last. */
static bool is_binary(const uint8_t *data, size_t n)
{
    struct err err;
    struct reader r = {.path = "", .data = (uint8_t *)data, .n = n, .err = &err};

    if (!n || data[0] != 0x0a)
        return false;
    while (!r.st && r.at < n) {
        if (data[r.at++] != 0x0a)
            return false;
        r.at = piece(&r, n);
    }
    return !r.st;
}

bool coco_is_message(const char *path)
{
    struct err err;
    struct reader r = {.path = path, .err = &err};
    FILE *file = fopen(path, "rbe");
    uint8_t head[4096];
    size_t n = 0;
    bool is;

    if (!file)
        return false;
    n = fread(head, 1, sizeof head, file);
    fclose(file);
    if (is_text(head, n))
        return true;
    if (!n || head[0] != 0x0a || load(path, &r, MOST_BYTES)) {
        free(r.data);
        return false;
    }
    is = is_binary(r.data, r.n);
    free(r.data);
    return is;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Ids are those of the file if each image has its own, else 1, 2, 3, … */
static enum status give_ids(struct reader *r)
{
    struct coco_image *images = r->to->images.v;
    struct coco_boxed *boxed = r->to->boxed.v;
    const size_t n = r->to->images.n;
    int64_t *ids = malloc((n + 1) * sizeof *ids);
    bool own = !r->without_id;

    if (!ids)
        return err_set(r->err, ST_NOMEM, "%s: out of memory for %zu images", r->path, n);
    for (size_t i = 0; i < n; i++)
        ids[i] = images[i].id;
    if (n)
        qsort(ids, n, sizeof *ids, by_value);
    for (size_t i = 1; i < n; i++)
        own &= ids[i] != ids[i - 1];
    free(ids);
    for (size_t i = 0; i < n && !own; i++)
        images[i].id = (int64_t)i + 1;
    for (size_t i = 0; i < r->to->boxed.n; i++)
        boxed[i].image = images[boxed[i].image].id;
    return ST_OK;
}

enum status coco_read_message(const char *path, struct coco_lists *to, struct arena *a, struct err *err)
{
    struct reader r = {.path = path, .to = to, .arena = a, .err = err};

    r.st = load(path, &r, MOST_BYTES);
    if (!r.st && is_text(r.data, r.n))
        read_text(&r, GROUND_TRUTH, -1);
    else if (!r.st)
        read_binary(&r, GROUND_TRUTH, r.n);
    if (!r.st)
        r.st = give_ids(&r);
    free(r.data);
    return r.st;
}
