/* SPDX-License-Identifier: Apache-2.0 */
/* classification_run.c - opens the sides, and runs picture by picture. */
#include "cmd/classification/eval_classification.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/host/files.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/input/input_files.h"
#include "cmd/print/progress.h"
#include "cmd/tool/assignment_text.h"
#include "lib/base/clock.h"

enum { ONE_RANKS = 5 };

/* ---- sides ---- */

static enum status open_side(struct evaluation *e, bool on_delegate, struct err *err)
{
    struct eval_side *s = &e->sides[e->n_sides++];
    const struct delegates *ds = &e->tool.delegates;
    struct session_options opt = {
        .num_threads = e->flags.num_threads, .mode = e->flags.cpu_kernels, .subgraph = e->tool.subgraph, .go_on = interrupt_go_on};
    enum status st;

    if (on_delegate) {
        opt.partition = partition_flags_options(&e->flags.partition);
        for (uint32_t i = 0; ds->all[i]; i++)
            opt.delegates[i] = ds->all[i];
        s->delegate = ds->all[0];
        s->on_delegate = true;
        delegates_label(ds->all, s->name);
    } else {
        snprintf(s->name, sizeof s->name, "CPU");
    }
    if ((st = session_new(e->tool.model, &opt, &s->session, err)) || (st = session_prepare(s->session, err)))
        return err_prefix(err, st, "%s", s->name);
    snprintf(s->precision, sizeof s->precision, "%s",
             on_delegate && s->delegate->precision.in_force ? s->delegate->precision.in_force
             : e->flags.cpu_kernels == CPU_FAST             ? "fast"
                                                            : "reference");
    s->assignment = assignment_of(session_graph(s->session), session_partitioning(s->session));
    return ST_OK;
}

/* One picture in, one list of scores out. */
static enum status check_model(const struct evaluation *e, struct err *err)
{
    const struct session *s = e->sides[0].session;
    struct preprocess_input place;
    enum status st;
    uint32_t n;

    if (session_n_inputs(s) != 1 || session_n_outputs(s) != 1 || !session_input(s, 0) || !session_output(s, 0))
        return err_set(err, ST_USAGE, "the model has %u inputs and %u outputs; a classifier has one of each", session_n_inputs(s),
                       session_n_outputs(s));
    if ((st = topk_classes(session_output(s, 0), &n, err)))
        return st;
    return preprocess_place(&e->preprocess, session_input(s, 0), &place, err);
}

enum status classification_open_sides(struct evaluation *e, struct err *err)
{
    const bool delegated = e->tool.delegates.all[0] && !e->merging;
    enum status st;

    if ((st = open_side(e, delegated, err)) || (st = check_model(e, err)))
        return st;
    if (delegated && (st = assignment_say_all(e->sides[0].session, &e->tool.delegates, err)))
        return st;
    return delegated && e->flags.compare_cpu ? open_side(e, false, err) : ST_OK;
}

/* ---- a picture ---- */

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);

    return n > m && !strcasecmp(name + n - m, end);
}

static enum status read_raw(const struct evaluation *e, const char *path, const struct tensor *t, size_t *cut, struct err *err)
{
    enum status st;
    size_t bytes;
    void *data;

    if ((st = file_read_all(path, IMAGE_MAX_FILE_BYTES, &data, &bytes, err)))
        return st;
    st = preprocess_numbers(&e->preprocess, data, bytes, t, cut, err);
    free(data);
    return st ? err_prefix(err, st, "%s", path) : ST_OK;
}

static enum status read_picture(const struct evaluation *e, const char *path, size_t *cut, struct err *err)
{
    static const struct image_options none;
    struct session *s = e->sides[0].session;
    struct tensor *t = session_input(s, 0);
    struct input_read read;
    struct image im;
    enum status st;

    *cut = 0;
    if (ends_in(path, ".rgb8"))
        return read_raw(e, path, t, cut, err);
    if (ends_in(path, ".npy")) {
        st = input_file_fill(s, 0, path, 0, &none, &read, err);
        *cut = read.cut;
        return st;
    }
    if ((st = image_open(path, &im, err)))
        return st;
    st = preprocess_run(&e->preprocess, &(struct pixels){im.pixels, im.width, im.height, im.channels}, t, cut, err);
    image_free(&im);
    return st ? err_prefix(err, st, "%s", path) : ST_OK;
}

/* Read the picture into the first side, and its input into the other. */
static enum status fill_sides(struct evaluation *e, const char *path, size_t *cut, struct err *err)
{
    const uint64_t began = clock_ns();
    const struct tensor *t = session_input(e->sides[0].session, 0);
    enum status st;

    if ((st = read_picture(e, path, cut, err)))
        return st;
    e->n_cut += *cut;
    if ((st = samples_add(&e->decode, (double)(clock_ns() - began) / 1e3, err)))
        return st;
    for (uint32_t i = 1; i < e->n_sides && !st; i++)
        st = session_set_input(e->sides[i].session, 0, t->data, t->bytes, err);
    return st;
}

static enum status run_side(struct eval_side *s, struct err *err)
{
    enum status st = samples_reserve(&s->samples, err);
    uint64_t began;

    if (st)
        return st;
    session_reset_variables(s->session);
    began = clock_ns();
    if ((st = session_run(s->session, err)))
        return st == ST_LATER ? st : err_prefix(err, st, "%s", s->name);
    return samples_add(&s->samples, (double)(clock_ns() - began) / 1e3, err);
}

static void take_answer(const struct evaluation *e, const struct eval_side *s, const struct picture *p, struct answer *a)
{
    struct topk top;

    topk_find(session_output(s->session, 0), e->n_ranks, e->among, &top);
    *a = (struct answer){
        .top = top.n ? e->labels.same[top.index[0]] : NO_CLASS, .score = top.n ? (float)top.score[0] : NAN, .nan = top.n_nan > 0};
    for (uint32_t i = 0; i < top.n && !a->rank; i++)
        for (uint32_t k = 0; k < p->n_truths && !a->rank; k++)
            a->rank = e->labels.same[top.index[i]] == p->truths[k] ? i + 1 : 0;
}

/* A picture that cannot be read is no failure below the limit; anything that the picture is not to blame for is. */
static enum status note_bad(struct evaluation *e, struct picture *p, enum status st, struct err *err)
{
    if (st != ST_USAGE && st != ST_IO && st != ST_UNSUPPORTED)
        return st;
    p->state = PICTURE_BAD;
    if (!(p->why = arena_strdup(&e->arena, err->msg)))
        return err_set(err, ST_NOMEM, "out of memory for the messages of %llu pictures", (unsigned long long)e->n_bad);
    say_warn("no picture: %s", p->why);
    if ((st = classification_answers_add(e, p, err)))
        return st;
    if (++e->n_bad > (uint64_t)e->flags.max_bad_images)
        return err_set(err, ST_USAGE, "%llu pictures cannot be read, more than --max_bad_images=%d; the last: %s",
                       (unsigned long long)e->n_bad, e->flags.max_bad_images, p->why);
    return ST_OK;
}

static enum status run_picture(struct evaluation *e, struct picture *p, struct progress *progress, struct err *err)
{
    char path[PATH_MAX];
    enum status st;
    size_t cut = 0;

    if (snprintf(path, sizeof path, "%s/%s", e->pictures.dir, p->name) >= (int)sizeof path)
        st = err_set(err, ST_USAGE, "%.80s: the path is longer than %d bytes", p->name, PATH_MAX);
    else
        st = fill_sides(e, path, &cut, err);
    if (st) {
        progress_end(progress);
        return note_bad(e, p, st, err);
    }
    for (uint32_t i = 0; i < e->n_sides; i++)
        if ((st = run_side(&e->sides[i], err)))
            return st;
    for (uint32_t i = 0; i < e->n_sides; i++)
        take_answer(e, &e->sides[i], p, &p->answers[i]);
    p->cut = (uint32_t)cut;
    p->state = PICTURE_DONE;
    e->n_done++;
    return classification_answers_add(e, p, err);
}

enum status classification_run(struct evaluation *e, struct err *err)
{
    const uint64_t began = clock_ns();
    struct progress progress = {.what = "pictures", .unit = "pictures", .min_runs = (int32_t)e->pictures.n, .max_secs = INFINITY};
    enum status st = ST_OK;

    interrupt_catch();
    for (uint32_t i = 0; i < e->pictures.n && !st && !interrupted(); i++) {
        if (e->pictures.list[i].state != PICTURE_WAITS)
            continue;
        st = run_picture(e, &e->pictures.list[i], &progress, err);
        progress_show(&progress, i + 1, (double)(clock_ns() - began) / 1e9);
    }
    progress_end(&progress);
    if (st && st != ST_LATER)
        return st;
    if (!e->n_done && !interrupted())
        return err_set(err, ST_USAGE, "none of the %u pictures can be read; the first: %s", e->pictures.n, e->pictures.list[0].why);
    return ST_OK;
}

enum status classification_run_one(struct evaluation *e, struct err *err)
{
    enum status st;
    size_t cut;

    interrupt_catch();
    if ((st = fill_sides(e, e->flags.image, &cut, err)))
        return st;
    for (uint32_t i = 0; i < e->n_sides; i++) {
        if ((st = run_side(&e->sides[i], err)))
            return st == ST_LATER ? err_set(err, ST_FAILED, "interrupted") : st;
        topk_find(session_output(e->sides[i].session, 0), ONE_RANKS, e->among, i ? &e->one_second : &e->one);
    }
    return ST_OK;
}
