/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_walk.c - runs each GPU operator at rank 1 to 6 with one axis longer than 65,535, each axis in turn.
 *
 * Of each operator and rank the first case of that rank is used, else one of lower rank with axes added in front. In its first
 * input of the highest rank one axis is made 65,539 long, and so are the axes that must match it. Content is seeded. So no kernel,
 * grid, loop or index may be limited to 16 bits, or by a driver's limit of loops. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/fuzz/fuzz_compare.h"
#include "bench/fuzz/fuzz_kinds.h"
#include "bench/opcheck/case_model.h"
#include "bench/opcheck/op_cases.h"
#include "lib/delegate/partition.h"
#include "lib/gl/gpu/gpu.h"
#include "lib/graph/graph_infer.h"

#define WALK_RANKS 6

struct walk {
    /* A place is an operator, a rank and one of its axes. Run one place in `every`. */
    uint64_t every;
    const struct fuzz_flags *flags;

    /* Results. none: there is no such shape, or it is too large to run; unheld: ran, but the CPU refuses the content or rounds
     * otherwise. */
    uint64_t places, none, refused, compared, unheld, failed;
    char why[600];              /* reason why the last place was not run */
    uint64_t ranks[WALK_RANKS]; /* operators compared with the CPU at each rank */
};

#define LENGTH     65539       /* no multiple of 4, of a tile or of a workgroup */
#define MOST_BYTES (48u << 20) /* of any tensor */
#define MOST_CASES 20          /* that are looked at for a place */

/* How much of a model is as long as the axis, tried in turn. */
enum along { ALONG_AXIS, ALONG_EXTENT, ALONG_ALONE, ALONGS };

enum outcome { WALK_NONE, WALK_REFUSED, WALK_UNHELD, WALK_SAME, WALK_DIFFERS };

struct place {
    const struct op *op;
    const char *kernel;
    int32_t rank, axis;
};

static bool is_usable(const struct op_case *c)
{
    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        for (int32_t axis = 0; axis < c->in[i].rank; axis++)
            if (!c->in[i].dim[axis])
                return false;
    return !c->fails && !c->build && !c->large;
}

static bool is_long(const struct case_tensor *t)
{
    return t->type != TYPE_NONE && t->type != TYPE_STRING && !t->constant && !t->variable;
}

/* Products of so many numbers leave the range of floats, and which of them on the way there depends on their order. */
static bool is_ordered(const struct op *op)
{
    return !strcmp(op->name, "REDUCE_PROD");
}

/* Their sums do not show in outputs that lie between -1 and 1, but the errors of sums of so many terms do: as if these were added
 * up to what they are on average, the square root of their number. */
static bool is_squashed(const struct op *op)
{
    return strstr(op->name, "RNN") || strstr(op->name, "LSTM");
}

/* The first run-time input of the highest rank; CASE_INPUTS: there is none. */
static uint32_t longest(const struct op_case *c)
{
    uint32_t best = CASE_INPUTS;

    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (is_long(&c->in[i]) && (best == CASE_INPUTS || c->in[i].rank > c->in[best].rank))
            best = i;
    return best;
}

/* The shapes that the mutant's tensors have are possible, and none is too large. */
static enum outcome look(const struct mutant *m, const struct case_model *cm, struct delegate *d, char *why, size_t size)
{
    struct graph *g = NULL;
    struct arena a = {0};
    struct partitioning parts;
    struct err err = {""};
    enum status st = graph_new(cm->model, 0, &g, &err);
    enum outcome out = WALK_NONE;

    st = st ? st : mutant_resize(m, cm, g, &err);
    st = st ? st : graph_infer(g, &err);
    for (uint32_t i = 0; i < (st ? 0 : g->n_tensors); i++)
        if (g->tensors[i].bytes > MOST_BYTES)
            st = err_set(&err, ST_UNSUPPORTED, "%s is too large", TENSOR_TEXT(&g->tensors[i]));
    if (!st && !(st = partition_graph(g, (struct delegate *const[]){d, NULL}, &(struct partition_options){0}, &a, &parts, &err)))
        out = parts.n_delegated ? WALK_SAME : WALK_REFUSED;
    snprintf(why, size, "%s", err.msg);
    for (uint32_t i = 0; out == WALK_REFUSED && i < g->n_nodes; i++)
        if (parts.reasons[i].code != REASON_NONE)
            snprintf(why, size, "%s", parts.reasons[i].text);
    arena_free(&a);
    graph_free(g);
    return out;
}

static enum status go(struct walk *w, const struct place *p, const struct mutant *m, struct delegate *d, enum outcome *out,
                      struct err *err)
{
    uint64_t seed = 1;
    struct case_model cm = {0};
    char why[600] = "";

    *out = WALK_NONE;
    if (!mutant_model(m, &seed, &cm, err))
        *out = look(m, &cm, d, why, sizeof why);
    else if (err->msg[0])
        snprintf(why, sizeof why, "%s", err->msg);
    if (*out != WALK_SAME && (!w->why[0] || *out == WALK_REFUSED))
        snprintf(w->why, sizeof w->why, "%s", why);
    if (*out == WALK_SAME && !w->flags->ranks) {
        switch (fuzz_compare(m, &cm, d, PRECISION_FP32, err)) {
        case FUZZ_NOT_RUN: *out = WALK_NONE; break;
        case FUZZ_RAN: *out = WALK_UNHELD; break;
        case FUZZ_EQUAL: break;
        case FUZZ_DIFFERS:
            if (is_ordered(p->op)) {
                *out = WALK_UNHELD;
                break;
            }
            *out = WALK_DIFFERS;
            printf("FAIL %s \"%s\", rank %d, axis %d: %s\n", p->op->name, m->c.name, p->rank, p->axis, err->msg);
        }
    } else if (*out != WALK_SAME && w->flags->verbose) {
        printf("  %s \"%s\", rank %d, axis %d: %s: %s\n", p->op->name, m->c.name, p->rank, p->axis,
               *out == WALK_REFUSED ? "refused" : "no such shape", why);
    }
    case_model_fini(&cm);
    return ST_OK;
}

/* Makes the axis long, in the case with as many axes as the place wants, one way after the other until there is such a shape. */
static enum status try_case(struct walk *w, const struct place *p, const struct case_ref *ref, struct delegate *d,
                            enum outcome *out, struct err *err)
{
    const uint32_t in = longest(ref->c);
    enum status st = ST_OK;

    *out = WALK_NONE;
    for (int along = 0; along < ALONGS && *out == WALK_NONE && !st; along++) {
        struct arena a = {0};
        struct mutant *m = ARENA_NEW(&a, struct mutant);

        if (!m)
            return err_set(err, ST_NOMEM, "out of memory");
        /* Axes are added to what has the most of them, which may be another tensor. */
        if (mutant_as_is(m, ref, p->rank - ref->c->in[in].rank, &a) && m->rank[in] == p->rank) {
            if (along == ALONG_EXTENT && !mutant_make_extent(m, m->dim[in][p->axis], LENGTH)) {
                arena_free(&a);
                continue;
            }
            for (uint32_t i = 0; i < CASE_INPUTS && along == ALONG_AXIS; i++)
                if (is_long(&m->c.in[i]) && m->rank[i] == p->rank && m->dim[i][p->axis] == m->dim[in][p->axis] && i != in)
                    m->dim[i][p->axis] = LENGTH;
            m->dim[in][p->axis] = LENGTH;
            if (is_squashed(p->op))
                m->c.typical = fmax(m->c.typical, sqrt(LENGTH));
            st = go(w, p, m, d, out, err);
        }
        arena_free(&a);
    }
    return st;
}

/* Cases of that rank first, then those to which axes are added. */
static enum status visit(struct walk *w, const struct place *p, const struct op_case *cases, struct delegate *d, enum outcome *out,
                         struct err *err)
{
    enum status st = ST_OK;
    int tried = 0;

    *out = WALK_NONE;
    w->why[0] = 0;
    for (int32_t missing = 0; missing < p->rank; missing++)
        for (uint32_t n = 0; cases[n].name && *out <= WALK_REFUSED && tried < MOST_CASES && !st; n++) {
            const struct case_ref ref = {.op = p->op, .kernel = p->kernel, .c = &cases[n], .n = n};
            const uint32_t in = longest(&cases[n]);

            if (!is_usable(&cases[n]) || in == CASE_INPUTS || cases[n].in[in].rank != p->rank - missing)
                continue;
            tried++;
            st = try_case(w, p, &ref, d, out, err);
        }
    return st;
}

static void count(struct walk *w, enum outcome out)
{
    w->none += out == WALK_NONE;
    w->refused += out == WALK_REFUSED;
    w->unheld += out == WALK_UNHELD;
    w->compared += out == WALK_SAME || out == WALK_DIFFERS;
    w->failed += out == WALK_DIFFERS;
}

static void print_axes(const struct place *p, uint32_t taken, const char *why)
{
    const char *at = strncmp(why, "node ", 5) ? NULL : strstr(why, "): "); /* behind the node's shapes */

    why = at ? at + 3 : why;
    printf("%s %d:", p->op->name, p->rank);
    for (int32_t axis = 0; axis < p->rank; axis++)
        if (taken >> axis & 1)
            printf(" %d", axis);
    if (taken + 1 != 1u << p->rank)
        printf(" (%s)", *why ? why : "no case can have this rank");
    puts("");
}

static enum status walk_operator(struct walk *w, size_t row, struct delegate *d, struct err *err)
{
    struct place p = {.op = &op_table[row], .kernel = op_cases[row].kernel};
    enum status st = ST_OK;

    for (p.rank = 1; p.rank <= WALK_RANKS; p.rank++) {
        bool held = false;
        uint32_t taken = 0;
        char why[sizeof w->why] = "";

        for (p.axis = 0; p.axis < p.rank && !st; p.axis++) {
            enum outcome out;

            if (w->places++ % w->every)
                continue;
            st = visit(w, &p, op_cases[row].cases, d, &out, err);
            count(w, out);
            held |= out == WALK_SAME;
            taken |= (uint32_t)(out == WALK_SAME) << p.axis;
            if (out != WALK_SAME && !*why)
                snprintf(why, sizeof why, "%s", w->why);
        }
        if (w->flags->ranks)
            print_axes(&p, taken, why);
        w->ranks[p.rank - 1] += held;
        if (w->flags->verbose)
            printf("%s rank %d: %s\n", p.op->name, p.rank, held ? "held" : "not held");
    }
    return st;
}

/* Run the places and print the differences. Fails with ST_NO_GPU without a device, or with ST_NOMEM. */
static enum status walk_run(struct walk *w, struct err *err)
{
    const struct gpu_options o = {.device = -1};
    struct delegate *d = NULL;
    enum status st = w->flags->ranks ? delegate_gpu.open_static(&o, &d, err) : delegate_gpu.open(&o, &d, err);

    for (size_t row = 0; row < op_table_n && !st; row++)
        if (op_table[row].gl && (!w->flags->shares || row % w->flags->shares == w->flags->share - 1) &&
            (!w->flags->op || !strcmp(op_table[row].name, w->flags->op)))
            st = walk_operator(w, row, d, err);
    delegate_close(d);
    return st;
}

int fuzz_walk(const struct fuzz_flags *f)
{
    struct walk w = {.every = f->ranks ? 1 : f->walk, .flags = f};
    struct err err = {""};
    enum status st = walk_run(&w, &err);

    if (st)
        return fuzz_stopped(st, &err, 1);
    if (f->ranks)
        return 0;
    printf(
        "%llu places, of which every %llu%s: %llu held against the CPU, %llu run alone, %llu refused, %llu without such a shape\n",
        fuzz_number(w.places), fuzz_number(w.every), w.every == 1 ? "st" : "th", fuzz_number(w.compared), fuzz_number(w.unheld),
        fuzz_number(w.refused), fuzz_number(w.none));
    printf("operators held at rank 1 to 6: %llu, %llu, %llu, %llu, %llu, %llu\n", fuzz_number(w.ranks[0]), fuzz_number(w.ranks[1]),
           fuzz_number(w.ranks[2]), fuzz_number(w.ranks[3]), fuzz_number(w.ranks[4]), fuzz_number(w.ranks[5]));
    printf("%llu passed, %llu failed\n", fuzz_number(w.compared - w.failed), fuzz_number(w.failed));
    return w.failed ? 1 : 0;
}
