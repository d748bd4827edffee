/* SPDX-License-Identifier: Apache-2.0 */
/* report_read.c - cJSON behind report_read.h; what it finds is checked before it is believed. */
#include "cmd/print/report_read.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cmd/host/files.h"

struct reader {
    char *path;
    cJSON *root;
    bool failed;
    struct err err; /* the first failure */
};

static const cJSON *node(const struct json *j)
{
    return (const cJSON *)j;
}

static const struct json *value(const cJSON *item)
{
    return (const struct json *)item;
}

static const char *kind(const cJSON *item)
{
    return cJSON_IsNull(item)     ? "null"
           : cJSON_IsBool(item)   ? "a boolean"
           : cJSON_IsNumber(item) ? "a number"
           : cJSON_IsString(item) ? "a text"
           : cJSON_IsArray(item)  ? "a list"
                                  : "an object";
}

/* Whether nothing but white space follows the document. */
static bool only_space(const char *s, const char *end)
{
    while (s < end && strchr(" \t\r\n", *s) && *s)
        s++;
    return s == end;
}

/* Of a JSON text: backslashes stand in texts alone there, each with what it quotes. */
static bool holds_null(const char *text, size_t bytes, size_t *at)
{
    for (*at = 0; *at < bytes; ++*at) {
        if (!text[*at] || (bytes - *at >= 6 && !memcmp(text + *at, "\\u0000", 6)))
            return true;
        *at += text[*at] == '\\';
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

/* ST_USAGE where the object has two members of one name. */
static enum status check_names(const struct reader *r, const cJSON *object, struct err *err)
{
    size_t n = (size_t)cJSON_GetArraySize(object), i = 0;
    const cJSON **members = malloc((n + 1) * sizeof *members), *item;
    enum status st = ST_OK;

    if (!members)
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu names", r->path, n);
    cJSON_ArrayForEach(item, object) members[i++] = item;
    qsort(members, n, sizeof *members, by_name);
    for (i = 1; i < n && !st; i++)
        if (!strcmp(members[i - 1]->string, members[i]->string))
            st = err_set(err, ST_USAGE, "%s: \"%.60s\" stands twice in one object", r->path, members[i]->string);
    free(members);
    return st;
}

/* As deep as the parser went, which has a bound. */
static enum status check_all_names(const struct reader *r, const cJSON *in, struct err *err)
{
    enum status st = cJSON_IsObject(in) ? check_names(r, in, err) : ST_OK;
    const cJSON *item;

    cJSON_ArrayForEach(item, in)
    {
        if (!st && item->child)
            st = check_all_names(r, item, err);
    }
    return st;
}

static enum status parse(struct reader *r, const char *text, size_t bytes, struct err *err)
{
    const char *end = text;
    size_t at;

    errno = 0; /* what cJSON says of a text, it says of too little memory, too */
    r->root = cJSON_ParseWithLengthOpts(text, bytes, &end, false);
    if (!r->root && errno == ENOMEM)
        return err_set(err, ST_NOMEM, "%s: out of memory for its %zu bytes", r->path, bytes);
    if (!r->root || !only_space(end, text + bytes))
        return err_set(err, ST_USAGE, "%s: no JSON, from byte %zu of %zu on", r->path, (size_t)(end - text), bytes);
    if (holds_null(text, bytes, &at))
        return err_set(err, ST_USAGE, "%s: a text with a zero character in it, at byte %zu of %zu", r->path, at, bytes);
    return check_all_names(r, r->root, err);
}

enum status reader_open(const char *path, struct reader **out, struct err *err)
{
    struct reader *r = calloc(1, sizeof *r);
    void *text = NULL;
    size_t bytes = 0;
    enum status st;

    *out = NULL;
    if (!r || !(r->path = strdup(path)))
        st = err_set(err, ST_NOMEM, "%s: out of memory", path);
    else if (!(st = file_read_all(path, READER_MAX_BYTES, &text, &bytes, err)))
        st = parse(r, text, bytes, err);
    free(text);
    if (st)
        reader_close(r);
    else
        *out = r;
    return st;
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    cJSON_Delete(r->root);
    free(r->path);
    free(r);
}

static void refuse(struct reader *r, const char *where, const char *key, const char *fmt, va_list ap)
{
    char what[200];

    if (r->failed)
        return;
    vsnprintf(what, sizeof what, fmt, ap);
    err_set(&r->err, ST_USAGE, "%s: \"%.60s\"%s%.60s%s %s", r->path, key, where ? " of \"" : "", where ? where : "",
            where ? "\"" : "", what);
    r->failed = true;
}

void reader_refuse(struct reader *r, const struct json *in, const char *key, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    refuse(r, in ? node(in)->string : NULL, key, fmt, ap);
    va_end(ap);
}

const struct json *reader_root(struct reader *r)
{
    if (cJSON_IsObject(r->root))
        return value(r->root);
    if (!r->failed)
        err_set(&r->err, ST_USAGE, "%s: an object is expected, not %s", r->path, kind(r->root));
    r->failed = true;
    return NULL;
}

enum status reader_status(const struct reader *r, struct err *err)
{
    return r->failed ? err_set(err, ST_USAGE, "%s", r->err.msg) : ST_OK;
}

/* The member, where nothing has failed; NULL where it is not there, and that is noted unless it is `optional`. */
static const cJSON *member(struct reader *r, const struct json *in, const char *key, bool optional)
{
    const cJSON *item = in && !r->failed ? cJSON_GetObjectItemCaseSensitive(node(in), key) : NULL;

    if (optional && cJSON_IsNull(item))
        return NULL;
    if (!item && in && !r->failed && !optional)
        reader_refuse(r, in, key, "is missing");
    return item;
}

/* `item` if it is of the type that `is` asks for. */
static const cJSON *typed(struct reader *r, const struct json *in, const char *key, const cJSON *item,
                          cJSON_bool (*is)(const cJSON *), const char *wanted)
{
    if (!item || is(item))
        return item;
    reader_refuse(r, in, key, "is %s, not %s", kind(item), wanted);
    return NULL;
}

const struct json *read_object(struct reader *r, const struct json *in, const char *key)
{
    return value(typed(r, in, key, member(r, in, key, false), cJSON_IsObject, "an object"));
}

const struct json *read_object_or_null(struct reader *r, const struct json *in, const char *key)
{
    return value(typed(r, in, key, member(r, in, key, true), cJSON_IsObject, "an object"));
}

const struct json *read_list_or_null(struct reader *r, const struct json *in, const char *key)
{
    return value(typed(r, in, key, member(r, in, key, true), cJSON_IsArray, "a list"));
}

const char *read_string(struct reader *r, const struct json *in, const char *key)
{
    const cJSON *item = typed(r, in, key, member(r, in, key, false), cJSON_IsString, "a text");

    return item ? item->valuestring : NULL;
}

const char *read_string_or_null(struct reader *r, const struct json *in, const char *key)
{
    const cJSON *item = typed(r, in, key, member(r, in, key, true), cJSON_IsString, "a text");

    return item ? item->valuestring : NULL;
}

double read_number(struct reader *r, const struct json *in, const char *key)
{
    const cJSON *item = typed(r, in, key, member(r, in, key, false), cJSON_IsNumber, "a number");

    if (!item)
        return 0;
    if (isfinite(item->valuedouble))
        return item->valuedouble;
    reader_refuse(r, in, key, "is too large for a number");
    return 0;
}

bool read_bool(struct reader *r, const struct json *in, const char *key)
{
    return cJSON_IsTrue(typed(r, in, key, member(r, in, key, false), cJSON_IsBool, "a boolean"));
}

const double *read_times(struct reader *r, const struct json *in, const char *key, struct arena *a, size_t *n)
{
    const cJSON *list = typed(r, in, key, member(r, in, key, false), cJSON_IsArray, "a list"), *item;
    double *times = list ? arena_alloc(a, (size_t)cJSON_GetArraySize(list), sizeof *times) : NULL;

    *n = 0;
    if (list && !times)
        reader_refuse(r, in, key, "is too long for the memory there is");
    if (!times)
        return NULL;
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsNumber(item))
            reader_refuse(r, in, key, "has %s at %zu, not a number", kind(item), *n);
        else if (!isfinite(item->valuedouble) || item->valuedouble < 0)
            reader_refuse(r, in, key, "has %g at %zu, which is no time", item->valuedouble, *n);
        if (r->failed)
            return NULL;
        times[(*n)++] = item->valuedouble;
    }
    return times;
}

const struct json *read_first(struct reader *r, const struct json *in, const char *key)
{
    const cJSON *item = member(r, in, key, false);

    if (item && !cJSON_IsArray(item) && !cJSON_IsObject(item)) {
        reader_refuse(r, in, key, "is %s, not a list or an object", kind(item));
        return NULL;
    }
    return item ? value(item->child) : NULL;
}

const struct json *read_next(const struct json *v)
{
    return value(node(v)->next);
}

const struct json *read_within(const struct json *object)
{
    return value(node(object)->child);
}

const struct json *read_as_object(struct reader *r, const struct json *list_value)
{
    if (r->failed || cJSON_IsObject(node(list_value)))
        return r->failed ? NULL : list_value;
    err_set(&r->err, ST_USAGE, "%s: a list of objects holds %s", r->path, kind(node(list_value)));
    r->failed = true;
    return NULL;
}

const char *read_as_text(struct reader *r, const struct json *list_value)
{
    if (r->failed || cJSON_IsString(node(list_value)))
        return r->failed ? NULL : node(list_value)->valuestring;
    err_set(&r->err, ST_USAGE, "%s: a list of texts holds %s", r->path, kind(node(list_value)));
    r->failed = true;
    return NULL;
}

const char *read_name(const struct json *m)
{
    return node(m)->string ? node(m)->string : "";
}

const char *read_flag_value(struct reader *r, const struct json *m, struct arena *a)
{
    const cJSON *item = node(m);
    char *text = NULL;

    if (cJSON_IsString(item))
        return item->valuestring;
    if (cJSON_IsBool(item))
        return cJSON_IsTrue(item) ? "true" : "false";
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
        reader_refuse(r, NULL, read_name(m), "is %s, not a value that a flag could have", kind(item));
    else if (!(text = arena_printf(a, "%.17g", item->valuedouble)))
        reader_refuse(r, NULL, read_name(m), "does not fit into memory");
    return text;
}
