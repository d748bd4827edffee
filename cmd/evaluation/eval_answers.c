/* SPDX-License-Identifier: Apache-2.0 */
/* eval_answers.c - the file of answers: a run that was stopped goes on with it, and shards are merged from several.
 *
 * Lines of fields with tabs between; floats are hexadecimal, so that merged figures are those of one run:
 *
 *   eval_classification answers 1
 *   key     the SHA-256 of all that answers depend on: model, preprocessing, pictures, and what the task adds
 *   side    name, precision, nodes of the delegate, of the CPU, folded; partitions
 *   done    number of the picture, microseconds of preprocessing, clamped numbers; for each side the task's fields, microseconds
 *   bad     number of the picture, message */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/evaluation/evaluation.h"
#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "cmd/host/text_file.h"
#include "lib/base/sha256.h"

#define VERSION " answers 1"

enum { MAX_FIELDS = 32, MAX_FILE_BYTES = 1 << 30 };

/* All that answers depend on, as text. */
static enum status make_key(const struct evaluation *e, char key[SHA256_HEX_SIZE], struct err *err)
{
    const struct model *m = e->tool.model;
    char text[PREPROCESS_TEXT_SIZE], hash[SHA256_HEX_SIZE];
    struct text_file f;
    enum status st = text_file_begin(&f, err);

    if (st)
        return st;
    fprintf(f.to, "%s %u\n%s\n", sha256_hex(m->file, m->file_bytes, hash), e->tool.subgraph,
            preprocess_text(&e->preprocess, session_input(e->sides[0].session, 0), text));
    e->task->put_key(e, f.to);
    for (uint32_t i = 0; i < e->pictures.n; i++)
        fprintf(f.to, "%u %s\n", e->pictures.list[i].number, e->pictures.list[i].name);
    if (fflush(f.to))
        st = err_set(err, ST_NOMEM, "out of memory for the names of %u pictures", e->pictures.n);
    else
        sha256_hex(f.text, f.bytes, key);
    text_file_drop(&f);
    return st;
}

/* ---- reading ---- */

struct answer_file {
    const char *path;
    char *text; /* owned */
    size_t bytes;
    uint32_t line;
    uint32_t n_sides; /* lines "side" so far */
    bool says_sides;  /* --merge: the first file does */
};

/* Cut a line at its tabs; the number of its fields. */
static uint32_t cut(char *line, char **fields)
{
    uint32_t n = 0;

    while (line && n < MAX_FIELDS)
        fields[n++] = strsep(&line, "\t");
    return line ? MAX_FIELDS + 1 : n;
}

static bool read_u32(const char *text, uint32_t *out)
{
    int64_t v;

    if (!flag_read_int(text, 0, UINT32_MAX, &v))
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool read_real(const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    return end != text && !*end;
}

static int by_number(const void *key, const void *picture)
{
    const uint32_t a = *(const uint32_t *)key, b = ((const struct picture *)picture)->number;

    return a < b ? -1 : a > b;
}

static enum status broken(const struct answer_file *f, struct err *err)
{
    return err_set(err, ST_USAGE, "%s: line %u is none that this tool writes", f->path, f->line);
}

static enum status read_side(struct evaluation *e, struct answer_file *f, char **fields, uint32_t n, struct err *err)
{
    const uint32_t i = f->n_sides++;
    struct eval_side *s = &e->sides[i < MAX_SIDES ? i : 0];
    struct assignment a = {0};

    if (n != 7 || i >= MAX_SIDES || f->line != 3 + i || !read_u32(fields[3], &a.n_delegated) || !read_u32(fields[4], &a.n_cpu) ||
        !read_u32(fields[5], &a.n_folded) || !read_u32(fields[6], &a.n_partitions) || strlen(fields[1]) >= sizeof s->name ||
        strlen(fields[2]) >= sizeof s->precision)
        return broken(f, err);
    a.n_nodes = a.n_delegated + a.n_cpu + a.n_folded;
    if (f->says_sides) {
        e->n_sides = i + 1;
        snprintf(s->name, sizeof s->name, "%s", fields[1]);
        snprintf(s->precision, sizeof s->precision, "%s", fields[2]);
        s->on_delegate = a.n_delegated || strcmp(s->name, "CPU") != 0;
        a.full = s->on_delegate && !a.n_cpu;
        s->assignment = a;
    }
    if (i >= e->n_sides || strcmp(s->name, fields[1]) != 0 || strcmp(s->precision, fields[2]) != 0 ||
        s->assignment.n_delegated != a.n_delegated || s->assignment.n_cpu != a.n_cpu)
        return err_set(err, ST_USAGE, "%s: its answers are those of the %s (%s) with %u of %u nodes on a delegate, not of %s",
                       f->path, fields[1], fields[2], a.n_delegated, a.n_nodes, e->merging ? "the files before" : "this run");
    return ST_OK;
}

static enum status find_picture(const struct evaluation *e, const struct answer_file *f, const char *number, struct picture **out,
                                struct err *err)
{
    uint32_t key;

    if (!read_u32(number, &key) || !(*out = bsearch(&key, e->pictures.list, e->pictures.n, sizeof *e->pictures.list, by_number)))
        return broken(f, err);
    if ((*out)->state != PICTURE_WAITS)
        return err_set(err, ST_USAGE, "%s: line %u: %.80s has an answer already", f->path, f->line, (*out)->name);
    return ST_OK;
}

static enum status read_done(struct evaluation *e, const struct answer_file *f, char **fields, uint32_t n, struct err *err)
{
    const uint32_t per_side = e->task->n_fields + 1;
    struct picture *p;
    double us;
    enum status st;

    if (n != 4 + per_side * e->n_sides || !read_real(fields[2], &us))
        return broken(f, err);
    if ((st = find_picture(e, f, fields[1], &p, err)) || (st = samples_add(&e->decode, us, err)))
        return st;
    if (!read_u32(fields[3], &p->cut))
        return broken(f, err);
    for (uint32_t s = 0; s < e->n_sides; s++) {
        char **at = fields + 4 + per_side * s;

        if (!e->task->get(e, p, s, at) || !read_real(at[per_side - 1], &us))
            return broken(f, err);
        if ((st = samples_add(&e->sides[s].samples, us, err)))
            return st;
    }
    e->n_cut += p->cut;
    p->state = PICTURE_DONE;
    e->n_done++;
    return ST_OK;
}

/* Whether text is the first line, or the part of it that a run which was killed left. */
static enum status check_first_line(const struct evaluation *e, const struct answer_file *f, const char *text, size_t bytes,
                                    bool part, struct err *err)
{
    char first[80];
    const int n = snprintf(first, sizeof first, "%s" VERSION, e->tool.cli.tool);

    if ((part ? bytes <= (size_t)n : bytes == (size_t)n) && !memcmp(text, first, bytes))
        return ST_OK;
    return err_set(err, ST_USAGE, "%s is no file of answers of %s", f->path, e->tool.cli.tool);
}

/* As many answers to each picture as this run has, or the files before. */
static enum status check_sides(const struct evaluation *e, const struct answer_file *f, struct err *err)
{
    char sides[SAY_COUNT_SIZE];

    if (!f->n_sides)
        return broken(f, err);
    if (f->n_sides == e->n_sides)
        return ST_OK;
    return err_set(err, ST_USAGE, "%s: pictures ran on %s, where %s %u: --compare_cpu differs", f->path,
                   say_count(f->n_sides, "side", sides), e->merging ? "the files before have" : "this run has", e->n_sides);
}

static enum status read_line(struct evaluation *e, struct answer_file *f, const char *key, char *line, struct err *err)
{
    char *fields[MAX_FIELDS];
    struct picture *p;
    enum status st;
    uint32_t n;

    if (f->line == 1)
        return check_first_line(e, f, line, strlen(line), false, err);
    n = cut(line, fields);
    if (f->line == 2)
        return n == 2 && !strcmp(fields[0], "key") && !strcmp(fields[1], key)
                   ? ST_OK
                   : err_set(err, ST_USAGE,
                             "%s: its answers are those of another model, preprocessing, data set or flags about answers", f->path);
    if (!strcmp(fields[0], "side"))
        return read_side(e, f, fields, n, err);
    if ((st = check_sides(e, f, err)))
        return st;
    if (!strcmp(fields[0], "done"))
        return read_done(e, f, fields, n, err);
    if (strcmp(fields[0], "bad") != 0 || n != 3)
        return broken(f, err);
    if ((st = find_picture(e, f, fields[1], &p, err)))
        return st;
    p->state = PICTURE_BAD;
    e->n_bad++;
    return (p->why = arena_strdup(&e->arena, fields[2])) ? ST_OK : err_set(err, ST_NOMEM, "%s: out of memory", f->path);
}

/* All whole lines; *whole is their length, behind which a run that was killed left part of one. */
static enum status read_answers(struct evaluation *e, const char *path, const char *key, size_t *whole, struct err *err)
{
    struct answer_file f = {.path = path, .says_sides = e->merging && !e->n_sides};
    void *data;
    enum status st = file_read_all(path, MAX_FILE_BYTES, &data, &f.bytes, err);
    size_t at = 0;

    *whole = 0;
    if (st)
        return st;
    f.text = data;
    while (!st && at < f.bytes) {
        char *line = f.text + at, *end = memchr(line, '\n', f.bytes - at);

        if (!end)
            break;
        *end = '\0';
        f.line++;
        st = read_line(e, &f, key, line, err);
        at = (size_t)(end - f.text) + 1;
    }
    if (!st && !f.line)
        st = check_first_line(e, &f, f.text, f.bytes, true, err);
    *whole = f.line < 2 + e->n_sides ? 0 : at; /* a head that was cut off is written anew */
    free(data);
    return st;
}

/* ---- writing ---- */

static enum status written(const struct evaluation *e, struct err *err)
{
    if (fflush(e->answers) || ferror(e->answers))
        return err_set(err, ST_FAILED, "--answers_file: %s: %s", e->flags.answers, strerror(errno));
    return ST_OK;
}

static enum status write_head(const struct evaluation *e, const char *key, struct err *err)
{
    fprintf(e->answers, "%s" VERSION "\nkey\t%s\n", e->tool.cli.tool, key);
    for (uint32_t i = 0; i < e->n_sides; i++) {
        const struct assignment *a = &e->sides[i].assignment;

        fprintf(e->answers, "side\t%s\t%s\t%u\t%u\t%u\t%u\n", e->sides[i].name, e->sides[i].precision, a->n_delegated, a->n_cpu,
                a->n_folded, a->n_partitions);
    }
    return written(e, err);
}

/* Open the file for appending, and lock it: lines of two runs in one file would be answers to the same pictures. Where the file
 * system has no locks, there is none. */
static enum status open_locked(struct evaluation *e, const char *path, struct err *err)
{
    if (!(e->answers = fopen(path, "ae")))
        return err_set(err, ST_IO, "--answers_file: %s: %s", path, strerror(errno));
    if (flock(fileno(e->answers), LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return err_set(err, ST_USAGE, "--answers_file: another run adds to %s", path);
    return ST_OK;
}

/* Read what is there, and drop the part of a line at its end; *whole: bytes that stay. */
static enum status take_answers(struct evaluation *e, const char *path, const char *key, size_t *whole, struct err *err)
{
    struct stat s;
    enum status st;

    if (fstat(fileno(e->answers), &s) || !S_ISREG(s.st_mode) || !s.st_size)
        return ST_OK;
    if ((st = read_answers(e, path, key, whole, err)))
        return err_prefix(err, st, "--answers_file");
    if ((size_t)s.st_size != *whole && ftruncate(fileno(e->answers), (off_t)*whole))
        return err_set(err, ST_FAILED, "--answers_file: %s: %s", path, strerror(errno));
    say_info("Going on: %s has answers to %" PRIu64 " of %u pictures", path, e->n_done + e->n_bad, e->pictures.n);
    return ST_OK;
}

static enum status open_answers(struct evaluation *e, struct err *err)
{
    const char *path = e->flags.answers;
    char key[SHA256_HEX_SIZE];
    size_t whole = 0;
    enum status st;

    if (!*path)
        return ST_OK;
    if ((st = make_key(e, key, err)) || (st = open_locked(e, path, err)) || (st = take_answers(e, path, key, &whole, err)))
        return st;
    return whole ? ST_OK : write_head(e, key, err);
}

enum status eval_answers_add(const struct evaluation *e, const struct picture *p, struct err *err)
{
    char clean[512];

    if (!e->answers)
        return ST_OK;
    if (p->state == PICTURE_BAD) {
        fprintf(e->answers, "bad\t%u\t%s\n", p->number, say_clean(p->why, clean, sizeof clean));
        return written(e, err);
    }
    fprintf(e->answers, "done\t%u\t%a\t%u", p->number, e->decode.us[e->decode.n - 1], p->cut);
    for (uint32_t i = 0; i < e->n_sides; i++) {
        const struct samples *us = &e->sides[i].samples;

        e->task->put(e, p, i, e->answers);
        fprintf(e->answers, "\t%a", us->us[us->n - 1]);
    }
    fputc('\n', e->answers);
    return written(e, err);
}

static enum status merge(struct evaluation *e, struct err *err)
{
    char key[SHA256_HEX_SIZE];
    const char *list = e->flags.merge;
    uint64_t done;
    size_t whole;
    enum status st = make_key(e, key, err);

    e->n_sides = 0; /* the files say which there were */
    while (!st && *list) {
        const size_t length = strcspn(list, ",");
        char *path = arena_printf(&e->arena, "%.*s", (int)length, list);

        st = path ? read_answers(e, path, key, &whole, err) : err_set(err, ST_NOMEM, "--merge: out of memory");
        list += length;
        list += *list == ',';
    }
    if (st)
        return err_prefix(err, st, "--merge");
    done = e->n_done + e->n_bad;
    for (uint32_t i = 0; i < e->pictures.n; i++)
        if (e->pictures.list[i].state == PICTURE_WAITS)
            return err_set(err, ST_USAGE, "--merge: %" PRIu64 " of %u pictures have no answer in these files, the first is %.80s",
                           e->pictures.n - done, e->pictures.n, e->pictures.list[i].name);
    if (e->flags.min_agreement >= 0 && e->n_sides < 2)
        return err_set(err, ST_USAGE, "--min_agreement=%g: the files of --merge have answers of the %s alone",
                       e->flags.min_agreement, e->sides[0].name);
    return ST_OK;
}

/* ---- shards ---- */

static enum status take_shard(struct evaluation *e, struct err *err)
{
    struct pictures *p = &e->pictures;
    const char *text = e->flags.shard, *slash = strchr(text, '/');
    char first[16] = "";
    int64_t i, n;
    uint32_t kept = 0;

    if (!*text)
        return ST_OK;
    if (slash && slash - text < (int)sizeof first)
        snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    if (!slash || !flag_read_int(slash + 1, 1, 1000000, &n) || !flag_read_int(first, 1, n, &i))
        return err_set(err, ST_USAGE, "--shard=%.40s: expected I/N, with I from 1 to N: 1/4", text);
    for (uint32_t k = 0; k < p->n; k++) {
        if (k % n == i - 1)
            p->list[kept++] = p->list[k];
        else if (p->list[k].state != PICTURE_WAITS)
            return err_set(err, ST_USAGE, "--answers_file: %s has answers of another shard, that to %.80s", e->flags.answers,
                           p->list[k].name);
        else
            p->sharded++;
    }
    p->n = kept;
    return kept ? ST_OK : err_set(err, ST_USAGE, "--shard=%s: there are %u pictures, so none for this shard", text, p->sharded);
}

enum status eval_begin(struct evaluation *e, struct err *err)
{
    const enum status st = e->merging ? merge(e, err) : open_answers(e, err);

    return st ? st : take_shard(e, err);
}
