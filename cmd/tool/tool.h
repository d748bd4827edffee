/* SPDX-License-Identifier: Apache-2.0 */
/* tool.h - the common work of every tool before and after its own: flags, help, the model, the delegates, the exit status.
 *
 *   static struct tool t = { .cli = { .tool = "name", .summary = "…" }, .delegate_types = delegate_types };
 *
 *   cli_add(&t.cli, name_flag_table, &flags);
 *   if ((code = tool_begin(&t, argc, argv)) == TOOL_GO_ON)
 *       code = …;
 *   return tool_end(&t, code); */
#pragma once

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
    const struct delegate_type *const
        *delegate_types; /* types whose flags it has; NULL: it runs no model, and links no delegates */
    const char *without; /* the flag of delegates that has no meaning for it and that it lacks; NULL: there is none */
    int32_t help;        /* enum help_wanted; from HELP_GROUP on a group */
    bool list_flags, version, verbose, log_prefix;
    const char *config_path;            /* "" for none */
    struct config config;               /* owns the texts that flags of that file point to */
    const char *json;                   /* "" for none, "-" for stdout */
    const char *weights;                /* --weights, of a tool that runs models: FILE or FILE:GROUP, a line each */
    double timeout_secs, max_memory_mb; /* 0: no limit; of tools that run models */
    struct delegates delegates;
    struct model *model;
    void *model_data;    /* memory that holds it, unless it is a mapped file */
    uint32_t subgraph;   /* number of the subgraph that runs or is asked about: the signature's, else the primary one */
    bool several_models; /* other models may take what --weights names: tool_check_weights looks, tool_open_model does not */
    bool among_others;   /* other models, or shapes of it, run in this process: the driver gets no setting made for one of them */
};

/* Add the flags that every tool has, and the delegates' flags; tool_begin does it. */
enum status tool_add_common_flags(struct tool *t, struct err *err);

/* Add the common flags and the delegates' flags, parse, answer --help, --list_flags and --version, and try every file and folder
 * that the tool is to write (flag.file), so that a failure to write does not appear only after the last run; set the limits of time
 * and memory. Returns TOOL_GO_ON, or the exit status with which to end: 0 for those three flags, 2 (the message is printed) for bad
 * flags and for files that cannot be written. */
int tool_begin(struct tool *t, int argc, char **argv);

/* Print the parameters that were given, or all with --verbose, as TFLite's tools do; and always the parameters that the table marks
 * so. */
void tool_echo(const struct tool *t);

/* Open the model, from a source as in model_source.h, into t->model; ST_USAGE if `path` is empty, naming `flag`, and if a flag
 * names it as an output. */
enum status tool_open_model(struct tool *t, const char *flag, const char *path, struct err *err);

/* Fail with ST_USAGE if none of the models takes constants from a file of --weights. tool_open_model does so for its model unless
 * t->several_models is set. A model that cannot be opened, and one from a pipe, which is read once, may take all. */
enum status tool_check_weights(const struct tool *t, const char *const *paths, uint32_t n, struct err *err);

/* Open the model at `path` as tool_open_model does, for --list_inputs: print inputs and outputs of the signature called `key`, for
 * "" of the model's only one, else of its primary subgraph. `flag` and `key_flag` are names of flags in messages. */
enum status tool_list_inputs(struct tool *t, const char *flag, const char *path, const char *key_flag, const char *key,
                             struct err *err);

/* Set the shapes in which the model runs, as a flag has them; "": the shapes of its file. Call it after tool_open_model. */
void tool_open_shapes(struct tool *t, const char *shapes);

/* Check the outputs: ST_USAGE if a flag names the opened model at `path` as an output. tool_open_model calls it. */
enum status tool_keep_model(const struct tool *t, const char *path, struct err *err);

/* Close the model, so that another can be opened; does nothing if none is open. */
void tool_close_model(struct tool *t);

/* Take the one operand, if any, as the value of --`flag`, stored in *path. ST_USAGE for several, and if the flag was given too. */
enum status tool_take_operand(const struct tool *t, const char *flag, const char **path, struct err *err);

/* Close everything, turn output that could not be written into an error, and the status of an interrupted tool into that of a
 * failure if the time limit interrupted it. Returns the final exit status, or ends the process with it if a driver's compiler is
 * still at work (threads_left). */
int tool_end(struct tool *t, int code);
