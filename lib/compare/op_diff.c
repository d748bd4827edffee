/* SPDX-License-Identifier: Apache-2.0 */
/* op_diff.c - comparison of every visible tensor, and the part of an error that rounding explains. */
#include "lib/compare/op_diff.h"

#include <math.h>
#include <string.h>

#include "lib/graph/macs.h"

bool op_diff_visible(const struct partitioning *p, uint32_t node, const struct tensor *t)
{
    const struct partition *part;

    if (!p || p->part_of[node] < 0)
        return true;
    part = &p->parts[p->part_of[node]];
    return tensor_is_among(t, part->outputs, part->n_outputs);
}

static void add_node(struct op_diffs *o, uint32_t node)
{
    const struct graph *reference = session_graph(o->reference), *test = session_graph(o->test);
    const struct partitioning *p = session_partitioning(o->test);
    const struct node *n = &test->nodes[node];

    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && !n->folded)
            o->ops[o->n++] = (struct op_diff){.node = n,
                                              .reference = &reference->tensors[n->out[i]->index],
                                              .test = n->out[i],
                                              .partition = p ? p->part_of[node] : -1,
                                              .visible = op_diff_visible(p, node, n->out[i])};
}

enum status op_diffs_init(struct op_diffs *o, const struct session *reference, const struct session *test, struct err *err)
{
    const struct graph *g = session_graph(test);
    size_t n = 0;

    *o = (struct op_diffs){.reference = reference, .test = test};
    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += g->nodes[i].n_out;
    if (!(o->ops = ARENA_ARRAY(&o->arena, n, struct op_diff)))
        return err_set(err, ST_NOMEM, "out of memory for comparing %zu tensors", n);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        add_node(o, i);
    return ST_OK;
}

void op_diffs_free(struct op_diffs *o)
{
    arena_free(&o->arena);
    *o = (struct op_diffs){0};
}

void op_diffs_add(struct op_diffs *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->ops[i].visible && o->ops[i].reference->data && o->ops[i].test->data)
            diff_add(&o->ops[i].diff, o->ops[i].reference, o->ops[i].test, false);
}

/* Whether all finite values are such as 16-bit floats have, of any exponent. */
static bool looks_half(const struct tensor *t)
{
    const uint32_t *bits = t->data;
    uint32_t low = 0;

    for (size_t i = 0; i < tensor_elems(t); i++)
        low |= bits[i] & 0x1fff;
    return !low;
}

void op_diffs_look(struct op_diffs *o, const struct tensor *reference, const struct tensor *test)
{
    if (test->type != TYPE_FLOAT32 || tensor_elems(test) < 16 || looks_half(reference))
        return;
    if (looks_half(test))
        o->looks_half = true;
    else
        o->looks_full = true;
}

static struct delegate_precision precision_words(const struct op_diffs *o)
{
    const struct partitioning *p = session_partitioning(o->test);

    return p && p->n_parts ? p->parts[0].delegate->precision : (struct delegate_precision){0};
}

static bool is_half(const char *word)
{
    return word && !strcmp(word, "float16");
}

/* What the delegate says, or else what can be seen. */
static bool stores_half(const struct op_diffs *o)
{
    const char *stored = precision_words(o).stored;

    return stored ? is_half(stored) : o->looks_half && !o->looks_full;
}

static double unit(const struct op_diffs *o)
{
    return o->half ? 0x1p-11 : 0x1p-24;
}

static double sum_length(const struct op_diff *op)
{
    const struct tensor *x = node_in(op->node, 0);
    const double made = (double)tensor_elems(op->test), read = x ? (double)tensor_elems(x) : 0;

    return made > 0 ? fmax((double)node_macs(op->node), read) / made : 0;
}

static double sum_rounding(const struct op_diffs *o, const struct op_diff *op)
{
    const struct delegate_precision p = precision_words(o);
    const double root = sqrt(sum_length(op));

    return is_half(p.sums) ? root * 0x1p-11 : fmax(root * 0x1p-24, is_half(p.arithmetic) ? 0x1p-11 : 0);
}

static double over_rounding(const struct op_diffs *o, const struct op_diff *op)
{
    const double sums = sum_rounding(o, op);
    const double terms = fmax(op->terms, op->alone.max_reference), error = diff_max_abs(&op->alone);
    const enum tensor_type type = op->test->type;

    if (isnan(error) || error == 0) /* NaN where nothing is finite: right where the reference has the same */
        return diff_relative_bound(&op->alone);
    if (type != TYPE_FLOAT32 && type != TYPE_FLOAT16 && type != TYPE_BFLOAT16)
        return OP_DIFF_ROUNDING * error / fmax(op->test->quant.n ? 1 : 0, op->terms * unit(o));
    return error / (terms * (unit(o) + sums) + (o->half ? 0x1p-14 / OP_DIFF_ROUNDING : 0));
}

void op_diffs_judge(struct op_diffs *o)
{
    o->half = stores_half(o);
    for (uint32_t i = 0; i < o->n; i++) {
        struct op_diff *op = &o->ops[i];

        if (!op->ran_alone)
            continue;
        op->rounding = over_rounding(o, op);
        op->off = op->rounding > OP_DIFF_ROUNDING;
    }
}

const struct op_diff *op_diffs_first_drift(const struct op_diffs *o, double tolerance)
{
    for (uint32_t i = 0; i < o->n; i++) {
        const struct diff *d = &o->ops[i].diff;

        if (o->ops[i].visible && (diff_exceeds(d, tolerance) ||
                                  (tolerance < 0 && diff_relative(d) > (o->half ? OP_DIFF_DRIFT_FLOAT16 : OP_DIFF_DRIFT_FLOAT32))))
            return &o->ops[i];
    }
    return NULL;
}

const struct op_diff *op_diffs_adds_most(const struct op_diffs *o)
{
    const struct op_diff *most = NULL;

    for (uint32_t i = 0; i < o->n; i++)
        if (o->ops[i].ranked && o->ops[i].adds > (most ? most->adds : 0))
            most = &o->ops[i];
    return most;
}

const struct op_diff *op_diffs_worst(const struct op_diffs *o)
{
    const struct op_diff *worst = NULL, *most = op_diffs_adds_most(o);

    for (uint32_t i = 0; i < o->n; i++) {
        const struct op_diff *op = &o->ops[i];

        if (op->off && (!worst || (op->ranked && op->adds > worst->adds)))
            worst = op;
    }
    return worst && worst->ranked && most && 10 * worst->adds < most->adds ? NULL : worst;
}
