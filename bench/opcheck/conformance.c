/* SPDX-License-Identifier: Apache-2.0 */
/* conformance.c - from a .tflite with its inputs inside to a case. */
#include "bench/opcheck/conformance.h"
#include "bench/opcheck/tar.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 1024

/* Larger than any archive that is kept in the tree by far. */
#define MOST_ARCHIVE_BYTES (256u << 20)

#define GOLDEN "golden.txt"

/* One archive: the cases of one operator. */
struct archive {
    char path[PATH_SIZE];
    const struct op *op;
    uint8_t *data;
    size_t bytes;
    struct golden golden;
};

struct conformance_case {
    char name[101]; /* of the member, without ".tflite" */
    uint8_t *copy;  /* its bytes */
    struct op_case c;
    struct case_ref ref;
    struct case_model m;
    struct golden golden;
};

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);

    return n > k && !strcmp(s + n - k, end);
}

static int is_archive(const struct dirent *d)
{
    return ends_with(d->d_name, ".tar");
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

/* The model stands alone in memory of its exact size, so that sanitizers see any byte read past it. */
static enum status open_model(struct conformance_case *f, const struct tar_member *m, struct err *err)
{
    const struct model_buffer *runs;
    enum status st;

    if (!(f->copy = malloc(m->bytes ? m->bytes : 1)))
        return err_set(err, ST_NOMEM, "%s: out of memory", m->name);
    memcpy(f->copy, m->data, m->bytes);
    if ((st = model_parse(f->copy, m->bytes, m->name, &f->m.model, err)))
        return st;
    if (!f->m.model->n_subgraphs || !f->m.model->subgraphs[0].n_ops)
        return err_set(err, ST_BAD_MODEL, "%s: no ops", m->name);
    if ((runs = find_metadata(f->m.model, "runs")) && runs->bytes == 4)
        memcpy(&f->c.runs, runs->data, 4);
    return read_inputs(f, err);
}

/* The n-th of the archive, from 0. */
static enum status visit_member(const struct archive *a, const struct tar_member *m, uint32_t n, conformance_visitor visit,
                                void *user, struct err *err)
{
    struct conformance_case *f = calloc(1, sizeof *f);
    struct err bad = {{0}};

    if (!f)
        return err_set(err, ST_NOMEM, "%s: out of memory", a->path);
    snprintf(f->name, sizeof f->name, "%.*s", (int)(strlen(m->name) - strlen(".tflite")), m->name);
    f->c.name = f->name;
    f->ref = (struct case_ref){.op = a->op, .kernel = a->op->name, .c = &f->c, .n = n};
    visit(user, &f->ref, &a->golden, &f->m, open_model(f, m, &bad) ? &bad : NULL);
    case_model_fini(&f->m);
    free(f->copy);
    free(f);
    return ST_OK;
}

static enum status read_file(struct archive *a, struct err *err)
{
    FILE *f = fopen(a->path, "rb");
    long end = -1;

    if (f && !fseek(f, 0, SEEK_END))
        end = ftell(f);
    if (end >= 0 && (unsigned long)end <= MOST_ARCHIVE_BYTES && !fseek(f, 0, SEEK_SET) && (a->data = malloc((size_t)end + 1)))
        a->bytes = fread(a->data, 1, (size_t)end, f);
    if (f)
        fclose(f);
    if (!a->data)
        return err_set(err, ST_IO, "%s: not a file that can be read, or one beyond %u MB", a->path, MOST_ARCHIVE_BYTES >> 20);
    return a->bytes == (size_t)end ? ST_OK : err_set(err, ST_IO, "%s: read %zu of %ld bytes", a->path, a->bytes, end);
}

/* The first member: the golden outputs of all others. */
static enum status read_golden(struct archive *a, struct tar *t, struct err *err)
{
    struct tar_member m;
    enum status st = tar_next(t, &m, err);

    if (st)
        return st;
    if (strcmp(m.name, GOLDEN))
        return err_set(err, ST_BAD_MODEL, "%s: begins with \"%s\" instead of " GOLDEN, a->path, m.name);
    if (!(a->golden.text = calloc(1, m.bytes + 1)))
        return err_set(err, ST_NOMEM, "%s: out of memory", a->path);
    a->golden.path = a->path;
    memcpy(a->golden.text, m.data, m.bytes);
    return ST_OK;
}

static enum status visit_members(struct archive *a, conformance_visitor visit, void *user, struct err *err)
{
    struct tar t = tar_open(a->path, a->data, a->bytes);
    struct tar_member m;
    enum status st = read_golden(a, &t, err);
    uint32_t n = 0;

    for (; !st && !(st = tar_next(&t, &m, err)) && *m.name; n++) {
        if (!ends_with(m.name, ".tflite"))
            return err_set(err, ST_BAD_MODEL, "%s: \"%s\" is no TYPE.SEED.tflite", a->path, m.name);
        st = visit_member(a, &m, n, visit, user, err);
    }
    return st || n ? st : err_set(err, ST_BAD_MODEL, "%s: no cases", a->path);
}

static enum status visit_archive(const char *dir, const char *name, conformance_visitor visit, void *user, struct err *err)
{
    struct archive a = {.op = NULL};
    size_t stem = strlen(name) - strlen(".tar");
    enum status st;

    if ((size_t)snprintf(a.path, sizeof a.path, "%s/%s", dir, name) >= sizeof a.path)
        return err_set(err, ST_USAGE, "%s: the path is too long", name);
    for (size_t i = 0; i < op_table_n; i++)
        if (strlen(op_table[i].name) == stem && !strncmp(op_table[i].name, name, stem))
            a.op = &op_table[i];
    if (!a.op)
        return err_set(err, ST_USAGE, "%s: no operator is called so", a.path);
    if (!(st = read_file(&a, err)))
        st = visit_members(&a, visit, user, err);
    golden_close(&a.golden);
    free(a.data);
    return st;
}

enum status conformance_visit(const char *dir, conformance_visitor visit, void *user, struct err *err)
{
    struct dirent **found = NULL;
    int n = scandir(dir, &found, is_archive, alphasort);
    enum status st = ST_OK;

    if (n < 0)
        return err_set(err, ST_IO, "%s: %s", dir, strerror(errno));
    if (!n)
        st = err_set(err, ST_USAGE, "%s holds no OPERATOR.tar", dir);
    for (int i = 0; i < n; i++) {
        if (!st)
            st = visit_archive(dir, found[i]->d_name, visit, user, err);
        free(found[i]);
    }
    free(found);
    return st;
}
