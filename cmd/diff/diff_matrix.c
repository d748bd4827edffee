/* SPDX-License-Identifier: Apache-2.0 */
/* diff_matrix.c - the rows of --delegates and --precisions: read, opened and run beside the comparison's own test side. */
#include "cmd/diff/inference_diff.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/host/say.h"
#include "cmd/tool/assignment_text.h"
#include "lib/base/flag.h"

/* "gpu_precision" of the delegate "gpu"; NULL where it has no such choice. */
static const struct flag *precision_flag(const struct delegate_choice *choice)
{
    for (const struct flag *f = choice ? choice->type->flags : NULL; f && f->name; f++) {
        const size_t n = strlen(choice->type->name);

        if (f->type == FLAG_WORD && !strncmp(f->name, choice->type->name, n) && !strcmp(f->name + n, "_precision"))
            return f;
    }
    return NULL;
}

/* ---- reading the lists ---- */

#define NAME_SIZE 32

/* Takes the next name off a list; false at its end. ST_USAGE in *st for one that is empty, too long or there before `at`. */
static bool next_name(const char *flag, const char *list, const char **at, char name[NAME_SIZE], enum status *st, struct err *err)
{
    const char *before = list;
    size_t n;

    if (*at > list && !(*at)[-1])
        return false;
    *at = flag_skip_blanks(*at);
    n = strcspn(*at, ",");
    if (!n || n >= NAME_SIZE) {
        *st = err_set(err, ST_USAGE, "--%s=%.80s: a list of names with commas between is needed", flag, list);
        return false;
    }
    snprintf(name, NAME_SIZE, "%.*s", (int)n, *at);
    for (; before < *at; before = flag_skip_blanks(before + strcspn(before, ",") + 1))
        if (strcspn(before, ",") == n && !strncmp(before, name, n)) {
            *st = err_set(err, ST_USAGE, "--%s=%.80s: '%s' stands there twice", flag, list, name);
            return false;
        }
    *at += n + 1;
    return true;
}

static enum status add_row(struct matrix *m, const struct delegate_choice *choice, const char *asked, struct err *err)
{
    if (m->n == MATRIX_MAX_ROWS)
        return err_set(err, ST_USAGE, "--delegates and --precisions: more than %d rows", MATRIX_MAX_ROWS);
    m->rows[m->n++] = (struct matrix_row){.choice = choice, .asked = asked};
    return ST_OK;
}

/* The flag's own word of that name: it outlives the list. */
static const char *word_of(const struct flag *f, const char *name)
{
    for (const char *const *w = f->words; *w; w++)
        if (!strcmp(*w, name) && strcmp(name, f->value) != 0)
            return *w;
    return NULL;
}

static enum status add_precisions(struct comparison *c, const struct delegate_choice *choice, struct err *err)
{
    const struct flag *f = precision_flag(choice);
    const char *list = c->flags.precisions, *at = list;
    enum status st = ST_OK;
    char name[NAME_SIZE];

    if (!*list || !f)
        return add_row(&c->matrix, choice, NULL, err);
    if (cli_find(&c->tool.cli, f->name)->given)
        return err_set(err, ST_USAGE, "--precisions and --%s: one of them", f->name);
    while (!st && next_name("precisions", list, &at, name, &st, err)) {
        const char *word = word_of(f, name);

        st = word ? add_row(&c->matrix, choice, word, err)
                  : err_set(err, ST_USAGE, "--precisions: --%s has no '%s'; it takes %s", f->name, name,
                            "fp32, fp16_storage, fp16_sum32 and fp16");
    }
    return st;
}

/* A precision that no row has would change nothing in silence. */
static enum status check_precisions(const struct comparison *c, struct err *err)
{
    for (uint32_t i = 0; i < c->matrix.n; i++)
        if (c->matrix.rows[i].asked)
            return ST_OK;
    return *c->flags.precisions
               ? err_set(err, ST_USAGE, "--precisions=%.60s: no delegate was asked for that has several", c->flags.precisions)
               : ST_OK;
}

static enum status read_delegates(struct comparison *c, struct err *err)
{
    const char *list = c->flags.delegates, *at = list;
    enum status st = ST_OK;
    char name[NAME_SIZE];

    while (!st && next_name("delegates", list, &at, name, &st, err)) {
        struct delegate_choice *choice = NULL;

        if (strcmp(name, "none") != 0 && (st = delegates_find(&c->tool.delegates, "delegates", name, &choice, err)))
            return st;
        if (choice)
            choice->also = true;
        st = add_precisions(c, choice, err);
    }
    return st;
}

/* --all_runtimes names the delegates, and searches by itself. */
static enum status check_alone(const struct comparison *c, const struct delegate_type *wanted, struct err *err)
{
    const struct diff_flags *f = &c->flags;
    const char *also = *f->delegates    ? "delegates"
                       : *f->precisions ? "precisions"
                       : f->bisect      ? "bisect"
                       : f->auto_fp32   ? "auto_fp32"
                       : *f->delegate   ? "delegate"
                       : wanted         ? wanted->use_flag
                                        : NULL;

    return also ? err_set(err, ST_USAGE, "--all_runtimes names the delegates, and searches by itself: not with --%s", also) : ST_OK;
}

enum status diff_matrix_read(struct comparison *c, struct err *err)
{
    struct delegates *ds = &c->tool.delegates;
    const struct delegate_type *wanted = delegates_wanted(ds);
    struct delegate_choice *choice = NULL;
    enum status st;

    if (!*c->flags.delegates && !*c->flags.precisions && !*c->flags.all_runtimes)
        return ST_OK;
    if (*c->flags.all_runtimes)
        return (st = check_alone(c, wanted, err)) ? st : diff_runtimes_read(c, err);
    if (*c->flags.precisions && (st = delegates_check_one(ds, "--precisions", err)))
        return st;
    if (c->flags.auto_fp32)
        return err_set(err, ST_USAGE, "--auto_fp32 is for one test side: not with --delegates or --precisions");
    if (*c->stored.flags.load_outputs || *c->stored.flags.load_test)
        return err_set(err, ST_USAGE, "--%s: the test side is stored: not with --delegates or --precisions",
                       *c->stored.flags.load_outputs ? "load_outputs" : "load_test_outputs");
    if (*c->flags.delegates && (wanted || *c->flags.delegate))
        return err_set(err, ST_USAGE, "--delegates=%.60s, but --%s too", c->flags.delegates,
                       *c->flags.delegate ? "delegate" : wanted->use_flag);
    if (!*c->flags.delegates) {
        if (wanted && (st = delegates_find(ds, "delegate", wanted->name, &choice, err)))
            return st;
        if ((st = add_precisions(c, choice, err)))
            return st;
    } else if ((st = read_delegates(c, err))) {
        return st;
    }
    return check_precisions(c, err);
}

/* ---- opening and running ---- */

static enum status open_delegate(struct comparison *c, struct matrix_row *row, struct delegate **out, struct err *err)
{
    const struct flag *f = row->asked ? precision_flag(row->choice) : NULL;

    if (row->options)
        return delegates_open_with(&c->tool.delegates, row->choice, row->options, out, err);
    return row->choice ? delegates_open_as(&c->tool.delegates, row->choice, f, row->asked, out, err) : ST_OK;
}

enum status diff_matrix_open_delegate(struct comparison *c, struct err *err)
{
    struct delegates *ds = &c->tool.delegates;
    enum status st = c->matrix.n ? open_delegate(c, &c->matrix.rows[0], &ds->all[0], err) : delegates_open(ds, err);

    ds->opened = ds->all[0];
    return st;
}

enum status diff_matrix_options(const struct comparison *c, uint32_t i, struct arena *a, const struct delegate_choice **choice,
                                void **options, struct err *err)
{
    const struct matrix_row *row = c->matrix.n ? &c->matrix.rows[0] : NULL;
    struct delegate_wanted wanted[MAX_DELEGATES];

    if (!row)
        (void)delegates_list(&c->tool.delegates, wanted);
    *choice = row ? row->choice : wanted[i].choice;
    if (!(*options = arena_alloc(a, 1, (*choice)->type->options_size + 1)))
        return err_set(err, ST_NOMEM, "out of memory for the options of delegate %s", (*choice)->type->name);
    memcpy(*options, row && row->options ? row->options : (*choice)->options, (*choice)->type->options_size);
    return row && row->asked ? flag_set(precision_flag(*choice), *options, row->asked, err) : ST_OK;
}

static enum status open_row(struct comparison *c, struct matrix_row *row, struct err *err)
{
    const struct trial_terms terms = comparison_terms(c);
    struct session_options opt;
    enum status st;

    if ((st = open_delegate(c, row, &row->opened, err)))
        return st;
    opt = comparison_options(c, row->opened);
    opt.keep_intermediates = false;
    st = trial_open(&row->own, c->tool.model, c->reference.session, &opt, &terms, (uint32_t)c->flags.num_runs, false, err);
    say_info("Row: %s, %s", matrix_name(row), matrix_precision(row));
    return st ? st : assignment_say(row->own.session, row->opened, err);
}

void diff_matrix_open(struct comparison *c)
{
    for (uint32_t i = 0; i < c->matrix.n; i++) {
        struct matrix_row *row = &c->matrix.rows[i];

        row->trial = i ? &row->own : &c->test;
        if (!i)
            row->opened = c->tool.delegates.opened;
        else if ((row->failed = open_row(c, row, &row->err)))
            say_warn("%s, %s: %s", matrix_name(row), matrix_precision(row), row->err.msg);
    }
}

void diff_matrix_run(struct comparison *c)
{
    for (uint32_t i = 1; i < c->matrix.n; i++) {
        struct matrix_row *row = &c->matrix.rows[i];

        if (!row->failed && (row->failed = trial_run(row->trial, c->flags.repeat, &row->err)) == ST_LATER)
            row->failed = ST_OK; /* Ctrl-C within a loop of the model: the figures are of the runs before */
    }
}

void diff_matrix_finish(struct comparison *c)
{
    for (uint32_t i = 1; i < c->matrix.n; i++)
        if (!c->matrix.rows[i].failed)
            c->matrix.rows[i].failed = trial_finish(c->matrix.rows[i].trial, &c->matrix.rows[i].err);
}

void diff_matrix_free(struct matrix *m)
{
    for (uint32_t i = 1; i < m->n; i++) {
        trial_free(&m->rows[i].own);
        delegate_close(m->rows[i].opened);
        free(m->rows[i].options);
    }
    free(m->text);
    *m = (struct matrix){.n = 0};
}

/* ---- what it says ---- */

const char *matrix_name(const struct matrix_row *row)
{
    return row->name ? row->name : row->choice ? row->choice->type->name : "none";
}

const char *matrix_precision(const struct matrix_row *row)
{
    if (row->opened && row->opened->library && *row->opened->library->precision)
        return row->opened->library->precision;
    if (row->opened && row->opened->precision.in_force)
        return row->opened->precision.in_force;
    return row->asked ? row->asked : precision_name(PRECISION_FP32);
}

int matrix_float32_repairs(const struct matrix *m, uint32_t i)
{
    const struct matrix_row *row = &m->rows[i];

    if (row->failed || row->trial->verdict.outputs_passed || row->trial->precision == PRECISION_FP32)
        return -1;
    for (uint32_t k = 0; k < m->n; k++) {
        const struct matrix_row *other = &m->rows[k];

        if (other->choice == row->choice && !other->failed && other->trial->precision == PRECISION_FP32)
            return other->trial->verdict.outputs_passed;
    }
    return -1;
}

bool matrix_passed(const struct matrix *m)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (m->rows[i].failed || !m->rows[i].trial->verdict.passed)
            return false;
    return true;
}
