/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_compare.c - reports of benchmark_model before and after a change: what became slower, and is it more than chance? */
#include "cmd/compare/compare.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/host/say.h"
#include "lib/base/outcome.h"

enum { MAX_REPORTS = 1000 }; /* of a folder; each is held against each of the other one */

static bool is_folder(const char *path)
{
    struct stat info;

    return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static int is_report(const struct dirent *e)
{
    size_t n = strlen(e->d_name);

    return n > 5 && e->d_name[0] != '.' && !strcmp(e->d_name + n - 5, ".json");
}

/* Takes the report; one that cannot be compared does not keep the others from it. */
static enum status read_one(struct compare *c, int side, const char *path, struct err *err)
{
    struct compare_report *to = &c->reports[side][c->n_reports[side]];
    enum status st = compare_read(path, to, err);
    const char *why;

    if (!st || st == ST_NOMEM) {
        c->n_reports[side]++;
        return st;
    }
    compare_report_free(to);
    if (!(why = arena_printf(&c->arena, "%s", err->msg)))
        return err_set(err, ST_NOMEM, "%s: out of memory for why it cannot be read", path);
    c->skipped[side][c->n_skipped[side]++] = (struct compare_skipped){path, why};
    return ST_OK;
}

/* Every *.json of a folder, in the order of their names. */
static enum status read_folder(struct compare *c, int side, const char *dir, struct err *err)
{
    struct dirent **entries;
    int n = scandir(dir, &entries, is_report, alphasort);
    enum status st = ST_OK;

    if (n < 0)
        return err_set(err, ST_IO, "%s: %s", dir, strerror(errno));
    if (n == 0 || n > MAX_REPORTS)
        st = err_set(err, ST_USAGE, "%s: the folder has %d files *.json, from 1 to %d can be compared", dir, n, MAX_REPORTS);
    else if (!(c->reports[side] = calloc((size_t)n, sizeof *c->reports[side])) ||
             !(c->skipped[side] = arena_alloc(&c->arena, (size_t)n, sizeof *c->skipped[side])))
        st = err_set(err, ST_NOMEM, "%s: out of memory for %d reports", dir, n);
    for (int i = 0; i < n; i++) {
        char *path = st ? NULL : arena_printf(&c->arena, "%s/%s", dir, entries[i]->d_name);

        if (!st && !path)
            st = err_set(err, ST_NOMEM, "%s: out of memory for a path", dir);
        if (!st)
            st = read_one(c, side, path, err);
        free(entries[i]);
    }
    free(entries);
    if (!st && !c->n_reports[side])
        st = err_set(err, ST_USAGE, "%s: none of its files *.json is a report that could be compared; the first: %s", dir,
                     c->skipped[side][0].why);
    return st;
}

/* The operands of a side: a folder, or reports. */
static enum status read_side(struct compare *c, int side, const char *const *paths, size_t n, struct err *err)
{
    enum status st = ST_OK;

    if (c->folders)
        return read_folder(c, side, *paths, err);
    if (!(c->reports[side] = calloc(n, sizeof *c->reports[side])))
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu reports", *paths, n);
    for (size_t i = 0; i < n && !st; i++)
        st = compare_read(paths[i], &c->reports[side][c->n_reports[side]++], err);
    return st;
}

static enum status read_both(struct compare *c, struct err *err)
{
    const struct cli *cli = &c->tool.cli;
    const char *const *paths = cli->operands;
    const size_t n = cli->n_operands, n_old = cli->separated ? cli->n_before : n / 2;
    enum status st;

    if (cli->separated ? !n_old || n_old == n : n != 2)
        return err_set(err, ST_USAGE,
                       "two reports are needed, two folders of them, or several a side: benchmark_compare OLD*.json -- NEW*.json");
    if ((st = compare_threshold(c->flags.fail_if_slower, &c->threshold, err)) || (st = compare_alpha(c->flags.alpha, err)))
        return st;
    c->folders = n == 2 && is_folder(paths[0]);
    if (n == 2 && c->folders != is_folder(paths[1]))
        return err_set(err, ST_USAGE, "%s is a folder and %s is none: compare two files or two folders", paths[!c->folders],
                       paths[c->folders]);
    st = read_side(c, 0, paths, n_old, err);
    return st ? st : read_side(c, 1, paths + n_old, n - n_old, err);
}

/* --markdown took true and false once. */
static void read_markdown(struct compare_flags *f)
{
    bool yes;

    if (flag_read_bool(f->markdown, &yes))
        f->markdown = yes ? "-" : "";
}

static int compare(struct compare *c)
{
    struct err err;
    enum status st;

    read_markdown(&c->flags);
    if ((st = read_both(c, &err)) || (st = compare_pairs(c, &err)) || (st = compare_report(c, &err)))
        return say_error(st, &err);
    if (!c->n_regressions && (c->n_skipped[0] || c->n_skipped[1]))
        return status_exit_code(ST_USAGE);
    return outcome_exit_code(outcome_of(!c->n_regressions, false));
}

int main(int argc, char **argv)
{
    static struct compare c = {
        .tool = {.cli = {.tool = "benchmark_compare",
                         .summary = "what became slower between reports of benchmark_model, before and after a change",
                         .help = &compare_help,
                         .operand = "OLD.json... -- NEW.json...",
                         .separator = true}},
    };
    int code;

    cli_add(&c.tool.cli, compare_flag_table, &c.flags);
    code = tool_begin(&c.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = compare(&c);
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < c.n_reports[i]; k++)
            compare_report_free(&c.reports[i][k]);
        free(c.reports[i]);
    }
    arena_free(&c.arena);
    return tool_end(&c.tool, code);
}
