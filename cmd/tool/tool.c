/* SPDX-License-Identifier: Apache-2.0 */
/* tool.c - what every tool does before and after its own work: common flags, parameters echoed, model opened, delegates freed. */
#include "cmd/tool/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/host/files.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/model_source.h"
#include "cmd/host/say.h"
#include "cmd/tool/cli.h"
#include "cmd/tool/help.h"
#include "cmd/tool/models.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"
#include "lib/base/threads.h"
#include "lib/model/bundle.h"
#include "lib/model/weights.h"

/* ---- the list of flags: one line for each flag and operand ---- */

static void field_of(const char *text, size_t n, FILE *to)
{
    for (; n--; text++)
        if (*text == '\t' || *text == '\n' || *text == '\\')
            fprintf(to, "\\%c", *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\');
        else
            fputc(*text, to);
    fputc('\t', to);
}

static void field(const char *text, FILE *to)
{
    field_of(text, strlen(text), to);
}

static void bounds(const struct flag *f, FILE *to)
{
    char text[FLAG_BOUNDS_SIZE];

    if (f->type != FLAG_WORD || flag_is_fixed(f)) {
        field(flag_is_fixed(f) ? "fixed" : flag_bounds(f, text), to);
        return;
    }
    for (const char *const *w = f->words; *w; w++)
        fprintf(to, "%s%s", *w, w[1] ? "|" : "\t");
}

/* Of the value its first n characters. */
static void flag_line(const struct cli_row *row, uint32_t turn, const char *value, size_t n, FILE *to)
{
    static const char *const file[] = {"",     "read",  "read-named",   "read-listed", "read-library",
                                       "keep", "write", "write-report", "write-dir"};
    const struct flag *f = row->flag;

    field(f->name, to);
    field(flag_type_name(f), to);
    field(file[f->file], to);
    bounds(f, to);
    field(f->value, to);
    fprintf(to, "%u\t", turn);
    field_of(value, n, to);
    field(f->help, to);
    fprintf(to, "%s\n", flag_group_name(f->group));
}

static void flag_lines(const struct cli_row *row, FILE *to)
{
    const bool is_bool = row->flag->type == FLAG_BOOL;
    char buf[CLI_VALUE_SIZE];
    const char *value = cli_value(row, buf);

    for (uint32_t k = 0; k + 1 < row->n_turns; k++, value += strcspn(value, "\n") + 1)
        flag_line(row, row->turns[k], value, strcspn(value, "\n"), to);
    value = !is_bool || *flag_name_given(row->flag, row->options) ? value : *value == '1' ? "true" : "false";
    flag_line(row, row->turn, value, strlen(value), to);
}

/* Print a line of names, then one for each flag (for each value of a flag that is given several times) and each operand, a tab
 * between fields; in a field \t, \n and \\ stand for tab, new line and backslash:
 *   name     empty for an operand
 *   type     bool, int, number, text, word; operand
 *   file     use of the path that it names: read, read-named (NAME:PATH,NAME:PATH), read-listed (NAME,PATH), read-library, keep (a
 *            folder that one run fills and later ones read), write, write-report (- is standard output), write-dir; empty if it
 *            names none
 *   bounds   the values allowed, as --help says it; the words of a word, with | between them; "fixed" for a flag that takes its
 *            default alone
 *   default
 *   given    its rank among the flags of the command line and --config, from 1 on; 0: not given; operands count apart
 *   value    its present value; true or false for bool
 *   help
 *   group    the word of --help=GROUP; empty for an operand */
static void flag_list_print(const struct cli *c, FILE *to)
{
    fputs("name\ttype\tfile\tbounds\tdefault\tgiven\tvalue\thelp\tgroup\n", to);
    for (uint32_t i = 0; i < c->n_rows; i++)
        flag_lines(&c->rows[i], to);
    for (uint32_t i = 0; i < c->n_operands; i++) {
        fprintf(to, "\t%s\t%s\t\t\t%u\t", "operand", "read", i + 1);
        field(c->operands[i], to);
        fprintf(to, "%s\t\n", c->operand);
    }
}

/* ---- before and after a tool's own work ---- */

#define FLAG_OPTIONS struct tool
#define ROW          FLAG_ROW

static const struct flag common_flags[] = {
    ROW(OUTPUT, "json", FLAG_WRITES_REPORT, json, "", "JSON report",
        "Write the results to this file as JSON; -: to standard output, and nothing else there."),
    ROW(OUTPUT, "config", FLAG_READS_PATH, config_path, "", NULL,
        "Read flags from this file, a JSON object of names and values or a report of this tool; the command line wins."),
    ROW(OUTPUT, "verbose", FLAG_TAKES_BOOL, verbose, "false", "Log parameter values verbosely",
        "Print more: all parameters, every node."),
    ROW(OUTPUT, "log_prefix", FLAG_TAKES_BOOL, log_prefix, "true", "Log prefix",
        "Begin lines with \"INFO: \"; false: do not, as older releases of TFLite, for scripts that read the first column."),
    ROW(OUTPUT, "help", .type = FLAG_WORD, help, "false", "print out all supported flags",
        "Print the most used flags; all: all flags, or those of a group.", .words = help_words, .bare = "true"),
    ROW(OUTPUT, "list_flags", FLAG_TAKES_BOOL, list_flags, "false", NULL,
        "Print every flag with its value on this command line, as a line of fields with tabs between, for scripts."),
    ROW(OUTPUT, "version", FLAG_TAKES_BOOL, version, "false", NULL, "Print the version."),
    {0},
};

/* Of tools that open models. */
static const struct flag model_flags[] = {
    ROW(MODEL, "weights", FLAG_READS_PATH, weights, "", "Weights",
        "Take the weights outside of the model from this FILE, or FILE:GROUP; default: its bundle, else the file beside it "
        "with the group's name.",
        .repeats = true),
    ROW(RUN, "timeout", FLAG_TAKES_NUMBER(0.001, 1e9), timeout_secs, "0", NULL,
        "End the tool after this many seconds, as Ctrl-C does but with status 4, and 5 seconds later in any case; default: no "
        "limit."),
    ROW(RUN, "max_memory", FLAG_TAKES_NUMBER(1, 1e9), max_memory_mb, "0", NULL,
        "Allocate at most this many MB in each process of the tool, mapped files apart; a model that needs more is refused. "
        "Default: no limit."),
    {0},
};

enum status tool_add_common_flags(struct tool *t, struct err *err)
{
    enum status st;

    cli_add(&t->cli, common_flags, t);
    if (t->delegate_types)
        cli_add(&t->cli, model_flags, t);
    st = t->delegate_types ? delegates_init(&t->delegates, t->delegate_types, &t->cli, err) : ST_OK;
    if (!st && t->without)
        cli_drop(&t->cli, t->without);
    return st;
}

static bool writes_file(const struct flag *f)
{
    return f->file == FLAG_WRITES_A_FILE || f->file == FLAG_WRITES_A_REPORT;
}

/* The flag of the first `n` that writes the regular file at `path`, under whatever name; NULL where none does. */
static const char *also_writes(const struct cli *c, uint32_t n, const char *path)
{
    for (uint32_t k = 0; k < n; k++) {
        char buf[CLI_VALUE_SIZE];
        const char *other = writes_file(c->rows[k].flag) ? cli_value(&c->rows[k], buf) : "";

        if (*other && strcmp(other, "-") != 0 && file_is_same(path, other))
            return c->rows[k].flag->name;
    }
    return NULL;
}

/* The flag that reads what is at `path`, a file or a folder; NULL: none does. Models are those of tool_keep_model, which knows
 * bundles; the report of --config is read by now, and may be made anew in its place. */
static const char *also_reads(const struct cli *c, const char *path)
{
    for (uint32_t k = 0; k < c->n_rows; k++) {
        const struct flag *f = c->rows[k].flag;
        const bool kept = f->file == FLAG_READS_A_PATH && f->group != GROUP_MODEL && strcmp(f->name, "config") != 0;
        char buf[CLI_VALUE_SIZE];
        const char *read = kept ? cli_value(&c->rows[k], buf) : "";

        if (*read && file_is_same(path, read))
            return f->name;
    }
    return NULL;
}

static enum status try_output(const struct flag *f, const char *path, struct err *err)
{
    enum status st;

    if (!strcmp(path, "-"))
        return f->file == FLAG_WRITES_A_REPORT
                   ? ST_OK
                   : err_set(err, ST_USAGE, "--%s=-: this is not written to standard output; a file of that name is ./-", f->name);
    st = f->file == FLAG_WRITES_A_DIR ? file_try_write_dir(path, err) : file_try_write(path, err);
    return st ? err_prefix(err, st, "--%s", f->name) : ST_OK;
}

/* Models would write over each other's files there, whose names are those of nodes. */
static enum status check_one_model(const struct cli *c, struct err *err)
{
    const struct cli_row *dump = cli_find(c, "gpu_dump_ir"), *graph = cli_find(c, "graph");
    char buf[CLI_VALUE_SIZE];

    if (dump && *cli_value(dump, buf) && models_are_several(c, graph ? cli_value(graph, buf) : ""))
        return err_set(err, ST_USAGE, "--gpu_dump_ir is for one model, and there are several");
    return ST_OK;
}

/* Nothing is left behind but folders that were asked for. */
static enum status try_outputs(const struct cli *c, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->n_rows && !st; i++) {
        const struct flag *f = c->rows[i].flag;
        const char *path, *other;
        char buf[CLI_VALUE_SIZE];

        if (!flag_writes(f) || !*(path = cli_value(&c->rows[i], buf)))
            continue;
        if (!(st = try_output(f, path, err)) && writes_file(f) && strcmp(path, "-") != 0 && (other = also_writes(c, i, path)))
            st = err_set(err, ST_USAGE, "--%s and --%s: one would overwrite the other in %.200s", other, f->name, path);
        if (!st && strcmp(path, "-") != 0 && (other = also_reads(c, path)))
            st = err_set(err, ST_USAGE, "--%s: %.200s is what --%s reads, and would be overwritten", f->name, path, other);
    }
    return st;
}

static char crash_text[200];

static void on_crash(int signal_number)
{
    (void)signal_number;
    say_and_exit(crash_text);
}

/* Drivers may crash where an allocation fails. */
static void tell_crashes(double max_memory_mb)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT};
    const struct sigaction action = {.sa_handler = on_crash};

    snprintf(crash_text, sizeof crash_text,
             "ERROR: --max_memory=%g: the process crashed, as drivers may when they run out of memory; if it does so without the "
             "limit, too, that is another fault\n",
             max_memory_mb);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}

static enum status set_limits(const struct tool *t, struct err *err)
{
    const double wanted = t->max_memory_mb * 1e6;
    struct rlimit limit;

    if (t->timeout_secs > 0)
        interrupt_after(t->timeout_secs);
    if (wanted <= 0)
        return ST_OK;
    if (getrlimit(RLIMIT_DATA, &limit))
        return err_set(err, ST_FAILED, "--max_memory: the system does not tell the limit of memory: %s", strerror(errno));
    if (wanted > (double)limit.rlim_cur)
        return err_set(err, ST_USAGE, "--max_memory=%g: this process may have at most %.1f MB (ulimit -d)", t->max_memory_mb,
                       (double)limit.rlim_cur / 1e6);
    limit.rlim_cur = (rlim_t)wanted;
    if (setrlimit(RLIMIT_DATA, &limit))
        return err_set(err, ST_FAILED, "--max_memory=%g: the limit cannot be set: %s", t->max_memory_mb, strerror(errno));
    tell_crashes(t->max_memory_mb);
    return ST_OK;
}

int tool_begin(struct tool *t, int argc, char **argv)
{
    struct err err;
    enum status st;

    t->argc = argc;
    t->argv = argv;
    for (const struct delegate_type *const *type = t->delegate_types; type && *type; type++)
        if ((*type)->serve)
            (*type)->serve(argc, argv);
    if ((st = tool_add_common_flags(t, &err)) || (st = cli_parse(&t->cli, argc, argv, &err)) ||
        (*t->config_path && (st = config_apply(&t->config, &t->cli, t->config_path, &err))))
        return say_error(st, &err);
    if (!strcmp(t->json, "-"))
        say_json_only();
    if (!t->log_prefix)
        say_without_prefix();
    if (t->help)
        help_print(&t->cli, t->help, stdout);
    else if (t->list_flags)
        flag_list_print(&t->cli, stdout);
    else if (t->version)
        printf("%s (delegauge) %s\n", t->cli.tool, DG_VERSION_STRING);
    if (t->help || t->list_flags || t->version)
        return 0;
    if ((st = check_one_model(&t->cli, &err)) || (st = try_outputs(&t->cli, &err)) || (st = set_limits(t, &err)))
        return say_error(st, &err);
    return TOOL_GO_ON;
}

/* Each value of a flag that repeats as if it stood alone. */
static void echo(const struct flag *f, const char *value)
{
    const char *label = f->label ? f->label : f->name;

    for (; f->repeats && strchr(value, '\n'); value += strcspn(value, "\n") + 1)
        say_info_known("%s: [%.*s]", label, (int)strcspn(value, "\n"), value);
    say_info_known("%s: [%s]", label, value);
}

void tool_echo(const struct tool *t)
{
    say_info_known("Log parameter values verbosely: [%d]", t->verbose);
    for (uint32_t i = 0; i < t->cli.n_rows; i++) {
        const struct cli_row *row = &t->cli.rows[i];
        char buf[CLI_VALUE_SIZE];

        if (row->options == t || (!row->given && !row->flag->echoed && !t->verbose))
            continue;
        echo(row->flag, cli_value(row, buf));
    }
}

enum status tool_take_operand(const struct tool *t, const char *flag, const char **path, struct err *err)
{
    const struct cli *c = &t->cli;

    if (c->n_operands > 1)
        return err_set(err, ST_USAGE, "'%.100s' and '%.100s': one model at a time", c->operands[0], c->operands[1]);
    if (c->n_operands && **path)
        return err_set(err, ST_USAGE, "'%.100s' and --%s=%.100s: one model at a time", c->operands[0], flag, *path);
    if (c->n_operands)
        *path = c->operands[0];
    return ST_OK;
}

enum status tool_keep_model(const struct tool *t, const char *path, struct err *err)
{
    struct arena a = {0};
    const char *model, *file = bundle_split(path, &a, &model);
    const char *writer = file ? also_writes(&t->cli, t->cli.n_rows, file) : NULL;
    const enum status st = !file    ? err_set(err, ST_NOMEM, "%s: out of memory", path)
                           : writer ? err_set(err, ST_USAGE, "--%s: %.200s is the model and would be overwritten", writer, file)
                                    : ST_OK;

    arena_free(&a);
    return st;
}

enum status tool_check_weights(const struct tool *t, const char *const *paths, uint32_t n, struct err *err)
{
    struct model **models;
    void **data;
    uint32_t opened = 0;
    enum status st = ST_OK;

    if (!t->weights || !*t->weights)
        return ST_OK;
    models = calloc((size_t)n + 1, sizeof *models);
    data = calloc((size_t)n + 1, sizeof *data);
    if (!models || !data)
        st = err_set(err, ST_NOMEM, "out of memory for %u models", n);
    while (!st && opened < n && strncmp(paths[opened], "pipe:", 5) != 0 &&
           !model_source_open(paths[opened], t->weights, &models[opened], &data[opened], err))
        opened++;
    if (!st && opened == n)
        st = weights_check_used(t->weights, (const struct model *const *)models, n, err);
    for (uint32_t i = 0; i < opened; i++) {
        model_close(models[i]);
        free(data[i]);
    }
    free(models);
    free(data);
    return st;
}

enum status tool_open_model(struct tool *t, const char *flag, const char *path, struct err *err)
{
    enum status st;

    if (!*path)
        return err_set(err, ST_USAGE, "--%s=FILE is needed: the .tflite model", flag);
    if ((st = model_source_open(path, t->weights, &t->model, &t->model_data, err)) || (st = tool_keep_model(t, path, err)) ||
        (st = config_check_model(&t->config, path, t->model, err)) ||
        (!t->several_models && (st = weights_check_used(t->weights, (const struct model *const[]){t->model}, 1, err))))
        return st;
    if (!t->model->n_subgraphs)
        return err_set(err, ST_BAD_MODEL, "%s: the model has no subgraph, so there is nothing to run", path);
    tool_open_shapes(t, "");
    return ST_OK;
}

enum status tool_list_inputs(struct tool *t, const char *flag, const char *path, const char *key_flag, const char *key,
                             struct err *err)
{
    enum status st = tool_open_model(t, flag, path, err);

    if (!st && (*key || t->model->n_signatures == 1))
        st = signatures_choose(t->model, key_flag, key, &t->subgraph, err);
    if (!st)
        signatures_say_inputs(t->model, t->subgraph);
    return st;
}

void tool_open_shapes(struct tool *t, const char *shapes)
{
    t->delegates.model = *shapes || t->among_others ? NULL : t->model;
}

void tool_close_model(struct tool *t)
{
    model_close(t->model);
    free(t->model_data);
    t->model = NULL;
    t->delegates.model = NULL;
    t->model_data = NULL;
}

/* Once, though each case of a sweep and each worker ends here. */
static void doubt_memory(const struct tool *t, int code)
{
    static bool told;

    if (told || (code != status_exit_code(ST_FAILED) && code != status_exit_code(ST_NO_GPU)))
        return;
    told = true;
    say_warn("--max_memory=%g may be the reason: drivers and threads fail in their own words when memory runs out",
             t->max_memory_mb);
}

int tool_end(struct tool *t, int code)
{
    struct err err;

    tool_close_model(t);
    delegates_fini(&t->delegates);
    config_free(&t->config);
    cli_free(&t->cli);
    if (interrupted_by_limit() && code == outcome_exit_code(OUTCOME_INTERRUPTED))
        code = say_error(err_set(&err, ST_FAILED, "--timeout=%g: the time is over before the work is done", t->timeout_secs), &err);
    else if (t->max_memory_mb > 0)
        doubt_memory(t, code);
    code = say_finish(code);
    if (threads_left())
        _exit(code);
    return code;
}
