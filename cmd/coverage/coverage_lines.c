/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_lines.c - where each tensor's line begins and ends, then lanes for all. */
#include "cmd/coverage/coverage_lines.h"

struct finding {
    const struct graph *g;
    const struct verdict *verdicts;
    const int32_t *makers;
    struct coverage_lines *out;
};

static int32_t partition_of(const struct finding *f, uint32_t row)
{
    const uint32_t i = row - f->g->n_inputs;

    return row >= f->g->n_inputs && i < f->g->n_nodes ? f->verdicts[i].partition : -1;
}

static void add_line(const struct finding *f, const struct tensor *t, uint32_t row)
{
    struct coverage_lines *out = f->out;

    if (!t || t->is_const || out->of[coverage_place(f->g, t)] >= 0)
        return;
    out->of[coverage_place(f->g, t)] = (int32_t)out->n;
    out->list[out->n++] = (struct lane_line){row, row, LANE_NONE};
}

static void see_reader(const struct finding *f, const struct tensor *t, uint32_t row)
{
    const int32_t at = t ? f->out->of[coverage_place(f->g, t)] : -1;
    struct lane_line *line = at >= 0 ? &f->out->list[at] : NULL;

    if (!line || line->from >= row)
        return;
    line->to = row > line->to ? row : line->to;
    f->out->crosses[at] |= partition_of(f, row) != partition_of(f, line->from);
}

static void find_ends(const struct finding *f)
{
    const struct graph *g = f->g;

    for (uint32_t i = 0; i < g->n_tensors; i++)
        f->out->of[i] = -1;
    for (uint32_t i = 0; i < g->n_inputs; i++)
        add_line(f, g->inputs[i], i);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            add_line(f, g->nodes[i].out[k], coverage_row(g, i));
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in; k++)
            see_reader(f, g->nodes[i].in[k], coverage_row(g, i));
    for (uint32_t i = 0; i < g->n_outputs; i++)
        see_reader(f, g->outputs[i], g->n_inputs + g->n_nodes + i);
}

/* A mark stands where the row's first output begins, else where its first input ends, else where another passes. */
static void place_marks(const struct graph *g, struct coverage_lines *out)
{
    for (uint32_t row = 0; row < out->rows; row++)
        out->mark[row] = LANE_NONE;
    for (uint32_t i = g->n_nodes; i-- > 0;)
        for (uint32_t k = g->nodes[i].n_in; k-- > 0;) {
            const struct tensor *t = g->nodes[i].in[k];
            const int32_t at = t ? out->of[coverage_place(g, t)] : -1;

            if (at >= 0 && out->list[at].lane != LANE_NONE && out->list[at].from < coverage_row(g, i))
                out->mark[coverage_row(g, i)] = out->list[at].lane;
        }
    for (uint32_t i = out->n; i-- > 0;)
        if (out->list[i].lane != LANE_NONE)
            out->mark[out->list[i].to] = out->list[i].lane;
    for (uint32_t i = out->n; i-- > 0;)
        if (out->list[i].lane != LANE_NONE)
            out->mark[out->list[i].from] = out->list[i].lane;
        else
            out->n_hidden += out->list[i].to > out->list[i].from;
}

enum status coverage_find_lines(const struct graph *g, const struct verdict *verdicts, struct arena *a, struct coverage_lines *out,
                                struct err *err)
{
    const size_t tensors = (size_t)g->n_tensors + 1;
    const struct finding f = {g, verdicts, coverage_makers(g, a), out};

    *out = (struct coverage_lines){.list = ARENA_ARRAY(a, tensors, struct lane_line),
                                   .crosses = ARENA_ARRAY(a, tensors, uint8_t),
                                   .of = ARENA_ARRAY(a, tensors, int32_t),
                                   .rows = g->n_inputs + g->n_nodes + g->n_outputs};
    out->mark = ARENA_ARRAY(a, (size_t)out->rows + 1, int32_t);
    if (f.makers && out->list && out->crosses && out->of && out->mark) {
        find_ends(&f);
        out->width = lanes_place(out->list, out->n, out->rows, a);
    }
    if (!out->mark || out->width < 0)
        return err_set(err, ST_NOMEM, "out of memory for the picture of %u nodes", g->n_nodes);
    place_marks(g, out);
    return ST_OK;
}
