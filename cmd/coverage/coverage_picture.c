/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_picture.c - rows of nodes, and beside them an SVG of lines and marks, which is as high as they are. */
#include "cmd/coverage/coverage_picture.h"

#include <string.h>

#include "cmd/coverage/coverage_graph.h"
#include "cmd/coverage/coverage_words.h"
#include "cmd/print/html_impl.h"
#include "cmd/print/lanes.h"
#include "lib/coverage/coverage.h"

/* ---- a graph as rows, with lines between them along its tensors ----
 *
 * Rows are the graph's inputs, its nodes in the order of execution, its outputs. A tensor that is made in one row is a line to the
 * last that reads it; constants have none. */

struct coverage_lines {
    struct lane_line *list; /* [n] in the order in which the tensors are made */
    uint8_t *crosses;       /* [n] 1: a reader is in another partition than the maker, or one of the two is in none */
    int32_t *of;            /* [graph tensors] the line of each in `list`, or -1 */
    int32_t *mark;          /* [rows] the lane of each row's mark; LANE_NONE if no line leads there */
    uint32_t n, rows, n_hidden;
    int32_t width; /* lanes */
};

/* Return the row of the node at place i of the graph. */
static inline uint32_t coverage_row(const struct graph *g, uint32_t i)
{
    return g->n_inputs + i;
}

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

/* Find the lines of a graph with verdicts[g->n_nodes], in time and memory proportional to the graph. The lists belong to `a`.
 * ST_NOMEM. */
static enum status coverage_find_lines(const struct graph *g, const struct verdict *verdicts, struct arena *a,
                                       struct coverage_lines *out, struct err *err)
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
    } else {
        out->width = -1;
    }
    if (out->width < 0)
        return err_set(err, ST_NOMEM, "out of memory for the picture of %u nodes", g->n_nodes);
    place_marks(g, out);
    return ST_OK;
}

/* ---- the picture ---- */

enum { ROW_HEIGHT = 24, LANE_WIDTH = 12, PARTITION_COLORS = 4 };
enum { NAME_SHOWN = 96 }; /* bytes of a name: what is behind them seldom tells it from others */

/* One graph of those asked about. */
struct picture {
    struct html *h;
    const struct coverage_run *run;
    const struct graph *g;
    const struct verdict *verdicts; /* [g->n_nodes] */
    struct coverage_lines lines;
    uint32_t number; /* of the graph */
};

/* ---- lines ---- */

static int x_of(int32_t lane)
{
    return LANE_WIDTH * lane + LANE_WIDTH / 2;
}

static uint32_t y_of(uint32_t row)
{
    return ROW_HEIGHT * row + ROW_HEIGHT / 2;
}

/* Down by half a row, from lane to lane. */
static void put_step(const struct picture *p, int32_t from, int32_t to, uint32_t y)
{
    const int across = x_of(to) - x_of(from);

    if (across)
        html_raw(p->h, "M%d %uc0 %d %d 0 %d %d", x_of(from), y, ROW_HEIGHT / 2, across, across, ROW_HEIGHT / 2);
    else
        html_raw(p->h, "M%d %uv%d", x_of(from), y, ROW_HEIGHT / 2);
}

/* The end of a line at a reader, if the line is one of those that are drawn. */
static void put_end(const struct picture *p, const struct tensor *t, uint32_t row, bool crossing)
{
    const int32_t at = t ? p->lines.of[coverage_place(p->g, t)] : -1;
    const struct lane_line *line = at >= 0 ? &p->lines.list[at] : NULL;

    if (line && line->lane != LANE_NONE && p->lines.crosses[at] == crossing && line->from < row)
        put_step(p, line->lane, p->lines.mark[row], y_of(row) - ROW_HEIGHT / 2);
}

static void put_lines(const struct picture *p, bool crossing)
{
    const struct graph *g = p->g;

    html_raw(p->h, "<path class=\"%s\" d=\"", crossing ? "x" : "e");
    for (uint32_t i = 0; i < p->lines.n; i++) {
        const struct lane_line *line = &p->lines.list[i];

        if (line->lane == LANE_NONE || p->lines.crosses[i] != crossing)
            continue;
        put_step(p, p->lines.mark[line->from], line->lane, y_of(line->from));
        if (line->to > line->from + 1)
            html_raw(p->h, "V%u", y_of(line->to) - ROW_HEIGHT / 2);
    }
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in; k++)
            if (!k || g->nodes[i].in[k] != g->nodes[i].in[k - 1])
                put_end(p, g->nodes[i].in[k], coverage_row(g, i), crossing);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        put_end(p, g->outputs[i], g->n_inputs + g->n_nodes + i, crossing);
    html_raw(p->h, "\"/>");
}

/* "k0 p2": verdict, and the colour of the partition; "io" for inputs and outputs. */
static const char *class_of(const struct picture *p, uint32_t row, char out[16])
{
    const uint32_t i = row - p->g->n_inputs;

    if (row < p->g->n_inputs || i >= p->g->n_nodes)
        return "io";
    snprintf(out, 16, "k%d p%d", (int)coverage_kind(&p->verdicts[i]),
             p->verdicts[i].partition > 0 ? p->verdicts[i].partition % PARTITION_COLORS : 0);
    return out;
}

static void put_svg(const struct picture *p)
{
    const int width = LANE_WIDTH * (p->lines.width > 0 ? p->lines.width : 1);
    char class[16];

    html_raw(p->h,
             "<svg class=\"lines\" role=\"img\" viewBox=\"0 0 %d %u\" preserveAspectRatio=\"none\" height=\"%u\" "
             "style=\"width:%dpx\"><title>lines along the tensors</title>",
             width, ROW_HEIGHT * p->lines.rows, ROW_HEIGHT * p->lines.rows, width);
    put_lines(p, false);
    put_lines(p, true);
    for (uint32_t row = 0; row < p->lines.rows; row++)
        if (p->lines.mark[row] != LANE_NONE)
            html_raw(p->h, "<path class=\"m %s\" d=\"M%d %uh0\"/>", class_of(p, row, class), x_of(p->lines.mark[row]), y_of(row));
    html_raw(p->h, "</svg>\n");
}

/* ---- rows ---- */

static void put_name(struct html *h, const char *name)
{
    char text[NAME_SHOWN + 8];
    const int n = snprintf(text, sizeof text, "%.*s", NAME_SHOWN, name);

    if ((size_t)n < strlen(name))
        strcpy(text + n, "…");
    html_text(h, text);
}

static void put_tensor(struct html *h, const struct tensor *t)
{
    html_raw(h, "<li>");
    put_name(h, t->name);
    html_raw(h, " ");
    html_text(h, TENSOR_TEXT(t));
    html_raw(h, "%s</li>", t->is_const ? ", constant" : "");
}

static void put_tensors(struct html *h, const char *what, struct tensor *const *t, uint32_t n)
{
    html_raw(h, "<b>%s</b><ul>", what);
    for (uint32_t i = 0; i < n; i++)
        if (t[i])
            put_tensor(h, t[i]);
    html_raw(h, "</ul>");
}

/* What each of several rule sets says of the node. */
static void put_answers(const struct picture *p, const struct verdict *v)
{
    const size_t at = (size_t)(v - p->run->coverage.verdicts);
    char words[COVERAGE_WORDS_SIZE];

    for (uint32_t i = 0; i < p->run->n_columns && p->run->n_columns > 1; i++) {
        html_raw(p->h, "<p><b>");
        html_text(p->h, p->run->columns[i].name);
        html_raw(p->h, "</b> ");
        html_text(p->h, coverage_answer_words(&p->run->columns[i].coverage->verdicts[at], words));
        html_raw(p->h, "</p>");
    }
}

/* What is shown where the row is pointed at. */
static void put_tip(const struct picture *p, const struct verdict *v, const char *words)
{
    const struct node *n = v->node;

    html_raw(p->h, "<div class=\"tip\"><h3>Node %u ", n->index);
    put_name(p->h, n->name);
    html_raw(p->h, " v%d</h3><p>", n->version);
    html_text(p->h, words);
    html_raw(p->h, "</p>");
    if (v->macs && !n->folded)
        html_raw(p->h, "<p>%.3f million multiply-accumulates</p>", (double)v->macs / 1e6);
    put_answers(p, v);
    put_tensors(p->h, "reads", n->in, n->n_in);
    put_tensors(p->h, "makes", n->out, n->n_out);
    html_raw(p->h, "</div>");
}

static void put_node(const struct picture *p, uint32_t i)
{
    const struct verdict *v = &p->verdicts[i];
    const struct tensor *out = node_out(v->node, 0);
    char class[16], words[COVERAGE_WORDS_SIZE];

    coverage_words(p->run, v, words);
    html_raw(p->h, "<div class=\"op %s\" id=\"n%u-%u\" tabindex=\"0\"><b>%u ", class_of(p, coverage_row(p->g, i), class), p->number,
             v->node->index, v->node->index);
    put_name(p->h, v->node->name);
    html_raw(p->h, "</b> <i>");
    html_text(p->h, words);
    html_raw(p->h, "</i> <span>");
    if (out) {
        html_text(p->h, TENSOR_TEXT(out));
        html_raw(p->h, " ");
        put_name(p->h, out->name);
    }
    html_raw(p->h, "</span>");
    put_tip(p, v, words);
    html_raw(p->h, "</div>\n");
}

static void put_ends(const struct picture *p, const char *what, struct tensor *const *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        html_raw(p->h, "<div class=\"op io\" tabindex=\"0\"><b>%s %u</b> <span>", what, i);
        if (list[i]) {
            html_text(p->h, TENSOR_TEXT(list[i]));
            html_raw(p->h, " ");
            put_name(p->h, list[i]->name);
        }
        html_raw(p->h, "</span></div>\n");
    }
}

/* All nodes of the graph in one line, those alike and next to one another as one stretch. */
static void put_strip(const struct picture *p)
{
    const uint32_t n = p->g->n_nodes;
    char class[16], other[16];

    html_raw(p->h,
             "<svg class=\"strip\" role=\"img\" viewBox=\"0 0 %u 1\" preserveAspectRatio=\"none\" height=\"16\">"
             "<title>all nodes, from first to last</title>",
             n ? n : 1);
    for (uint32_t from = 0, to; from < n; from = to) {
        class_of(p, coverage_row(p->g, from), class);
        for (to = from + 1; to < n && p->verdicts[to].partition == p->verdicts[from].partition; to++)
            if (strcmp(class_of(p, coverage_row(p->g, to), other), class) != 0)
                break;
        html_raw(p->h, "<rect class=\"%s\" x=\"%u\" width=\"%u\" height=\"1\"/>", class, from, to - from);
    }
    html_raw(p->h, "</svg>\n");
}

static void put_picture(const struct picture *p)
{
    html_section(p->h, p->run->coverage.n_graphs > 1 ? p->g->name : "Graph");
    if (p->lines.n_hidden)
        html_note(p->h, "%u tensors have no line, as %d others run beside them.", p->lines.n_hidden, LANES_MOST);
    put_strip(p);
    html_raw(p->h, "<div class=\"graph\">\n");
    put_svg(p);
    html_raw(p->h, "<div class=\"rows\">\n");
    put_ends(p, "input", p->g->inputs, p->g->n_inputs);
    for (uint32_t i = 0; i < p->g->n_nodes; i++)
        put_node(p, i);
    put_ends(p, "output", p->g->outputs, p->g->n_outputs);
    html_raw(p->h, "</div></div>\n");
}

/* ---- what is searched with ---- */

static void put_search(struct html *h, const struct coverage *c)
{
    uint32_t n[VERDICT_KINDS] = {0};

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        n[coverage_kind(&c->verdicts[i])]++;
    html_raw(h, "<div class=\"find\"><input id=\"find\" type=\"search\" placeholder=\"operator, tensor, reason, number\" "
                "aria-label=\"search the nodes\"/><output id=\"found\"></output>");
    for (int k = 0; k < VERDICT_KINDS; k++)
        if (n[k])
            html_raw(h, "<button type=\"button\" class=\"k%d p0\" data-kind=\"k%d\">%s: %u</button>", k, k,
                     coverage_kind_name((enum verdict_kind)k), n[k]);
    html_raw(h, "</div>\n");
}

enum status coverage_put_pictures(struct html *h, const struct coverage_run *r, struct err *err)
{
    const struct coverage *c = &r->coverage;
    struct picture p = {.h = h, .run = r, .verdicts = c->verdicts};
    enum status st = ST_OK;

    if (!h)
        return ST_OK;
    html_section(h, "Nodes");
    html_note(h, "In the order of execution; lines are tensors. Point at a node, or go there with Tab and the arrow keys, for all "
                 "that is known of it. In the search, Enter goes to the next node, Shift and Enter to the one before.");
    put_search(h, c);
    for (; p.number < c->n_graphs && !st; p.verdicts += p.g->n_nodes, p.number++) {
        struct arena own = {0};

        p.g = c->graphs[p.number];
        if (!(st = coverage_find_lines(p.g, p.verdicts, &own, &p.lines, err)))
            put_picture(&p);
        arena_free(&own);
    }
    return st;
}
