/* SPDX-License-Identifier: Apache-2.0 */
/* op_alone.c - a session whose partitions are single nodes, and runs of the reference with one node's error. */
#include "lib/compare/op_alone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/compare/half_terms.h"
#include "lib/compare/node_rerun.h"

/* The node of `g` that stands for the same operator as `n` does in another session of the model. */
static struct node *same_node(const struct graph *g, const struct node *n)
{
    uint32_t i = 0;

    while (g->nodes[i].index != n->index)
        i++;
    return &g->nodes[i];
}

/* False where a tensor is missing on either side, and for state: the reference has moved on by now. */
static bool copy_inputs(const struct graph *reference, struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++) {
        const struct tensor *from = n->in[i] ? &reference->tensors[n->in[i]->index] : NULL;

        if (from && from->type == TYPE_RESOURCE)
            return false;
        if (!from || from->is_const)
            continue;
        if (from->is_variable || !from->data || !n->in[i]->data || from->bytes != n->in[i]->bytes)
            return false;
        memcpy(n->in[i]->data, from->data, from->bytes);
    }
    return true;
}

/* Inputs of `n` that are made outside it, each once. */
static uint32_t collect_inputs(const struct node *n, struct tensor **out)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n->n_in; i++) {
        uint32_t k = 0;

        while (k < count && out[k] != n->in[i])
            k++;
        if (k == count && n->in[i] && !n->in[i]->is_const)
            out[count++] = n->in[i];
    }
    return count;
}

static enum status run_partition(const struct graph *g, struct partition *part, struct arena *a, struct err *err)
{
    struct reason *refused = ARENA_ARRAY(a, g->n_nodes, struct reason), *why = NULL;
    struct delegate *d = part->delegate;
    struct delegate_kernel *k = NULL;
    enum status st = refused ? d->ops->init(d, g, part, refused, &k, err)
                             : err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);

    if (!st && (why = &refused[part->nodes[0]->index])->code == REASON_NONE)
        st = d->ops->prepare(d, &k, 1, err);
    if (!st && why->code != REASON_NONE)
        st = err_set(err, ST_FAILED, "%s", why->text);
    if (!st)
        st = k->ops->invoke(k, err);
    if (k)
        k->ops->free(k);
    return st;
}

static enum status run_node(struct delegate *d, const struct graph *g, struct node *n, struct err *err)
{
    struct partition part = {.delegate = d, .nodes = &n, .outputs = n->out, .n_nodes = 1, .n_outputs = n->n_out};
    struct arena scratch = {0};
    enum status st;

    if (!(part.inputs = ARENA_ARRAY(&scratch, n->n_in, struct tensor *)))
        return err_set(err, ST_NOMEM, "out of memory for %u inputs", n->n_in);
    part.n_inputs = collect_inputs(n, part.inputs);
    st = run_partition(g, &part, &scratch, err);
    arena_free(&scratch);
    return node_err_if(n, st, err);
}

/* ---- what rounding explains ---- */

/* To 11 bits, of any exponent. */
static float rounded(float v)
{
    const float up = v * 8193.0f, high = up - (up - v); /* 2^13 + 1 */

    return isfinite(up) ? high : v;
}

static void round_operand(const struct tensor *t, uint32_t i, float *f, size_t n)
{
    (void)t, (void)i;
    for (size_t k = 0; k < n; k++)
        f[k] = rounded(f[k]);
}

/* What the reference kernel makes of operands rounded to 11 bits, against what the reference has. Nothing of what cannot run beside
 * its session. */
static enum status measure_rounding(const struct op_alone *a, struct op_diff *ops, uint32_t n_ops, const struct node *n,
                                    struct err *err)
{
    struct node_rerun b;
    enum status st;

    if (!node_rerun_possible(n))
        return ST_OK;
    st = node_rerun_init(&b, n, NULL, round_operand, err);
    st = st ? st : node_rerun_run(&b, a->threads, false, err);
    for (uint32_t i = 0; i < n_ops && !st; i++)
        for (uint32_t k = 0; k < n->n_out; k++) {
            struct diff d = {0};

            if (!n->out[k] || n->out[k]->index != ops[i].test->index)
                continue;
            diff_add(&d, ops[i].reference, &b.out[k], false);
            ops[i].terms = fmax(ops[i].terms, 0x1p11 * d.max_abs);
        }
    node_rerun_free(&b);
    return st;
}

/* After the node ran alone. */
static enum status measure_terms(const struct op_alone *a, struct op_diff *ops, uint32_t n_ops, const struct node *n,
                                 struct err *err)
{
    double sum, terms;
    enum status st;

    if (!half_terms_known(n))
        return measure_rounding(a, ops, n_ops, n, err);
    if ((st = half_terms(n, a->threads, &sum, &terms, err)))
        return st;
    ops->terms = isfinite(terms) ? fmax(ops->terms, terms) : ops->terms;
    return ST_OK;
}

/* ---- one at a time ---- */

/* session_options.after_node */
static void put_outputs(void *arg, const struct session *s, const struct node *n)
{
    const struct op_alone *a = arg;
    const char *from = a->content;

    if (!a->put || s != a->session || n->index != a->put->index)
        return;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i]) {
            memcpy(n->out[i]->data, from, n->out[i]->bytes);
            from += n->out[i]->bytes;
        }
}

enum status op_alone_open(struct op_alone *a, const struct session *reference, const struct session_options *opt, struct err *err)
{
    struct session_options mine = {.num_threads = 1,
                                   .mode = CPU_REFERENCE,
                                   .float_weights = session_float_weights(reference),
                                   .keep_intermediates = true,
                                   .subgraph = opt->subgraph,
                                   .go_on = opt->go_on,
                                   .go_on_arg = opt->go_on_arg,
                                   .after_node = put_outputs,
                                   .after_node_arg = a};
    const struct graph *g = session_graph(reference);
    enum status st;

    if ((st = threads_new(1, &a->threads, err)) || (st = session_new(g->model, &mine, &a->session, err)))
        return st;
    for (uint32_t i = 0; i < g->n_inputs && !st; i++)
        if (g->inputs[i] && !tensor_same_shape(g->inputs[i], session_input(a->session, i)))
            st = session_resize_input(a->session, i, g->inputs[i]->dim, g->inputs[i]->rank, err);
    return st ? st : session_prepare(a->session, err);
}

void op_alone_free(struct op_alone *a)
{
    session_free(a->session);
    threads_free(a->threads);
    free(a->content);
    *a = (struct op_alone){0};
}

/* Outputs of one node: ops[0] and how many behind it. */
static uint32_t outputs_of(const struct op_diffs *o, uint32_t first)
{
    uint32_t n = 1;

    while (first + n < o->n && o->ops[first + n].node == o->ops[first].node)
        n++;
    return n;
}

/* Runs the node of ops[0] on what the reference has in its inputs now; *ran tells whether that can be done. */
static enum status run_one(struct op_alone *a, const struct op_diffs *o, const struct op_diff *op, bool *ran, struct err *err)
{
    const struct partitioning *taken = session_partitioning(o->test);
    const struct graph *g = session_graph(a->session);
    struct node *n = same_node(g, op->node);

    *ran = op->partition >= 0 && copy_inputs(session_graph(o->reference), n);
    return *ran ? run_node(taken->parts[op->partition].delegate, g, n, err) : ST_OK;
}

static enum status add_outputs(struct op_alone *a, struct op_diffs *o, struct op_diff *ops, uint32_t n, struct err *err)
{
    const struct graph *g = session_graph(a->session);
    bool measure = false;

    for (uint32_t i = 0; i < n; i++) {
        struct op_diff *op = &ops[i];
        const struct diff before = op->alone;

        op->ran_alone = true;
        diff_add(&op->alone, op->reference, &g->tensors[op->test->index], false);
        op_diffs_look(o, op->reference, &g->tensors[op->test->index]);
        /* What is no worse than a run whose terms are known needs no terms of its own. */
        measure |= op->alone.max_abs > before.max_abs;
        if (op->alone.unequal > before.unequal || (!before.unequal && op->alone.max_abs > before.max_abs))
            op->worst_run = (uint32_t)before.comparisons;
    }
    return measure ? measure_terms(a, ops, n, same_node(g, ops->node), err) : ST_OK;
}

enum status op_alone_run(struct op_alone *a, struct op_diffs *o, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0, n; i < o->n && !st && !(a->stop && a->stop()); i += n) {
        bool ran;

        n = outputs_of(o, i);
        if (!(st = run_one(a, o, &o->ops[i], &ran, err)) && ran)
            st = add_outputs(a, o, &o->ops[i], n, err);
    }
    return st;
}

/* ---- what an error does to the outputs ---- */

/* Keeps what the node's outputs hold. */
static enum status take_outputs(struct op_alone *a, const struct node *n, struct err *err)
{
    size_t bytes = 1;
    char *to;

    for (uint32_t i = 0; i < n->n_out; i++)
        bytes += n->out[i] ? n->out[i]->bytes : 0;
    free(a->content);
    if (!(to = a->content = malloc(bytes)))
        return err_set(err, ST_NOMEM, "out of memory for %zu bytes", bytes);
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i]) {
            memcpy(to, n->out[i]->data, n->out[i]->bytes);
            to += n->out[i]->bytes;
        }
    return ST_OK;
}

static double outputs_error(const struct session *reference, const struct session *s, bool half)
{
    const double floor = tolerance_floor(half ? PRECISION_FP16 : PRECISION_FP32);
    double worst = 0;

    for (uint32_t i = 0; i < session_n_outputs(s); i++) {
        struct diff d = {0};

        diff_add(&d, session_output(reference, i), session_output(s, i), false);
        worst = fmax(worst, diff_relative_above(&d, floor));
    }
    return worst;
}

/* The reference is where it was after the node's worst run. */
static enum status find_added(struct op_alone *a, const struct op_diffs *o, struct op_diff *op, struct err *err)
{
    struct node *n = same_node(session_graph(a->session), op->node);
    enum status st;
    bool ran;

    if ((st = run_one(a, o, op, &ran, err)) || !ran || (st = take_outputs(a, n, err)))
        return st;
    for (uint32_t i = 0; i < session_n_inputs(a->session) && !st; i++) {
        const struct tensor *t = session_input(o->reference, i);

        st = session_set_input(a->session, i, t->data, t->bytes, err);
    }
    session_reset_variables(a->session);
    a->put = n;
    st = st ? st : session_run(a->session, err);
    a->put = NULL;
    if (st)
        return st;
    op->ranked = true;
    op->adds = outputs_error(o->reference, a->session, o->half);
    return ST_OK;
}

/* How much a node asks to be looked at: those that are off before all others. */
static double urgency(const struct op_diff *op)
{
    const double size = op->alone.reference_sq > 0 ? sqrt(op->alone.error_sq / op->alone.reference_sq) : 0;

    if (!op->ran_alone || op->rounding == 0)
        return 0;
    return op->off ? 1e30 + 1e26 * fmin(op->rounding, 1e9) : size;
}

/* Of those that were not yet looked at; NULL: none is left. */
static struct op_diff *most_urgent(struct op_diffs *o)
{
    struct op_diff *found = NULL;

    for (uint32_t i = 0; i < o->n; i++)
        if (!o->ops[i].tried && urgency(&o->ops[i]) > (found ? urgency(found) : 0))
            found = &o->ops[i];
    return found;
}

enum status op_alone_rank(struct op_alone *a, struct op_diffs *o, enum status (*play)(void *arg, uint32_t run, struct err *err),
                          void *arg, struct err *err)
{
    uint32_t played = UINT32_MAX, n = 0, n_off = 0, n_other = 0;
    struct op_diff *op;
    enum status st = ST_OK;

    while (n++ < OP_ALONE_RANKED && !st && !(a->stop && a->stop()) && (op = most_urgent(o))) {
        op->tried = true;
        n_off += op->off;
        n_other += !op->off;
        if (n_off && n_other > OP_ALONE_OTHERS)
            break;
        if (op->worst_run != played)
            st = play(arg, op->worst_run, err);
        played = op->worst_run;
        st = st ? st : find_added(a, o, op, err);
    }
    return st;
}
