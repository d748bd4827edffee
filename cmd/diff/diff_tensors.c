/* SPDX-License-Identifier: Apache-2.0 */
/* diff_tensors.c - --reference_tensors: the files of the folder, the tensors that they are of, and their content. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/files.h"
#include "cmd/host/say.h"
#include "lib/tensor/npy.h"
#include "lib/tensor/real_values.h"

enum { NAMED = 3, MOST_FILES = 1 << 20 };

#define MAX_FILE_BYTES ((size_t)1 << 32)

/* ---- the folder ---- */

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* The tensor's name; NULL: out of memory. A % without digits stands for itself. */
static char *decode(struct arena *a, const char *name, size_t n)
{
    char *out = arena_alloc(a, n + 1, 1);
    size_t k = 0;

    for (size_t i = 0; out && i < n; i++) {
        const int high = name[i] == '%' && i + 2 < n ? digit(name[i + 1]) : -1, low = high < 0 ? -1 : digit(name[i + 2]);

        out[k++] = low < 0 ? name[i] : (char)(high * 16 + low);
        i += low < 0 ? 0 : 2;
    }
    return out;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tensor_file *)a)->name, ((const struct tensor_file *)b)->name);
}

static enum status add_file(struct reference_tensors *r, uint32_t *room, const char *entry, struct err *err)
{
    struct tensor_file *f;

    if (r->n == MOST_FILES)
        return err_set(err, ST_USAGE, "--reference_tensors=%s: there are more than %d files", r->dir, MOST_FILES);
    if (r->n == *room) {
        struct tensor_file *more = ARENA_ARRAY(&r->arena, 2 * (size_t)*room + 64, struct tensor_file);

        if (more && r->n)
            memcpy(more, r->files, r->n * sizeof *more);
        r->files = more;
        *room = 2 * *room + 64;
    }
    f = r->files ? &r->files[r->n] : NULL;
    if (!f || !(f->path = arena_printf(&r->arena, "%s/%s", r->dir, entry)) ||
        !(f->name = decode(&r->arena, entry, strlen(entry) - strlen(".npy"))))
        return err_set(err, ST_NOMEM, "--reference_tensors=%s: out of memory for the names of its files", r->dir);
    r->n++;
    return ST_OK;
}

static enum status list_files(struct reference_tensors *r, struct err *err)
{
    DIR *d = opendir(r->dir);
    const struct dirent *entry;
    enum status st = ST_OK;
    uint32_t room = 0;

    if (!d)
        return err_set(err, errno == ENOMEM ? ST_NOMEM : ST_USAGE, "--reference_tensors=%s: %s", r->dir, strerror(errno));
    while (!st && (entry = readdir(d)))
        if (strlen(entry->d_name) > strlen(".npy") && file_ends_in(entry->d_name, ".npy"))
            st = add_file(r, &room, entry->d_name, err);
    closedir(d);
    if (st)
        return st;
    if (!r->n)
        return err_set(err, ST_USAGE, "--reference_tensors=%s: the folder has no .npy files", r->dir);
    qsort(r->files, r->n, sizeof *r->files, by_name);
    for (uint32_t i = 1; i < r->n; i++)
        if (!strcmp(r->files[i - 1].name, r->files[i].name))
            return err_set(err, ST_USAGE, "%s and %s: two files of the tensor '%.100s'", r->files[i - 1].path, r->files[i].path,
                           r->files[i].name);
    return ST_OK;
}

static struct tensor_file *file_of(const struct reference_tensors *r, const struct tensor *t)
{
    return t ? bsearch(&(struct tensor_file){.name = t->name}, r->files, r->n, sizeof *r->files, by_name) : NULL;
}

static enum status check_flags(const struct comparison *c, struct err *err)
{
    const struct stored_flags *s = &c->stored.flags;

    if (*c->flags.reference_model)
        return err_set(err, ST_USAGE, "--reference_tensors and --reference_model name two references: one of the two");
    if (*s->load_inputs || *s->load_outputs || *s->load_reference || *s->load_test)
        return err_set(err, ST_USAGE,
                       "--reference_tensors has inputs and tensors of its own: it goes without loaded inputs and outputs");
    if (cli_find(&c->tool.cli, "num_runs")->given && c->flags.num_runs != 1)
        return err_set(err, ST_USAGE, "--num_runs=%d: the folder of --reference_tensors has one run", c->flags.num_runs);
    return ST_OK;
}

enum status diff_tensors_open(struct comparison *c, struct err *err)
{
    enum status st;

    if (!*c->flags.reference_tensors)
        return ST_OK;
    c->tensors.dir = c->flags.reference_tensors;
    if ((st = check_flags(c, err)))
        return st;
    c->flags.num_runs = 1;
    return list_files(&c->tensors, err);
}

/* ---- what the files are of ---- */

static void match(struct reference_tensors *r, const struct tensor *t, enum tensor_use use)
{
    struct tensor_file *f = file_of(r, t);

    if (!f)
        return;
    f->use = !f->of || f->of == t ? use : TENSOR_SEVERAL;
    f->of = t;
}

static void match_all(struct comparison *c)
{
    struct reference_tensors *r = &c->tensors;
    const struct graph *g = session_graph(c->test.session);
    const struct partitioning *p = session_partitioning(c->test.session);

    for (uint32_t i = 0; i < session_n_inputs(c->reference.session); i++)
        match(r, session_input(c->reference.session, i), TENSOR_INPUT);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out && !g->nodes[i].folded; k++)
            match(r, g->nodes[i].out[k], op_diff_visible(p, i, g->nodes[i].out[k]) ? TENSOR_COMPARED : TENSOR_HIDDEN);
}

/* The content as it is in the file; integers of a quantized tensor's own type have its scale. */
static enum status take(struct reference_tensors *r, struct tensor_file *f, const struct npy *a, struct err *err)
{
    struct tensor *t = f->read;
    enum status st;

    *t = (struct tensor){.name = f->name, .index = f->of->index, .type = a->type, .has_rank = true};
    if (a->type == f->of->type)
        t->quant = f->of->quant;
    if (a->type == TYPE_STRING)
        return err_set(err, ST_USAGE, "%s holds strings, which are not compared", f->path);
    if ((st = tensor_set_shape(t, a->dim, a->rank, err)))
        return err_prefix(err, st, "%s", f->path);
    if (!(t->data = arena_alloc(&r->arena, t->bytes, 1)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu bytes", f->path, t->bytes);
    npy_copy(a, t->data);
    return (st = tensor_check_bools(t, err)) ? err_prefix(err, ST_USAGE, "%s", f->path) : ST_OK;
}

static enum status read_file(struct reference_tensors *r, struct tensor_file *f, struct err *err)
{
    struct npy a;
    size_t bytes;
    void *file;
    enum status st = file_read_all(f->path, MAX_FILE_BYTES, &file, &bytes, err);

    if (st)
        return st;
    if (!(st = npy_parse(file, bytes, f->path, &a, err)))
        st = take(r, f, &a, err);
    free(file);
    return st;
}

static enum status read_all(struct reference_tensors *r, struct err *err)
{
    enum status st = ST_OK;

    if (!(r->made = ARENA_ARRAY(&r->arena, r->n, struct tensor)))
        return err_set(err, ST_NOMEM, "out of memory for %u tensors", r->n);
    for (struct tensor_file *f = r->files; f < r->files + r->n && !st; f++) {
        if (f->use != TENSOR_INPUT && f->use != TENSOR_COMPARED)
            continue;
        f->read = f->use == TENSOR_INPUT ? ARENA_NEW(&r->arena, struct tensor) : &r->made[r->n_made++];
        st = f->read ? read_file(r, f, err) : err_set(err, ST_NOMEM, "out of memory for a tensor");
    }
    return st;
}

/* Files without a row, once there are rows. */
static void note_misfits(struct comparison *c)
{
    for (struct tensor_file *f = c->tensors.files; f < c->tensors.files + c->tensors.n; f++) {
        bool has_row = false;

        for (uint32_t i = 0; f->use == TENSOR_COMPARED && i < c->names.n && !has_row; i++)
            has_row = c->names.rows[i].reference == f->read;
        if (f->use == TENSOR_COMPARED && !has_row)
            f->use = TENSOR_MISFIT;
    }
}

/* ---- what is told ---- */

uint32_t diff_tensors_count(const struct reference_tensors *r, enum tensor_use use)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->n; i++)
        n += r->files[i].use == use;
    return n;
}

static void misfit_text(const struct tensor_file *f, char *out, size_t size)
{
    snprintf(out, size, "%s is %s, '%.95s' %s", f->path, TENSOR_TEXT(f->read), f->of->name, TENSOR_TEXT(f->of));
}

static void warn_unknown(const struct reference_tensors *r)
{
    const uint32_t n = diff_tensors_count(r, TENSOR_UNKNOWN);
    char names[400] = "", files[SAY_COUNT_SIZE];
    uint32_t shown = 0;

    for (const struct tensor_file *f = r->files; f < r->files + r->n && shown < NAMED; f++) {
        const size_t at = strlen(names);

        if (f->use == TENSOR_UNKNOWN)
            snprintf(names + at, sizeof names - at, "%s'%.95s'", shown++ ? ", " : "", f->name);
    }
    if (n)
        say_warn("%s of %u in %s %s of no input and of no tensor that a node makes while running: %s%s",
                 say_count(n, "file", files), r->n, r->dir, n == 1 ? "is" : "are", names, n > shown ? ", ..." : "");
}

static void warn_misfits(const struct reference_tensors *r)
{
    uint32_t n = 0;
    char text[400];

    for (const struct tensor_file *f = r->files; f < r->files + r->n; f++)
        if (f->use == TENSOR_MISFIT && n++ < NAMED) {
            misfit_text(f, text, sizeof text);
            say_warn("%s: not compared", text);
        }
    if (n > NAMED)
        say_warn("%u more files have another shape or type than their tensor, and are not compared", n - NAMED);
}

/* What depends on random numbers has no counterpart. */
static enum status warn_random(struct comparison *c, struct err *err)
{
    uint32_t samples;
    enum status st = inputs_samples(&c->inputs, c->reference.session, &samples, err);

    for (uint32_t i = 0; i < session_n_inputs(c->reference.session) && !st; i++) {
        const struct tensor *t = session_input(c->reference.session, i);
        const struct tensor_file *f = file_of(&c->tensors, t);

        if (f)
            say_info("Input '%.95s': %s", t->name, f->path);
        else if (!samples)
            say_warn("input '%.95s' has no file in %s and may hold random numbers: tensors that depend on it are then off", t->name,
                     c->tensors.dir);
    }
    return st;
}

static enum status check_rows(const struct comparison *c, struct err *err)
{
    const struct reference_tensors *r = &c->tensors;
    char text[400] = "";

    if (c->names.n)
        return ST_OK;
    for (const struct tensor_file *f = r->files; f < r->files + r->n && !*text; f++)
        if (f->use == TENSOR_MISFIT)
            misfit_text(f, text, sizeof text);
    if (*text)
        return err_set(err, ST_USAGE, "--reference_tensors=%s: no file can be compared: %s", r->dir, text);
    if (diff_tensors_count(r, TENSOR_HIDDEN))
        return err_set(err, ST_USAGE, "--reference_tensors=%s: no file can be compared: the delegate shows none of %u tensors",
                       r->dir, diff_tensors_count(r, TENSOR_HIDDEN));
    return err_set(err, ST_USAGE,
                   "--reference_tensors=%s: none of %u .npy files has the name of a tensor that a node makes while running; "
                   "the first is of '%.95s'",
                   r->dir, r->n, r->files[0].name);
}

enum status diff_tensors_begin(struct comparison *c, struct err *err)
{
    struct reference_tensors *r = &c->tensors;
    enum status st;

    if (!r->dir)
        return ST_OK;
    match_all(c);
    if ((st = read_all(r, err)) || (st = name_diffs_init_tensors(&c->names, r->made, r->n_made, c->test.session, err)))
        return st;
    name_diffs_allow(&c->names, c->test.session, &c->tolerances, c->test.precision);
    note_misfits(c);
    if ((st = check_rows(c, err)))
        return st;
    warn_unknown(r);
    warn_misfits(r);
    return warn_random(c, err);
}

/* ---- a run ---- */

static enum status fill_input(struct reference_tensors *r, const struct tensor_file *f, struct err *err)
{
    const struct name_layout *l = name_layout_between(f->of, f->read);
    struct tensor turned = *f->read;
    size_t cut = 0;
    enum status st;

    if (!l && !tensor_same_shape(f->of, f->read)) {
        char text[400];

        misfit_text(f, text, sizeof text);
        return err_set(err, ST_USAGE, "%s", text);
    }
    if (l) {
        memcpy(turned.dim, f->of->dim, sizeof turned.dim);
        if (!(turned.data = arena_alloc(&r->arena, turned.bytes, 1)))
            return err_set(err, ST_NOMEM, "%s: out of memory for %zu bytes", f->path, turned.bytes);
        name_layout_turn(l, f->read, &turned);
    }
    turned.name = f->path;
    if ((st = real_convert(&turned, f->of, &cut, err)))
        return st;
    r->cut += cut;
    if (cut)
        say_warn("%s: %zu numbers are beyond what input '%.95s' holds, and were cut to it", f->path, cut, f->of->name);
    return ST_OK;
}

enum status diff_tensors_inputs(struct comparison *c, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->tensors.n && !st; i++)
        if (c->tensors.files[i].use == TENSOR_INPUT)
            st = fill_input(&c->tensors, &c->tensors.files[i], err);
    return st;
}

enum status diff_tensors_finish(struct comparison *c, struct err *err)
{
    struct reference_tensors *r = &c->tensors;
    const struct name_diff *first = name_diffs_first_off(&c->names);

    if (!r->dir)
        return ST_OK;
    for (const struct name_diff *row = c->names.rows; row < c->names.rows + c->names.n; row++) {
        r->compared += row->diff.comparisons > 0;
        r->off += diff_failed_on(&row->diff) != 0;
    }
    if (!r->compared || first)
        c->test.verdict.passed = false;
    if (!first)
        return ST_OK;
    if (!(r->begins = ARENA_ARRAY(&r->arena, session_graph(c->test.session)->n_nodes, const struct node *)))
        return err_set(err, ST_NOMEM, "out of memory for a list of nodes");
    return name_diffs_begins(&c->names, first, c->test.session, r->begins, &r->n_begins, err);
}

/* An input without a file that one of these nodes reads. */
const struct tensor *diff_tensors_unsure_input(const struct comparison *c)
{
    const struct graph *g = session_graph(c->test.session);
    const struct reference_tensors *r = &c->tensors;

    for (uint32_t i = 0; i < r->n_begins; i++)
        for (uint32_t k = 0; k < r->begins[i]->n_in; k++) {
            const struct tensor *t = r->begins[i]->in[k];

            if (t && tensor_is_among(t, g->inputs, g->n_inputs) && !file_of(r, t))
                return t;
        }
    return NULL;
}

void diff_tensors_free(struct reference_tensors *r)
{
    arena_free(&r->arena);
    *r = (struct reference_tensors){0};
}
