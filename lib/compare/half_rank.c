/* SPDX-License-Identifier: Apache-2.0 */
/* half_rank.c - one run for each node, with that node in half precision. */
#include "lib/compare/half_rank.h"

#include <math.h>
#include <string.h>

#include "lib/compare/diff.h"
#include "lib/compare/node_rerun.h"
#include "lib/graph/half_store.h"

static void round_constant(const struct tensor *t, uint32_t i, float *f, size_t n)
{
    (void)i;
    if (t->is_const && !t->stays_float32)
        half_store_floats(f, n);
}

/* The node again, with constants as halves hold them. */
static enum status compute_again(struct half_rank *r, const struct node *n, struct err *err)
{
    struct node_rerun b;
    enum status st = node_rerun_init(&b, n, NULL, round_constant, err);

    if (!st && !(st = node_rerun_run(&b, r->threads, false, err)))
        for (uint32_t i = 0; i < n->n_out; i++)
            if (n->out[i] && n->out[i]->bytes)
                memcpy(n->out[i]->data, b.out[i].data, n->out[i]->bytes);
    node_rerun_free(&b);
    return st;
}

static bool has_float_constants(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->is_const && n->in[i]->type == TYPE_FLOAT32)
            return true;
    return false;
}

void half_rank_node(void *arg, const struct session *s, const struct node *n)
{
    struct half_rank *r = arg;

    if (n != r->target || s != r->session)
        return;
    if (!r->status && has_float_constants(n) && node_rerun_possible(n))
        r->status = compute_again(r, n, &r->err);
    half_store_node(n);
}

/* Copies of the outputs, with what they hold now. */
static enum status keep_outputs(struct half_rank *r, struct tensor **out, struct err *err)
{
    const uint32_t n = session_n_outputs(r->session);
    struct tensor *kept = ARENA_ARRAY(&r->arena, n, struct tensor);

    for (uint32_t i = 0; i < n && kept; i++) {
        kept[i] = *session_output(r->session, i);
        if (!(kept[i].data = arena_alloc(&r->arena, kept[i].bytes ? kept[i].bytes : 1, 1)))
            return err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(&kept[i]));
        memcpy(kept[i].data, session_output(r->session, i)->data, kept[i].bytes);
    }
    *out = kept;
    return kept ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %u outputs", n);
}

static double largest_error(const struct session *s, const struct tensor *whole)
{
    double most = 0;

    for (uint32_t i = 0; i < session_n_outputs(s); i++) {
        struct diff d = {0};
        double rms;

        if (whole[i].type == TYPE_STRING)
            continue;
        diff_add(&d, &whole[i], session_output(s, i), false);
        rms = diff_rms(&d);
        most = fmax(most, isnan(rms) || (rms > 0 && d.max_reference <= 0) ? INFINITY : rms > 0 ? rms / d.max_reference : 0);
    }
    return most;
}

static enum status run_with(struct half_rank *r, const struct node *target, struct err *err)
{
    enum status st;

    r->target = target;
    session_reset_variables(r->session);
    st = session_run(r->session, err);
    if (!st && (st = r->status))
        *err = r->err;
    return st;
}

enum status half_rank_run(struct half_rank *r, struct session *s, bool (*stop)(void *arg), void *arg, struct err *err)
{
    const struct graph *g = session_graph(s);
    struct tensor *whole;
    enum status st;

    r->session = s;
    r->n = g->n_nodes;
    if (!(r->error = ARENA_ARRAY(&r->arena, g->n_nodes, double)))
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);
    if ((st = threads_new(1, &r->threads, err)) || (st = run_with(r, NULL, err)) || (st = keep_outputs(r, &whole, err)))
        return st;
    for (; r->looked < g->n_nodes && !(stop && stop(arg)); r->looked++) {
        const struct node *n = &g->nodes[r->looked];

        if (n->folded)
            continue;
        if ((st = run_with(r, n, err)))
            return st;
        r->error[r->looked] = largest_error(s, whole);
    }
    return ST_OK;
}

void half_rank_free(struct half_rank *r)
{
    threads_free(r->threads);
    arena_free(&r->arena);
    *r = (struct half_rank){0};
}
