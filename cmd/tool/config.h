/* SPDX-License-Identifier: Apache-2.0 */
/* config.h - --config: flags from a file, as if they stood on the command line; flags that do stand there win.
 *
 * The file is a JSON object of names and values, or a report of the same tool, whose parameters are taken, in the order of its
 * flags_given, so that the same command runs again. Other parameters are taken if they differ from their default, since somebody
 * may have edited the file; flags that only choose the printed output and its place are left alone. A report of several models
 * brings the models that it lists. A model that the command line names, by whatever flag or as an operand, takes the place of all
 * of the file's. Else the model must still have the SHA-256 that the report has of it. */
#pragma once

#include "cmd/print/report_read.h"
#include "cmd/tool/cli.h"
#include "lib/model/model.h"

/* A file that was read; zeros hold nothing. */
struct config {
    struct reader *reader; /* owns the texts that flags point to */
    struct arena arena;
    const char *path;                                 /* the file; borrowed */
    const char *model_path, *sha256, *weights_sha256; /* the model of a report, if it is the one to run; NULL: none */
};

/* Set every flag of the file that was not given; after cli_parse. ST_USAGE, with the path in the message, for a name or a value
 * that the command line would refuse, for a report of another tool, and for any other file; ST_IO. */
enum status config_apply(struct config *config, struct cli *c, const char *path, struct err *err);

/* Check the model at `path`: ST_USAGE if it is the report's by its path, and another by its content. */
enum status config_check_model(const struct config *config, const char *path, const struct model *m, struct err *err);

/* Free it, after the last use of a flag; accepts zeros. */
void config_free(struct config *config);
