/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - cJSON behind report.h, with failed allocations remembered until the end. */
#include "cmd/print/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "cmd/host/utf8.h"

struct report {
    cJSON *root;
    bool failed; /* something could not be allocated */
};

/* struct json is cJSON under a name that does not make every tool include it. */
static cJSON *node(struct json *j)
{
    return (cJSON *)j;
}

struct report *report_new(void)
{
    struct report *r = calloc(1, sizeof *r);

    if (r && !(r->root = cJSON_CreateObject()))
        r->failed = true;
    return r;
}

void report_out_of_memory(struct report *r)
{
    if (r)
        r->failed = true;
}

void report_free(struct report *r)
{
    if (r)
        cJSON_Delete(r->root);
    free(r);
}

struct json *report_root(struct report *r)
{
    return r ? (struct json *)r->root : NULL;
}

/* Takes `item`. */
static struct json *add(struct report *r, struct json *in, const char *key, cJSON *item)
{
    bool added = false;

    if (item && in)
        added = key ? cJSON_AddItemToObject(node(in), key, item) : cJSON_AddItemToArray(node(in), item);
    if (added)
        return (struct json *)item;
    if (r)
        r->failed = true;
    cJSON_Delete(item);
    return NULL;
}

struct json *json_object(struct report *r, struct json *in, const char *key)
{
    return add(r, in, key, cJSON_CreateObject());
}

void json_take(struct report *r, struct json *in, const char *key, struct report *from)
{
    if (!from || from->failed)
        report_out_of_memory(r);
    if (!from)
        return;
    add(r, in, key, from->root);
    from->root = NULL;
}

struct json *json_object_named(struct report *r, struct json *in, const char *name)
{
    char *key = utf8_valid(name);
    struct json *o = key ? json_object(r, in, key) : add(r, in, name, NULL);

    free(key);
    return o;
}

struct json *json_array(struct report *r, struct json *in, const char *key)
{
    return add(r, in, key, cJSON_CreateArray());
}

/* cJSON stops at 15 digits where these are within one unit in the last place, so readers would get another number. */
static cJSON *exact_number(double value)
{
    char text[32];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return cJSON_CreateRaw(text);
}

void json_names(struct report *r, struct json *in, const char *key, const char *list)
{
    struct json *names = json_array(r, in, key);
    char name[128];

    for (size_t n; (n = strcspn(list, ",")); list += n + strspn(list + n, ", ")) {
        snprintf(name, sizeof name, "%.*s", (int)n, list);
        json_string(r, names, NULL, name);
    }
}

void json_number(struct report *r, struct json *in, const char *key, double value)
{
    add(r, in, key, !in ? NULL : isfinite(value) ? exact_number(value) : cJSON_CreateNull());
}

void json_bool(struct report *r, struct json *in, const char *key, bool value)
{
    add(r, in, key, cJSON_CreateBool(value));
}

void json_null(struct report *r, struct json *in, const char *key)
{
    add(r, in, key, cJSON_CreateNull());
}

bool json_given(struct report *r, struct json *in, const char *key, bool given)
{
    if (!given)
        json_null(r, in, key);
    return given;
}

void json_string(struct report *r, struct json *in, const char *key, const char *value)
{
    char *text = in && value ? utf8_valid(value) : NULL;

    if (!value)
        add(r, in, key, cJSON_CreateNull());
    else
        add(r, in, key, text ? cJSON_CreateString(text) : NULL);
    free(text);
}

void json_numbers(struct report *r, struct json *in, const struct json_figure *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        json_number(r, in, list[i].key, list[i].value);
}

void json_strings(struct report *r, struct json *in, const struct json_word *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        json_string(r, in, list[i].key, list[i].value);
}

enum status report_write(struct report *r, const char *path, struct err *err)
{
    char *text = r && !r->failed ? cJSON_Print(r->root) : NULL;
    enum status st = ST_OK;

    if (!text)
        return err_set(err, ST_NOMEM, "out of memory for the JSON report");
    if (!strcmp(path, "-")) {
        puts(text);
        say_flush();
    } else {
        struct file_piece pieces[] = {{text, strlen(text)}, {"\n", 1}};

        st = file_write(path, pieces, 2, err);
    }
    cJSON_free(text);
    return st;
}
