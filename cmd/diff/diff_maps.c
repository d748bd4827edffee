/* SPDX-License-Identifier: Apache-2.0 */
/* diff_maps.c - maps of errors are kept of every output and node, since the worst is known last; "error_maps" of the report. */
#include <math.h>
#include <stdlib.h>

#include "cmd/diff/diff_results.h"
#include "cmd/print/html_chart.h"
#include "cmd/tool/report_parts.h"

enum status diff_maps_open(struct comparison *c, struct err *err)
{
    struct error_maps *m = &c->maps;
    struct session_diff *d = &c->test.diff;
    struct op_diffs *ops = &c->test.ops;

    if (!*c->flags.html)
        return ST_OK;
    m->outputs = calloc(d->n_outputs + 1, sizeof *m->outputs);
    m->nodes = calloc(ops->n + 1, sizeof *m->nodes);
    if (!m->outputs || !m->nodes)
        return err_set(err, ST_NOMEM, "out of memory for maps of %u tensors", d->n_outputs + ops->n);
    for (uint32_t i = 0; i < d->n_outputs; i++)
        d->outputs[i].raw.map = &m->outputs[i];
    for (uint32_t i = 0; i < ops->n; i++)
        *(c->alone.session ? &ops->ops[i].alone.map : &ops->ops[i].diff.map) = &m->nodes[i];
    return ST_OK;
}

static void show(struct error_maps *m, const struct error_map *map, struct shown_map what)
{
    if (!error_map_any(map))
        return;
    what.map = map;
    m->shown[m->n_shown++] = what;
}

/* The output that is off most for the size of its values, and the node to blame, or else the one that does most to the outputs;
 * where no node was run alone, the one at which the difference is first seen. */
void diff_maps_choose(struct comparison *c)
{
    const struct session_diff *d = &c->test.diff;
    const struct op_diff *op = c->worst_op ? c->worst_op : op_diffs_adds_most(&c->test.ops);
    const uint32_t worst = session_diff_worst(d);

    if (!op && !c->alone.session)
        op = c->first_drift;
    if (!*c->flags.html)
        return;
    if (d->n_outputs)
        show(&c->maps, &c->maps.outputs[worst], (struct shown_map){.tensor = session_output(d->reference, worst), .output = worst});
    if (op)
        show(&c->maps, &c->maps.nodes[op - c->test.ops.ops], (struct shown_map){.tensor = op->test, .node = op->node});
}

static void put_plane(struct report *r, struct json *list, const struct error_plane *p)
{
    struct json *o = json_object(r, list, NULL), *rows;

    JSON_NUMBERS(r, o, {"rows", (double)p->rows}, {"columns", (double)p->columns}, {"over", (double)p->over},
                 {"cell_rows", (double)p->cell_rows}, {"cell_columns", (double)p->cell_columns});
    rows = json_array(r, o, "max_errors");
    for (uint32_t i = 0; i < p->n_rows; i++) {
        struct json *row = json_array(r, rows, NULL);

        for (uint32_t k = 0; k < p->n_columns; k++)
            json_number(r, row, NULL, (double)p->cells[i * p->n_columns + k]);
    }
}

/* ---- the page ---- */

static enum status draw_plane(struct html *h, const void *arg, struct err *err)
{
    const struct error_plane *p = arg;
    const double aspect = fmin(fmax((double)p->columns / (double)p->rows, 1), 8);

    (void)err;
    html_map(h, &(struct html_grid){p->cells, p->n_rows, p->n_columns, aspect, "absolute errors by their places"});
    return ST_OK;
}

static void add_plane(struct result_section *to, const struct error_map *m, uint32_t k)
{
    const struct error_plane *p = &m->planes[k];

    result_line(to, RESULT_NOTE, "%s: %zu rows, %zu columns%s.",
                m->n_planes == 1 ? "The tensor"
                : k              ? "By channel, the last dimension"
                                 : "By place, the last dimension but one across",
                p->rows, p->columns, p->over > 1 ? "; of what lies upon each other the largest" : "");
    if (p->cell_rows > 1 || p->cell_columns > 1)
        result_line(to, RESULT_NOTE, "A cell is the largest of %zu × %zu of them.", p->cell_rows, p->cell_columns);
    result_chart(to, draw_plane, p);
}

static void add_map(struct result_section *to, const struct shown_map *s)
{
    if (s->node)
        result_line(to, RESULT_NOTE, "Node %u %s, output '%s' %s: the largest absolute error of all runs.", s->node->index,
                    s->node->name, s->tensor->name, TENSOR_TEXT(s->tensor));
    else
        result_line(to, RESULT_NOTE, "Output %u '%s' %s: the largest absolute error of all runs.", s->output, s->tensor->name,
                    TENSOR_TEXT(s->tensor));
    if (s->map->shapes_differ)
        result_line(to, RESULT_CAUTION, "Its shape changed from run to run: this is of those that were of the first one's.");
    for (uint32_t k = 0; k < s->map->n_planes; k++)
        add_plane(to, s->map, k);
}

void diff_maps_results(struct results *r, const struct comparison *c)
{
    struct json *list;

    if (!json_given(r->report, report_root(r->report), "error_maps", *c->flags.html))
        return;
    list = json_array(r->report, report_root(r->report), "error_maps");
    for (uint32_t i = 0; i < c->maps.n_shown; i++) {
        const struct shown_map *s = &c->maps.shown[i];
        struct json *o = json_object(r->report, list, NULL), *planes;

        add_map(r->parts[s->node ? DIFF_NODE_MAP : DIFF_OUTPUT_MAP], s);
        JSON_NUMBERS(r->report, o, {"output", s->node ? NAN : s->output}, {"node", s->node ? s->node->index : NAN});
        report_tensor(r->report, o, "tensor", s->tensor);
        json_bool(r->report, o, "shapes_differ", s->map->shapes_differ);
        planes = json_array(r->report, o, "planes");
        for (uint32_t k = 0; k < s->map->n_planes; k++)
            put_plane(r->report, planes, &s->map->planes[k]);
    }
}

void diff_maps_free(struct error_maps *m)
{
    free(m->outputs);
    free(m->nodes);
    *m = (struct error_maps){.n_shown = 0};
}
