/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.c - output tensors as raw bytes: a file each, or all in one. */
#include "cmd/input/outputs.h"

#include <limits.h>
#include <stdlib.h>

#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "cmd/host/utf8.h"
#include "lib/base/proto.h"
#include "lib/tensor/element.h"

enum status outputs_write_dir(const struct session *s, const char *dir, struct err *err)
{
    enum status st = file_make_dir(dir, err);
    char path[PATH_MAX];

    for (uint32_t i = 0; i < session_n_outputs(s) && !st; i++) {
        const struct tensor *t = session_output(s, i);
        struct file_piece piece = {t->data, t->bytes};

        if (snprintf(path, sizeof path, "%s/output_%u.bin", dir, i) >= (int)sizeof path)
            return err_set(err, ST_USAGE, "--output_dir: the path is longer than %d bytes", PATH_MAX);
        st = file_write(path, &piece, 1, err);
    }
    return st;
}

enum status outputs_write_file(const struct session *s, const char *path, struct err *err)
{
    uint32_t n = session_n_outputs(s);
    struct file_piece *pieces = calloc(n ? n : 1, sizeof *pieces);
    enum status st;

    if (!pieces)
        return err_set(err, ST_NOMEM, "%s: out of memory for a list of %u outputs", path, n);
    for (uint32_t i = 0; i < n; i++)
        pieces[i] = (struct file_piece){session_output(s, i)->data, session_output(s, i)->bytes};
    st = file_write(path, pieces, n, err);
    free(pieces);
    return st;
}

/* ---- messages from the inside out; numbers of fields are those of TensorFlow's example.proto and feature.proto ---- */

enum list { LIST_NONE = 0, LIST_FLOATS = 2, LIST_INTS = 3 }; /* the field of Feature */

/* As TFLite's tool has it. */
static enum list list_for(enum tensor_type type)
{
    switch (type) {
    case TYPE_FLOAT32:
    case TYPE_FLOAT64: return LIST_FLOATS;
    case TYPE_INT8:
    case TYPE_UINT8:
    case TYPE_INT16:
    case TYPE_UINT16:
    case TYPE_INT32:
    case TYPE_UINT32:
    case TYPE_INT64:
    case TYPE_UINT64: return LIST_INTS;
    default: return LIST_NONE;
    }
}

/* Feature: one list, whose only field is packed. */
static void put_feature(struct proto *entry, const struct tensor *t, enum list kind)
{
    struct proto values = {0}, list = {0}, feature = {0};
    const size_t n = element_count(t);

    for (size_t i = 0; i < n; i++)
        if (kind == LIST_FLOATS)
            proto_element_float(&values, (float)element_float(t, i));
        else
            proto_element_int(&values, element_int(t, i));
    if (n)
        proto_message(&list, 1, &values);
    proto_message(&feature, kind, &list);
    proto_message(entry, 2, &feature);
}

/* An entry of the map Features.feature. */
static void put_entry(struct proto *features, const struct tensor *t)
{
    const enum list kind = list_for(t->type);
    struct proto entry = {0};
    char *name;

    if (kind == LIST_NONE) {
        say_warn("--output_proto_filepath: output '%s' is left out: tf.Example has no list for %s", t->name, type_name(t->type));
        return;
    }
    if ((name = utf8_valid(t->name)))
        proto_string(&entry, 1, name);
    entry.failed |= !name;
    free(name);
    put_feature(&entry, t, kind);
    proto_message(features, 1, &entry);
}

enum status outputs_write_example(const struct session *s, const char *path, struct err *err)
{
    struct proto features = {0}, example = {0};
    enum status st;

    for (uint32_t i = 0; i < session_n_outputs(s); i++)
        put_entry(&features, session_output(s, i));
    proto_message(&example, 1, &features);
    st = example.failed ? err_set(err, ST_NOMEM, "%s: out of memory for the outputs", path)
                        : file_write(path, &(struct file_piece){example.data, example.n}, 1, err);
    proto_free(&example);
    return st;
}
