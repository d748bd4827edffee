/* SPDX-License-Identifier: Apache-2.0 */
/* half.c - powers of two before operators whose results pass the largest half, carried until the values fit again.
 *
 * Nodes are drafted in order. Where a scaled value meets a reader that cannot carry the scale, the node that began it is given up,
 * and the draft begins again without it. */
#include "lib/rewrite/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/graph/graph_infer.h"
#include "lib/rewrite/fix_impl.h"

/* Scaled values stay below this, as rounding may make them larger. */
#define ROOM 32768.0

/* How a result's exponent follows from those of its operands. */
enum law { LAW_PRODUCT, LAW_QUOTIENT, LAW_ALIGNED, LAW_FIRST };

static const struct carrier {
    int32_t builtin;
    enum law law;
    int32_t times, over; /* the exponent of the result is that of the law * times / over */
    const char *what;    /* the rewrite that begins here; NULL: none does */
} carriers[] = {
    {BUILTIN_SQUARE, LAW_FIRST, 2, 1, "scale before a square"},
    {BUILTIN_SQUARED_DIFFERENCE, LAW_ALIGNED, 2, 1, "scale before a square"},
    {BUILTIN_MUL, LAW_PRODUCT, 1, 1, "scale before a product"},
    {BUILTIN_DIV, LAW_QUOTIENT, 1, 1, NULL},
    {BUILTIN_ADD, LAW_ALIGNED, 1, 1, "scale before an addition"},
    {BUILTIN_SUB, LAW_ALIGNED, 1, 1, "scale before an addition"},
    {BUILTIN_MEAN, LAW_FIRST, 1, 1, "scale before a sum"},
    {BUILTIN_SUM, LAW_FIRST, 1, 1, "scale before a sum"},
    {BUILTIN_RESHAPE, LAW_FIRST, 1, 1, NULL},
    {BUILTIN_TRANSPOSE, LAW_FIRST, 1, 1, NULL},
    {BUILTIN_RELU, LAW_FIRST, 1, 1, NULL},
    {BUILTIN_ABS, LAW_FIRST, 1, 1, NULL},
    {BUILTIN_NEG, LAW_FIRST, 1, 1, NULL},
    {BUILTIN_SQRT, LAW_FIRST, 1, 2, NULL},
    {BUILTIN_RSQRT, LAW_FIRST, -1, 2, NULL},
};

/* A tensor of the graph in the draft. */
struct held {
    int32_t tensor, exponent; /* the draft's tensor has the values times 2^exponent */
    uint32_t seed;            /* position of the node that began it; if exponent is not 0 */
};

struct scaling {
    struct graph *g;
    const struct half_seen *seen;
    struct half_rewrites *out;
    struct arena arena; /* of the draft */
    struct draft draft;
    struct held *held; /* [graph tensors] */
    const char **why;  /* [graph nodes] why no rewrite begins here; NULL: none was given up */
    bool again;        /* a rewrite was given up in this draft */
};

static const struct carrier *find_carrier(const struct node *n)
{
    for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++)
        if (carriers[i].builtin == n->builtin)
            return &carriers[i];
    return NULL;
}

static bool is_computed(const struct tensor *t)
{
    return t && t->type == TYPE_FLOAT32 && !t->is_const;
}

static double largest(const struct scaling *s, const struct tensor *t)
{
    return s->seen->largest[t->index];
}

/* Sum of terms of an element; 0 where float32 itself does not hold it. */
static double terms_of(const struct scaling *s, const struct tensor *t)
{
    const double terms = s->seen->terms[t->index];

    return isfinite(terms) ? terms : 0;
}

/* The largest result of a node where a rewrite may begin, or sum of terms of it or of a reader of its result. */
static double peak(const struct scaling *s, const struct node *n, bool *of_terms)
{
    const struct carrier *c = find_carrier(n);
    const struct tensor *y = n->out[0];
    double terms = terms_of(s, y);
    const double result = largest(s, y);

    for (uint32_t i = 0; c && c->what && result > HALF_LIMIT && i < s->g->n_nodes; i++)
        if (node_reads(&s->g->nodes[i], y) && s->g->nodes[i].n_out == 1 && s->g->nodes[i].out[0])
            terms = fmax(terms, terms_of(s, s->g->nodes[i].out[0]));
    *of_terms = terms > result;
    return fmax(result, terms);
}

static bool passes_limit(const struct scaling *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (is_computed(n->out[i]) && fmax(largest(s, n->out[i]), terms_of(s, n->out[i])) > HALF_LIMIT)
            return true;
    return false;
}

/* The operand whose scale the node would carry, or NULL. */
static const struct held *scaled_operand(const struct scaling *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && s->held[n->in[i]->index].exponent)
            return &s->held[n->in[i]->index];
    return NULL;
}

/* An operand that half precision has lost already, or NULL. */
static const struct tensor *lost_operand(const struct scaling *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (is_computed(n->in[i]) && !s->held[n->in[i]->index].exponent && largest(s, n->in[i]) > HALF_LIMIT)
            return n->in[i];
    return NULL;
}

/* ---- one node ---- */

static bool has_linear_activation(const struct node *n)
{
    const enum activation *a = n->opt; /* the first member of the options of ADD, SUB, MUL and DIV */

    return !a ||
           (n->builtin != BUILTIN_ADD && n->builtin != BUILTIN_SUB && n->builtin != BUILTIN_MUL && n->builtin != BUILTIN_DIV) ||
           *a == ACT_NONE || *a == ACT_RELU;
}

static bool is_carried(const struct node *n, const struct carrier *c)
{
    const uint32_t floats = c && c->law != LAW_FIRST ? 2 : 1;

    if (!c || n->n_out != 1 || !is_computed(n->out[0]) || n->n_in < floats || n->out[0]->is_dynamic || !has_linear_activation(n))
        return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (!n->in[i] || (i < floats && n->in[i]->type != TYPE_FLOAT32) || (i >= floats && !n->in[i]->is_const) ||
            (i < floats && (!n->in[i]->rank || n->in[i]->is_dynamic)))
            return false;
    return n->out[0]->rank > 0;
}

/* The draft's tensor of an operand, times 2^by: a constant is scaled here. */
static int32_t scaled(struct scaling *s, const struct tensor *t, int32_t by)
{
    const int32_t x = s->held[t->index].tensor;
    const size_t elems = tensor_elems(t);
    float *v;

    if (!by)
        return x;
    if (!t->is_const)
        return draft_binary(&s->draft, BUILTIN_MUL, x, draft_float(&s->draft, ldexpf(1, by)), -1);
    if (!(v = arena_alloc(s->draft.a, elems, sizeof *v))) {
        s->draft.st = ST_NOMEM;
        return x;
    }
    for (size_t i = 0; i < elems; i++)
        v[i] = ldexpf(((const float *)t->data)[i], by);
    return draft_const(&s->draft, t, t->dim, t->rank, v);
}

/* Scales of both operands and of the result. */
struct plan {
    int32_t by[2], exponent, drop;
};

/* The exponents without a new scale, made to fit: operands of a sum to the lower one, of a root to an even one. */
static void align(const struct scaling *s, const struct node *n, const struct carrier *c, struct plan *p)
{
    const int32_t a = s->held[n->in[0]->index].exponent, b = c->law == LAW_FIRST ? 0 : s->held[n->in[1]->index].exponent;

    switch (c->law) {
    case LAW_PRODUCT: p->exponent = a + b; break;
    case LAW_QUOTIENT: p->exponent = a - b; break;
    case LAW_ALIGNED:
        p->exponent = a < b ? a : b;
        p->by[0] = p->exponent - a;
        p->by[1] = p->exponent - b;
        break;
    case LAW_FIRST:
        p->by[0] = c->over == 2 && a % 2 ? -1 : 0;
        p->exponent = a + p->by[0];
        break;
    }
    p->exponent = p->exponent * c->times / c->over;
}

/* Lowers the operands until the peak of the result fits; by an even number, as roots follow. */
static void lower(const struct node *n, const struct carrier *c, double most, struct plan *p)
{
    while (ldexp(most, p->exponent - p->drop) > ROOM)
        p->drop += 2;
    p->exponent -= p->drop;
    if (c->law == LAW_PRODUCT && (n->in[0]->is_const || n->in[1]->is_const))
        p->by[n->in[0]->is_const ? 1 : 0] -= p->drop;
    else if (c->law == LAW_PRODUCT || c->times == 2) {
        p->by[0] -= p->drop / 2;
        p->by[1] -= p->drop / 2;
    } else {
        p->by[0] -= p->drop;
        p->by[1] -= p->drop;
    }
}

static void emit(struct scaling *s, const struct node *n, const struct carrier *c, const struct plan *p, uint32_t seed)
{
    const struct tensor *y = n->out[0];
    const bool stays = largest(s, y) > HALF_LIMIT;
    int32_t in[DRAFT_MOST_OPERANDS], to = (int32_t)y->index;

    for (uint32_t i = 0; i < n->n_in && i < DRAFT_MOST_OPERANDS; i++)
        if (i == 1 && c->law != LAW_FIRST && n->in[0] == n->in[1] && p->by[0] == p->by[1])
            in[1] = in[0];
        else
            in[i] = i < (c->law == LAW_FIRST ? 1u : 2u) ? scaled(s, n->in[i], p->by[i]) : (int32_t)n->in[i]->index;
    if (p->exponent)
        to = draft_tensor(&s->draft, y, y->dim, y->rank);
    draft_op(&s->draft, n->builtin, n->opt, in, n->n_in, &to, 1);
    if (p->exponent && !stays)
        draft_binary(&s->draft, BUILTIN_MUL, to, draft_float(&s->draft, ldexpf(1, -p->exponent)), (int32_t)y->index);
    else if (p->exponent)
        s->held[y->index] = (struct held){to, p->exponent, seed};
}

static void tell_done(struct scaling *s, const struct node *n, const struct carrier *c, const struct plan *p)
{
    struct half_done *d = &s->out->done[s->out->n_done++];
    const int32_t by = p->by[0] < p->by[1] ? p->by[0] : p->by[1];

    *d = (struct half_done){.node = n->index,
                            .op = arena_strdup(&s->out->arena, n->name),
                            .what = c->what,
                            .scale = by,
                            .scaled = 1,
                            .bound = ldexp(1, -25 - by)};
    d->value = peak(s, n, &d->of_terms);
    if (c->law == LAW_PRODUCT && n->in[0] == n->in[1])
        d->what = "scale before a square";
    if (!d->op)
        s->draft.st = ST_NOMEM;
}

/* Counts one more node in which the scale that began at `seed` is carried. */
static void count_scaled(struct scaling *s, uint32_t seed)
{
    for (uint32_t i = 0; i < s->out->n_done; i++)
        s->out->done[i].scaled += s->out->done[i].node == s->g->nodes[seed].index;
}

static void tell_kept(struct scaling *s, const struct node *n, const struct tensor *lost, const char *why)
{
    struct half_kept *k = &s->out->kept[s->out->n_kept++];
    bool of_terms;

    *k = (struct half_kept){n->index, s->draft.n_ops, arena_strdup(&s->out->arena, n->name), 0, why};
    k->value = lost ? largest(s, lost) : n->n_out && n->out[0] ? peak(s, n, &of_terms) : 0;
    if (!k->op || !k->why)
        s->draft.st = ST_NOMEM;
}

/* Gives up the rewrite that began at node `seed`. */
static void give_up(struct scaling *s, uint32_t seed, const char *why)
{
    s->why[seed] = why;
    s->again = true;
    if (!why)
        s->draft.st = ST_NOMEM;
}

static void keep(struct scaling *s, uint32_t i, const struct tensor *lost)
{
    const struct node *n = &s->g->nodes[i];

    if (lost)
        tell_kept(s, n, lost, arena_printf(&s->out->arena, "it reads '%s', which passes the limit", lost->name));
    else if (passes_limit(s, n))
        tell_kept(s, n, NULL, s->why[i] ? s->why[i] : "no rewrite is known for this operator");
    draft_keep(&s->draft, n, 0);
}

static void carry(struct scaling *s, uint32_t i, const struct carrier *c, const struct held *from)
{
    const struct node *n = &s->g->nodes[i];
    const uint32_t seed = from ? from->seed : i;
    struct plan p = {0};
    bool of_terms;

    align(s, n, c, &p);
    lower(n, c, peak(s, n, &of_terms), &p);
    if (largest(s, n->out[0]) > HALF_LIMIT && tensor_is_among(n->out[0], s->g->outputs, s->g->n_outputs)) {
        give_up(s, seed, arena_printf(&s->out->arena, "'%s', an output of the model, passes the limit", n->out[0]->name));
        return;
    }
    if (p.drop && !c->what) {
        give_up(s, seed, arena_printf(&s->out->arena, "node %u %s makes values beyond the limit of it", n->index, n->name));
        return;
    }
    count_scaled(s, seed);
    if (p.drop)
        tell_done(s, n, c, &p);
    s->draft.edit = 0;
    emit(s, n, c, &p, seed);
}

static void draft_node(struct scaling *s, uint32_t i)
{
    const struct node *n = &s->g->nodes[i];
    const struct carrier *c = find_carrier(n);
    const struct held *from = scaled_operand(s, n);
    const struct tensor *lost = lost_operand(s, n);

    s->draft.origin = n->index;
    s->draft.edit = DRAFT_AS_IT_WAS;
    if (!from && (lost || !passes_limit(s, n) || s->why[i] || !is_carried(n, c) || !c->what))
        keep(s, i, lost);
    else if (lost || !is_carried(n, c))
        give_up(s, from->seed,
                arena_printf(&s->out->arena, "node %u %s, which reads its result, cannot be scaled", n->index, n->name));
    else
        carry(s, i, c, from);
}

/* ---- the whole ---- */

static void make_draft(struct scaling *s)
{
    s->out->n_done = s->out->n_kept = 0;
    s->again = false;
    draft_init(&s->draft, s->g, &s->arena);
    for (uint32_t i = 0; i < s->g->n_tensors; i++)
        s->held[i] = (struct held){.tensor = (int32_t)i};
    for (uint32_t i = 0; i < s->g->n_nodes && !s->draft.st && !s->again; i++)
        draft_node(s, i);
}

static enum status begin(struct scaling *s, const struct model *m, uint32_t subgraph, struct err *err)
{
    struct arena *a = &s->out->arena;
    enum status st;

    if ((st = graph_new(m, subgraph, &s->g, err)) || (st = graph_infer(s->g, err)))
        return st;
    s->held = ARENA_ARRAY(a, s->g->n_tensors, struct held);
    s->why = ARENA_ARRAY(a, s->g->n_nodes, const char *);
    s->out->done = ARENA_ARRAY(a, s->g->n_nodes, struct half_done);
    s->out->kept = ARENA_ARRAY(a, s->g->n_nodes, struct half_kept);
    s->out->nodes_before = s->g->n_nodes;
    return s->held && s->why && s->out->done && s->out->kept ? ST_OK
                                                             : err_set(err, ST_NOMEM, "out of memory for %u nodes", s->g->n_nodes);
}

enum status half_rewrite(const struct model *m, uint32_t subgraph, const struct half_seen *seen, struct half_rewrites *out,
                         struct err *err)
{
    struct scaling s = {.seen = seen, .out = out};
    struct model made;
    enum status st;

    *out = (struct half_rewrites){0};
    st = begin(&s, m, subgraph, err);
    do { /* each round but the last gives up one more node */
        arena_free(&s.arena);
        if (!st)
            make_draft(&s);
        if (!st && s.draft.st)
            st = err_set(err, ST_NOMEM, "out of memory for the rewritten model");
    } while (!st && s.again);
    if (!st && !out->n_done)
        st = model_serialize(m, &out->file, &out->bytes, err);
    else if (!st && !(st = draft_model(&s.draft, &made, err)))
        st = model_serialize(&made, &out->file, &out->bytes, err);
    out->nodes_after = out->n_done ? s.draft.n_ops : out->nodes_before;
    arena_free(&s.arena);
    graph_free(s.g);
    return st;
}

void half_rewrites_free(struct half_rewrites *h)
{
    free(h->file);
    arena_free(&h->arena);
    *h = (struct half_rewrites){0};
}
