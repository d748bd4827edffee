/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h - the command line: flags from tables of lib/base/flag.h, and the echo of the given flags.
 *
 * A tool adds its own tables and the delegates' tables, each with the struct that its rows fill, then parses once. Accepted forms:
 * --name=value, --name value, bare --name and --no-name for booleans, -h for --help. A flag with a value for its bare name takes
 * the next argument if that is one of its words. A name must be given in full. An argument that does not begin with a dash is an
 * operand, if the tool takes any. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/flag.h"

#define CLI_MAX_FLAGS    192
#define CLI_MAX_OPERANDS 256
#define CLI_VALUE_SIZE   64
#define CLI_MAX_REPEATS  8 /* values of a flag that may stand several times */

struct cli_row {
    const struct flag *flag;
    void *options; /* the struct that flag->offset refers to; borrowed */
    bool given;    /* given on the command line, or taken from elsewhere */
    bool taken;    /* taken from elsewhere */
    uint32_t turn; /* its rank among the given flags, from 1 on, by the last place of each; 0: not given */
    uint32_t turns[CLI_MAX_REPEATS], n_turns; /* of a flag that repeats: the turn of each value */
    char *lines;                              /* likewise: the value, if there are several */
};

struct cli_help;

struct cli {
    const char *tool;            /* "benchmark_model" */
    const char *summary;         /* purpose of the tool, for --help */
    const struct cli_help *help; /* the short --help (help.h); NULL: it has none, and --help prints all flags */
    const char *operand;         /* name of the operands, for --help ("MODEL.tflite"); NULL: there are none */
    struct cli_row rows[CLI_MAX_FLAGS];
    uint32_t n_rows, n_given;
    const char *operands[CLI_MAX_OPERANDS]; /* operands in their order; point into argv */
    uint32_t n_operands;
    bool separator;    /* "--" may stand once between operands */
    bool separated;    /* it did */
    uint32_t n_before; /* then: the operands before it */
};

/* Add the rows of `flags` and write their defaults into `options`. Asserts that no name is there already. */
void cli_add(struct cli *c, const struct flag *flags, void *options);

/* Remove the row of that name; asserts that it is there. */
void cli_drop(struct cli *c, const char *name);

/* Return the row of that name, or NULL. */
const struct cli_row *cli_find(const struct cli *c, const char *name);

/* Refuse the first of names[n] that was given: ST_USAGE, "--NAME changes nothing WHERE". Names of no row of the tool are
 * skipped. */
enum status cli_refuse(const struct cli *c, const char *const *names, size_t n, const char *where, struct err *err);

/* Write the given values; text values point into argv. ST_USAGE with a message that says how to correct it. */
enum status cli_parse(struct cli *c, int argc, char **argv, struct err *err);

/* Take one flag from elsewhere; its text lasts as long as argv. A flag that was given on the command line stays as it is, and a
 * flag that repeats has the values of all calls. */
enum status cli_take(struct cli *c, const char *name, const char *value, struct err *err);

/* Take an operand likewise. ST_USAGE if the tool takes none, or no more. */
enum status cli_take_operand(struct cli *c, const char *arg, struct err *err);

/* Return the row whose value stood at that turn, from 1 to n_given; NULL if a later value took its place. */
const struct cli_row *cli_given(const struct cli *c, uint32_t turn);

/* Free the memory of values of several lines. */
void cli_free(struct cli *c);

/* Return the row's present value as text: "1" and "0" for booleans, numbers as C++ streams print them. The text lives as long as
 * `buf` or the option itself. */
const char *cli_value(const struct cli_row *row, char buf[CLI_VALUE_SIZE]);

/* True if the value is the default, given or not. */
bool cli_is_default(const struct cli_row *row);
