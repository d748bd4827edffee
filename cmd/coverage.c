/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.c - verdicts, sums, and what each missing operator costs. */
#include "coverage.h"

#include <stdlib.h>
#include <string.h>

#include "../lib/macs.h"

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "no memory for the coverage table");
}

static void judge_cpu(const struct node *n, struct verdict *v)
{
    if (!n->op)
        reason_set(&v->why, REASON_UNSUPPORTED_OPERATOR, "no CPU kernel");
    else if (n->builtin != BUILTIN_CUSTOM && n->version > n->op->max_version)
        reason_set(&v->why, REASON_UNSUPPORTED_OPERATOR_VERSION, "version %d, the CPU kernel knows up to %d", n->version,
                   n->op->max_version);
    else
        v->covered = true;
}

static struct verdict judge(const struct graph *g, uint32_t i, const struct partitioning *p)
{
    const struct node *n = &g->nodes[i];
    struct verdict v = {.node = n, .subgraph = g->subgraph, .partition = -1, .macs = node_macs(n)};

    if (!p) {
        judge_cpu(n, &v);
    } else if (!n->folded) {
        v.covered = p->part_of[i] >= 0;
        v.partition = p->part_of[i];
        v.why = p->reasons[i];
    }
    return v;
}

static uint64_t sum_bytes(struct tensor *const *t, uint32_t n)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < n; i++)
        bytes += t[i]->bytes;
    return bytes;
}

enum status coverage_add(struct coverage *c, const struct graph *g, const struct partitioning *p, struct err *err)
{
    struct verdict *all = ARENA_ARRAY(&c->arena, (size_t)c->n_verdicts + g->n_nodes, struct verdict);

    if (!all)
        return no_memory(err);
    if (c->n_verdicts)
        memcpy(all, c->verdicts, c->n_verdicts * sizeof *all);
    c->verdicts = all;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        c->verdicts[c->n_verdicts++] = judge(g, i, p);
    for (uint32_t i = 0; p && i < p->n_parts; i++) {
        c->bytes_in += sum_bytes(p->parts[i].inputs, p->parts[i].n_inputs);
        c->bytes_out += sum_bytes(p->parts[i].outputs, p->parts[i].n_outputs);
    }
    return ST_OK;
}

static struct coverage_op *find_op(struct coverage *c, const struct node *n)
{
    uint32_t i = 0;

    while (i < c->n_ops && (c->ops[i].builtin != n->builtin || strcmp(c->ops[i].name, n->name) != 0))
        i++;
    if (i == c->n_ops)
        c->ops[c->n_ops++] = (struct coverage_op){n->name, n->builtin, n->version, n->version, 0, 0, 0, 0, 0};
    return &c->ops[i];
}

static int by_nodes(const void *a, const void *b)
{
    const struct coverage_op *x = a, *y = b;

    return x->nodes != y->nodes ? (x->nodes < y->nodes) - (x->nodes > y->nodes) : strcmp(x->name, y->name);
}

enum status coverage_finish(struct coverage *c, struct err *err)
{
    if (!(c->ops = ARENA_ARRAY(&c->arena, c->n_verdicts, struct coverage_op)))
        return no_memory(err);
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        struct coverage_op *op = find_op(c, v->node);
        uint64_t macs = v->node->folded ? 0 : v->macs, macs_covered = v->covered ? macs : 0;
        bool folded = v->node->folded && !v->covered;

        op->min_version = v->node->version < op->min_version ? v->node->version : op->min_version;
        op->max_version = v->node->version > op->max_version ? v->node->version : op->max_version;
        op->nodes++, op->covered += v->covered, op->folded += folded;
        op->macs += macs, op->macs_covered += macs_covered;
        c->covered += v->covered, c->folded += folded;
        c->macs += macs, c->macs_covered += macs_covered;
    }
    qsort(c->ops, c->n_ops, sizeof *c->ops, by_nodes);
    return ST_OK;
}

/* A delegate that answers as another one does, but takes one operator more. */
struct generous {
    struct delegate base;
    struct delegate *real;
    const char *op;
};

static bool generous_accept(struct delegate *d, const struct graph *g, const struct node *n, struct reason *why)
{
    struct generous *self = (struct generous *)d;

    return (!strcmp(n->name, self->op) && !n->dynamic) || self->real->ops->accept(self->real, g, n, why);
}

bool reason_is_node(enum reason_code code)
{
    return code != REASON_NONE && code != REASON_PARTITION_TOO_SMALL && code != REASON_PARTITION_LIMIT;
}

static uint32_t count_accepted(const struct coverage *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        n += !c->verdicts[i].node->folded && !reason_is_node(c->verdicts[i].why.code);
    return n;
}

static int by_gain(const void *a, const void *b)
{
    const struct coverage_gain *x = a, *y = b;

    return x->nodes != y->nodes ? (x->nodes < y->nodes) - (x->nodes > y->nodes) : strcmp(x->op, y->op);
}

enum status coverage_gains(struct coverage *c, const struct graph *g, struct delegate *d, struct coverage_gain **out, uint32_t *n,
                           struct err *err)
{
    static const struct delegate_ops ops = {.accept = generous_accept};
    uint32_t accepted = count_accepted(c);
    struct arena scratch = {0};
    enum status st = ST_OK;

    *n = 0;
    if (!(*out = ARENA_ARRAY(&c->arena, c->n_ops, struct coverage_gain)))
        return no_memory(err);
    for (uint32_t i = 0; i < c->n_ops && !st; i++) {
        struct generous generous = {{d->type, &ops, d->device, d->software}, d, c->ops[i].name};
        struct partitioning p;

        if (c->ops[i].covered + c->ops[i].folded == c->ops[i].nodes)
            continue;
        st = partition_graph(g, &generous.base, &(struct partition_options){0}, &scratch, &p, err);
        if (!st && p.n_delegated > accepted)
            (*out)[(*n)++] = (struct coverage_gain){c->ops[i].name, p.n_parts, p.n_delegated};
    }
    arena_free(&scratch);
    qsort(*out, *n, sizeof **out, by_gain);
    return st;
}
