/* SPDX-License-Identifier: Apache-2.0 */
/* fix.c - rounds of rewriting: first all rewrites that may help, then again without those whose nodes are refused too, until none
 * is. */
#include "lib/rewrite/fix.h"

#include <stdlib.h>

#include "lib/delegate/partition.h"
#include "lib/graph/graph_infer.h"
#include "lib/rewrite/fix_impl.h"
#include "lib/rules/rules.h"

/* More rounds than there are rules for one operator are only taken where rewrites get in each other's way. */
enum { MOST_ROUNDS = 40 };

/* One rewrite of a round. */
struct edit {
    uint32_t node, row; /* index in the file; in fix_rows */
    bool refused;
};

struct fixing {
    const struct model *m;
    const struct fix_judge *judge;
    bool moves_only;
    struct fix *out;
    struct graph *g;
    struct reason *before; /* [graph nodes] */
    uint64_t *banned;      /* [nodes of the file] bits of rows that did not help */
    struct reason *was;    /* [nodes of the file] */

    /* Of the round. */
    struct arena arena;
    struct draft draft;
    struct edit *edits;
    uint32_t n_edits;
    uint8_t *file;
    size_t bytes;
    struct model *model;
    struct graph *now;
    struct reason *after;
};

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the rewritten model");
}

/* ---- judges ---- */

static enum status ask_delegate(void *arg, const struct graph *g, struct reason *out, struct err *err)
{
    struct arena a = {0};
    struct claim *claims;
    enum status st = partition_ask(g, (struct delegate *const[]){arg, NULL}, NULL, &a, &claims, err);

    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        out[i] = claims[i].owner || g->nodes[i].folded ? (struct reason){0} : claims[i].why;
    arena_free(&a);
    return st;
}

struct fix_judge fix_by_delegate(struct delegate *d)
{
    return (struct fix_judge){ask_delegate, d};
}

static enum status judge(const struct fixing *f, const struct graph *g, struct arena *a, struct reason **out, struct err *err)
{
    if (!(*out = ARENA_ARRAY(a, g->n_nodes, struct reason)))
        return no_memory(err);
    return f->judge->ask(f->judge->arg, g, *out, err);
}

static uint32_t count_refused(const struct graph *g, const struct reason *r)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        n += r[i].code != REASON_NONE;
    return n;
}

/* ---- one round ---- */

static bool rewrite(struct fixing *f, const struct node *n)
{
    for (uint32_t r = 0; r < fix_n_rows; r++) {
        if ((fix_rows[r].builtin >= 0 && fix_rows[r].builtin != n->builtin) || f->banned[n->index] >> r & 1 ||
            (f->moves_only && fix_rows[r].kind == FIX_ARITHMETIC))
            continue;
        f->draft.edit = (int32_t)f->n_edits;
        if (fix_rows[r].rule(&f->draft, n)) {
            f->edits[f->n_edits++] = (struct edit){n->index, r, false};
            return true;
        }
    }
    return false;
}

static void make_draft(struct fixing *f)
{
    draft_init(&f->draft, f->g, &f->arena);
    for (uint32_t i = 0; i < f->g->n_nodes && !f->draft.st; i++) {
        const struct node *n = &f->g->nodes[i];

        f->draft.origin = n->index;
        if (f->before[i].code != REASON_NONE && rewrite(f, n))
            continue;
        f->draft.edit = DRAFT_AS_IT_WAS;
        draft_keep(&f->draft, n, 0);
    }
    draft_tidy(&f->draft);
}

static enum status make_round(struct fixing *f, struct err *err)
{
    struct model m;
    enum status st;

    f->n_edits = 0;
    if (!(f->edits = ARENA_ARRAY(&f->arena, f->g->n_nodes, struct edit)))
        return no_memory(err);
    make_draft(f);
    if (f->draft.st) /* for want of memory some nodes were not asked about */
        return no_memory(err);
    if (!f->n_edits)
        return ST_OK;
    if ((st = draft_model(&f->draft, &m, err)) || (st = model_serialize(&m, &f->file, &f->bytes, err)) ||
        (st = model_parse(f->file, f->bytes, "the rewritten model", &f->model, err)) ||
        (st = graph_new(f->model, f->g->subgraph, &f->now, err)) || (st = graph_infer(f->now, err)))
        return st;
    return judge(f, f->now, &f->arena, &f->after, err);
}

static void end_round(struct fixing *f)
{
    graph_free(f->now);
    model_close(f->model);
    free(f->file);
    arena_free(&f->arena);
    f->now = NULL;
    f->model = NULL;
    f->file = NULL;
}

static void mark(const struct model_op *op, uint8_t *tensors)
{
    for (uint32_t i = 0; i < op->n_inputs + op->n_outputs; i++) {
        const int32_t x = i < op->n_inputs ? op->inputs[i] : op->outputs[i - op->n_inputs];

        if (x >= 0)
            tensors[x] = 1;
    }
}

static bool has_marked(const struct model_op *op, const uint8_t *tensors)
{
    bool any = false;

    for (uint32_t i = 0; i < op->n_inputs + op->n_outputs && !any; i++) {
        const int32_t x = i < op->n_inputs ? op->inputs[i] : op->outputs[i - op->n_inputs];

        any = x >= 0 && tensors[x];
    }
    return any;
}

/* Finds out which edits did not help. Of a node that was taken and is no more, whatever was rewritten beside it is to blame. */
static enum status find_refused(struct fixing *f, struct err *err)
{
    uint8_t *blamed = ARENA_ARRAY(&f->arena, f->draft.n_tensors, uint8_t);

    if (!blamed)
        return no_memory(err);
    for (uint32_t i = 0; i < f->now->n_nodes; i++) {
        const struct draft_op *o = &f->draft.ops[f->now->nodes[i].index];

        if (f->after[i].code == REASON_NONE)
            continue;
        if (o->edit >= 0)
            f->edits[o->edit].refused = true;
        else if (f->was[o->origin].code == REASON_NONE)
            mark(&o->op, blamed);
    }
    for (uint32_t i = 0; i < f->draft.n_ops; i++)
        if (f->draft.ops[i].edit >= 0 && has_marked(&f->draft.ops[i].op, blamed))
            f->edits[f->draft.ops[i].edit].refused = true;
    return ST_OK;
}

/* Bans what did not help; whether there was any. */
static bool ban(struct fixing *f, bool for_good)
{
    bool any = false;

    for (uint32_t e = 0; e < f->n_edits; e++)
        if (f->edits[e].refused) {
            f->banned[f->edits[e].node] |= for_good ? UINT64_MAX : UINT64_C(1) << f->edits[e].row;
            any = true;
        }
    return any;
}

/* ---- the result ---- */

static const char *hint_for(const struct node *n, enum reason_code code)
{
    switch (code) {
    case REASON_DYNAMIC_SHAPE: return "give the input a shape, or compute the shape outside of the model";
    case REASON_UNSUPPORTED_OPERATOR_VERSION:
        return "convert with an older converter, or without the option that needs this version";
    case REASON_UNSUPPORTED_INPUT_TYPE:
    case REASON_UNSUPPORTED_OUTPUT_TYPE: return "convert this part with another type, or run it outside of the model";
    case REASON_UNSUPPORTED_OPERAND_RANK: return "leave out dimensions of 1 where the model is made";
    case REASON_UNSUPPORTED_QUANTIZATION: return "quantize with one scale for the tensor, or convert in float";
    default: break;
    }
    switch (n->builtin) {
    case BUILTIN_CUSTOM: return "build the model without this custom operator, or run it after the model";
    case BUILTIN_ARG_MAX:
    case BUILTIN_ARG_MIN:
    case BUILTIN_TOPK_V2: return "end the model before it and choose on the CPU";
    case BUILTIN_WHILE:
    case BUILTIN_IF: return "unroll it, or call the model once a step";
    case BUILTIN_VAR_HANDLE:
    case BUILTIN_READ_VARIABLE:
    case BUILTIN_ASSIGN_VARIABLE:
    case BUILTIN_CALL_ONCE: return "make the state an input and an output of the model";
    case BUILTIN_UNIDIRECTIONAL_SEQUENCE_LSTM:
    case BUILTIN_LSTM: return "unroll it into FULLY_CONNECTED and arithmetic where the model is made";
    default: return "no equivalent form is known that would be taken";
    }
}

static enum status tell_left(struct fixing *f, const struct graph *g, const struct reason *r, bool rewritten, struct err *err)
{
    struct fix *out = f->out;

    if (!(out->left = ARENA_ARRAY(&out->arena, g->n_nodes, struct fix_left)))
        return no_memory(err);
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        struct fix_left *l = &out->left[out->n_left];

        if (r[i].code == REASON_NONE)
            continue;
        *l = (struct fix_left){.node = rewritten ? f->draft.ops[n->index].origin : n->index,
                               .op = arena_strdup(&out->arena, n->name),
                               .why = r[i],
                               .hint = hint_for(n, r[i].code)};
        if (!l->op)
            return no_memory(err);
        out->n_left++;
    }
    return ST_OK;
}

static enum status tell_done(struct fixing *f, struct err *err)
{
    struct fix *out = f->out;

    if (!(out->done = ARENA_ARRAY(&out->arena, f->n_edits, struct fix_done)))
        return no_memory(err);
    for (uint32_t e = 0; e < f->n_edits; e++) {
        const struct fix_row *row = &fix_rows[f->edits[e].row];
        const uint32_t node = f->edits[e].node;
        const struct model_op *op = &f->m->subgraphs[f->g->subgraph].ops[node];

        out->done[e] = (struct fix_done){.node = node,
                                         .op = arena_strdup(&out->arena, model_op_name(f->m, op)),
                                         .what = row->what,
                                         .kind = row->kind,
                                         .was = f->was[node]};
        if (!out->done[e].op)
            return no_memory(err);
        out->arithmetic |= row->kind == FIX_ARITHMETIC;
    }
    out->n_done = f->n_edits;
    out->n_tensors = f->model->subgraphs[f->g->subgraph].n_tensors;
    if (!(out->old_tensor = ARENA_ARRAY(&out->arena, out->n_tensors, int32_t)))
        return no_memory(err);
    for (uint32_t i = 0; i < out->n_tensors; i++)
        out->old_tensor[i] = -1;
    for (uint32_t i = 0; i < f->m->subgraphs[f->g->subgraph].n_tensors; i++)
        if (f->draft.at[i] >= 0)
            out->old_tensor[f->draft.at[i]] = (int32_t)i;
    out->file = f->file;
    out->bytes = f->bytes;
    f->file = NULL; /* handed over; the round's model is still read from it */
    return ST_OK;
}

static enum status tell_pinned(struct fixing *f, struct err *err)
{
    struct fix *out = f->out;

    if (!(out->pinned = ARENA_ARRAY(&out->arena, f->g->n_inputs, const char *)))
        return no_memory(err);
    for (uint32_t i = 0; i < f->g->n_inputs; i++) {
        const struct tensor *t = f->g->inputs[i];
        bool open = false;
        char shape[64];

        for (uint32_t k = 0; k < t->n_signature; k++)
            open |= t->signature[k] < 0;
        if (!open)
            continue;
        shape_text(t->dim, t->rank, shape, sizeof shape);
        if (!(out->pinned[out->n_pinned++] = arena_printf(&out->arena, "%s %s", t->name, shape)))
            return no_memory(err);
    }
    return ST_OK;
}

static enum status tell(struct fixing *f, struct err *err)
{
    struct fix *out = f->out;
    const bool better = f->n_edits && count_refused(f->now, f->after) < out->refused_before;
    enum status st;

    out->nodes_after = better ? f->now->n_nodes : out->nodes_before;
    out->refused_after = better ? count_refused(f->now, f->after) : out->refused_before;
    if (!better)
        return tell_left(f, f->g, f->before, false, err);
    if ((st = tell_left(f, f->now, f->after, true, err)) || (st = tell_done(f, err)))
        return st;
    return tell_pinned(f, err);
}

/* ---- all of it ---- */

static enum status begin(struct fixing *f, uint32_t subgraph, struct err *err)
{
    const uint32_t n_ops = f->m->subgraphs[subgraph].n_ops;
    struct arena *a = &f->out->arena;
    enum status st;

    if ((st = graph_new(f->m, subgraph, &f->g, err)) || (st = graph_infer(f->g, err)) || (st = judge(f, f->g, a, &f->before, err)))
        return st;
    f->banned = ARENA_ARRAY(a, n_ops, uint64_t);
    f->was = ARENA_ARRAY(a, n_ops, struct reason);
    if (!f->banned || !f->was)
        return no_memory(err);
    for (uint32_t i = 0; i < f->g->n_nodes; i++)
        f->was[f->g->nodes[i].index] = f->before[i];
    f->out->nodes_before = f->g->n_nodes;
    f->out->refused_before = count_refused(f->g, f->before);
    return ST_OK;
}

enum status fix_model(const struct model *m, uint32_t subgraph, const struct fix_judge *judge, bool moves_only, struct fix *out,
                      struct err *err)
{
    struct fixing f = {.m = m, .judge = judge, .moves_only = moves_only, .out = out};
    enum status st;

    *out = (struct fix){0};
    st = begin(&f, subgraph, err);
    for (int round = 0; !st; round++) {
        end_round(&f);
        if ((st = make_round(&f, err)) || !f.n_edits || (st = find_refused(&f, err)) || !ban(&f, round >= MOST_ROUNDS))
            break;
    }
    if (!st)
        st = tell(&f, err);
    end_round(&f);
    graph_free(f.g);
    return st;
}

void fix_free(struct fix *f)
{
    free(f->file);
    arena_free(&f->arena);
    *f = (struct fix){0};
}

/* ---- a set of rules as the judge of rewrites ---- */

static enum status ask_rules(void *arg, const struct graph *g, struct reason *out, struct err *err)
{
    struct ruling *rulings = calloc(g->n_nodes ? g->n_nodes : 1, sizeof *rulings);
    enum status st = rulings ? rules_judge(arg, g, rulings, err)
                             : err_set(err, ST_NOMEM, "out of memory for the rulings on %u nodes", g->n_nodes);

    for (uint32_t i = 0; i < g->n_nodes && !st; i++)
        out[i] = rulings[i].answer == RULES_YES ? (struct reason){0} : rulings[i].why;
    free(rulings);
    return st;
}

struct fix_judge fix_by_rules(const struct rules *r)
{
    return (struct fix_judge){ask_rules, (void *)r};
}
