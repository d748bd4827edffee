/* SPDX-License-Identifier: Apache-2.0 */
/* model_pairs.c - lists of names, matched. */
#include "lib/model/model_pairs.h"

#include <string.h>

/* The inputs or outputs of one subgraph. */
struct side {
    const struct model *m;
    uint32_t subgraph;
    bool outputs;
};

static uint32_t count(const struct side *s)
{
    const struct model_subgraph *g = &s->m->subgraphs[s->subgraph];

    return s->outputs ? g->n_outputs : g->n_inputs;
}

static int32_t tensor_of(const struct side *s, uint32_t i)
{
    const struct model_subgraph *g = &s->m->subgraphs[s->subgraph];

    return (s->outputs ? g->outputs : g->inputs)[i];
}

/* NULL: it has no such name. */
static const char *signature_name(const struct side *s, uint32_t i)
{
    const int32_t tensor = tensor_of(s, i);

    for (const struct model_signature *k = s->m->signatures; tensor >= 0 && k < s->m->signatures + s->m->n_signatures; k++) {
        const uint32_t *tensors = s->outputs ? k->output_tensors : k->input_tensors, n = s->outputs ? k->n_outputs : k->n_inputs;

        for (uint32_t j = 0; k->subgraph == s->subgraph && j < n; j++)
            if (tensors[j] == (uint32_t)tensor)
                return (s->outputs ? k->output_names : k->input_names)[j];
    }
    return NULL;
}

static const char *name_of(const struct side *s, uint32_t i, enum pairs_by by)
{
    const int32_t tensor = tensor_of(s, i);

    if (by == PAIRS_BY_SIGNATURE)
        return signature_name(s, i);
    return tensor < 0 ? NULL : s->m->subgraphs[s->subgraph].tensors[tensor].name;
}

/* Whether every name of the one has exactly one on the other side, which no other takes. */
static bool match(const struct side *a, const struct side *b, enum pairs_by by, uint32_t *out)
{
    for (uint32_t i = 0; i < count(a); i++) {
        const char *name = name_of(a, i, by);
        uint32_t found = 0;

        for (uint32_t k = 0; name && k < count(b); k++) {
            const char *other = name_of(b, k, by);

            if (!other || strcmp(name, other) != 0)
                continue;
            out[i] = k;
            found++;
        }
        for (uint32_t k = 0; found == 1 && k < i; k++)
            found += out[k] == out[i];
        if (found != 1)
            return false;
    }
    return true;
}

static enum status pair(const struct side *a, const struct side *b, struct arena *arena, uint32_t **out, uint32_t *n,
                        enum pairs_by *by, struct err *err)
{
    *n = count(a);
    if (*n != count(b))
        return err_set(err, ST_USAGE, "the reference model has %u %s, the other %u", *n, a->outputs ? "outputs" : "inputs",
                       count(b));
    if (!(*out = ARENA_ARRAY(arena, *n, uint32_t)))
        return err_set(err, ST_NOMEM, "out of memory for %u pairs", *n);
    for (*by = PAIRS_BY_SIGNATURE; *by != PAIRS_BY_ORDER; ++*by)
        if (match(a, b, *by, *out))
            return ST_OK;
    for (uint32_t i = 0; i < *n; i++)
        (*out)[i] = i;
    return ST_OK;
}

enum status model_pairs_find(const struct model *reference, uint32_t reference_subgraph, const struct model *test,
                             uint32_t test_subgraph, struct arena *a, struct model_pairs *out, struct err *err)
{
    struct side r = {reference, reference_subgraph, false}, t = {test, test_subgraph, false};
    enum status st;

    *out = (struct model_pairs){0};
    if ((st = pair(&r, &t, a, &out->inputs, &out->n_inputs, &out->inputs_by, err)))
        return st;
    r.outputs = t.outputs = true;
    return pair(&r, &t, a, &out->outputs, &out->n_outputs, &out->outputs_by, err);
}
