/* SPDX-License-Identifier: Apache-2.0 */
/* metadata.c - the tables of metadata_schema.fbs that are read; numbers are those of their fields. */
#include "lib/model/metadata.h"

#include <string.h>

#include "lib/base/fb.h"

enum { ROOT_NAME = 0, ROOT_DESCRIPTION = 1, ROOT_VERSION = 2, ROOT_SUBGRAPHS = 3, ROOT_AUTHOR = 4, ROOT_LICENSE = 5 };
enum { SUBGRAPH_INPUTS = 2, SUBGRAPH_OUTPUTS = 3 };
enum { TENSOR_NAME = 0, TENSOR_DESCRIPTION = 1, TENSOR_PROCESS_UNITS = 4, TENSOR_FILES = 6 };
enum { UNIT_OPTIONS_TYPE = 0, UNIT_OPTIONS = 1, OPTIONS_NORMALIZATION = 1, NORMALIZATION_MEAN = 0, NORMALIZATION_STD = 1 };
enum { FILE_NAME = 0, FILE_TYPE = 2, FILE_LOCALE = 3, TYPE_AXIS_LABELS = 2, TYPE_VALUE_LABELS = 3 };

static const char *text(struct fb *f, const struct fb_table *t, unsigned field)
{
    const char *s = t->at ? fb_string(f, t, field, "a text") : NULL;

    return s ? s : "";
}

static void read_normalization(struct fb *f, const struct fb_table *tensor, struct metadata_tensor *out)
{
    struct fb_vector v = fb_tables(f, tensor, TENSOR_PROCESS_UNITS, "process_units");

    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table unit = fb_item(f, &v, i, "a process unit"), options;

        if (fb_u8(f, &unit, UNIT_OPTIONS_TYPE, 0) != OPTIONS_NORMALIZATION)
            continue;
        options = fb_child(f, &unit, UNIT_OPTIONS, "options");
        if (options.at) {
            out->mean = fb_array(f, &options, NORMALIZATION_MEAN, sizeof *out->mean, &out->n_mean, "mean");
            out->std = fb_array(f, &options, NORMALIZATION_STD, sizeof *out->std, &out->n_std, "std");
        }
        return;
    }
}

static void read_labels(struct fb *f, const struct fb_table *tensor, struct metadata_tensor *out)
{
    struct fb_vector v = fb_tables(f, tensor, TENSOR_FILES, "associated_files");
    bool english = false;

    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table file = fb_item(f, &v, i, "an associated file");
        const char *name = text(f, &file, FILE_NAME), *locale = text(f, &file, FILE_LOCALE);
        const int8_t type = fb_i8(f, &file, FILE_TYPE, 0);

        if (!*name || (type != TYPE_AXIS_LABELS && type != TYPE_VALUE_LABELS) || english)
            continue;
        english = !*locale || !strncmp(locale, "en", 2);
        if (!out->labels || english)
            out->labels = name;
    }
}

static struct metadata_tensor *read_tensors(struct fb *f, const struct fb_table *graph, unsigned field, const char *what,
                                            uint32_t *n)
{
    struct fb_vector v = fb_tables(f, graph, field, what);
    struct metadata_tensor *list = FB_ARRAY(f, v.n, struct metadata_tensor);

    for (uint32_t i = 0; i < v.n && !f->st; i++) {
        struct fb_table at = fb_item(f, &v, i, what);

        list[i].name = text(f, &at, TENSOR_NAME);
        list[i].description = text(f, &at, TENSOR_DESCRIPTION);
        read_normalization(f, &at, &list[i]);
        read_labels(f, &at, &list[i]);
    }
    *n = f->st ? 0 : v.n;
    return list;
}

static void read_root(struct fb *f, uint32_t subgraph, struct metadata *out)
{
    const struct fb_table root = fb_root(f);
    struct fb_vector v = fb_tables(f, &root, ROOT_SUBGRAPHS, "subgraph_metadata");
    struct fb_table graph;

    out->name = text(f, &root, ROOT_NAME);
    out->description = text(f, &root, ROOT_DESCRIPTION);
    out->version = text(f, &root, ROOT_VERSION);
    out->author = text(f, &root, ROOT_AUTHOR);
    out->license = text(f, &root, ROOT_LICENSE);
    if (subgraph >= v.n || f->st)
        return;
    graph = fb_item(f, &v, subgraph, "subgraph_metadata");
    out->inputs = read_tensors(f, &graph, SUBGRAPH_INPUTS, "input_tensor_metadata", &out->n_inputs);
    out->outputs = read_tensors(f, &graph, SUBGRAPH_OUTPUTS, "output_tensor_metadata", &out->n_outputs);
}

enum status metadata_read(const struct model *m, uint32_t subgraph, struct arena *a, struct metadata *out, struct err *err)
{
    const struct model_buffer *b = NULL;
    struct fb f;

    *out = (struct metadata){.name = "", .version = "", .description = "", .author = "", .license = ""};
    for (uint32_t i = 0; i < m->n_metadata && !b; i++)
        if (!strcmp(m->metadata[i].name, "TFLITE_METADATA") && m->metadata[i].buffer < m->n_buffers)
            b = &m->buffers[m->metadata[i].buffer];
    if (!b || !b->data)
        return ST_OK;
    fb_init(&f, b->data, b->bytes, a, err);
    read_root(&f, subgraph, out);
    out->there = true;
    return f.st ? err_prefix(err, f.st, "metadata") : ST_OK;
}
