/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess_metadata.c - the path from the metadata's root to NormalizationOptions; numbers are those of metadata_schema.fbs. */
#include "lib/eval/preprocess_metadata.h"

#include <math.h>

#include "lib/base/fb.h"

enum {
    MODEL_SUBGRAPHS = 3,
    SUBGRAPH_INPUTS = 2,
    SUBGRAPH_OUTPUTS = 3,
    TENSOR_NAME = 0,
    TENSOR_PROCESS_UNITS = 4,
    UNIT_OPTIONS_TYPE = 0,
    UNIT_OPTIONS = 1,
    OPTIONS_NORMALIZATION = 1,
    NORMALIZATION_MEAN = 0,
    NORMALIZATION_STD = 1
};

static const struct model_buffer *find_metadata(const struct model *m)
{
    for (uint32_t i = 0; i < m->n_metadata; i++)
        if (!strcmp(m->metadata[i].name, "TFLITE_METADATA") && m->metadata[i].buffer < m->n_buffers)
            return &m->buffers[m->metadata[i].buffer];
    return NULL;
}

/* Element i of a vector of tables; no table if it is not there. */
static struct fb_table element(struct fb *f, const struct fb_table *in, unsigned field, uint32_t i, const char *what)
{
    struct fb_vector v = {0};

    if (in->at)
        v = fb_tables(f, in, field, what);
    return i < v.n ? fb_item(f, &v, i, what) : (struct fb_table){0};
}

/* The first unit that normalizes; no table if there is none. */
static struct fb_table find_normalization(struct fb *f, uint32_t subgraph, uint32_t input)
{
    const struct fb_table root = fb_root(f), graph = element(f, &root, MODEL_SUBGRAPHS, subgraph, "subgraph_metadata");
    const struct fb_table tensor = element(f, &graph, SUBGRAPH_INPUTS, input, "input_tensor_metadata");
    struct fb_table unit;

    for (uint32_t i = 0; (unit = element(f, &tensor, TENSOR_PROCESS_UNITS, i, "process_units")).at; i++)
        if (fb_u8(f, &unit, UNIT_OPTIONS_TYPE, 0) == OPTIONS_NORMALIZATION)
            return fb_child(f, &unit, UNIT_OPTIONS, "options");
    return unit;
}

static enum status read_three(struct fb *f, const struct fb_table *from, unsigned field, const char *what, double out[3])
{
    uint32_t n;
    const float *list = fb_array(f, from, field, sizeof *list, &n, what);

    if (f->st)
        return f->st;
    if (n != 1 && n != 3)
        return fb_fail(f, ST_USAGE, "%u numbers for %s, not one or three", n, what);
    for (uint32_t c = 0; c < 3; c++) {
        out[c] = (double)list[n > 1 ? c : 0];
        if (!isfinite(out[c]) || (field == NORMALIZATION_STD && !(out[c] > 0)))
            return fb_fail(f, ST_USAGE, "%s of %g", what, out[c]);
    }
    return ST_OK;
}

enum status preprocess_metadata(const struct model *m, uint32_t subgraph, uint32_t input, const struct tensor *t,
                                struct preprocess *p, struct err *err)
{
    const struct model_buffer *b = find_metadata(m);
    struct arena arena = {0};
    struct fb f;
    struct fb_table normalization;
    enum status st = preprocess_preset("squash", p, err);

    if (st)
        return st;
    snprintf(p->preset, sizeof p->preset, "metadata");
    if (!b || !b->data)
        return err_set(err, ST_USAGE, "the model has no metadata");
    if (!type_is_float(t->type))
        return ST_OK;
    fb_init(&f, b->data, b->bytes, &arena, err);
    normalization = find_normalization(&f, subgraph, input);
    p->has_mean = true;
    p->unit = 1;
    if (!f.st && !normalization.at)
        fb_fail(&f, ST_USAGE, "it names no normalization of input %u", input);
    if (!f.st && !read_three(&f, &normalization, NORMALIZATION_MEAN, "mean", p->mean))
        read_three(&f, &normalization, NORMALIZATION_STD, "std", p->std);
    arena_free(&arena);
    return f.st ? err_prefix(err, f.st, "metadata") : ST_OK;
}

bool metadata_output_name(const struct model *m, uint32_t subgraph, uint32_t output, char name[64])
{
    const struct model_buffer *b = find_metadata(m);
    struct arena arena = {0};
    struct err err;
    struct fb f;
    struct fb_table root, graph, tensor;
    const char *text = NULL;

    if (!b || !b->data)
        return false;
    fb_init(&f, b->data, b->bytes, &arena, &err);
    root = fb_root(&f);
    graph = element(&f, &root, MODEL_SUBGRAPHS, subgraph, "subgraph_metadata");
    tensor = element(&f, &graph, SUBGRAPH_OUTPUTS, output, "output_tensor_metadata");
    if (tensor.at)
        text = fb_string(&f, &tensor, TENSOR_NAME, "name");
    if (f.st)
        text = NULL;
    snprintf(name, 64, "%s", text ? text : "");
    arena_free(&arena);
    return text && *text;
}
