/* SPDX-License-Identifier: Apache-2.0 */
/* node_data.c - one entry for each name, which several rows may have. */
#include "node_data.h"

#include <math.h>
#include <string.h>

static bool is_named(const struct node_values *v, size_t i, const char *name, struct node_value *out)
{
    return v->get(v->arg, i, out) && !strcmp(out->name, name);
}

static bool named_before(const struct node_values *v, size_t i, const char *name)
{
    struct node_value other;

    for (size_t k = 0; k < i; k++)
        if (is_named(v, k, name, &other))
            return true;
    return false;
}

static double value_of(const struct node_values *v, size_t first, const char *name)
{
    struct node_value other;
    double value = 0;

    for (size_t k = first; k < v->n; k++)
        if (is_named(v, k, name, &other))
            value = v->add_up ? value + other.value : isnan(other.value) ? INFINITY : fmax(value, other.value);
    return value;
}

static void put_stop(struct report *r, struct json *gradient, double stop, const char *color)
{
    struct json *o = json_object(r, gradient, NULL);

    json_number(r, o, "stop", stop);
    json_string(r, o, "bgColor", color);
}

void node_data_put(struct report *r, const struct node_values *v)
{
    struct json *results = json_object(r, report_root(r), "results"), *gradient, *o;
    struct node_value one;

    for (size_t i = 0; i < v->n; i++) {
        double value;

        if (!v->get(v->arg, i, &one) || named_before(v, i, one.name))
            continue;
        o = json_object_named(r, results, one.name);
        if (isfinite(value = value_of(v, i, one.name))) {
            json_number(r, o, "value", value);
        } else {
            json_string(r, o, "value", "not finite");
            json_string(r, o, "bgColor", "#c000a8");
        }
    }
    gradient = json_array(r, report_root(r), "gradient");
    put_stop(r, gradient, 0, "#ffffff");
    put_stop(r, gradient, 1, "#e8710a");
}

bool node_data_any(const struct node_values *v)
{
    struct node_value one;

    for (size_t i = 0; i < v->n; i++)
        if (v->get(v->arg, i, &one))
            return true;
    return false;
}
