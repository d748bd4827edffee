/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - the command line: flags from tables of lib/base/flag.h, --help, and the echo of what was asked for.
 *
 * A tool adds its own tables and those of the delegates, each with the struct that its rows fill, then parses once.
 * Accepted forms: --name=value, --name value, bare --name and --no-name for booleans, -h for --help. A name must be given in full.
 * What does not begin with a dash is an operand, where the tool takes any. */
#ifndef DELEGAUGE_CMD_CLI_H
#define DELEGAUGE_CMD_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/flag.h"

#define CLI_MAX_FLAGS    192
#define CLI_MAX_OPERANDS 256
#define CLI_VALUE_SIZE   64
#define CLI_MAX_REPEATS  8 /* of a flag that may stand several times */

struct cli_row {
    const struct flag *flag;
    void *options;                            /* the struct that flag->offset refers to; borrowed */
    bool given;                               /* on the command line, or taken from elsewhere */
    bool taken;                               /* from elsewhere */
    uint32_t turn;                            /* among those that were given, from 1 on, by where each stood last; 0: it was not */
    uint32_t turns[CLI_MAX_REPEATS], n_turns; /* of a flag that repeats: where each value stood */
    char *lines;                              /* likewise: the value, where there are several */
};

struct cli {
    const char *tool;    /* "benchmark_model" */
    const char *summary; /* what it does, for --help */
    const char *operand; /* what operands are, for --help ("MODEL.tflite"); NULL: there are none */
    struct cli_row rows[CLI_MAX_FLAGS];
    uint32_t n_rows, n_given;
    const char *operands[CLI_MAX_OPERANDS]; /* into argv, in their order */
    uint32_t n_operands;
};

/* Adds the rows of `flags` and writes their defaults into `options`. Asserts that no name is there already. */
void cli_add(struct cli *c, const struct flag *flags, void *options);

/* Takes the row of that name away again; asserts that it is there. */
void cli_drop(struct cli *c, const char *name);

/* The row of that name, or NULL. */
const struct cli_row *cli_find(const struct cli *c, const char *name);

/* Writes the values given; text values point into argv. ST_USAGE with a message that says what to type instead. */
enum status cli_parse(struct cli *c, int argc, char **argv, struct err *err);

/* The same for one flag from elsewhere, which lasts as long as argv: one that was given on the command line stays as it is, and one
 * that repeats has the values of all calls. */
enum status cli_take(struct cli *c, const char *name, const char *value, struct err *err);

/* Likewise for an operand. ST_USAGE where the tool takes none, or no more. */
enum status cli_take_operand(struct cli *c, const char *arg, struct err *err);

/* The row whose value stood at that turn, from 1 to n_given; NULL where a later one took its place. */
const struct cli_row *cli_given(const struct cli *c, uint32_t turn);

/* Frees what values of several lines take. */
void cli_free(struct cli *c);

void cli_help(const struct cli *c, FILE *to);

/* The row's present value as text: "1" and "0" for booleans, numbers as C++ streams print them. Returns text that lives as long as
 * `buf` or the option itself. */
const char *cli_value(const struct cli_row *row, char buf[CLI_VALUE_SIZE]);

/* Whether that is the default, given or not. */
bool cli_is_default(const struct cli_row *row);

#endif
