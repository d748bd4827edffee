/* SPDX-License-Identifier: Apache-2.0 */
/* op_coverage.c - which operators of a model a delegate will run, which not, and why; needs no device. */
#include "op_coverage.h"
#include "../lib/graph_infer.h"

#include "partition_flags.h"
#include "say.h"

static enum status choose_delegate(struct coverage_run *r, struct err *err)
{
    r->type = delegate_find(r->flags.delegate);
    return delegates_choose(&r->tool.delegates, r->flags.delegate, err);
}

/* The options that the delegate's flags filled. */
static const void *options_of(const struct coverage_run *r)
{
    for (uint32_t i = 0; i < r->tool.delegates.n_choices; i++)
        if (r->tool.delegates.choices[i].type == r->type)
            return r->tool.delegates.choices[i].options;
    return NULL;
}

/* A device is asked where there is one, since its limits count; where there is none the answer still helps. */
static enum status open_delegate(struct coverage_run *r, struct err *err)
{
    enum status st = ST_OK;

    if (!r->type)
        return ST_OK;
    if (!r->flags.no_device && (st = delegates_open(&r->tool.delegates, err)) && st != ST_NO_GPU)
        return st;
    r->delegate = r->tool.delegates.opened;
    if (r->delegate)
        return ST_OK;
    snprintf(r->why_static, sizeof r->why_static, "%s", st ? err->msg : "--no_device");
    r->is_static = true;
    return r->type->open_static(options_of(r), &r->delegate, err);
}

static enum status cover_delegate(struct coverage_run *r, struct err *err)
{
    struct graph *g = r->graphs[0];
    enum status st;

    if ((st = graph_infer(g, err)) || (st = partition_graph(g, r->delegate, &r->flags.partition, &r->arena, &r->parts, err)) ||
        (st = coverage_add(&r->coverage, g, &r->parts, err)) || (st = coverage_finish(&r->coverage, err)))
        return st;
    return coverage_gains(&r->coverage, g, r->delegate, &r->gains, &r->n_gains, err);
}

/* Asks the table of CPU kernels alone, about every subgraph: shapes do not matter, so none are inferred, and a model whose
 * shapes cannot be inferred for want of a kernel still gets its answer. */
static enum status cover_cpu(struct coverage_run *r, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < r->n_graphs && !st; i++)
        st = coverage_add(&r->coverage, r->graphs[i], NULL, err);
    return st ? st : coverage_finish(&r->coverage, err);
}

static enum status analyze(struct coverage_run *r, struct err *err)
{
    const struct model *m = r->tool.model;
    uint32_t n = r->type ? 1 : m->n_subgraphs;
    enum status st = ST_OK;

    if (!(r->graphs = ARENA_ARRAY(&r->arena, n, struct graph *)))
        return err_set(err, ST_NOMEM, "no memory for %u graphs", n);
    for (; r->n_graphs < n && !st; r->n_graphs += !st)
        st = graph_new(m, r->n_graphs, &r->graphs[r->n_graphs], err);
    if (st)
        return st;
    return r->type ? cover_delegate(r, err) : cover_cpu(r, err);
}

static int cover(struct coverage_run *r)
{
    struct err err;
    enum status st;

    if ((st = choose_delegate(r, &err)) || (st = tool_open_model(&r->tool, "graph", r->flags.graph, &err)) ||
        (st = open_delegate(r, &err)) || (st = analyze(r, &err)))
        return say_error(st, &err);
    coverage_say(r);
    if (*r->tool.json && (st = coverage_write_json(r, &err)))
        return say_error(st, &err);
    return 0;
}

int main(int argc, char **argv)
{
    static struct coverage_run r = {
        .tool.cli = {.tool = "op_coverage",
                     .summary = "which operators of a TensorFlow Lite model a delegate runs, and why not the others"},
    };
    int code;

    cli_add(&r.tool.cli, coverage_flag_table, &r.flags);
    cli_add(&r.tool.cli, partition_flag_table, &r.flags.partition);
    code = tool_begin(&r.tool, argc, argv);
    if (code == TOOL_GO_ON)
        code = cover(&r);
    for (uint32_t i = 0; i < r.n_graphs; i++)
        graph_free(r.graphs[i]);
    arena_free(&r.coverage.arena);
    arena_free(&r.arena);
    if (r.is_static)
        delegate_close(r.delegate);
    return tool_end(&r.tool, code);
}
