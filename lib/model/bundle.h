/* SPDX-License-Identifier: Apache-2.0 */
/* bundle.h - files that hold models: .task (MediaPipe, a ZIP archive), .litertlm (LiteRT-LM), .tflite with what is appended to it.
 *
 * A bundle is listed from its directory alone; its sections are mapped when they are asked for. Tokenizers and metadata have a name
 * and a size here, and are not read. An archive within an archive, as hand_landmarker.task in gesture_recognizer.task, is listed
 * with its files: "hand_landmarker.task/hand_detector.tflite". */
#pragma once

#include "lib/base/arena.h"
#include "lib/model/file_map.h"

enum bundle_kind { BUNDLE_TFLITE, BUNDLE_TASK, BUNDLE_LITERTLM };

enum section_kind { SECTION_MODEL, SECTION_WEIGHTS, SECTION_ARCHIVE, SECTION_OTHER };

struct bundle_section {
    enum section_kind kind;
    const char *name;       /* file name; "" in a .litertlm, whose sections have numbers */
    const char *type;       /* "TFLiteModel", "TFLiteWeights", "SP_Tokenizer", "archive", "file" and so on */
    const char *model_type; /* "prefill_decode", without the prefix "tf_lite_"; "" if it has none */
    const char *backend;    /* the backends that may run it, such as "cpu"; "": any */
    uint64_t at, bytes;     /* place in the file */
};

struct bundle {
    enum bundle_kind kind;
    struct file_map file;
    struct bundle_section *sections; /* [n] */
    uint32_t n, n_models;
    uint32_t version[3]; /* of a .litertlm */
    struct arena arena;
};

/* Return true if the first bytes (zeros behind a shorter file's end) are those of a .task or .litertlm file. */
enum { BUNDLE_HEAD = 8 };
bool bundle_sniff(const uint8_t head[BUNDLE_HEAD]);

/* Open a bundle or a single model, which is a bundle of one section and the files of its archive; messages begin with `path`. Free
 * with bundle_close, which accepts NULL. Fails with ST_BAD_MODEL, ST_UNSUPPORTED, ST_NOMEM, ST_IO. */
enum status bundle_open(const char *path, struct bundle **out, struct err *err);
void bundle_close(struct bundle *b);

/* List the sections of data[bytes], which is borrowed; messages begin with `name`. Fails as bundle_open does. */
enum status bundle_parse(const void *data, size_t bytes, const char *name, struct bundle **out, struct err *err);

/* Find the model that `name` chooses: a file name, the last part of one, a section number, or a model type in any case, with or
 * without "tf_lite_"; "": the only model. ST_USAGE with the names that there are if it chooses none or several. */
enum status bundle_choose(const struct bundle *b, const char *name, const struct bundle_section **out, struct err *err);

/* Return the shortest name that chooses the model: its file name, its type, or its number as text in `out`. */
#define BUNDLE_NAME_SIZE 16
const char *bundle_name(const struct bundle *b, const struct bundle_section *s, char out[BUNDLE_NAME_SIZE]);

/* Return the section with the weights of a group for the model in section `s`; NULL if there is none. A .litertlm keeps group
 * "tflite_weights" in the TFLiteWeights section of the same model type, or in the only one; an archive in a file of that name
 * beside the model. */
const struct bundle_section *bundle_weights(const struct bundle *b, const struct bundle_section *s, const char *group);

/* Split "PATH#NAME": copy PATH to `a` and return it, with *name behind the '#'. A path that exists is not split: then *name is ""
 * and the result is `path`. NULL: out of memory. */
const char *bundle_split(const char *path, struct arena *a, const char **name);

/* Read the sections of an opened file, whose kind is known. */
enum status bundle_read_litertlm(struct bundle *b, struct err *err);
