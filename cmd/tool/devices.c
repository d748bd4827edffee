/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - each device as text and as JSON, whichever was asked for. */
#include "cmd/tool/devices.h"

#include <string.h>

#include "cmd/host/say.h"
#include "cmd/tool/report_parts.h"

struct listing {
    struct report *report;
    struct json *devices;
    const struct delegate_type *type; /* whose devices these are */
};

/* "a, b, c" as a list. */
static void put_words(struct report *r, struct json *in, const char *key, const char *words)
{
    struct json *list = json_array(r, in, key);

    while (*words) {
        size_t n = strcspn(words, ",");
        char word[80];

        snprintf(word, sizeof word, "%.*s", (int)n, words);
        json_string(r, list, NULL, word);
        words += n;
        words += strspn(words, ", ");
    }
}

static void put_device(void *arg, const struct delegate_device *d)
{
    struct listing *to = arg;
    struct json *o = json_object(to->report, to->devices, NULL), *limits;

    say_text("%s", d->text);
    json_string(to->report, o, "delegate", to->type->name);
    json_number(to->report, o, "index", d->index);
    JSON_STRINGS(to->report, o, {"name", d->name}, {"driver", d->driver}, {"platform", d->platform});
    json_bool(to->report, o, "software", d->software);
    put_words(to->report, o, "policy", d->policy);
    limits = json_array(to->report, o, "limits");
    for (size_t i = 0; i < d->n_facts; i++) {
        struct json *fact = json_object(to->report, limits, NULL);

        json_string(to->report, fact, "name", d->facts[i].name);
        json_number(to->report, fact, "value", (double)d->facts[i].value);
        json_string(to->report, fact, "unit", d->facts[i].unit);
    }
}

enum status devices_list(const struct tool *t, struct err *err)
{
    struct listing to = {.report = report_new()};
    enum status st = ST_OK;
    bool any = false;

    report_tool(to.report, t, "list_gpus");
    to.devices = json_array(to.report, report_root(to.report), "devices");
    for (const struct delegate_type *const *type = delegate_types; *type; type++) {
        to.type = *type;
        if ((*type)->list_devices && !(st = (*type)->list_devices(put_device, &to, err)))
            any = true;
    }
    if (any)
        st = *t->json ? report_write(to.report, t->json, err) : ST_OK;
    report_free(to.report);
    return st;
}
