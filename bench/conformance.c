/* SPDX-License-Identifier: Apache-2.0 */
/* conformance.c - from a .tflite with its inputs inside to a case. */
#include "conformance.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 1024

struct conformance_case {
    char name[NAME_MAX + 1]; /* of the file, cut into operator and case */
    struct op_case c;
    struct case_ref ref;
    struct case_model m;
    struct golden golden;
};

static int is_model(const struct dirent *d)
{
    size_t n = strlen(d->d_name);

    return n > 7 && !strcmp(d->d_name + n - 7, ".tflite");
}

static const struct model_buffer *find_metadata(const struct model *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_metadata; i++)
        if (!strcmp(m->metadata[i].name, name))
            return &m->buffers[m->metadata[i].buffer];
    return NULL;
}

static void describe(struct case_tensor *ct, const struct tensor *t, const void *data)
{
    *ct = (struct case_tensor){.type = t->type,
                               .rank = t->rank,
                               .fill = data ? FILL_GIVEN : FILL_UNIFORM,
                               .constant = t->is_const,
                               .variable = t->is_variable,
                               .data = data,
                               .scale = t->quant.n ? t->quant.scale[0] : 0};
    memcpy(ct->dim, t->dim, sizeof ct->dim);
}

static enum status read_input(struct conformance_case *f, uint32_t i, const struct tensor *t, struct err *err)
{
    char name[32];
    const struct model_buffer *b;
    size_t elems;
    enum status st = shape_elems(t->dim, t->rank, &elems, err);

    snprintf(name, sizeof name, "input_%u", i);
    b = find_metadata(f->m.model, name);
    if (st)
        return st;
    if (!b)
        return err_set(err, ST_BAD_MODEL, "no metadata \"%s\"", name);
    if (t->type != TYPE_STRING && b->bytes != type_bytes(t->type, elems))
        return err_set(err, ST_BAD_MODEL, "metadata \"%s\" have %zu bytes, %s has %zu", name, b->bytes, TENSOR_TEXT(t),
                       type_bytes(t->type, elems));
    describe(&f->c.in[i], t, b->data);
    f->m.slot[i] = i;
    f->m.input[i] = (void *)(uintptr_t)b->data; /* only ever read */
    f->m.input_bytes[i] = b->bytes;
    return ST_OK;
}

/* Inputs of the model first, then what else the op reads: the checks ask what kinds there are, not in which order. */
static enum status read_inputs(struct conformance_case *f, struct err *err)
{
    const struct model_subgraph *g = &f->m.model->subgraphs[0];
    const struct model_op *op = &g->ops[g->n_ops - 1];
    uint32_t n = g->n_inputs;

    if (n > CASE_INPUTS)
        return err_set(err, ST_BAD_MODEL, "%u inputs, at most %zu", n, CASE_INPUTS);
    f->m.n_inputs = n;
    for (uint32_t i = 0; i < n; i++) {
        enum status st = read_input(f, i, &g->tensors[g->inputs[i]], err);

        if (st)
            return st;
    }
    for (uint32_t i = 0; i < op->n_inputs && n < CASE_INPUTS; i++)
        if (op->inputs[i] >= 0 && (g->tensors[op->inputs[i]].is_const || g->tensors[op->inputs[i]].is_variable))
            describe(&f->c.in[n++], &g->tensors[op->inputs[i]], g->tensors[op->inputs[i]].data);
    return ST_OK;
}

static enum status find_op(struct conformance_case *f, const char *path, struct err *err)
{
    char *dot = strchr(f->name, '.');

    f->name[strlen(f->name) - 7] = 0;
    if (!dot || !*dot)
        return err_set(err, ST_USAGE, "%s: expected OPERATOR.CASE.tflite", path);
    *dot = 0;
    for (size_t i = 0; i < op_table_n; i++)
        if (!strcmp(op_table[i].name, f->name))
            f->ref.op = &op_table[i];
    if (!f->ref.op)
        return err_set(err, ST_USAGE, "%s: no operator is called %s", path, f->name);
    f->ref.kernel = f->name;
    f->ref.c = &f->c;
    f->c.name = dot + 1;
    return ST_OK;
}

static enum status open_case(struct conformance_case *f, const char *path, struct err *err)
{
    const struct model_buffer *runs;
    enum status st = model_open(path, &f->m.model, err);

    if (st)
        return st;
    if (!f->m.model->n_subgraphs || !f->m.model->subgraphs[0].n_ops)
        return err_set(err, ST_BAD_MODEL, "%s: no ops", path);
    if ((runs = find_metadata(f->m.model, "runs")) && runs->bytes == 4)
        memcpy(&f->c.runs, runs->data, 4);
    return read_inputs(f, err);
}

static enum status visit_file(const char *dir, const char *name, conformance_visitor visit, void *user, struct err *err)
{
    char path[PATH_SIZE], golden_path[PATH_SIZE];
    struct conformance_case *f = calloc(1, sizeof *f);
    struct err bad = {{0}};
    enum status st;

    if (!f)
        return err_set(err, ST_NOMEM, "%s: out of memory", name);
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (!(st = find_op(f, path, err))) {
        snprintf(golden_path, sizeof golden_path, "%s/%s.txt", dir, f->name);
        if (!(st = golden_open(golden_path, &f->golden, err)))
            visit(user, &f->ref, &f->golden, &f->m, open_case(f, path, &bad) ? &bad : NULL);
    }
    golden_close(&f->golden);
    case_model_fini(&f->m);
    free(f);
    return st;
}

enum status conformance_visit(const char *dir, conformance_visitor visit, void *user, struct err *err)
{
    struct dirent **found = NULL;
    int n = scandir(dir, &found, is_model, alphasort);
    enum status st = ST_OK;

    if (n < 0)
        return err_set(err, ST_IO, "%s: %s", dir, strerror(errno));
    if (!n)
        st = err_set(err, ST_USAGE, "%s holds no .tflite", dir);
    for (int i = 0; i < n; i++) {
        if (!st)
            st = visit_file(dir, found[i]->d_name, visit, user, err);
        free(found[i]);
    }
    free(found);
    return st;
}
