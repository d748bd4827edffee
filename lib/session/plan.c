/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - steps, placement, preparation. */
#include "lib/session/plan.h"
#include "lib/base/aligned.h"
#include "lib/graph/order.h"
#include "lib/session/memory_planner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ALIGN 64

/* While steps are being made and not yet in order. */
struct step_list {
    struct step *steps;
    uint32_t n_steps;
    uint32_t *step_of; /* [nodes] */
    uint32_t *writer;  /* [tensors] 1 + the step that writes it; 0: none */
    uint32_t *of_part; /* [partitions] 1 + its step; 0: not yet made */
    struct edge *edges;
    size_t n_edges;
};

static uint32_t node_step(struct step_list *l, struct node *node, int32_t part, const struct partitioning *parts,
                          const struct cpu_call *defaults)
{
    struct step *step;

    if (part >= 0 && l->of_part[part])
        return l->of_part[part] - 1;
    step = &l->steps[l->n_steps++];
    step->part_index = part;
    if (part >= 0) {
        l->of_part[part] = l->n_steps;
        step->part = &parts->parts[part];
    } else {
        step->call = *defaults;
        step->call.node = node;
    }
    return l->n_steps - 1;
}

/* One step per partition and per CPU node, and what must come before what. */
static void list_steps(struct step_list *l, struct graph *g, const struct partitioning *parts, const struct cpu_call *defaults)
{
    uint32_t last_kept = UINT32_MAX;

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct node *node = &g->nodes[i];

        if (node->folded)
            continue;
        l->step_of[i] = node_step(l, node, parts ? parts->part_of[i] : -1, parts, defaults);
        for (uint32_t k = 0; k < node->n_out; k++)
            if (node->out[k])
                l->writer[node->out[k]->index] = l->step_of[i] + 1;
        if (node_is_stateful(node)) {
            if (last_kept != UINT32_MAX && last_kept != l->step_of[i])
                l->edges[l->n_edges++] = (struct edge){last_kept, l->step_of[i]};
            last_kept = l->step_of[i];
        }
    }
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in && !g->nodes[i].folded; k++) {
            const struct tensor *t = g->nodes[i].in[k];

            if (t && l->writer[t->index] && l->writer[t->index] - 1 != l->step_of[i])
                l->edges[l->n_edges++] = (struct edge){l->writer[t->index] - 1, l->step_of[i]};
        }
}

static enum status make_steps(struct plan *p, struct graph *g, const struct partitioning *parts, const struct cpu_call *defaults,
                              struct arena *a, struct err *err)
{
    struct step_list l = {.steps = ARENA_ARRAY(a, g->n_nodes, struct step),
                          .step_of = ARENA_ARRAY(a, g->n_nodes, uint32_t),
                          .writer = ARENA_ARRAY(a, g->n_tensors, uint32_t),
                          .of_part = ARENA_ARRAY(a, parts ? parts->n_parts : 0, uint32_t)};
    uint32_t *order = ARENA_ARRAY(a, g->n_nodes, uint32_t), cycle;
    size_t max_edges = g->n_nodes;
    enum status st;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        max_edges += g->nodes[i].n_in;
    l.edges = ARENA_ARRAY(a, max_edges, struct edge);
    p->steps = ARENA_ARRAY(&p->arena, g->n_nodes, struct step);
    if (!l.steps || !l.step_of || !l.writer || !l.of_part || !l.edges || !order || !p->steps)
        return err_set(err, ST_NOMEM, "out of memory for the plan of %u nodes", g->n_nodes);
    list_steps(&l, g, parts, defaults);
    if ((st = order_sort(l.n_steps, l.edges, l.n_edges, a, order, &cycle, err)))
        return st;
    for (uint32_t i = 0; i < l.n_steps; i++)
        p->steps[i] = l.steps[order[i]];
    p->n_steps = l.n_steps;
    return ST_OK;
}

/* What placement knows of one tensor; `last` grows as readers are seen. */
struct life {
    bool placed;
    uint32_t first, last;
};

static void touch(struct life *life, const struct tensor *t, uint32_t step)
{
    struct life *l;

    if (!t || t->is_const || t->is_dynamic || t->is_resource || t->is_lent)
        return;
    l = &life[t->index];
    if (!l->placed)
        *l = (struct life){true, step, step};
    l->last = l->last > step ? l->last : step;
}

static void touch_list(struct life *life, struct tensor *const *list, uint32_t n, uint32_t step)
{
    for (uint32_t i = 0; i < n; i++)
        touch(life, list[i], step);
}

/* Step 0 is before the first: inputs are written there. The last is after all: outputs are read there. Inputs and variables live
 * through all of it, so that their content survives a run. */
static void find_lives(struct life *life, const struct plan *p, const struct graph *g, bool keep_all)
{
    uint32_t end = p->n_steps + 1;

    touch_list(life, g->inputs, g->n_inputs, 0);
    touch_list(life, g->inputs, g->n_inputs, end);
    for (uint32_t i = 0; i < p->n_steps; i++) {
        const struct step *s = &p->steps[i];
        const struct node *n = s->call.node;

        touch_list(life, n ? n->in : s->part->inputs, n ? n->n_in : s->part->n_inputs, i + 1);
        touch_list(life, n ? n->out : s->part->outputs, n ? n->n_out : s->part->n_outputs, i + 1);
        if (n)
            touch_list(life, n->mid, n->n_mid, i + 1);
    }
    touch_list(life, g->outputs, g->n_outputs, end);
    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (life[i].placed && (keep_all || g->tensors[i].is_variable))
            life[i] = (struct life){true, 0, end};
}

/* Refuses what the machine cannot hold, or the limits of this process do not allow, before it is asked for. */
static enum status check_memory(uint64_t bytes, const char *what, struct err *err)
{
    static const int limits[] = {RLIMIT_DATA, RLIMIT_AS};
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t have = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    const char *who = "this machine has", *name;
    struct rlimit limit;
    double unit;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!getrlimit(limits[i], &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < have) {
            have = limit.rlim_cur;
            who = "this process may have";
        }
    if (bytes <= have && bytes <= SIZE_MAX / 2)
        return ST_OK;
    unit = have < 1000000000 ? 1e6 : 1e9;
    name = have < 1000000000 ? "MB" : "GB";
    return err_set(err, ST_NOMEM, "%s need %.1f %s, %s %.1f %s", what, (double)bytes / unit, name, who, (double)have / unit, name);
}

static enum status place_tensors(struct plan *p, struct graph *g, bool keep_all, struct arena *a, struct err *err)
{
    struct life *life = ARENA_ARRAY(a, g->n_tensors, struct life);
    struct memory_use *place = ARENA_ARRAY(a, g->n_tensors, struct memory_use);
    struct tensor **who = ARENA_ARRAY(a, g->n_tensors, struct tensor *);
    struct memory_total total;
    uint32_t n = 0;
    enum status st;

    if (!life || !place || !who)
        return err_set(err, ST_NOMEM, "out of memory for placing %u tensors", g->n_tensors);
    find_lives(life, p, g, keep_all);
    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (life[i].placed) {
            who[n] = &g->tensors[i];
            place[n++] = (struct memory_use){.bytes = g->tensors[i].bytes, .first = life[i].first, .last = life[i].last};
        }
    for (uint32_t i = 0; i < n; i++)
        if ((st = check_memory(place[i].bytes, TENSOR_TEXT(who[i]), err)))
            return st;
    if ((st = memory_plan(place, n, ALIGN, &total, err)) || (st = check_memory(total.bytes, "the tensors", err)))
        return st;
    p->block_bytes = total.bytes;
    p->lower_bound = total.lower_bound;
    if (!(p->block = aligned_new(ALIGN, total.bytes + ALIGN)))
        return err_set(err, ST_NOMEM, "out of memory for %.1f MB of tensors", (double)total.bytes / 1e6);
    for (uint32_t i = 0; i < n; i++) {
        who[i]->data = (char *)p->block + place[i].offset;
        if (who[i]->is_variable || life[who[i]->index].first == 0)
            tensor_reset(who[i]);
    }
    return ST_OK;
}

static void unpack(struct plan *p, struct cpu_call *c)
{
    p->packed_bytes -= c->packed_bytes;
    free(c->packed);
    c->packed = NULL;
    c->packed_bytes = 0;
}

/* Writes rank and dimensions of each tensor of the node; returns whether these were there already. */
static bool shapes_note(const struct node *n, int32_t *noted)
{
    bool same = true;

    for (uint32_t i = 0; i < n->n_in + n->n_out; i++, noted += 1 + TENSOR_MAX_RANK) {
        const struct tensor *t = i < n->n_in ? n->in[i] : n->out[i - n->n_in];
        size_t bytes = t ? (size_t)t->rank * sizeof *t->dim : 0;

        if (!t || (noted[0] == t->rank && !memcmp(noted + 1, t->dim, bytes)))
            continue;
        noted[0] = t->rank;
        memcpy(noted + 1, t->dim, bytes);
        same = false;
    }
    return same;
}

/* Whether the last prepare holds for the shapes as they are now. */
static bool is_prepared(struct plan *p, struct step *step)
{
    const struct node *n = step->call.node;
    bool kept = step->shapes;

    if (!n->dynamic || !n->op->cpu->prepare_by_shape)
        return false;
    if (!kept && !(step->shapes = ARENA_ARRAY(&p->arena, (size_t)(n->n_in + n->n_out) * (1 + TENSOR_MAX_RANK), int32_t)))
        return false;
    return shapes_note(n, step->shapes) && kept && step->call.packed;
}

enum status plan_prepare_step(struct plan *p, struct step *step, struct err *err)
{
    struct cpu_call *c = &step->call;
    enum status st = ST_OK;

    if (is_prepared(p, step))
        return ST_OK;
    if (c->node->op->cpu->stateful) /* where random numbers go on is kept there */
        p->packed_bytes -= c->packed_bytes;
    else
        unpack(p, c);
    c->scratch_bytes = 0;
    st = cpu_prepare(c, err);
    p->packed_bytes += c->packed_bytes;
    if (st)
        unpack(p, c);
    if (st || (p->scratch && c->scratch_bytes <= p->scratch_bytes))
        return st;
    if ((st = check_memory(c->scratch_bytes, "a kernel's temporary data", err)))
        return st;
    free(p->scratch);
    p->scratch_bytes = (c->scratch_bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!(p->scratch = aligned_new(ALIGN, p->scratch_bytes + ALIGN))) {
        p->scratch_bytes = 0;
        return err_set(err, ST_NOMEM, "out of memory for %.1f MB of temporary data", (double)c->scratch_bytes / 1e6);
    }
    return ST_OK;
}

static enum status prepare_cpu_step(struct plan *p, struct step *step, struct err *err)
{
    const struct node *n = step->call.node;

    if (!n->op)
        return node_err(n, err_set(err, ST_UNSUPPORTED, "no CPU kernel for this operator"), err);
    if (n->version > n->op->max_version)
        return node_err(
            n, err_set(err, ST_UNSUPPORTED, "version %d of the operator, the newest known is %d", n->version, n->op->max_version),
            err);
    if (n->dynamic) /* prepared while running, when its shapes are known */
        return ST_OK;
    return node_err_if(n, plan_prepare_step(p, step, err), err);
}

enum status plan_make(struct plan *p, struct graph *g, const struct partitioning *parts, const struct cpu_call *defaults,
                      bool keep_all, struct err *err)
{
    struct arena scratch = {0};
    enum status st;

    *p = (struct plan){0};
    st = make_steps(p, g, parts, defaults, &scratch, err);
    if (!st)
        st = place_tensors(p, g, keep_all, &scratch, err);
    for (uint32_t i = 0; !st && i < p->n_steps; i++)
        if (p->steps[i].part_index < 0)
            st = prepare_cpu_step(p, &p->steps[i], err);
    arena_free(&scratch);
    return st;
}

bool plan_holds(const struct plan *p, const struct tensor *t)
{
    uintptr_t at = (uintptr_t)t->data, block = (uintptr_t)p->block;

    return p->block && at >= block && at <= block + p->block_bytes;
}

void plan_free(struct plan *p)
{
    for (uint32_t i = 0; i < p->n_steps; i++)
        free(p->steps[i].call.packed);
    free(p->block);
    free(p->scratch);
    arena_free(&p->arena);
    *p = (struct plan){0};
}
