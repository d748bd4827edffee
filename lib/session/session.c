/* SPDX-License-Identifier: Apache-2.0 */
/* session.c - prepares a graph and runs its plan, with every step timed if asked for. */
#include "lib/session/session_impl.h"

#include "lib/base/clock.h"
#include "lib/graph/graph_infer.h"
#include "lib/graph/graph_part.h"
#include "lib/graph/half_store.h"
#include "lib/session/variable_binding.h"

#include <stdlib.h>
#include <string.h>

static void runtime_free(struct runtime *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->n_called; i++) {
        session_cache_free(&r->called[i].by_delegates);
        session_free(r->called[i].by_cpu);
    }
    threads_free(r->threads);
    resources_free(r->resources);
    free(r->called);
    free(r);
}

static enum status runtime_new(struct session *outermost, uint32_t n_subgraphs, struct runtime **out, struct err *err)
{
    struct runtime *r = calloc(1, sizeof *r);
    enum status st;

    if (r && (r->called = calloc((size_t)n_subgraphs + 1, sizeof *r->called))) {
        r->outermost = outermost;
        r->n_called = n_subgraphs;
        st = threads_new(outermost->opt.num_threads, &r->threads, err);
    } else {
        st = err_set(err, ST_NOMEM, "out of memory for %u subgraphs", n_subgraphs);
    }
    if (st) {
        runtime_free(r);
        r = NULL;
    }
    *out = r;
    return st;
}

struct session *runtime_called(const struct runtime *r, uint32_t i)
{
    for (uint32_t k = 0; k < r->n_called; k++) {
        for (const struct cached_session *e = r->called[k].by_delegates.first; e; e = e->next)
            if (!i--)
                return e->s;
        if (r->called[k].by_cpu && !i--)
            return r->called[k].by_cpu;
    }
    return NULL;
}

enum status session_make(const struct model *m, uint32_t subgraph, const struct session_options *opt, struct runtime *runtime,
                         struct session **out, struct err *err)
{
    struct session *s = calloc(1, sizeof *s);
    enum status st = ST_OK;

    *out = NULL;
    if (!s)
        return err_set(err, ST_NOMEM, "out of memory");
    s->opt = *opt;
    s->runtime = runtime;
    if (!runtime)
        st = runtime_new(s, m->n_subgraphs, &s->runtime, err);
    if (st || (st = graph_new(m, subgraph, &s->graph, err)))
        session_free(s);
    else
        *out = s;
    return st;
}

enum status session_new(const struct model *m, const struct session_options *opt, struct session **out, struct err *err)
{
    *out = NULL;
    if (opt->subgraph >= m->n_subgraphs)
        return err_set(err, ST_USAGE, "subgraph %u, the model has %u", opt->subgraph, m->n_subgraphs);
    return session_make(m, opt->subgraph, opt, NULL, out, err);
}

/* Frees what session_prepare made. */
static void unprepare(struct session *s)
{
    struct graph *g = s->graph;

    loop_condition_free(s->call.condition);
    s->call.condition = NULL;
    dynamic_free(s);
    session_forget(s);
    delegation_free(&s->delegation);
    placement_free(&s->placement);
    for (uint32_t i = 0; g && i < g->n_tensors; i++)
        if (plan_holds(&s->plan, &g->tensors[i]))
            g->tensors[i].data = NULL;
    plan_free(&s->plan);
    s->n_once = 0;
    for (uint32_t i = 0; g && i < g->n_tensors; i++)
        if (g->tensors[i].is_dynamic) {
            free(g->tensors[i].data);
            g->tensors[i].data = NULL;
            g->tensors[i].capacity = 0;
        }
    session_forget_submitted(s);
    s->prepared = false;
}

void session_free(struct session *s)
{
    if (!s)
        return;
    unprepare(s);
    float_weights_undo(&s->floats);
    graph_free(s->graph);
    if (s->runtime && session_is_outermost(s))
        runtime_free(s->runtime);
    arena_free(&s->rounded);
    free(s->rows);
    free(s);
}

enum status session_resize_input(struct session *s, uint32_t i, const int32_t *dim, int32_t rank, struct err *err)
{
    s->prepared = false; /* the plan is for the old shape */
    return graph_resize_input(s->graph, i, dim, rank, err);
}

/* What a node that the CPU runs is called with. */
static struct cpu_call call_of(struct session *s)
{
    return (struct cpu_call){
        .session = s, .threads = s->runtime->threads, .mode = s->opt.mode, .double_sums = s->opt.precision == SESSION_FP64};
}

static enum status make_plan(struct session *s, struct err *err)
{
    struct cpu_call defaults = call_of(s);

    return plan_make(&s->plan, s->graph, s->opt.delegates[0] ? &s->delegation.parts : NULL, &defaults, s->opt.keep_intermediates,
                     err);
}

/* The nodes of a prepared graph that are folded and have no result: they set variables. */
static enum status list_once(struct session *s, struct err *err)
{
    const struct graph *g = s->graph;

    s->n_once = 0;
    if (!(s->once = ARENA_ARRAY(&s->plan.arena, g->n_nodes, struct cpu_call)))
        return err_set(err, ST_NOMEM, "out of memory for the calls of %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (g->nodes[i].folded && !g->nodes[i].n_out && !graph_leaves_out(g, i)) {
            s->once[s->n_once] = call_of(s);
            s->once[s->n_once++].node = &g->nodes[i];
        }
    return ST_OK;
}

/* Each round but the last takes at least one node from the delegates. A graph that one has as a whole is as the file has it; what
 * it refuses is prepared for the CPU. */
static enum status delegate_and_plan(struct session *s, struct err *err)
{
    struct partition_options opt = s->opt.partition;
    const bool whole = session_is_outermost(s) && !s->graph->part && partition_is_whole(s->opt.delegates, &opt, s->graph->n_nodes);
    struct arena lasting = {0};
    struct reason *refused = ARENA_ARRAY(&lasting, s->graph->n_nodes, struct reason);
    uint32_t before, n_refused = 0;
    enum status st = refused ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %u nodes", s->graph->n_nodes);

    if (whole)
        graph_unfold(s->graph);
    opt.watched = s->opt.keep_intermediates;
    for (uint32_t i = 0; s->opt.delegates[i]; i++)
        s->opt.delegates[i]->threads = s->opt.num_threads > 1 ? (uint32_t)s->opt.num_threads : 1;
    while (!st) {
        uint64_t clock = clock_ns();

        before = n_refused;
        st = delegation_partition(&s->delegation, s->graph, s->opt.delegates, refused, &opt, whole, err);
        s->times.claim_ns += clock_ns() - clock;
        if (!st && s->opt.float_weights)
            st = float_weights_make(&s->floats, s->graph, s->delegation.parts.part_of, err);
        if (st || (st = make_plan(s, err)))
            break;
        clock = clock_ns();
        st = delegation_make_kernels(&s->delegation, s->graph, s->opt.delegates, &s->plan, refused, &n_refused, err);
        s->times.delegates_ns += clock_ns() - clock;
        if (st || n_refused == before)
            break;
        unprepare(s);
        if (whole && !(st = graph_infer(s->graph, err)))
            st = variables_number(s->graph, &s->runtime->resources, err);
    }
    arena_free(&lasting);
    return st;
}

/* What of the delegates' time went to programs and constants. */
static void note_build(struct session *s)
{
    struct delegate_facts sum = {.n = 0};

    for (uint32_t i = 0; i < s->delegation.n_kernels; i++)
        s->delegation.kernels[i]->ops->facts(s->delegation.kernels[i], &sum);
    s->times.tuning_ns = fact_value(&sum, "start.tuning.us");
    s->times.compile_ns = fact_value(&sum, "compile");
    s->times.load_ns = fact_value(&sum, "load");
    s->times.pack_ns = fact_value(&sum, "pack");
}

enum status session_prepare(struct session *s, struct err *err)
{
    struct graph *g = s->graph;
    const uint64_t start = clock_ns();
    enum status st;

    unprepare(s);
    s->times = (struct session_times){0};
    float_weights_undo(&s->floats);
    if ((st = session_wait_others(s, err)) || (st = graph_infer(g, err)) || (st = variables_number(g, &s->runtime->resources, err)))
        return st;
    /* String inputs have no size until they are given one. */
    for (uint32_t i = 0; i < g->n_inputs; i++)
        if (g->inputs[i] && g->inputs[i]->type == TYPE_STRING)
            g->inputs[i]->is_dynamic = true;
    if (s->opt.float_weights && !s->opt.delegates[0] && (st = float_weights_make(&s->floats, g, NULL, err)))
        return st;
    arena_free(&s->rounded);
    if (s->opt.precision == SESSION_FP16 && (st = half_store_constants(g, &s->rounded, err)))
        return st;
    if ((st = s->opt.delegates[0] ? delegate_and_plan(s, err) : make_plan(s, err)) || (st = placement_find(s, err)) ||
        (st = variables_note(&s->plan, &s->runtime->resources, s->placement.delegate, err)) || (st = list_once(s, err)) ||
        (st = dynamic_find(s, err))) {
        unprepare(s);
        return st;
    }
    for (uint32_t i = 0; i < g->n_tensors; i++)
        g->tensors[i].is_known = true; /* from here on content is read only while running */
    if (session_is_outermost(s))       /* sessions of subgraphs and resources may be left from before */
        session_reset_variables(s);
    s->prepared = true;
    note_build(s);
    s->times.total_ns = clock_ns() - start;
    return ST_OK;
}

static enum status not_prepared(struct err *err)
{
    return err_set(err, ST_USAGE, "the session is not prepared");
}

enum status session_set_input(struct session *s, uint32_t i, const void *data, size_t bytes, struct err *err)
{
    struct tensor *t = i < s->graph->n_inputs ? s->graph->inputs[i] : NULL;
    enum status st;

    if (!s->prepared)
        return not_prepared(err);
    if (!t)
        return err_set(err, ST_USAGE, "input %u, the model has %u", i, s->graph->n_inputs);
    if (t->type == TYPE_STRING) {
        t->bytes = bytes;
        if ((st = tensor_reserve(t, err)))
            return st;
    } else if (bytes != t->bytes) {
        return err_set(err, ST_USAGE, "input %u \"%s\" (%s) takes %zu bytes, not %zu", i, t->name, TENSOR_TEXT(t), t->bytes, bytes);
    }
    if (bytes)
        memcpy(t->data, data, bytes);
    return tensor_check_bools(t, err);
}

/* A node whose shapes depend on data: infers them now, makes room for the outputs, prepares it again. */
static enum status prepare_dynamic(struct session *s, struct step *step, struct err *err)
{
    struct node *n = step->call.node;
    enum status st = n->op->cpu->shape ? cpu_infer(n, err) : ST_LATER;

    if (st && st != ST_LATER)
        return st;
    for (uint32_t i = 0; !st && i < n->n_out; i++)
        if (n->out[i] && n->out[i]->type != TYPE_STRING && (st = tensor_reserve(n->out[i], err)))
            return st;
    return plan_prepare_step(&s->plan, step, err);
}

/* True where every output is known to be empty and nothing else can change. A kernel may still walk the other dimensions, which a
 * hostile file makes as large as it likes. */
static bool computes_nothing(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && (n->out[i]->is_dynamic || n->out[i]->bytes || n->out[i]->type == TYPE_STRING))
            return false;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->is_variable)
            return false;
    return n->n_out && !n->op->cpu->stateful;
}

static enum status run_cpu(struct session *s, struct step *step, struct err *err)
{
    struct node *n = step->call.node;
    enum status st = n->dynamic ? prepare_dynamic(s, step, err) : ST_OK;

    if (!st && !computes_nothing(n)) {
        step->call.scratch = s->plan.scratch;
        st = cpu_run(&step->call, err);
    }
    if (!st && s->opt.precision == SESSION_FP16)
        half_store_node(n);
    if (!st && s->opt.after_node)
        s->opt.after_node(s->opt.after_node_arg, s, n);
    return node_err_if(n, st, err);
}

static enum status run_partition(struct session *s, struct step *step, struct err *err)
{
    enum status st = variables_bind(s->runtime->resources, step, err);

    if (!st)
        st = session_invoke(s, step, err);
    variables_commit(s->runtime->resources, step, !st);
    return st;
}

static enum status run_step(struct session *s, struct step *step, struct err *err)
{
    return step->kernel ? run_partition(s, step, err) : run_cpu(s, step, err);
}

/* Nodes that only give variables their first content, unless they have done so. */
static enum status set_variables(struct session *s, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < s->n_once && !st; i++)
        st = node_err_if(s->once[i].node, cpu_run(&s->once[i], err), err);
    return st;
}

enum status session_begin_run(struct session *s, struct err *err)
{
    enum status st;

    if (s->opt.go_on && session_is_outermost(s))
        s->runtime->run_began_ns = clock_ns();
    for (uint32_t i = 0; s->opt.delegates[i] && session_is_outermost(s); i++)
        s->opt.delegates[i]->outside_ns = 0;
    for (uint32_t i = 0; s->prepared && s->opt.precision == SESSION_FP16 && i < s->graph->n_inputs; i++)
        half_store(s->graph->inputs[i]);
    if (!s->prepared)
        return not_prepared(err);
    st = session_wait_others(s, err);
    return st ? st : set_variables(s, err);
}

enum status session_run_steps(struct session *s, uint32_t end, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0, n; !st && i < end; i += n) {
        if ((st = dynamic_run(s, i, false, &n, err)) || n)
            continue;
        st = run_step(s, &s->plan.steps[i], err);
        n = 1;
    }
    return st;
}

enum status session_run(struct session *s, struct err *err)
{
    enum status st = session_begin_run(s, err);

    if (!st)
        st = session_run_steps(s, s->plan.n_steps, err);
    return session_end_run(s, st, err);
}

/* ---- a run in which every step is timed ---- */

enum status session_add_row(struct session *s, const struct profile_row *row, struct err *err)
{
    if (s->n_rows == s->max_rows) {
        size_t max = s->max_rows ? 2 * s->max_rows : 256;
        struct profile_row *rows = realloc(s->rows, max * sizeof *rows);

        if (!rows)
            return err_set(err, ST_NOMEM, "out of memory for %zu profile rows", max);
        s->rows = rows;
        s->max_rows = max;
    }
    s->rows[s->n_rows++] = *row;
    return ST_OK;
}

/* Step by step: what one handed over is in its time. */
static enum status run_and_finish(struct session *s, struct step *step, struct err *err)
{
    enum status st = run_step(s, step, err);

    return st ? st : session_finish(s, err);
}

/* All of it as one piece: its delegate knows no smaller ones. */
static enum status time_partition(struct session *s, struct step *step, struct err *err)
{
    const uint64_t start = clock_ns();
    enum status st = run_and_finish(s, step, err);
    const struct profile_row row = {.type = step->part->delegate->type->kernel,
                                    .detail = "the whole partition",
                                    .nodes = (const struct node *const *)step->part->nodes,
                                    .n_nodes = step->part->n_nodes,
                                    .partition = step->part_index,
                                    .delegate = step->part->delegate,
                                    .ns = clock_ns() - start,
                                    .begin_ns = start,
                                    .timed = true};

    return st ? st : session_add_row(s, &row, err);
}

static enum status profile_partition(struct session *s, struct step *step, struct err *err)
{
    const struct delegate_timing *t;
    size_t n = 0;
    enum status st = variables_bind(s->runtime->resources, step, err);

    if (!st)
        st = step->kernel->ops->profile(step->kernel, &t, &n, &s->overhead, err);
    variables_commit(s->runtime->resources, step, !st);

    for (size_t i = 0; !st && i < n; i++)
        st = session_add_row(s,
                             &(struct profile_row){.type = t[i].kind,
                                                   .detail = t[i].label,
                                                   .why_copy = t[i].why_copy,
                                                   .nodes = t[i].nodes,
                                                   .n_nodes = t[i].n_nodes,
                                                   .tensor = t[i].tensor,
                                                   .border = t[i].border,
                                                   .partition = step->part_index,
                                                   .delegate = step->part->delegate,
                                                   .ns = t[i].ns,
                                                   .begin_ns = t[i].begin_ns,
                                                   .device_clock = t[i].device_clock,
                                                   .halves = t[i].halves,
                                                   .timed = t[i].timed},
                             err);
    return st;
}

static enum status profile_cpu(struct session *s, struct step *step, struct err *err)
{
    const uint64_t start = clock_ns();
    enum status st = run_and_finish(s, step, err);
    struct profile_row row = {.type = step->call.node->name,
                              .nodes = (const struct node *const *)&step->call.node,
                              .n_nodes = 1,
                              .partition = -1,
                              .ns = clock_ns() - start,
                              .begin_ns = start,
                              .timed = true};

    return st ? st : session_add_row(s, &row, err);
}

enum status session_profile(struct session *s, const struct profile_row **rows, size_t *n, struct err *err)
{
    enum status st = session_begin_run(s, err);

    s->overhead = (struct delegate_overhead){0};
    s->n_rows = 0;
    s->profiled_parts = (int32_t)s->delegation.parts.n_parts;
    for (uint32_t i = 0, steps; !st && i < s->plan.n_steps; i += steps) {
        struct step *step = &s->plan.steps[i];

        if ((st = dynamic_run(s, i, true, &steps, err)) || steps)
            continue;
        steps = 1;
        st = !step->kernel                ? profile_cpu(s, step, err)
             : step->kernel->ops->profile ? profile_partition(s, step, err)
                                          : time_partition(s, step, err);
    }
    *rows = s->rows;
    *n = s->n_rows;
    return session_end_run(s, st, err);
}

struct delegate_overhead session_profile_overhead(const struct session *s)
{
    return s->overhead;
}

/* ---- between runs ---- */

static void reset(struct session *s)
{
    const struct graph *g = s->graph;

    for (uint32_t i = 0; i < g->n_tensors; i++)
        if (g->tensors[i].is_variable && g->tensors[i].data)
            tensor_reset(&g->tensors[i]);
    for (uint32_t i = 0; i < s->delegation.n_kernels; i++)
        if (s->delegation.kernels[i]->ops->reset)
            s->delegation.kernels[i]->ops->reset(s->delegation.kernels[i]);
}

void session_reset_variables(struct session *s)
{
    struct runtime *r = s->runtime;

    reset(s);
    for (uint32_t i = 0; i < r->n_called; i++)
        r->called[i].called_once = false;
    for (uint32_t i = 0; runtime_called(r, i); i++)
        reset(runtime_called(r, i));
    resources_reset(r->resources);
}

uint64_t session_outside_ns(const struct session *s)
{
    uint64_t ns = 0;

    for (uint32_t i = 0; s->opt.delegates[i]; i++)
        ns += s->opt.delegates[i]->outside_ns;
    return ns;
}

uint32_t session_n_inputs(const struct session *s)
{
    return s->graph->n_inputs;
}

uint32_t session_n_outputs(const struct session *s)
{
    return s->graph->n_outputs;
}

struct tensor *session_input(const struct session *s, uint32_t i)
{
    return s->graph->inputs[i];
}

const struct tensor *session_output(const struct session *s, uint32_t i)
{
    return s->graph->outputs[i];
}

bool session_prepared(const struct session *s)
{
    return s->prepared;
}

bool session_float_weights(const struct session *s)
{
    return s->floats.list;
}

const struct graph *session_graph(const struct session *s)
{
    return s->graph;
}

const struct partitioning *session_partitioning(const struct session *s)
{
    return s->opt.delegates[0] ? &s->delegation.parts : NULL;
}

uint32_t session_n_stretches(const struct session *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->plan.n_steps; i++)
        n += s->plan.steps[i].kernel || i == 0 || s->plan.steps[i - 1].kernel;
    return n;
}

void session_times(const struct session *s, struct session_times *out)
{
    *out = s->times;
}

bool session_step(const struct session *s, uint32_t i, const struct node **node, int32_t *partition)
{
    if (i >= s->plan.n_steps)
        return false;
    *node = s->plan.steps[i].call.node;
    *partition = s->plan.steps[i].part_index;
    return true;
}
