/* SPDX-License-Identifier: Apache-2.0 */
/* tool.h - what every tool does before and after its own work: flags, help, the model, the delegates, the exit status.
 *
 *   static struct tool t = { .cli = { .tool = "name", .summary = "…" }, .delegate_types = delegate_types };
 *
 *   cli_add(&t.cli, name_flag_table, &flags);
 *   if ((code = tool_begin(&t, argc, argv)) == TOOL_GO_ON)
 *       code = …;
 *   return tool_end(&t, code); */
#ifndef DELEGAUGE_CMD_TOOL_H
#define DELEGAUGE_CMD_TOOL_H

#include "cmd/tool/cli.h"
#include "cmd/tool/config.h"
#include "cmd/tool/delegates.h"
#include "lib/api/delegauge.h"
#include "lib/session/session.h"

#define TOOL_GO_ON (-1)

struct tool {
    struct cli cli;
    int argc;
    char **argv;
    const struct delegate_type *const *delegate_types; /* whose flags it has; NULL: it runs no model, and links none */
    const char *without; /* the flag of delegates that means nothing to it, and that it does not have; NULL: there is none */
    bool help, list_flags, version, verbose, log_prefix;
    const char *config_path; /* "" for none */
    struct config config;    /* owns what flags of that file point to */
    const char *json;        /* "" for none, "-" for stdout */
    struct delegates delegates;
    struct model *model;
    void *model_data;  /* what it lies in, where that is no mapped file */
    uint32_t subgraph; /* of the model, that runs or is asked about: the signature's, else the primary one */
    bool among_others; /* other models, or shapes of it, run in this process: nothing is set for the driver by what one is like */
};

/* Adds the flags that every tool has, and those of the delegates; tool_begin does it. */
enum status tool_add_common_flags(struct tool *t, struct err *err);

/* Adds the common flags and those of the delegates, parses, answers --help, --list_flags and --version, and tries every file and
 * folder that the tool is to write (flag.file), so that it is not after the last run that one cannot be. Returns TOOL_GO_ON, or the
 * exit status with which to end: 0 for those three, 2 (the message is printed) for bad flags and for what cannot be written. */
int tool_begin(struct tool *t, int argc, char **argv);

/* Prints the parameters that were given, or all with --verbose, as TFLite's tools do; those that the table says always. */
void tool_echo(const struct tool *t);

/* Opens the model, from a source as in model_source.h, into t->model; ST_USAGE where `path` is empty, naming `flag`, and
 * where a flag names it as an output. */
enum status tool_open_model(struct tool *t, const char *flag, const char *path, struct err *err);

/* After tool_open_model: the model runs in these shapes, as a flag has them; "": in those of its file. */
void tool_open_shapes(struct tool *t, const char *shapes);

/* ST_USAGE where a flag names the model at `path`, which was opened, as an output. tool_open_model asks it. */
enum status tool_keep_model(const struct tool *t, const char *path, struct err *err);

/* Ends it, so that another can be opened; accepts that none is open. */
void tool_close_model(struct tool *t);

/* Takes the one operand, if any, for the value of --`flag`, stored in *path. ST_USAGE for several, and where the flag was given
 * too. */
enum status tool_take_operand(const struct tool *t, const char *flag, const char **path, struct err *err);

/* Closes everything, and turns output that could not be written into an error. Returns the final exit status, or ends the process
 * with it where a driver's compiler is still at work (threads_left). */
int tool_end(struct tool *t, int code);

#endif
