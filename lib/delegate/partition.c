/* SPDX-License-Identifier: Apache-2.0 */
/* partition.c - grouping accepted nodes.
 *
 * Nodes are taken in rounds, each of the CPU or of one delegate, in turn: a round takes every node of its side whose inputs are
 * made by then, so it is as large as the data flow allows. The CPU begins: with one delegate everything has been taken after each
 * of its rounds that any order with as many of them could have taken, so no order needs fewer. As nodes are in execution order, one
 * pass finds the round of each: the first of its side that is no earlier than those of the makers of what it reads. */
#include "lib/delegate/partition.h"
#include "lib/base/node_list.h"
#include "lib/graph/kernel.h"
#include "lib/graph/op_list.h"

#include <stdlib.h>

struct rounds {
    const struct graph *g;
    const struct claim *claims; /* [nodes] */
    struct delegate
        *side[1 + MAX_DELEGATES]; /* [n_sides] NULL, the CPU, and every owner: round i is side[(i + begins) % n_sides]'s */
    uint32_t n_sides;
    uint32_t begins; /* the side of round 0 */
    int32_t *made;   /* [tensors] the round in which it is made; 0: it is there before */
    int32_t *round;  /* [nodes] */
    uint32_t n;      /* rounds, those that take nothing too */
};

/* One side per owner, in the order in which they were asked as far as nodes tell it. */
static void list_sides(struct rounds *r)
{
    r->n_sides = 1;
    for (uint32_t i = 0; i < r->g->n_nodes; i++) {
        uint32_t k = 0;

        while (k < r->n_sides && r->side[k] != r->claims[i].owner)
            k++;
        if (k == r->n_sides)
            r->side[r->n_sides++] = r->claims[i].owner;
    }
}

/* The first round that is `owner`'s, from `least` on. */
static int32_t round_of(const struct rounds *r, const struct delegate *owner, int32_t least)
{
    while (r->side[((uint32_t)least + r->begins) % r->n_sides] != owner)
        least++;
    return least;
}

static int32_t least_round(const struct rounds *r, const struct node *n)
{
    int32_t least = 0;

    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] && r->made[n->in[k]->index] > least)
            least = r->made[n->in[k]->index];
    return least;
}

/* Numbers the rounds. A node that keeps its place waits for those before it that do. */
static enum status run_rounds(struct rounds *r, const struct graph *g, const struct claim *claims, bool as_tflite, struct arena *a,
                              struct err *err)
{
    int32_t kept = 0;

    *r = (struct rounds){
        .g = g, .claims = claims, .made = ARENA_ARRAY(a, g->n_tensors, int32_t), .round = ARENA_ARRAY(a, g->n_nodes, int32_t)};
    if (!r->made || !r->round)
        return err_set(err, ST_NOMEM, "out of memory for partitioning %u nodes", g->n_nodes);
    list_sides(r);
    r->begins = as_tflite && r->n_sides > 1 && claims[0].owner;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        const bool keeps = node_is_stateful(n);
        const int32_t least = least_round(r, n);

        if (n->folded)
            continue;
        r->round[i] = round_of(r, claims[i].owner, keeps && kept > least ? kept : least);
        kept = keeps ? r->round[i] : kept;
        r->n = (uint32_t)r->round[i] < r->n ? r->n : (uint32_t)r->round[i] + 1;
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k])
                r->made[n->out[k]->index] = r->round[i];
    }
    return ST_OK;
}

int32_t *partition_users(const struct graph *g, const int32_t *part_of, bool readers, struct arena *a)
{
    int32_t *users = arena_alloc(a, g->n_tensors, sizeof *users);

    for (uint32_t i = 0; users && i < g->n_tensors; i++)
        users[i] = PARTITION_NOBODY;
    for (uint32_t i = 0; users && i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        struct tensor *const *list = readers ? n->in : n->out;

        for (uint32_t k = 0; k < (readers ? n->n_in : n->n_out) && !n->folded; k++)
            if (list[k]) {
                int32_t *user = &users[list[k]->index];

                *user = *user == PARTITION_NOBODY || *user == part_of[i] ? part_of[i] : PARTITION_SEVERAL;
            }
    }
    return users;
}

/* What is found out about tensors for the borders of all partitions. */
struct borders {
    int32_t *readers; /* [tensors] partition_users; those that the graph hands out are read by several */
    int32_t *inside;  /* [tensors] 1 + the last partition that has seen it */
};

/* A resource variable comes in where it is read before it is assigned, and goes out where it is assigned. */
static void add_variable(struct partition *part, int32_t stamp, const struct node *n, int32_t *inside)
{
    uint32_t i = 0;

    if (node_reads_variable(n) && inside[n->variable->index] != stamp)
        part->inputs[part->n_inputs++] = n->variable;
    inside[n->variable->index] = stamp;
    while (i < part->n_outputs && part->outputs[i] != n->variable)
        i++;
    if (node_assigns_variable(n) && i == part->n_outputs)
        part->outputs[part->n_outputs++] = n->variable;
}

/* Adds what `n`, the next node of partition `index`, brings to its inputs and outputs. */
static void add_borders(struct partition *part, int32_t index, const struct node *n, const struct borders *b)
{
    const int32_t stamp = index + 1;

    if (n->variable)
        add_variable(part, stamp, n, b->inside);
    for (uint32_t k = 0; k < n->n_in; k++)
        if (n->in[k] && !n->in[k]->is_const && b->inside[n->in[k]->index] != stamp) {
            b->inside[n->in[k]->index] = stamp;
            part->inputs[part->n_inputs++] = n->in[k];
            if (n->in[k]->is_variable)
                part->outputs[part->n_outputs++] = n->in[k];
        }
    for (uint32_t k = 0; k < n->n_out; k++)
        if (n->out[k]) {
            const int32_t reader = b->readers[n->out[k]->index];

            b->inside[n->out[k]->index] = stamp;
            if (reader != PARTITION_NOBODY && reader != index)
                part->outputs[part->n_outputs++] = n->out[k];
        }
}

/* Fills part->inputs and outputs. */
static enum status find_borders(const struct borders *b, struct partition *part, int32_t index, struct arena *a, struct err *err)
{
    uint32_t max_in = 0, max_out = 0;

    for (uint32_t i = 0; i < part->n_nodes; i++) {
        max_in += part->nodes[i]->n_in;
        max_out += part->nodes[i]->n_in + part->nodes[i]->n_out;
    }
    part->inputs = ARENA_ARRAY(a, max_in, struct tensor *);
    part->outputs = ARENA_ARRAY(a, max_out, struct tensor *);
    if (!part->inputs || !part->outputs)
        return err_set(err, ST_NOMEM, "out of memory for the borders of a partition");
    for (uint32_t i = 0; i < part->n_nodes; i++)
        add_borders(part, index, part->nodes[i], b);
    return ST_OK;
}

enum status partition_borders(const struct graph *g, const struct partitioning *p, struct arena *a, struct err *err)
{
    const struct borders b = {.readers = partition_users(g, p->part_of, true, a), .inside = ARENA_ARRAY(a, g->n_tensors, int32_t)};
    enum status st = b.readers && b.inside ? ST_OK : err_set(err, ST_NOMEM, "out of memory for the borders of partitions");

    for (uint32_t i = 0; i < g->n_outputs && !st; i++)
        if (g->outputs[i])
            b.readers[g->outputs[i]->index] = PARTITION_SEVERAL;
    for (uint32_t k = 0; k < p->n_parts && !st; k++)
        st = find_borders(&b, &p->parts[k], (int32_t)k, a, err);
    return st;
}

struct group {
    int32_t round;
    uint32_t nodes;
    enum reason_code drop; /* REASON_NONE: stays */
    uint32_t part;         /* which it becomes then */
};

/* The delegates' nodes by rounds. */
struct groups {
    struct group *list;    /* [n] in the order of their first nodes */
    struct group **sorted; /* [n] */
    int32_t *of;           /* by round, 1-based */
    uint32_t n;
};

static enum status gather(const struct rounds *r, struct arena *a, struct groups *out, struct err *err)
{
    *out = (struct groups){.list = ARENA_ARRAY(a, r->n, struct group),
                           .sorted = ARENA_ARRAY(a, r->n, struct group *),
                           .of = ARENA_ARRAY(a, r->n, int32_t)};
    if (!out->list || !out->sorted || !out->of)
        return err_set(err, ST_NOMEM, "out of memory for %u partitions", r->n);
    for (uint32_t i = 0; i < r->g->n_nodes; i++) {
        if (!r->claims[i].owner)
            continue;
        if (!out->of[r->round[i]]) {
            out->list[out->n].round = r->round[i];
            out->of[r->round[i]] = (int32_t)++out->n;
        }
        out->list[out->of[r->round[i]] - 1].nodes++;
    }
    return ST_OK;
}

static int larger_first(const void *a, const void *b)
{
    const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;

    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? 1 : -1;
    return (x->round > y->round) - (x->round < y->round);
}

/* Marks the groups that the limits drop. */
static void apply_limits(struct groups *g, const struct partition_options *opt)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < g->n; i++)
        g->sorted[i] = &g->list[i];
    qsort(g->sorted, g->n, sizeof *g->sorted, larger_first);
    for (uint32_t i = 0; i < g->n; i++) {
        struct group *grp = g->sorted[i];

        if (opt->min_nodes > 0 && grp->nodes < (uint32_t)opt->min_nodes)
            grp->drop = REASON_PARTITION_TOO_SMALL;
        else if ((opt->max_partitions > 0 && kept == (uint32_t)opt->max_partitions) || (opt->first_only && grp != g->list))
            grp->drop = REASON_PARTITION_LIMIT;
        else
            kept++;
    }
}

enum status partition_count(const struct graph *g, const struct claim *claims, const struct partition_options *opt, struct arena *a,
                            uint32_t *nodes, uint32_t *parts, struct err *err)
{
    struct groups groups;
    struct rounds r;
    enum status st;

    *nodes = *parts = 0;
    if ((st = run_rounds(&r, g, claims, opt->as_tflite, a, err)) || (st = gather(&r, a, &groups, err)))
        return st;
    apply_limits(&groups, opt);
    for (uint32_t i = 0; i < groups.n; i++) {
        *nodes += groups.list[i].drop ? 0 : groups.list[i].nodes;
        *parts += !groups.list[i].drop;
    }
    return ST_OK;
}

static void explain_drop(struct reason *r, const struct group *grp, const struct partition_options *opt)
{
    if (grp->drop == REASON_PARTITION_TOO_SMALL)
        reason_set(r, grp->drop, "its partition has %u %s, min_nodes_per_partition is %d", grp->nodes,
                   grp->nodes == 1 ? "node" : "nodes", opt->min_nodes);
    else if (opt->first_only)
        reason_set(r, grp->drop, "only the first partition is delegated");
    else
        reason_set(r, grp->drop, "its partition of %u %s is not among the %d largest (max_delegated_partitions)", grp->nodes,
                   grp->nodes == 1 ? "node" : "nodes", opt->max_partitions);
}

/* Appends to out->parts one partition, whose nodes come later. */
static enum status add_part(struct group *grp, struct arena *a, struct partitioning *out, struct err *err)
{
    if (!(out->parts[out->n_parts].nodes = ARENA_ARRAY(a, grp->nodes, struct node *)))
        return err_set(err, ST_NOMEM, "out of memory for a partition");
    grp->part = out->n_parts++;
    return ST_OK;
}

static void add_node(struct node *n, uint32_t i, struct delegate *owner, const struct group *grp, struct partitioning *out)
{
    struct partition *part = &out->parts[grp->part];

    part->delegate = owner;
    part->nodes[part->n_nodes++] = n;
    out->part_of[i] = (int32_t)grp->part;
    out->n_delegated++;
}

/* Turns rounds into partitions. */
static enum status build(const struct rounds *r, const struct partition_options *opt, struct arena *a, struct partitioning *out,
                         struct err *err)
{
    const struct graph *g = r->g;
    const struct claim *claims = r->claims;
    struct groups groups;
    enum status st = gather(r, a, &groups, err);

    if (st)
        return st;
    if (!(out->parts = ARENA_ARRAY(a, r->n, struct partition)))
        return err_set(err, ST_NOMEM, "out of memory for %u partitions", r->n);
    out->n_before_limits = groups.n;
    apply_limits(&groups, opt);
    for (uint32_t k = 0; k < groups.n && !st; k++)
        if (!groups.list[k].drop)
            st = add_part(&groups.list[k], a, out, err);
    for (uint32_t i = 0; i < g->n_nodes && !st; i++) {
        const struct group *grp = claims[i].owner ? &groups.list[groups.of[r->round[i]] - 1] : NULL;

        if (grp && grp->drop)
            explain_drop(&out->reasons[i], grp, opt);
        else if (grp)
            add_node(&g->nodes[i], i, claims[i].owner, grp, out);
    }
    for (uint32_t k = 0; k < out->n_parts; k++)
        out->parts[k].watched = opt->watched;
    return st ? st : partition_borders(g, out, a, err);
}

static bool is_quantized(const struct tensor *t)
{
    return t && !t->is_const && t->quant.n && (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16);
}

static bool has_text(const char *text)
{
    return text && *text;
}

/* Whether the options leave the node out, and why. `cpu`: the nodes of opt->cpu_nodes. */
static bool left_out(const struct node *n, const struct partition_options *opt, const struct node_list *cpu, struct reason *why)
{
    for (uint32_t i = 0; opt->no_quantized && i < n->n_in + n->n_out; i++) {
        const struct tensor *t = i < n->n_in ? n->in[i] : n->out[i - n->n_in];

        if (is_quantized(t))
            return !reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s is quantized, and quantized values are for the CPU",
                               TENSOR_TEXT(t));
    }
    if (n->index < opt->first_node || (opt->end_node && n->index >= opt->end_node))
        return !reason_set(why, REASON_PARTITION_LIMIT,
                           "node %u is before first_delegate_node_index or behind last_delegate_node_index", n->index);
    if (node_list_has(cpu, n->index))
        return !reason_set(why, REASON_PARTITION_LIMIT, "node %u is among no_delegate_nodes", n->index);
    if (has_text(opt->only_ops) && !op_list_has(opt->only_ops, n->name))
        return !reason_set(why, REASON_PARTITION_LIMIT, "not among delegate_only_ops");
    if (op_list_has(opt->cpu_ops, n->name))
        return !reason_set(why, REASON_PARTITION_LIMIT, "among no_delegate_ops");
    return false;
}

static enum status read_cpu_nodes(const struct graph *g, const struct partition_options *opt, struct node_list *out,
                                  struct err *err)
{
    enum status st = node_list_read("--no_delegate_nodes", opt->cpu_nodes, out, err);
    const uint32_t last = out->n ? out->ranges[out->n - 1].last : 0;

    if (!out->n || last < g->n_nodes)
        return st;
    node_list_fini(out);
    if (!g->n_nodes)
        return err_set(err, ST_USAGE, "--no_delegate_nodes: the model has no nodes");
    return err_set(err, ST_USAGE, "--no_delegate_nodes: there is no node %u, the model has nodes 0 to %u", last, g->n_nodes - 1);
}

/* Checks what the options name. */
static enum status check_names(const struct graph *g, const struct partition_options *opt, struct node_list *cpu, struct err *err)
{
    enum status st = op_list_check("--delegate_only_ops", opt->only_ops, g, err);

    st = st ? st : op_list_check("--no_delegate_ops", opt->cpu_ops, g, err);
    return st ? st : read_cpu_nodes(g, opt, cpu, err);
}

/* *out: the claims without those of nodes that the options leave out; the same array where they leave out none. */
static enum status claims_within(const struct graph *g, const struct claim *claims, const struct partition_options *opt,
                                 struct arena *a, const struct claim **out, struct err *err)
{
    struct node_list cpu;
    struct claim *some;
    enum status st;

    *out = claims;
    if ((st = check_names(g, opt, &cpu, err)) ||
        (!opt->no_quantized && !opt->first_node && !opt->end_node && !has_text(opt->only_ops) && !has_text(opt->cpu_ops) && !cpu.n))
        return st;
    if ((some = ARENA_ARRAY(a, g->n_nodes, struct claim))) {
        for (uint32_t i = 0; i < g->n_nodes; i++) {
            struct claim left = {0};

            some[i] = claims[i].owner && left_out(&g->nodes[i], opt, &cpu, &left.why) ? left : claims[i];
        }
    }
    *out = some;
    node_list_fini(&cpu);
    return some ? ST_OK : err_set(err, ST_NOMEM, "out of memory for partitioning %u nodes", g->n_nodes);
}

enum status partition_claimed(const struct graph *g, const struct claim *claims, const struct partition_options *opt,
                              struct arena *a, struct partitioning *out, struct err *err)
{
    struct rounds r;
    enum status st = claims_within(g, claims, opt, a, &claims, err);

    *out = (struct partitioning){.part_of = ARENA_ARRAY(a, g->n_nodes, int32_t),
                                 .reasons = ARENA_ARRAY(a, g->n_nodes, struct reason)};
    if (st || (st = run_rounds(&r, g, claims, opt->as_tflite, a, err)))
        return st;
    if (!out->part_of || !out->reasons)
        return err_set(err, ST_NOMEM, "out of memory for partitioning %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (!claims[i].owner)
            out->reasons[i] = claims[i].why;
        out->part_of[i] = -1;
        out->n_folded += g->nodes[i].folded;
    }
    st = build(&r, opt, a, out, err);
    out->n_cpu = g->n_nodes - out->n_delegated - out->n_folded;
    return st;
}

bool partition_is_whole(struct delegate *const *ds, const struct partition_options *opt, uint32_t n_nodes)
{
    if (!ds[0] || !ds[0]->whole_model || ds[1] || !n_nodes)
        return false;
    if (opt->masked && ds[0]->masks)
        return true;
    return !opt->first_node && (!opt->end_node || opt->end_node >= n_nodes) && opt->min_nodes <= (int32_t)n_nodes &&
           !opt->no_quantized && !has_text(opt->only_ops) && !has_text(opt->cpu_ops) && !has_text(opt->cpu_nodes);
}

/* Marks the nodes that the options leave out. */
static enum status mask(const struct graph *g, const struct partition_options *opt, struct arena *a, struct partitioning *out,
                        struct err *err)
{
    bool *masked = ARENA_ARRAY(a, g->n_nodes, bool);
    struct node_list cpu;
    enum status st;

    if (!masked)
        return err_set(err, ST_NOMEM, "out of memory for masks of %u nodes", g->n_nodes);
    if ((st = check_names(g, opt, &cpu, err)))
        return st;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        out->n_cpu += masked[i] = left_out(&g->nodes[i], opt, &cpu, &out->reasons[i]);
    node_list_fini(&cpu);
    out->n_delegated -= out->n_cpu;
    out->parts->masked = out->n_cpu ? masked : NULL;
    return ST_OK;
}

enum status partition_whole(const struct graph *g, struct delegate *d, const struct partition_options *opt, struct arena *a,
                            struct partitioning *out, struct err *err)
{
    struct partition *part = ARENA_NEW(a, struct partition);

    *out = (struct partitioning){.parts = part,
                                 .n_parts = 1,
                                 .part_of = ARENA_ARRAY(a, g->n_nodes, int32_t),
                                 .reasons = ARENA_ARRAY(a, g->n_nodes, struct reason),
                                 .n_delegated = g->n_nodes,
                                 .n_before_limits = 1};
    if (!part || !out->part_of || !out->reasons || !(part->nodes = ARENA_ARRAY(a, g->n_nodes, struct node *)) ||
        !(part->inputs = ARENA_ARRAY(a, g->n_inputs, struct tensor *)) ||
        !(part->outputs = ARENA_ARRAY(a, g->n_outputs, struct tensor *)))
        return err_set(err, ST_NOMEM, "out of memory for a partition of %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        part->nodes[i] = &g->nodes[i];
    part->delegate = d;
    part->n_nodes = g->n_nodes;
    for (uint32_t i = 0; i < g->n_inputs; i++)
        if (g->inputs[i])
            part->inputs[part->n_inputs++] = g->inputs[i];
    for (uint32_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i])
            part->outputs[part->n_outputs++] = g->outputs[i];
    part->whole = true;
    return opt->masked ? mask(g, opt, a, out, err) : ST_OK;
}

enum status partition_graph(const struct graph *g, struct delegate *const *ds, const struct partition_options *opt, struct arena *a,
                            struct partitioning *out, struct err *err)
{
    struct claim *claims;
    enum status st = partition_ask(g, ds, NULL, a, &claims, err);

    return st ? st : partition_claimed(g, claims, opt, a, out, err);
}
