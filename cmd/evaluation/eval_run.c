/* SPDX-License-Identifier: Apache-2.0 */
/* eval_run.c - runs picture by picture, on all sides. */
#include "cmd/evaluation/eval_decode.h"

#include <math.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "lib/base/clock.h"

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

/* A picture that cannot be read is no failure below the limit; anything that the picture is not to blame for is. */
static enum status note_bad(struct evaluation *e, struct picture *p, enum status st, struct err *err)
{
    char pictures[SAY_COUNT_SIZE];

    if (st != ST_USAGE && st != ST_IO && st != ST_UNSUPPORTED)
        return st;
    p->state = PICTURE_BAD;
    if (!(p->why = arena_strdup(&e->arena, err->msg)))
        return err_set(err, ST_NOMEM, "out of memory for the messages of %llu pictures", (unsigned long long)e->n_bad);
    say_warn("no picture: %s", p->why);
    if ((st = eval_answers_add(e, p, err)))
        return st;
    if (++e->n_bad > (uint64_t)e->flags.max_bad_images)
        return err_set(err, ST_USAGE, "%s cannot be read, more than --max_bad_images=%d; the last: %s",
                       say_count((size_t)e->n_bad, "picture", pictures), e->flags.max_bad_images, p->why);
    return ST_OK;
}

/* Run all sides on an input. */
static enum status run_sides(struct evaluation *e, const struct tensor *t, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < e->n_sides && !st; i++)
        if (session_input(e->sides[i].session, 0)->data != t->data)
            st = session_set_input(e->sides[i].session, 0, t->data, t->bytes, err);
    for (uint32_t i = 0; i < e->n_sides && !st; i++)
        st = run_side(&e->sides[i], err);
    return st;
}

static enum status run_decoded(struct evaluation *e, struct picture *p, const struct decoded *one, struct err *err)
{
    enum status st = samples_add(&e->decode, one->us, err);

    if (!st)
        st = run_sides(e, &one->input, err);
    for (uint32_t i = 0; i < e->n_sides && !st; i++)
        st = e->task->take(e, p, one, i, err);
    if (st)
        return st;
    e->n_cut += one->cut;
    p->cut = (uint32_t)one->cut;
    p->state = PICTURE_DONE;
    e->n_done++;
    return eval_answers_add(e, p, err);
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

enum status eval_run(struct evaluation *e, struct err *err)
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

enum status eval_run_one(struct evaluation *e, const char *path, struct err *err)
{
    struct decoded one = {.input = *session_input(e->sides[0].session, 0)};
    enum status st;

    interrupt_catch();
    if ((st = eval_read(e, path, &one, err)))
        return st;
    e->n_cut = one.cut;
    st = run_sides(e, &one.input, err);
    return st == ST_LATER ? err_set(err, ST_FAILED, "interrupted") : st;
}
