/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.c - verdicts and sums. */
#include "lib/coverage/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "lib/coverage/coverage_impl.h"
#include "lib/graph/graph_infer.h"
#include "lib/graph/macs.h"

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the coverage table");
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
    struct verdict v = {
        .node = n, .subgraph = g->subgraph, .partition = -1, .macs = node_macs(n), .macs_known = node_macs_known(n)};

    if (!p) {
        judge_cpu(n, &v);
    } else if (!n->folded) {
        v.covered = p->part_of[i] >= 0;
        v.partition = p->part_of[i];
        v.why = p->reasons[i];
    }
    v.answer = v.covered || n->folded ? RULES_YES : RULES_NO;
    return v;
}

static uint64_t sum_bytes(struct tensor *const *t, uint32_t n)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < n; i++)
        bytes += t[i]->bytes;
    return bytes;
}

enum status coverage_add_graph(struct coverage *c, const struct graph *g, const struct partitioning *p, struct err *err)
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
        c->ops[c->n_ops++] = (struct coverage_op){
            .name = n->name, .builtin = n->builtin, .min_version = n->version, .max_version = n->version};
    return &c->ops[i];
}

static int by_nodes(const void *a, const void *b)
{
    const struct coverage_op *x = a, *y = b;

    return x->nodes != y->nodes ? (x->nodes < y->nodes) - (x->nodes > y->nodes) : strcmp(x->name, y->name);
}

/* True for work of each run that no formula counts. */
static bool is_uncounted(const struct verdict *v)
{
    return !v->node->folded && !v->macs_known;
}

static void add_to_op(struct coverage_op *op, const struct verdict *v, uint64_t macs, bool folded)
{
    op->min_version = v->node->version < op->min_version ? v->node->version : op->min_version;
    op->max_version = v->node->version > op->max_version ? v->node->version : op->max_version;
    op->nodes++, op->covered += v->covered, op->folded += folded;
    op->macs += macs, op->macs_covered += v->covered ? macs : 0;
    op->macs_unknown += is_uncounted(v);
    if (v->why.code != REASON_NONE &&
        (!op->first_refused || (!coverage_is_nodes_own(op->first_refused->why.code) && coverage_is_nodes_own(v->why.code))))
        op->first_refused = v;
}

static double percent(uint64_t part, uint64_t all, double of_nothing)
{
    return all ? 100.0 * (double)part / (double)all : of_nothing;
}

/* Adds up the operators, after the last add_graph. */
enum status coverage_add_up(struct coverage *c, struct err *err)
{
    if (!(c->ops = ARENA_ARRAY(&c->arena, c->n_verdicts, struct coverage_op)))
        return no_memory(err);
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        uint64_t macs = v->node->folded ? 0 : v->macs;
        bool folded = v->node->folded && !v->covered;

        add_to_op(find_op(c, v->node), v, macs, folded);
        c->covered += v->covered, c->folded += folded;
        c->macs += macs, c->macs_covered += v->covered ? macs : 0;
        c->macs_unknown += is_uncounted(v);
    }
    for (uint32_t i = 0; i < c->n_ops; i++)
        c->ops[i].macs_percent = percent(c->ops[i].macs, c->macs, 0);
    c->to_run = c->n_verdicts - c->folded;
    c->covered_percent = percent(c->covered, c->to_run, 100);
    c->macs_percent = percent(c->macs_covered, c->macs, 100);
    qsort(c->ops, c->n_ops, sizeof *c->ops, by_nodes);
    return ST_OK;
}

enum status coverage_begin(struct coverage *c, uint32_t n_graphs, struct err *err)
{
    *c = (struct coverage){0};
    c->graphs = ARENA_ARRAY(&c->arena, n_graphs, struct graph *);
    return c->graphs ? ST_OK : no_memory(err);
}

/* ---- what would run ---- */

struct outlining {
    struct coverage *c;
    uint32_t cap;
    bool failed;
};

static void add_copy(void *arg, const struct node *n, const char *label, const char *why)
{
    struct outlining *o = arg;
    struct coverage *c = o->c;

    if (c->n_copies == o->cap) {
        uint32_t cap = o->cap ? 2 * o->cap : 16;
        struct coverage_copy *more = ARENA_ARRAY(&c->arena, cap, struct coverage_copy);

        o->failed |= !more;
        if (!more)
            return;
        if (c->n_copies)
            memcpy(more, c->copies, c->n_copies * sizeof *more);
        c->copies = more;
        o->cap = cap;
    }
    label = arena_strdup(&c->arena, label);
    why = arena_strdup(&c->arena, why);
    o->failed |= !label || !why;
    if (label && why)
        c->copies[c->n_copies++] = (struct coverage_copy){n, label, why};
}

static enum status outline(struct coverage *c, struct delegate *const *ds, struct err *err)
{
    struct outlining o = {.c = c};
    enum status st = ST_OK;

    for (; *ds; ds++)
        if (!(*ds)->ops->outline)
            return ST_OK;
    for (uint32_t i = 0; i < c->parts.n_parts && !st; i++) {
        struct delegate_outline out = {.see_copy = add_copy, .arg = &o};

        st = c->parts.parts[i].delegate->ops->outline(c->parts.parts[i].delegate, c->graphs[0], &c->parts.parts[i], &out, err);
        c->dispatches += out.dispatches;
        c->transfers += out.transfers;
    }
    c->outlined = !st;
    return o.failed ? no_memory(err) : st;
}

void coverage_find_first_refused(struct coverage *c)
{
    for (uint32_t i = 0; i < c->n_verdicts && !c->first_refused; i++)
        if (coverage_is_nodes_own(c->verdicts[i].why.code))
            c->first_refused = &c->verdicts[i];
}

/* ---- a model that cannot run ---- */

/* What is known all the same: the operators, by their names. */
enum status coverage_of_invalid(struct coverage *c, const struct model *m, uint32_t subgraph, const char *why, struct err *err)
{
    struct partitioning *p = &c->parts;
    struct graph *g = NULL;
    enum status st;

    if (c->n_graphs)
        graph_free(c->graphs[--c->n_graphs]);
    if ((st = graph_new_as_filed(m, subgraph, &g, err)))
        return st;
    c->graphs[c->n_graphs++] = g;
    *p = (struct partitioning){.part_of = ARENA_ARRAY(&c->arena, g->n_nodes, int32_t),
                               .reasons = ARENA_ARRAY(&c->arena, g->n_nodes, struct reason),
                               .n_cpu = g->n_nodes};
    c->cannot_run = why;
    if (!p->part_of || !p->reasons || !why)
        return no_memory(err);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        p->part_of[i] = -1;
        if (g->nodes[i].op)
            reason_set(&p->reasons[i], REASON_INVALID_MODEL, "the model cannot run");
        else
            reason_set(&p->reasons[i], REASON_UNSUPPORTED_OPERATOR, "nothing here has this operator");
    }
    if ((st = coverage_add_graph(c, g, p, err)) || (st = coverage_add_up(c, err)))
        return st;
    coverage_find_first_refused(c);
    return ST_OK;
}

/* Of a graph as a whole a runtime tells what its accelerator takes. */
static enum status ask(struct coverage *c, struct delegate *const *ds, const struct partition_options *opt, struct claim **claims,
                       struct err *err)
{
    const struct graph *g = c->graphs[0];
    enum status st;

    if (!partition_is_whole(ds, opt, g->n_nodes) || !ds[0]->ops->claim_whole)
        return partition_ask(g, ds, NULL, &c->arena, claims, err);
    if (!(*claims = ARENA_ARRAY(&c->arena, g->n_nodes, struct claim)))
        return no_memory(err);
    st = ds[0]->ops->claim_whole(ds[0], g, *claims, err);
    for (uint32_t i = 0; i < g->n_nodes; i++) /* as for every other answer about the graph */
        if (g->nodes[i].folded)
            (*claims)[i] = (struct claim){.barred = true};
    return st;
}

/* About graphs[0], whose shapes are inferred. */
static enum status cover(struct coverage *c, struct delegate *const *ds, const struct partition_options *opt, struct err *err)
{
    struct claim *claims;
    enum status st;

    if ((st = ask(c, ds, opt, &claims, err)) || (st = partition_claimed(c->graphs[0], claims, opt, &c->arena, &c->parts, err)) ||
        (st = outline(c, ds, err)) || (st = coverage_add_graph(c, c->graphs[0], &c->parts, err)) || (st = coverage_add_up(c, err)))
        return st;
    coverage_find_first_refused(c);
    st = coverage_find_gains(c, ds, claims, opt, err);
    return st ? st : coverage_find_called(c, ds, opt, err);
}

enum status coverage_of_graph(struct graph *g, struct delegate *d, const struct partition_options *opt, struct coverage *c,
                              struct err *err)
{
    enum status st = coverage_begin(c, 1, err);

    if (st)
        return st;
    c->graphs[0] = g;
    c->n_graphs = 1;
    c->borrows_graphs = true;
    return cover(c, (struct delegate *const[]){d, NULL}, opt, err);
}

enum status coverage_of_delegate(const struct model *m, uint32_t subgraph, struct delegate *d, const struct partition_options *opt,
                                 struct coverage *c, struct err *err)
{
    return coverage_of_delegates(m, subgraph, (struct delegate *const[]){d, NULL}, opt, c, err);
}

enum status coverage_of_delegates(const struct model *m, uint32_t subgraph, struct delegate *const *ds,
                                  const struct partition_options *opt, struct coverage *c, struct err *err)
{
    enum status st = coverage_begin(c, 1, err);

    if (st)
        return st;
    if (!(st = graph_new(m, subgraph, &c->graphs[0], err))) {
        c->n_graphs = 1;
        st = graph_infer(c->graphs[0], err);
    }
    if (st == ST_BAD_MODEL)
        return coverage_of_invalid(c, m, subgraph, arena_strdup(&c->arena, err->msg), err);
    return st ? st : cover(c, ds, opt, err);
}

enum status coverage_of_cpu(const struct model *m, struct coverage *c, struct err *err)
{
    enum status st = coverage_begin(c, m->n_subgraphs, err);

    for (uint32_t i = 0; i < m->n_subgraphs && !st; i++)
        if (!(st = graph_new_as_filed(m, i, &c->graphs[i], err))) {
            c->n_graphs++;
            st = coverage_add_graph(c, c->graphs[i], NULL, err);
        }
    return st ? st : coverage_add_up(c, err);
}

void coverage_free(struct coverage *c)
{
    for (uint32_t i = 0; i < c->n_graphs && !c->borrows_graphs; i++)
        graph_free(c->graphs[i]);
    arena_free(&c->arena);
    *c = (struct coverage){0};
}
