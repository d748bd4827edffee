/* SPDX-License-Identifier: Apache-2.0 */
/* stored.h - the inputs or the outputs of a model over several runs, in a folder: to be compared on another machine, or judged
 * again.
 *
 *   - DIR/manifest.json: their origin (SHA-256 of the model, tool and version), the tensors of each run, and a
 *     digest of their content
 *   - DIR/run_0/output_0.npy (or input_0.npy): the first output of the first run, as lib/tensor/npy.h has it
 *
 * The manifest is removed first and written last, each file under another name that is then changed: a folder with a manifest is
 * whole. The manifest names no paths, so no manifest leads out of its folder. A run's folder of inputs can be given to
 * --input_dir. */
#pragma once

#include "cmd/tool/tool.h"
#include "lib/base/sha256.h"
#include "lib/session/session.h"

/* Greatest number of runs that is read from a manifest: as many as --num_runs takes. */
#define STORED_MAX_RUNS 1000000

enum stored_kind { STORED_INPUTS, STORED_OUTPUTS };

struct report;
struct json;

/* Zeroed to begin with. */
struct stored_writer {
    const char *dir; /* borrowed */
    enum stored_kind kind;
    struct report *manifest;
    struct json *runs;
    uint32_t n_runs, n_tensors; /* numbers of runs, and of tensors of each run once there is one */
};

/* Begin a folder, which is made if it is missing. `what` says whose outputs they are ("test: GPU on …"). ST_IO, ST_NOMEM. */
enum status stored_begin(struct stored_writer *w, enum stored_kind kind, const char *dir, const struct tool *t, const char *what,
                         struct err *err);

/* Write the present content of the session's inputs or outputs. `inputs` is stored_hash of the run's inputs. Fails as npy_write
 * does. */
enum status stored_add(struct stored_writer *w, const struct session *s, const char *inputs, struct err *err);

/* Remove the files that an older set with more runs left, and write the manifest: from now on the folder counts. */
enum status stored_end(struct stored_writer *w, struct err *err);
void stored_drop(struct stored_writer *w); /* frees; accepts zeros */

/* Write a digest of all the session's inputs: outputs of other inputs are not compared. Returns `out`. */
const char *stored_hash(const struct session *s, char out[SHA256_HEX_SIZE]);

/* Zeroed to begin with. */
struct stored_reader {
    const char *dir; /* borrowed */
    enum stored_kind kind;
    const char *what; /* `what` of stored_begin, "" for inputs; in `arena` */
    char (*inputs)[SHA256_HEX_SIZE],
        (*content)[SHA256_HEX_SIZE]; /* [n_runs] hashes of each run's inputs, and of the stored tensors */
    uint32_t n_runs;
    struct arena arena;
};

/* Read a folder's manifest. ST_IO and ST_USAGE, beginning with the path of the manifest, if it is missing, is not sound, is of the
 * other kind, or of a model whose content differs from that of `m`. */
enum status stored_open(struct stored_reader *r, enum stored_kind kind, const char *dir, const struct model *m, struct err *err);
void stored_close(struct stored_reader *r); /* accepts zeros */

/* Put run `run`, below n_runs, into the inputs or the outputs of a prepared session of that model. Outputs whose shape depends on
 * data get the stored shape. ST_USAGE if shapes or types differ, and if outputs do not match the manifest; ST_UNSUPPORTED for
 * outputs of type STRING. */
enum status stored_load(const struct stored_reader *r, uint32_t run, struct session *s, struct err *err);
