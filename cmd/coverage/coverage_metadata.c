/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_metadata.c - lib/model/metadata.h in words and members. */
#include "cmd/coverage/coverage_metadata.h"

#include "lib/model/metadata.h"

static void add_numbers(struct result_section *to, const float *list, uint32_t n)
{
    for (uint32_t i = 0; i < n && i < 8; i++)
        result_more(to, "%s%g", i ? "," : "", (double)list[i]);
}

static void add_tensor(struct result_section *to, const char *kind, uint32_t i, const struct metadata_tensor *t)
{
    if (!t->n_mean && !t->n_std && !t->labels)
        return;
    result_line(to, RESULT_PLAIN, "  %s %u '%.127s'", kind, i, t->name);
    if (t->n_mean || t->n_std) {
        result_more(to, ", mean ");
        add_numbers(to, t->mean, t->n_mean);
        result_more(to, " std ");
        add_numbers(to, t->std, t->n_std);
    }
    if (t->labels)
        result_more(to, ", labels in %.255s", t->labels);
}

static void put_numbers(struct report *r, struct json *in, const char *key, const float *list, uint32_t n)
{
    struct json *to = json_array(r, in, key);

    for (uint32_t i = 0; i < n; i++)
        json_number(r, to, NULL, (double)list[i]);
}

static void put_tensors(struct report *r, struct json *in, const char *key, const struct metadata_tensor *t, uint32_t n)
{
    struct json *list = json_array(r, in, key);

    for (uint32_t i = 0; i < n; i++) {
        struct json *o = json_object(r, list, NULL);

        JSON_STRINGS(r, o, {"name", t[i].name}, {"description", t[i].description}, {"labels", t[i].labels});
        put_numbers(r, o, "mean", t[i].mean, t[i].n_mean);
        put_numbers(r, o, "std", t[i].std, t[i].n_std);
    }
}

static void add_lines(struct result_section *to, const struct metadata *d)
{
    result_line(to, RESULT_PLAIN, "Metadata: %.255s%s%.63s", *d->name ? d->name : "without a name", *d->version ? ", version " : "",
                d->version);
    for (uint32_t i = 0; i < d->n_inputs; i++)
        add_tensor(to, "input", i, &d->inputs[i]);
    for (uint32_t i = 0; i < d->n_outputs; i++)
        add_tensor(to, "output", i, &d->outputs[i]);
}

void coverage_metadata_results(struct result_section *to, struct report *r, const struct model *m, uint32_t subgraph)
{
    struct arena arena = {0};
    struct metadata d;
    struct err err;
    const bool broken = metadata_read(m, subgraph, &arena, &d, &err) != ST_OK;
    struct json *o;

    if (broken)
        result_line(to, RESULT_PLAIN, "The metadata cannot be read: %.300s", err.msg);
    else if (d.there)
        add_lines(to, &d);
    if (json_given(r, report_root(r), "metadata", d.there && !broken)) {
        o = json_object(r, report_root(r), "metadata");
        JSON_STRINGS(r, o, {"name", d.name}, {"version", d.version}, {"description", d.description}, {"author", d.author},
                     {"license", d.license});
        put_tensors(r, o, "inputs", d.inputs, d.n_inputs);
        put_tensors(r, o, "outputs", d.outputs, d.n_outputs);
    }
    arena_free(&arena);
}
