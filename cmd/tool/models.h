/* SPDX-License-Identifier: Apache-2.0 */
/* models.h - the models that a command line names: one, several, or the models of folders and bundles. */
#pragma once

#include "cmd/tool/cli.h"
#include "lib/base/arena.h"

bool models_is_folder(const char *path);

/* True if the command line names several models, a folder of them or a bundle of several, by operands and `graph` ("": none). */
bool models_are_several(const struct cli *c, const char *graph);

/* List the paths in the order of the command line, `graph` ("": none) first and then the operands; for a folder every file
 * *.tflite,
 * *.task and *.litertlm in it (not below it), sorted; for a bundle of several models PATH#NAME of each. A bundle that cannot be
 * read is listed, so that opening it tells why. Stores in *out an array of *n in `a`. ST_USAGE for a folder without models, ST_IO
 * if it cannot be read. */
enum status models_find(const struct cli *c, const char *graph, struct arena *a, const char ***out, uint32_t *n, struct err *err);
