/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_shapes.c - other shapes of inputs: the model is changed in memory before anybody is asked. */
#include <string.h>

#include "cmd/coverage/op_coverage.h"
#include "cmd/input/input_spec.h"

/* The tensor of an input by its own name, or by the one that a signature gives it; NULL: none. */
static struct tensor *input_called(const struct model *m, uint32_t subgraph, const char *name)
{
    const struct model_subgraph *s = &m->subgraphs[subgraph];

    for (uint32_t i = 0; i < s->n_inputs; i++)
        if (!strcmp(s->tensors[s->inputs[i]].name, name))
            return &s->tensors[s->inputs[i]];
    for (uint32_t i = 0; i < m->n_signatures; i++)
        for (uint32_t k = 0; m->signatures[i].subgraph == subgraph && k < m->signatures[i].n_inputs; k++)
            if (!strcmp(m->signatures[i].input_names[k], name))
                return &s->tensors[m->signatures[i].input_tensors[k]];
    return NULL;
}

static enum status set_shapes(const struct coverage_run *r, const struct input_spec *spec, struct err *err)
{
    const struct model_subgraph *s = &r->tool.model->subgraphs[r->tool.subgraph];
    enum status st = ST_OK;

    for (uint32_t i = 0; i < spec->n_shapes && !st; i++) {
        const struct input_shape *shape = &spec->shapes[i];
        struct tensor *t = input_called(r->tool.model, r->tool.subgraph, shape->name);

        if (!t)
            return err_set(err, ST_USAGE, "--input_layer: no input is called '%.100s'%s%.100s%s", shape->name,
                           s->n_inputs ? "; the first is '" : "", s->n_inputs ? s->tensors[s->inputs[0]].name : "",
                           s->n_inputs ? "'" : "");
        st = tensor_set_shape(t, shape->dim, shape->rank, err);
    }
    return st;
}

enum status coverage_take_shapes(struct coverage_run *r, struct err *err)
{
    const struct input_texts texts = {r->flags.layers, r->flags.shapes, "", "", ""};
    struct input_spec spec;
    struct arena arena = {0};
    enum status st = input_spec_parse(&texts, &arena, &spec, err);

    if (!st && spec.n_shapes && !coverage_asks_one(r))
        st = err_set(err, ST_USAGE, "--input_layer: the CPU kernels are asked, which know no shapes");
    if (!st && spec.n_shapes && *r->flags.fix)
        st = err_set(err, ST_USAGE, "--input_layer: --fix rewrites the model in the shapes of its file");
    if (!st)
        st = set_shapes(r, &spec, err);
    arena_free(&arena);
    return st;
}
