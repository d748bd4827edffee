/* SPDX-License-Identifier: Apache-2.0 */
/* help.h - --help: one screen that shows the most used flags, all flags of a group, or all flags. */
#pragma once

#include <stdio.h>

#include "cmd/tool/cli.h"

#define HELP_WIDTH 100
#define HELP_LINES 45

/* A command line of the tool, without the tool's name, and its effect; a flag with a value, and its effect. */
struct cli_help_line {
    const char *left, *right;
};

/* The short --help of a tool; both lists end with a NULL. It fits HELP_LINES lines of HELP_WIDTH columns. */
struct cli_help {
    const struct cli_help_line *examples, *flags;
};

/* The argument of --help, as its words name them: nothing, the short help, all flags; then the groups from GROUP_RUN on. */
enum help_wanted { HELP_OFF, HELP_SHORT, HELP_ALL, HELP_GROUP };

extern const char *const help_words[];

/* Print the help that was asked for. */
void help_print(const struct cli *c, int32_t wanted, FILE *to);
