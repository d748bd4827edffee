/* SPDX-License-Identifier: Apache-2.0 */
/* config.h - --config: flags from a file, as if they stood on the command line, where those that stand there win.
 *
 * The file is a JSON object of names and values, or a report of the same tool, whose parameters are taken, in the order of its
 * flags_given: what made the report is run again. Of the others those are taken that have not their default, as somebody may have
 * written there; flags that only say what is printed and where are left alone. A report of several models brings those that it
 * lists. A model that the command line names, by whatever flag or as an operand, takes the place of all of the file's. */
#ifndef DELEGAUGE_CMD_CONFIG_H
#define DELEGAUGE_CMD_CONFIG_H

#include "cmd/print/report_read.h"
#include "cmd/tool/cli.h"

/* Zeros hold nothing. */
struct config {
    struct reader *reader; /* owns the texts that flags point to */
    struct arena arena;
};

/* After cli_parse: sets every flag of the file that was not given. ST_USAGE, with the path in the message, for a name or a value
 * that the command line would refuse, for a report of another tool, and for what is no such file; ST_IO. */
enum status config_apply(struct config *config, struct cli *c, const char *path, struct err *err);

/* After the last use of a flag; accepts zeros. */
void config_free(struct config *config);

#endif
