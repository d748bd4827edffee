/* SPDX-License-Identifier: Apache-2.0 */
/* profile_output.c - one writer for each mode; a file's content is made in memory first. */
#include "cmd/export/profile_output.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/export/op_profile_proto.h"
#include "cmd/export/op_profile_text.h"
#include "cmd/export/op_profile_trace.h"
#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "cmd/host/text_file.h"

static const char *const mode_names[] = {"stdout", "csv", "proto", "json", "trace"};

bool profile_wanted(const struct profile_flags *f)
{
    return f->enabled || f->mode != PROFILE_STDOUT || *f->file || *f->csv_file;
}

enum status profile_check(const struct profile_flags *f, struct err *err)
{
    if (f->mode > PROFILE_CSV && !*f->file)
        return err_set(err, ST_USAGE, "--op_profiling_output_mode=%s needs --op_profiling_output_file", mode_names[f->mode]);
    return ST_OK;
}

/* What TFLite's tool profiles of a start: who takes which nodes, then memory. */
static enum status profile_start(const struct profile_result *p, struct op_profile *out, struct err *err)
{
    struct session_times times;
    enum status st = ST_OK;
    double delegates_us;

    session_times(p->session, &times);
    delegates_us = (double)(times.claim_ns + times.delegates_ns) / 1e3;
    *out = (struct op_profile){.n_rows = 0};
    if (session_partitioning(p->session))
        st = op_profile_add(out, "ModifyGraphWithDelegate", "ModifyGraphWithDelegate/0", delegates_us, err);
    if (!st)
        st = op_profile_add(out, "AllocateTensors", "AllocateTensors/0", (double)times.total_ns / 1e3 - delegates_us, err);
    return st;
}

/* TFLite's two profiles under their titles. */
static enum status print_tables(FILE *to, const struct profile_result *p, const struct op_profile *init, bool csv, bool prefix,
                                struct err *err)
{
    const char *info = prefix ? say_prefix() : "";
    enum status st;

    fprintf(to, "%s%s\n", info, OP_PROFILE_INIT_TITLE);
    if ((st = op_profile_tables(to, init, csv, err)))
        return st;
    fprintf(to, "\n%s%s\n", info, OP_PROFILE_RUN_TITLE);
    if ((st = op_profile_tables(to, p->run, csv, err)))
        return st;
    fputs("\n", to);
    return ST_OK;
}

static enum status print_all(FILE *to, const struct profile_result *p, const struct op_profile *init, bool prefix, struct err *err)
{
    const struct profile_sections *s = p->sections;
    const struct result_section *const in_order[] = {s->work, s->start, s->programs, s->run, s->share};
    enum status st = print_tables(to, p, init, false, prefix, err);

    for (size_t i = 0; i < sizeof in_order / sizeof *in_order && !st; i++)
        st = results_print(in_order[i], RESULT_TEXT, to, err);
    return st;
}

static enum status print_csv(FILE *to, const struct profile_result *p, const struct op_profile *init, struct err *err)
{
    struct results r;
    struct result_table *t;
    enum status st;

    results_init(&r, NULL, 1, false);
    t = profile_csv_table(r.parts[0]);
    if (!(st = profile_csv_rows(t, "init", init, err)) && !(st = profile_csv_rows(t, "run", p->run, err)))
        st = results_csv(r.parts[0], to, err);
    results_fini(&r);
    return st;
}

/* The text of a form, in memory: a full disk leaves no half of it. */
static enum status print_text(const struct profile_result *p, const struct op_profile *init, enum profile_mode mode,
                              bool tflite_csv, bool prefix, struct file_piece *out, struct err *err)
{
    struct text_file f;
    enum status st = text_file_begin(&f, err);

    *out = (struct file_piece){NULL, 0};
    if (st)
        return err_prefix(err, st, "op profile");
    if (tflite_csv)
        st = print_tables(f.to, p, init, true, false, err);
    else if (mode == PROFILE_CSV)
        st = print_csv(f.to, p, init, err);
    else
        st = print_all(f.to, p, init, prefix, err);
    if (st)
        text_file_drop(&f);
    else if ((st = text_file_close(&f, err)))
        err_prefix(err, st, "op profile");
    else
        *out = (struct file_piece){f.text, f.bytes};
    return st;
}

static enum status write_text(const struct profile_result *p, const struct op_profile *init, enum profile_mode mode,
                              bool tflite_csv, const char *path, struct err *err)
{
    struct file_piece piece;
    enum status st = print_text(p, init, mode, tflite_csv, !*path, &piece, err);

    if (st)
        return st;
    if (*path)
        st = file_write(path, &piece, 1, err);
    else
        say_text("%.*s", (int)piece.bytes, (const char *)piece.data);
    free((void *)piece.data);
    return st;
}

static enum status write_proto(const struct profile_result *p, const struct op_profile *init, const char *path, struct err *err)
{
    struct proto message = {0};
    enum status st = op_profile_proto(init, p->run, session_graph(p->session)->name, &message, err);

    if (!st)
        st = file_write(path, &(struct file_piece){message.data, message.n}, 1, err);
    proto_free(&message);
    return st;
}

static enum status write_report(const struct profile_result *p, enum profile_mode mode, const char *path, struct err *err)
{
    struct report *r = report_new();
    struct session_times times;
    struct phases start;
    enum status st;

    session_times(p->session, &times);
    phases_of_start(p->times, &times, &start);
    if (mode == PROFILE_JSON)
        op_profile_nodes(r, p->run);
    else
        op_profile_trace(r, p->model, &start, p->times, p->run, p->machine);
    st = report_write(r, path, err);
    report_free(r);
    return st;
}

enum status profile_write(const struct profile_flags *f, const struct profile_result *p, struct err *err)
{
    struct op_profile init;
    enum status st = profile_start(p, &init, err);

    if (!st && f->mode == PROFILE_PROTO)
        st = write_proto(p, &init, f->file, err);
    else if (!st && f->mode > PROFILE_PROTO)
        st = write_report(p, f->mode, f->file, err);
    else if (!st)
        st = write_text(p, &init, f->mode, false, f->file, err);
    if (!st && *f->csv_file)
        st = write_text(p, &init, PROFILE_CSV, true, f->csv_file, err);
    arena_free(&init.arena);
    return st;
}
