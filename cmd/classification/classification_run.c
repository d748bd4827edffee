/* SPDX-License-Identifier: Apache-2.0 */
/* classification_run.c - opens the sides, and runs picture by picture. */
#include "cmd/classification/classification_decode.h"

#include <math.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
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

static enum status run_decoded(struct evaluation *e, struct picture *p, const struct decoded *one, struct err *err)
{
    const struct tensor *t = &one->input;
    enum status st = samples_add(&e->decode, one->us, err);

    for (uint32_t i = 0; i < e->n_sides && !st; i++)
        st = session_set_input(e->sides[i].session, 0, t->data, t->bytes, err);
    for (uint32_t i = 0; i < e->n_sides && !st; i++)
        st = run_side(&e->sides[i], err);
    if (st)
        return st;
    for (uint32_t i = 0; i < e->n_sides; i++)
        take_answer(e, &e->sides[i], p, &p->answers[i]);
    e->n_cut += one->cut;
    p->cut = (uint32_t)one->cut;
    p->state = PICTURE_DONE;
    e->n_done++;
    return classification_answers_add(e, p, err);
}

static enum status run_pictures(struct evaluation *e, const uint32_t *order, uint32_t n, struct decoder *d, struct err *err)
{
    const uint64_t began = clock_ns();
    struct progress progress = {.what = "pictures", .unit = "pictures", .min_runs = (int32_t)n, .max_secs = INFINITY};
    enum status st = ST_OK;

    for (uint32_t i = 0; i < n && !st && !interrupted(); i++) {
        struct picture *p = &e->pictures.list[order[i]];
        const struct decoded *one = decoder_next(d);

        if (one->st) {
            progress_end(&progress);
            *err = one->err;
            st = note_bad(e, p, one->st, err);
        } else {
            st = run_decoded(e, p, one, err);
        }
        progress_show(&progress, i + 1, (double)(clock_ns() - began) / 1e9);
    }
    progress_end(&progress);
    return st == ST_LATER ? ST_OK : st;
}

enum status classification_run(struct evaluation *e, struct err *err)
{
    const struct pictures *p = &e->pictures;
    uint32_t *order = ARENA_ARRAY(&e->arena, p->n, uint32_t), n = 0;
    struct decoder *d = NULL;
    enum status st;

    if (!order)
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", p->n);
    for (uint32_t i = 0; i < p->n; i++)
        if (p->list[i].state == PICTURE_WAITS)
            order[n++] = i;
    interrupt_catch();
    if (!(st = decoder_open(&d, e, order, n, decoder_threads(&e->flags), err)))
        st = run_pictures(e, order, n, d, err);
    decoder_close(d);
    if (!st && !e->n_done && !interrupted())
        return err_set(err, ST_USAGE, "none of the %u pictures can be read; the first: %s", p->n, p->list[0].why);
    return st;
}

enum status classification_run_one(struct evaluation *e, struct err *err)
{
    const struct tensor *t = session_input(e->sides[0].session, 0);
    enum status st;
    size_t cut;

    interrupt_catch();
    if ((st = classification_read(e, e->flags.image, t, &cut, err)))
        return st;
    e->n_cut = cut;
    for (uint32_t i = 0; i < e->n_sides; i++) {
        if (i && (st = session_set_input(e->sides[i].session, 0, t->data, t->bytes, err)))
            return st;
        if ((st = run_side(&e->sides[i], err)))
            return st == ST_LATER ? err_set(err, ST_FAILED, "interrupted") : st;
        topk_find(session_output(e->sides[i].session, 0), ONE_RANKS, e->among, i ? &e->one_second : &e->one);
    }
    return ST_OK;
}
