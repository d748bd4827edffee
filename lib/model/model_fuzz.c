/* SPDX-License-Identifier: Apache-2.0 */
/* model_fuzz.c - any bytes must load or end in one message, as a model or as a bundle of models; what loads must be readable to its
 * last byte, and must survive being written. */
#include "lib/testing/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/model/metadata.h"
#include "lib/model/weights.h"

static volatile unsigned long sink;

static void touch(const void *data, size_t bytes)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < bytes; i++)
        sink += p[i];
}

static void touch_options(const struct model_op *op)
{
    const struct options_table *table = options_table(op->options_kind);

    for (uint32_t i = 0; table && op->options && i < table->n_fields; i++) {
        const struct field *d = &table->fields[i];
        const uint8_t *at = (const uint8_t *)op->options + d->offset, *list;
        uint64_t n = 0;

        memcpy(&n, (const uint8_t *)op->options + d->count_offset, d->count_bytes);
        memcpy(&list, at, d->kind >= FIELD_LIST_BOOL || d->kind == FIELD_STRING ? sizeof list : 0);
        if (d->kind == FIELD_STRING && list)
            touch(list, strlen((const char *)list));
        if (d->kind >= FIELD_LIST_BOOL)
            touch(list, n);
    }
}

static void touch_model(const struct model *m)
{
    for (uint32_t g = 0; g < m->n_subgraphs; g++) {
        const struct model_subgraph *s = &m->subgraphs[g];

        for (uint32_t i = 0; i < s->n_tensors; i++) {
            const struct tensor *t = &s->tensors[i];

            sink += strlen(t->name);
            if (t->data)
                touch(t->data, t->sparsity ? m->buffers[t->buffer].bytes : t->bytes);
            touch(t->quant.scale, t->quant.n * sizeof *t->quant.scale);
            touch(t->quant.zero_point, t->quant.n * sizeof *t->quant.zero_point);
        }
        for (uint32_t i = 0; i < s->n_ops; i++) {
            sink += strlen(model_op_name(m, &s->ops[i]));
            touch(s->ops[i].custom, s->ops[i].n_custom);
            touch_options(&s->ops[i]);
        }
    }
}

static void touch_metadata(const struct model *m)
{
    struct arena a = {0};
    struct metadata d;
    struct err err;

    if (!metadata_read(m, 0, &a, &d, &err)) {
        sink += strlen(d.name) + strlen(d.version) + strlen(d.license);
        for (uint32_t i = 0; i < d.n_inputs; i++) {
            touch(d.inputs[i].mean, d.inputs[i].n_mean * sizeof *d.inputs[i].mean);
            touch(d.inputs[i].std, d.inputs[i].n_std * sizeof *d.inputs[i].std);
        }
        for (uint32_t i = 0; i < d.n_outputs; i++)
            sink += d.outputs[i].labels ? strlen(d.outputs[i].labels) : 0;
    }
    arena_free(&a);
}

/* Read and written whole, and with its weights left where they are. */
static void use_model(struct model *m)
{
    struct model *again;
    uint8_t *file = NULL;
    size_t file_bytes;
    struct err err;

    touch_model(m);
    touch_metadata(m);
    /* Shared parts are written once for each use, so that memory is the only excuse. */
    if (model_serialize(m, &file, &file_bytes, &err) && strstr(err.msg, "2 GiB") == NULL) {
        fprintf(stderr, "loads, but cannot be written: %s\n", err.msg);
        abort();
    }
    if (file && !model_parse(file, file_bytes, "output", &again, &err)) {
        touch_model(again);
        model_close(again);
    }
    free(file);
    m->keep_external = true;
    if (model_has_external(m) && !model_serialize(m, &file, &file_bytes, &err))
        free(file);
}

static void use_bundle(const struct bundle *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const struct bundle_section *s = &b->sections[i], *found;
        char number[BUNDLE_NAME_SIZE];
        struct model *m;
        struct err err;

        sink += strlen(s->name) + strlen(s->type) + strlen(s->model_type) + strlen(s->backend);
        if (s->kind != SECTION_MODEL)
            continue;
        bundle_choose(b, bundle_name(b, s, number), &found, &err);
        if (i < 8 && !model_open_section(b, s, NULL, "input", NULL, &m, &err)) {
            use_model(m);
            model_close(m);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct bundle *b;
    struct model *m;
    struct err err;

    if (!model_parse(data, bytes, "input", &m, &err)) {
        use_model(m);
        model_close(m);
    }
    if (!bundle_parse(data, bytes, "input", &b, &err)) {
        use_bundle(b);
        bundle_close(b);
    }
    return 0;
}
