/* SPDX-License-Identifier: Apache-2.0 */
/* diff_extract_results.c - what --extract wrote, and the command that runs it again. */
#include <string.h>

#include "cmd/diff/diff_results.h"

#define RERUN_SIZE 8192

/* A word of a command line, quoted for a shell if need be. */
static size_t add_word(char *out, size_t n, const char *before, const char *word)
{
    const bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=@%+-")];

    n += (size_t)snprintf(out + n, RERUN_SIZE - n, "%s%s", before, plain ? word : "'");
    for (; !plain && *word && n + 8 < RERUN_SIZE; word++)
        n += (size_t)snprintf(out + n, RERUN_SIZE - n, *word == '\'' ? "'\\''" : "%c", *word);
    return n + (plain ? 0 : (size_t)snprintf(out + n, RERUN_SIZE - n, "'"));
}

/* Flags that say who computes, how and within which limits; these number or count nodes of the whole model. */
static bool is_of_rerun(const struct flag *f)
{
    static const char *const numbers[] = {
        "no_delegate_nodes", "first_delegate_node_index", "last_delegate_node_index", "min_delegated", "dump_shaders",
        "gpu_dump_ir",       "min_nodes_per_partition"};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(f->name, numbers[i]))
            return false;
    return f->group == GROUP_DELEGATE || f->group == GROUP_GPU || f->group == GROUP_JUDGE || f->group == GROUP_DEBUG ||
           !strcmp(f->name, "cpu_kernels");
}

/* The row as the part's delegate has it. */
static struct cli_row row_of_part(const struct comparison *c, const struct cli_row *row)
{
    const struct part_delegates *p = &c->extraction.delegates;

    for (uint32_t i = 0; i < p->n; i++)
        if (row->options == p->of[i].choice->options)
            return (struct cli_row){.flag = row->flag, .options = p->of[i].options};
    return *row;
}

/* Of limits the part may lack the outputs and operators that some are for: the last that is for all tensors goes to *value. */
static void drop_named_limits(const struct flag *f, const char **value, char out[CLI_VALUE_SIZE])
{
    static const char *const limits[] = {"atol", "tolerance", "rtol", "max_ulp"};
    bool is_limit = false;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        is_limit |= !strcmp(limits[i], f->name);
    if (!is_limit)
        return;
    out[0] = '\0';
    for (const char *at = *value; *at; at += strspn(at, ", ")) {
        const size_t len = strcspn(at, ",");

        if (!memchr(at, ':', len) && len < CLI_VALUE_SIZE)
            snprintf(out, CLI_VALUE_SIZE, "%.*s", (int)len, at);
        at += len;
    }
    *value = out;
}

/* The first row of several is the one whose part it is. */
static size_t add_first_row(const struct comparison *c, char *out, size_t n)
{
    const struct matrix_row *row = c->matrix.n ? &c->matrix.rows[0] : NULL;

    if (row && *c->flags.delegates)
        n = add_word(out, n, " --delegate=", row->choice->type->name);
    return row && row->asked ? add_word(out, n, " --precisions=", row->asked) : n;
}

static const char *rerun_text(const struct comparison *c, char out[RERUN_SIZE])
{
    const struct cli *cli = &c->tool.cli;
    char path[EXTRACTION_PATH_SIZE + 16];
    size_t n = add_word(out, 0, "inference_diff ", c->flags.extract);

    for (uint32_t turn = 1; turn <= cli->n_given && n < RERUN_SIZE / 2; turn++) {
        const struct cli_row *given = cli_given(cli, turn), row = given ? row_of_part(c, given) : (struct cli_row){0};
        char as_text[CLI_VALUE_SIZE], shorter[CLI_VALUE_SIZE], flag[96];
        const char *value = given ? cli_value(&row, as_text) : "";

        if (!given || !is_of_rerun(row.flag) || given->n_turns > 1)
            continue;
        drop_named_limits(row.flag, &value, shorter);
        snprintf(flag, sizeof flag, " --%s=", row.flag->name);
        n = *value ? add_word(out, n, flag, value) : n;
    }
    n = add_first_row(c, out, n);
    snprintf(path, sizeof path, "%s.inputs", c->extraction.stem);
    add_word(out, n, " --input_dir=", path);
    return out;
}

static void add_nodes(struct result_section *to, const struct extraction *x)
{
    result_more(to, "%s ", x->n_nodes == 1 ? "node" : "nodes");
    for (uint32_t i = 0; i < x->n_nodes; i++)
        result_more(to, "%s%u", i ? ", " : "", x->nodes[i]);
}

static void add_arrays(struct result_section *to, const struct extraction *x, const char *what, uint32_t n)
{
    result_more(to, "%s.%s0", x->stem, what);
    if (n > 1)
        result_more(to, " to %u", n - 1);
    result_more(to, ".npy");
}

static void add_lines(struct result_section *to, const struct comparison *c)
{
    const struct extraction *x = &c->extraction;
    char rerun[RERUN_SIZE];

    if (!x->written) {
        result_line(to, RESULT_PLAIN, "Nothing extracted: %s.", x->nothing);
        return;
    }
    result_line(to, RESULT_PLAIN, "Extracted to %s: ", c->flags.extract);
    add_nodes(to, x);
    result_more(to, ", %u on the %s, with the values of run %u. Output %s is off by %.4g there, %.4g of its largest value.",
                x->n_delegated, c->test.delegate->type->label, x->run, x->output, x->max_error, x->relative);
    result_line(to, RESULT_PLAIN, "Beside it: ");
    add_arrays(to, x, "input", x->n_inputs);
    result_more(to, "; what the reference makes of it, ");
    add_arrays(to, x, "reference", x->n_outputs);
    result_more(to, "; the %s, ", c->test.delegate->type->label);
    add_arrays(to, x, "test", x->n_outputs);
    result_more(to, ".");
    result_line(to, RESULT_PLAIN | RESULT_WHOLE, "Run it again: %s", rerun_text(c, rerun));
}

void diff_extract_results(struct results *results, const struct comparison *c)
{
    const struct extraction *x = &c->extraction;
    struct report *r = results->report;
    struct json *o, *list;
    char rerun[RERUN_SIZE];

    if (*c->flags.extract)
        add_lines(results->parts[DIFF_EXTRACT], c);
    if (!json_given(r, report_root(r), "extract", x->written))
        return;
    o = json_object(r, report_root(r), "extract");
    JSON_STRINGS(r, o, {"path", c->flags.extract}, {"rerun", rerun_text(c, rerun)});
    list = json_array(r, o, "nodes");
    for (uint32_t i = 0; i < x->n_nodes; i++)
        json_number(r, list, NULL, x->nodes[i]);
    JSON_NUMBERS(r, o, {"delegated", x->n_delegated}, {"run", x->run}, {"max_error", x->max_error}, {"relative", x->relative});
}
