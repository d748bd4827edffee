/* SPDX-License-Identifier: Apache-2.0 */
/* claim.c - asking delegates which nodes they take, and holding their answers against the rules. */
#include "lib/delegate/partition.h"
#include "lib/graph/control_flow.h"
#include "lib/graph/kernel.h"

#include <stdlib.h>
#include <string.h>

/* What no delegate is asked about, or none but those that take nodes with shapes of the run's. */
static void bar_node(const struct node *n, const struct reason *refused, bool takes_dynamic, struct claim *c)
{
    c->barred = true;
    if (n->folded)
        return;
    if (refused && refused->code != REASON_NONE)
        c->why = *refused;
    else if (n->dynamic && !takes_dynamic)
        reason_set(&c->why, REASON_DYNAMIC_SHAPE, "its shapes are known only while running");
    else if (node_calls(n).n)
        reason_set(&c->why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the CPU runs it: delegates take what it calls node by node");
    else if (n->op && n->op->cpu->stateful && !n->variable && !node_is_composite(n))
        reason_set(&c->why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "it keeps state");
    else
        c->barred = false;
}

/* What looks into the model or keeps something has no check that could be made before there is a session. */
static bool is_checked_before(const struct node *n)
{
    const struct cpu_kernel *k = n->op ? n->op->cpu : NULL;

    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->quant.block_size)
            return false;
    return k && !k->stateful && !k->reads_model && !n->dynamic && n->version <= n->op->max_version;
}

/* What the CPU's kernel refuses, nobody takes: there is one check for all, and no result to hold another one against. */
static enum status bar_by_cpu(const struct node *n, struct threads *threads, struct claim *c, struct err *err)
{
    struct node copy = *n;
    struct cpu_call call = {.node = &copy, .threads = threads, .mode = CPU_REFERENCE, .checks_only = true};
    struct err said = {""};
    enum status st;

    if (c->barred || !is_checked_before(n))
        return ST_OK;
    st = cpu_prepare(&call, &said);
    free(call.packed);
    if (st == ST_NOMEM)
        return err_set(err, st, "%s", said.msg);
    c->barred = st && st != ST_LATER;
    if (c->barred)
        reason_set(&c->why, REASON_REFUSED_BY_CPU, "%s", said.msg);
    return ST_OK;
}

/* Kernels take a tensor without data for one that is not there, and read no content that is not known: so what a plan has not
 * placed yet lies here, as long as they are asked. */
static char unplaced;

static void place(const struct graph *g, void *from, void *to)
{
    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (g->tensors[i].data == from)
            g->tensors[i].data = to;
}

static enum status bar_all_by_cpu(const struct graph *g, struct claim *now, struct err *err)
{
    struct threads *threads;
    enum status st = threads_new(1, &threads, err);

    if (st)
        return st;
    place(g, NULL, &unplaced);
    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        st = bar_by_cpu(&g->nodes[i], threads, &now[i], err);
    place(g, &unplaced, NULL);
    threads_free(threads);
    return st;
}

/* Bars what is dynamic and free, or lifts the bar, as the next delegate has it. The first that takes such nodes has the first say
 * about them. */
static void turn_dynamic(const struct graph *g, const struct reason *refused, bool takes_dynamic, bool first, struct claim *now)
{
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct claim c = {0};

        if (!g->nodes[i].dynamic || now[i].owner)
            continue;
        bar_node(&g->nodes[i], refused ? &refused[g->nodes[i].index] : NULL, takes_dynamic, &c);
        now[i].barred = c.barred;
        if (takes_dynamic && first)
            now[i].why = c.why;
    }
}

/* The first reason stands for a node; what later delegates say follows it, as far as there is room. */
static void add_reason(const struct delegate *d, const struct reason *later, struct reason *why)
{
    const bool same = !strncmp(why->text, later->text, strlen(later->text));
    const size_t n = strlen(why->text);

    snprintf(why->text + n, sizeof why->text - n, "; %s: %s", d->type ? d->type->label : "another delegate",
             same ? "the same" : later->text);
}

static const char *name_of(const struct delegate *d)
{
    return d->type ? d->type->name : "without a name";
}

static enum status bad_answer(const struct delegate *d, const struct node *n, const char *what, struct err *err)
{
    return err_set(err, ST_FAILED, "delegate %s %s node %u %s", name_of(d), what, n->index, n->name);
}

/* `was` is the claim as it was before d was asked. */
static enum status check_answer(const struct delegate *d, const struct node *n, const struct claim *was, struct claim *now,
                                struct err *err)
{
    if (now->barred != was->barred)
        return bad_answer(d, n, now->barred ? "bars other delegates from" : "lifts the bar from", err);
    if (now->owner != was->owner && n->folded)
        return bad_answer(d, n, "claims the folded", err);
    if (now->owner != was->owner && was->barred)
        return bad_answer(d, n, "claims what is not for delegates:", err);
    if (now->owner != was->owner && was->owner)
        return bad_answer(d, n, "claims what another delegate has:", err);
    if (now->owner && now->owner != was->owner && now->owner != d)
        return bad_answer(d, n, "claims for somebody else", err);
    if (!now->owner && !was->barred && (now->why.code <= REASON_NONE || now->why.code >= REASON_COUNT))
        return bad_answer(d, n, "neither claims nor refuses", err);
    if (was->owner || was->barred || was->why.code != REASON_NONE) {
        const struct reason later = now->why;

        now->why = was->why;
        if (!now->owner && !was->barred)
            add_reason(d, &later, &now->why);
    }
    return ST_OK;
}

enum status partition_ask(const struct graph *g, struct delegate *const *ds, const struct reason *refused, struct arena *a,
                          struct claim **claims, struct err *err)
{
    struct claim *now = *claims = ARENA_ARRAY(a, g->n_nodes, struct claim), *was = ARENA_ARRAY(a, g->n_nodes, struct claim);
    enum status st = ST_OK;
    uint32_t asked = 0;
    bool first = true;

    if (!now || !was)
        return err_set(err, ST_NOMEM, "out of memory for asking about %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        bar_node(&g->nodes[i], refused ? &refused[g->nodes[i].index] : NULL, false, &now[i]);
    if (*ds)
        st = bar_all_by_cpu(g, now, err);
    for (; *ds && !st; ds++) {
        if (asked++ == MAX_DELEGATES)
            return err_set(err, ST_USAGE, "a graph can be offered to %d delegates at most", MAX_DELEGATES);
        turn_dynamic(g, refused, (*ds)->takes_dynamic, first, now);
        first &= !(*ds)->takes_dynamic;
        memcpy(was, now, g->n_nodes * sizeof *was);
        for (uint32_t i = 0; i < g->n_nodes; i++)
            if (!now[i].barred)
                now[i].why.code = REASON_NONE;
        st = (*ds)->ops->claim(*ds, g, now, err);
        for (uint32_t i = 0; i < g->n_nodes && !st; i++)
            st = check_answer(*ds, &g->nodes[i], &was[i], &now[i], err);
    }
    return st;
}
