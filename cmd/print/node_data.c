/* SPDX-License-Identifier: Apache-2.0 */
/* node_data.c - one entry for each name, which several rows may have. */
#include "cmd/print/node_data.h"

#include <math.h>
#include <string.h>

#include "lib/base/intern.h"

static double joined(const struct node_values *all, double a, double b)
{
    return all->add_up ? a + b : isnan(b) ? INFINITY : fmax(a, b);
}

/* The different names in the order in which they come, each with the number of all that have it. */
static struct node_value *names_of(const struct node_values *v, struct arena *a, uint32_t *n)
{
    struct node_value *list = ARENA_ARRAY(a, v->n, struct node_value);
    struct node_value one;
    struct intern seen;

    *n = 0;
    if (!list || !intern_init(&seen, a, v->n))
        return NULL;
    for (size_t i = 0; i < v->n; i++) {
        uint32_t at;

        if (!v->get(v->arg, i, &one))
            continue;
        if (one.word && !(one.word = arena_strdup(a, one.word)))
            return NULL;
        if ((at = intern(&seen, one.name, strlen(one.name), *n)) == *n) {
            list[(*n)++] = one;
            list[at].value = 0;
        }
        list[at].value = joined(v, list[at].value, one.value);
    }
    return list;
}

static void put_stop(struct report *r, struct json *gradient, double stop, const char *color)
{
    struct json *o = json_object(r, gradient, NULL);

    json_number(r, o, "stop", stop);
    json_string(r, o, "bgColor", color);
}

static void put_value(struct report *r, struct json *o, const struct node_value *v)
{
    if (!v->word && isfinite(v->value)) {
        json_number(r, o, "value", v->value);
        return;
    }
    JSON_STRINGS(r, o, {"value", v->word ? v->word : "not finite"}, {"bgColor", v->word ? v->color : "#c000a8"});
}

void node_data_put(struct report *r, const struct node_values *v)
{
    struct json *results = json_object(r, report_root(r), "results"), *gradient;
    struct arena own = {0};
    uint32_t n;
    const struct node_value *list = names_of(v, &own, &n);

    for (uint32_t i = 0; list && i < n; i++)
        put_value(r, json_object_named(r, results, list[i].name), &list[i]);
    if (!list || !n || !list[0].word) {
        gradient = json_array(r, report_root(r), "gradient");
        put_stop(r, gradient, 0, "#ffffff");
        put_stop(r, gradient, 1, "#e8710a");
    }
    if (!list)
        report_out_of_memory(r);
    arena_free(&own);
}

bool node_data_any(const struct node_values *v)
{
    struct node_value one;

    for (size_t i = 0; i < v->n; i++)
        if (v->get(v->arg, i, &one))
            return true;
    return false;
}
