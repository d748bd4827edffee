/* SPDX-License-Identifier: Apache-2.0 */
/* cli.c - flags: getopt_long underneath, with the strictness that it lacks. */
#include "cmd/tool/cli.h"

#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/flag.h"

/* ---- the flag that a mistyped one means: words that people try, then distances between spellings ---- */

#define FLAG_MEANT_SIZE 128

#define NAME_SIZE 64

/* A word, without underscores, and a flag with the value that makes it: the first row of a word whose flag the tool has. */
static const struct {
    const char *word, *flag, *value;
} meanings[] = {
    {"fp16", "gpu_precision", "=fp16"},
    {"half", "gpu_precision", "=fp16"},
    {"halfprecision", "gpu_precision", "=fp16"},
    {"float16", "gpu_precision", "=fp16"},
    {"allowfp16", "gpu_precision", "=fp16"},
    {"fp32", "gpu_precision", "=fp32"},
    {"float32", "gpu_precision", "=fp32"},
    {"precision", "gpu_precision", ""},
    {"dtype", "gpu_precision", ""},
    {"int8", "gpu_quant", "=exact"},
    {"quant", "gpu_quant", ""},
    {"quantized", "gpu_quant", ""},
    {"batch", "input_layer_shape", "=4,224,224,3 with --input_layer=NAME"},
    {"batchsize", "input_layer_shape", "=4,224,224,3 with --input_layer=NAME"},
    {"shape", "input_layer_shape", " with --input_layer=NAME"},
    {"inputshape", "input_layer_shape", " with --input_layer=NAME"},
    {"resolution", "input_layer_shape", " with --input_layer=NAME"},
    {"size", "input_layer_shape", " with --input_layer=NAME"},
    {"model", "model_file", ""},
    {"model", "graph", ""},
    {"modelpath", "model_file", ""},
    {"modelpath", "graph", ""},
    {"cpu", "use_gpu", "=false"},
    {"gpus", "list_gpus", ""},
    {"devices", "list_gpus", ""},
    {"device", "gpu_device", ""},
    {"backend", "use_gpu", ""},
    {"delegate", "use_gpu", ""},
    {"opencl", "use_gpu", ""},
    {"opengl", "use_gpu", ""},
    {"threads", "num_threads", ""},
    {"threads", "num_interpreter_threads", ""},
    {"numthreads", "num_interpreter_threads", ""},
    {"j", "num_threads", ""},
    {"runs", "num_runs", ""},
    {"n", "num_runs", ""},
    {"iterations", "num_runs", ""},
    {"iters", "num_runs", ""},
    {"loops", "num_runs", ""},
    {"count", "num_runs", ""},
    {"samples", "num_runs", ""},
    {"warmup", "warmup_runs", ""},
    {"duration", "min_secs", ""},
    {"time", "min_secs", ""},
    {"seconds", "min_secs", ""},
    {"profile", "enable_op_profiling", ""},
    {"profile", "per_op", ""},
    {"profiling", "enable_op_profiling", ""},
    {"perop", "enable_op_profiling", ""},
    {"layers", "enable_op_profiling", ""},
    {"layers", "per_op", ""},
    {"trace", "op_profiling_output_mode", "=trace --op_profiling_output_file=FILE"},
    {"csv", "op_profiling_output_mode", "=csv --op_profiling_output_file=FILE"},
    {"memory", "report_peak_memory_footprint", ""},
    {"peakmemory", "report_peak_memory_footprint", ""},
    {"p99", "percentiles", "=99"},
    {"percentile", "percentiles", ""},
    {"accuracy", "with_accuracy", ""},
    {"speedup", "compare_cpu", ""},
    {"baseline", "compare_cpu", ""},
    {"input", "input_dir", ""},
    {"inputs", "input_dir", ""},
    {"inputfile", "input_layer_value_files", "=NAME:FILE"},
    {"inputfiles", "input_layer_value_files", "=NAME:FILE"},
    {"image", "input_layer_value_files", "=NAME:FILE"},
    {"inputnames", "list_inputs", ""},
    {"labels", "model_output_labels", ""},
    {"topk", "num_ranks", ""},
    {"images", "ground_truth_images_path", ""},
    {"imagedir", "ground_truth_images_path", ""},
    {"annotations", "ground_truth", ""},
    {"gt", "ground_truth", ""},
    {"gt", "ground_truth_labels", ""},
    {"predictions", "detections", ""},
    {"results", "detections", ""},
    {"signatures", "list_signatures", ""},
    {"signature", "signature_to_run_for", ""},
    {"signaturekey", "signature_to_run_for", ""},
    {"signaturekey", "signature", ""},
    {"signaturetorunfor", "signature", ""},
    {"data", "input_dir", ""},
    {"mean", "input_mean", ""},
    {"std", "input_std", ""},
    {"outputs", "output_dir", ""},
    {"output", "output_dir", ""},
    {"output", "save_outputs", ""},
    {"o", "output_dir", ""},
    {"o", "json", ""},
    {"report", "json", ""},
    {"report", "html", ""},
    {"format", "json", ""},
    {"cache", "delegate_serialize_dir", "=DIR --delegate_serialize_token=WORD"},
    {"cachedir", "delegate_serialize_dir", "=DIR --delegate_serialize_token=WORD"},
    {"tune", "gpu_tuning", "=fast"},
    {"tuning", "gpu_tuning", "=fast"},
    {"tol", "atol", ""},
    {"epsilon", "atol", ""},
    {"eps", "atol", ""},
    {"threshold", "atol", ""},
    {"threshold", "fail_if_slower", ""},
    {"threshold", "require", ""},
    {"mincoverage", "require", "=90%"},
    {"reference", "reference_model", ""},
    {"ops", "verbose", ""},
    {"v", "verbose", ""},
    {"vv", "verbose", ""},
    {"rule", "rules", ""},
    {"android", "rules", "=tflite-gpu-cl"},
    {"phone", "rules", "=tflite-gpu-cl"},
    {"target", "rules", ""},
    {"runtime", "rules", ""},
    {"rewrite", "fix", "=OUT.tflite"},
    {"delegatepath", "external_delegate_path", ""},
    {"delegatelib", "external_delegate_path", ""},
};

/* Lower case, without dashes and underscores: useGPU and use-gpu are use_gpu. */
static void plain(const char *name, char out[NAME_SIZE])
{
    size_t n = 0;

    for (; *name && n + 1 < NAME_SIZE; name++)
        if (*name != '_' && *name != '-')
            out[n++] = (char)tolower((unsigned char)*name);
    out[n] = '\0';
}

static bool has(const struct flag *const *flags, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(flags[i]->name, name))
            return !flag_is_fixed(flags[i]);
    return false;
}

static bool by_meaning(const struct flag *const *flags, uint32_t n, const char *word, char out[FLAG_MEANT_SIZE])
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (strcmp(meanings[i].word, word) != 0 || !has(flags, n, meanings[i].flag))
            continue;
        snprintf(out, FLAG_MEANT_SIZE, "%s%s", meanings[i].flag, meanings[i].value);
        return true;
    }
    return false;
}

/* Number of single-character edits from a to b, at most `limit`. Names longer than the table are never near. */
static uint32_t edit_distance(const char *a, const char *b, uint32_t limit)
{
    uint32_t row[64], n = (uint32_t)strlen(b);

    if (n >= 64)
        return limit;
    for (uint32_t j = 0; j <= n; j++)
        row[j] = j;
    for (uint32_t i = 1; *a; a++, i++) {
        uint32_t diagonal = row[0];

        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            uint32_t change = diagonal + (*a != b[j - 1]), up = row[j] + 1, left = row[j - 1] + 1;

            diagonal = row[j];
            row[j] = change < up ? change : up;
            if (left < row[j])
                row[j] = left;
        }
    }
    return row[n] < limit ? row[n] : limit;
}

/* The flag of that spelling but for case, dashes and underscores; else the one that uses a thing of that name (--gpu); NULL: none.
 */
static const char *same_word(const struct flag *const *flags, uint32_t n, const char *word)
{
    for (int use = 0; use < 2; use++)
        for (uint32_t i = 0; i < n; i++) {
            const char *have = flags[i]->name;
            char other[NAME_SIZE];

            plain(have, other);
            if (!use ? !strcmp(other, word) : !strncmp(other, "use", 3) && !strcmp(other + 3, word))
                return have;
        }
    return NULL;
}

/* The nearest by edits. The beginning of a name counts as one edit: people abbreviate so. */
static const char *by_spelling(const struct flag *const *flags, uint32_t n, const char *name)
{
    size_t len = strlen(name);
    uint32_t best = (uint32_t)(len < 6 ? 2 : len / 3) + 1;
    const char *found = NULL;

    for (uint32_t i = 0; i < n; i++) {
        const char *have = flags[i]->name;
        uint32_t d = len >= 3 && !strncmp(have, name, len) ? 1 : edit_distance(name, have, best);

        if (d < best) {
            best = d;
            found = have;
        }
    }
    return found;
}

/* Write the flag of flags[n] that is nearest to `name`, without dashes: by its meaning, as a table of words has it (fp16:
 * gpu_precision=fp16), else by its spelling. Return false if none is near. */
static bool flag_meant(const struct flag *const *flags, uint32_t n, const char *name, char out[FLAG_MEANT_SIZE])
{
    char word[NAME_SIZE];
    const char *found;

    plain(name, word);
    if (!(found = same_word(flags, n, word)) && by_meaning(flags, n, word, out))
        return true;
    if (!found && !(found = by_spelling(flags, n, name)))
        return false;
    snprintf(out, FLAG_MEANT_SIZE, "%s", found);
    return true;
}

/* ---- parsing ---- */

enum { FORM_PLAIN, FORM_NO }; /* --name, --no-name */

/* getopt_long returns characters (':' and '?') for what is wrong and our codes for what is right: they begin beyond all of them. */
enum { FIRST_CODE = 256 };

static void *field(const struct cli_row *row)
{
    return (char *)row->options + row->flag->offset;
}

/* One more line of a flag that repeats. */
static enum status add_line(struct cli_row *row, const char **text, struct err *err)
{
    const char *was = *(const char **)((char *)row->options + row->flag->offset);
    const size_t size = strlen(was) + strlen(*text) + 2;
    char *lines;

    if (row->n_turns == CLI_MAX_REPEATS)
        return err_set(err, ST_USAGE, "--%s: there may be at most %d of them", row->flag->name, CLI_MAX_REPEATS);
    if (!row->n_turns)
        return ST_OK;
    if (!(lines = malloc(size)))
        return err_set(err, ST_NOMEM, "out of memory for --%s", row->flag->name);
    snprintf(lines, size, "%s\n%s", was, *text);
    free(row->lines);
    *text = row->lines = lines;
    return ST_OK;
}

static enum status set_value(struct cli *c, struct cli_row *row, const char *text, struct err *err)
{
    enum status st = row->flag->repeats ? add_line(row, &text, err) : ST_OK;

    if (st)
        return st;
    row->given = true;
    row->turn = ++c->n_given;
    if (row->flag->repeats)
        row->turns[row->n_turns++] = row->turn;
    return flag_set(row->flag, row->options, text, err);
}

void cli_free(struct cli *c)
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        free(c->rows[i].lines);
        c->rows[i].lines = NULL;
    }
}

const struct cli_row *cli_find(const struct cli *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_rows; i++)
        if (!strcmp(c->rows[i].flag->name, name))
            return &c->rows[i];
    return NULL;
}

enum status cli_refuse(const struct cli *c, const char *const *names, size_t n, const char *where, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct cli_row *row = cli_find(c, names[i]);

        if (row && row->given)
            return err_set(err, ST_USAGE, "--%s changes nothing %s", names[i], where);
    }
    return ST_OK;
}

const struct cli_row *cli_given(const struct cli *c, uint32_t turn)
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct cli_row *row = &c->rows[i];

        if (turn && row->turn == turn)
            return row;
        for (uint32_t k = 0; k < row->n_turns; k++)
            if (row->turns[k] == turn)
                return row;
    }
    return NULL;
}

void cli_add(struct cli *c, const struct flag *flags, void *options)
{
    flag_set_defaults(flags, options);
    for (; flags->name; flags++) {
        assert(c->n_rows < CLI_MAX_FLAGS);
        assert(!cli_find(c, flags->name));
        c->rows[c->n_rows++] = (struct cli_row){.flag = flags, .options = options};
    }
}

void cli_drop(struct cli *c, const char *name)
{
    const struct cli_row *row = cli_find(c, name);

    assert(row);
    c->n_rows--;
    for (uint32_t i = (uint32_t)(row - c->rows); i < c->n_rows; i++)
        c->rows[i] = c->rows[i + 1];
}

static enum status unknown_flag(const struct cli *c, const char *arg, struct err *err)
{
    const struct flag *flags[CLI_MAX_FLAGS];
    char name[64], found[FLAG_MEANT_SIZE];

    for (uint32_t i = 0; i < c->n_rows; i++)
        flags[i] = c->rows[i].flag;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    if (flag_meant(flags, c->n_rows, name + strspn(name, "-"), found))
        return err_set(err, ST_USAGE, "unknown flag %s; did you mean --%s?", name, found);
    return err_set(err, ST_USAGE, "unknown flag %s; %s --help=all lists them", name, c->tool);
}

/* A boolean may have its value in the next argument, which getopt_long never does for an optional one. */
static const char *bool_argument(int argc, char **argv)
{
    bool unused;

    if (optarg)
        return optarg;
    if (optind < argc && flag_read_bool(argv[optind], &unused))
        return argv[optind++];
    return "true";
}

/* The same of a word that may be left out: the next argument is its value if it is one of the words. */
static const char *word_argument(const struct flag *f, int argc, char **argv)
{
    for (size_t i = 0; f->words[i] && optind < argc; i++)
        if (!strcmp(f->words[i], argv[optind]))
            return argv[optind++];
    return f->bare;
}

static const char *argument(const struct flag *f, int argc, char **argv)
{
    if (f->type == FLAG_BOOL)
        return bool_argument(argc, argv);
    if (optarg || !f->bare)
        return optarg;
    return f->type == FLAG_WORD ? word_argument(f, argc, argv) : f->bare;
}

static int code_of(uint32_t row, int form)
{
    return FIRST_CODE + 2 * (int)row + form;
}

static void fill_longopts(const struct cli *c, struct option *o, char (*no_names)[64])
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct flag *f = c->rows[i].flag;
        bool is_bool = f->type == FLAG_BOOL;

        *o++ = (struct option){f->name, is_bool || f->bare ? optional_argument : required_argument, NULL, code_of(i, FORM_PLAIN)};
        if (!is_bool)
            continue;
        snprintf(no_names[i], sizeof no_names[i], "no-%s", f->name);
        *o++ = (struct option){no_names[i], no_argument, NULL, code_of(i, FORM_NO)};
    }
    *o = (struct option){0};
}

/* getopt_long takes any unambiguous beginning of a name; a script that relies on one breaks with the next flag added. */
static bool in_full(const char *arg, const struct option *o)
{
    size_t len = strcspn(arg + 2, "=");

    while (o->name && (strlen(o->name) != len || strncmp(arg + 2, o->name, len) != 0))
        o++;
    return o->name;
}

enum status cli_take_operand(struct cli *c, const char *arg, struct err *err)
{
    if (!c->operand || !*arg || *arg == '-')
        return err_set(err, ST_USAGE, "unexpected argument '%.100s': flags begin with --", arg);
    if (c->n_operands == CLI_MAX_OPERANDS)
        return err_set(err, ST_USAGE, "'%.100s': there may be at most %d arguments %s", arg, CLI_MAX_OPERANDS, c->operand);
    c->operands[c->n_operands++] = arg;
    return ST_OK;
}

/* Takes "--" between operands. */
static enum status take_separator(struct cli *c, struct err *err)
{
    if (c->separated)
        return err_set(err, ST_USAGE, "-- stands twice; it divides the arguments %s once", c->operand);
    c->separated = true;
    c->n_before = c->n_operands;
    return ST_OK;
}

static enum status parse_one(struct cli *c, int argc, char **argv, const struct option *longopts, struct err *err)
{
    const char *arg = argv[optind];
    struct cli_row *row;
    int code;

    if (arg[0] != '-' || !arg[1]) {
        optind++;
        return cli_take_operand(c, arg, err);
    }
    if (c->separator && !strcmp(arg, "--")) {
        optind++;
        return take_separator(c, err);
    }
    if (!strcmp(arg, "-h") && cli_find(c, "help")) {
        optind++;
        row = &c->rows[cli_find(c, "help") - c->rows];
        return set_value(c, row, row->flag->bare ? row->flag->bare : "true", err);
    }
    if (arg[1] != '-' || !in_full(arg, longopts))
        return unknown_flag(c, arg, err);
    code = getopt_long(argc, argv, "+:", longopts, NULL);
    if (code == ':')
        return err_set(err, ST_USAGE, "%s needs a value: %s=VALUE", arg, arg);
    if (code == '?')
        return err_set(err, ST_USAGE, "%.100s: a --no- flag takes no value", arg);
    row = &c->rows[(code - FIRST_CODE) / 2];
    if ((code - FIRST_CODE) % 2 == FORM_NO)
        return set_value(c, row, "false", err);
    if (row->flag->repeats && optarg && strchr(optarg, '\n'))
        return err_set(err, ST_USAGE, "--%s: a value of several lines; the flag may stand several times", row->flag->name);
    return set_value(c, row, argument(row->flag, argc, argv), err);
}

enum status cli_parse(struct cli *c, int argc, char **argv, struct err *err)
{
    struct option longopts[2 * CLI_MAX_FLAGS + 1];
    char no_names[CLI_MAX_FLAGS][64];
    enum status st = ST_OK;

    fill_longopts(c, longopts, no_names);
    opterr = 0;
    optind = 0; /* glibc: start over, with the "+" of the option string heeded */
    (void)getopt_long(1, argv, "+:", longopts, NULL);
    while (!st && optind < argc)
        st = parse_one(c, argc, argv, longopts, err);
    return st;
}

enum status cli_take(struct cli *c, const char *name, const char *value, struct err *err)
{
    const struct cli_row *row = cli_find(c, name);
    char arg[64];

    if (row && row->given && !(row->taken && row->flag->repeats))
        return ST_OK;
    if (row) {
        c->rows[row - c->rows].taken = true;
        return set_value(c, &c->rows[row - c->rows], value, err);
    }
    snprintf(arg, sizeof arg, "--%s", name);
    return unknown_flag(c, arg, err);
}

const char *cli_value(const struct cli_row *row, char buf[CLI_VALUE_SIZE])
{
    bool yes;

    if (flag_is_fixed(row->flag))
        return row->flag->type == FLAG_BOOL && flag_read_bool(row->flag->value, &yes) ? (yes ? "1" : "0") : row->flag->value;
    switch (row->flag->type) {
    case FLAG_BOOL:
        if (*flag_name_given(row->flag, row->options))
            return flag_name_given(row->flag, row->options);
        return *(bool *)field(row) ? "1" : "0";
    case FLAG_INT: snprintf(buf, CLI_VALUE_SIZE, "%d", (int)*(int32_t *)field(row)); return buf;
    case FLAG_DOUBLE: snprintf(buf, CLI_VALUE_SIZE, "%g", *(double *)field(row)); return buf;
    case FLAG_WORD: return row->flag->words[*(int32_t *)field(row)];
    case FLAG_STRING: break;
    }
    return *(const char **)field(row);
}

bool cli_is_default(const struct cli_row *row)
{
    const struct flag *f = row->flag;
    char now[CLI_VALUE_SIZE];
    bool yes;

    if (f->type == FLAG_BOOL && flag_read_bool(f->value, &yes))
        return !strcmp(cli_value(row, now), yes ? "1" : "0");
    return !strcmp(cli_value(row, now), f->value);
}
