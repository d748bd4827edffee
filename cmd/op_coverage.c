/* SPDX-License-Identifier: Apache-2.0 */
/* op_coverage.c - which operators of a model a delegate will run, which not, and why; needs no device. */
#include "op_coverage.h"

#include "say.h"

#define ROW(name, type, field, value, label, help)                                                                                 \
    {                                                                                                                              \
        name, type, offsetof(struct coverage_flags, field), value, label, help                                                     \
    }

static const struct flag own_flags[] = {
    ROW("graph", FLAG_STRING, graph, "", "Graph", "The .tflite model."),
    ROW("delegate", FLAG_STRING, delegate, "gpu", "Delegate", "Which delegate to ask; none asks the CPU kernels."),
    ROW("no_device", FLAG_BOOL, no_device, "false", "No device",
        "Ask against the least that any device must offer, even where there is one."),
    ROW("max_delegated_partitions", FLAG_INT, partition.max_partitions, "0", "Max number of delegated partitions",
        "Delegate only so many, the largest; 0: all."),
    ROW("min_nodes_per_partition", FLAG_INT, partition.min_nodes, "0", "Min nodes per partition", "Leave smaller ones to the CPU."),
    {0},
};

static enum status check_flags(struct coverage_run *r, struct err *err)
{
    const struct coverage_flags *f = &r->flags;
    enum status st;

    if ((st = cli_range("max_delegated_partitions", f->partition.max_partitions, 0, INT32_MAX, err)) ||
        (st = cli_range("min_nodes_per_partition", f->partition.min_nodes, 0, INT32_MAX, err)) ||
        (st = delegates_choose(&r->tool.delegates, f->delegate, err)))
        return st;
    r->type = delegate_find(f->delegate);
    return ST_OK;
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

    if ((st = check_flags(r, &err)) || (st = tool_open_model(&r->tool, "graph", r->flags.graph, &err)) ||
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

    cli_add(&r.tool.cli, own_flags, &r.flags);
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
