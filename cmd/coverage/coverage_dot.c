/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_dot.c - --dot: the graph in the language of Graphviz, a cluster for each partition.
 *
 * Names of the model stand in quotes alone: what ends a quoted string or begins an escape is escaped, and what XML forbids, which
 * dot -Tsvg would pass on, is U+FFFD. */
#include <inttypes.h>

#include "cmd/coverage/coverage_graph.h"
#include "cmd/coverage/coverage_outputs.h"
#include "cmd/coverage/coverage_words.h"
#include "cmd/host/text_file.h"
#include "cmd/host/utf8.h"

/* One graph of those asked about. */
struct drawing {
    const struct coverage_run *run;
    const struct graph *g;
    const struct verdict *verdicts; /* [g->n_nodes] of its nodes */
    const int32_t *makers;
    FILE *to;
    uint32_t number; /* of the graph: names of its nodes begin with it */
};

/* Graphviz reads no string of more than 16384 bytes. */
enum { MOST_TEXT = 2000 };

/* Text within quotes. */
static void put_text(FILE *to, const char *text)
{
    const char *const begin = text;

    while (*text) {
        const size_t n = utf8_length(text);

        if (text - begin >= MOST_TEXT) {
            fputs("…", to);
            return;
        }

        if (!n || !utf8_is_text(text))
            fputs("\xef\xbf\xbd", to);
        else if (*text == '\n' || *text == '\t')
            fputc(' ', to);
        else if (*text == '&') /* dot reads entities in labels */
            fputs("&amp;", to);
        else
            fprintf(to, "%s%.*s", *text == '"' || *text == '\\' ? "\\" : "", (int)n, text);
        text += n ? n : 1;
    }
}

static void put_tensor(const struct drawing *d, const struct tensor *t)
{
    put_text(d->to, t->name);
    fprintf(d->to, " %s", TENSOR_TEXT(t));
}

static void put_node(const struct drawing *d, uint32_t i)
{
    const struct verdict *v = &d->verdicts[i];
    const enum verdict_kind kind = coverage_kind(v);
    char words[COVERAGE_WORDS_SIZE];

    fprintf(d->to, "  g%" PRIu32 "n%" PRIu32 " [label=\"%" PRIu32 " ", d->number, i, v->node->index);
    put_text(d->to, v->node->name);
    if (v->why.code != REASON_NONE)
        fprintf(d->to, "\\n%s", reason_name(v->why.code));
    fprintf(d->to, "\", fillcolor=\"%s\", tooltip=\"", coverage_kind_color(kind));
    put_text(d->to, coverage_words(d->run, v, words));
    fprintf(d->to, "\"%s];\n",
            kind == VERDICT_COVERED  ? ""
            : kind == VERDICT_FOLDED ? ", style=\"filled,dashed\""
                                     : ", penwidth=2");
}

static void put_nodes(const struct drawing *d)
{
    const struct partitioning *p = d->run->type ? &d->run->coverage.parts : NULL;

    for (uint32_t k = 0; p && k < p->n_parts; k++) {
        fprintf(d->to, " subgraph cluster_%" PRIu32 " {\n  label=\"%s, partition %" PRIu32 "\";\n", k, coverage_whose(d->run, k),
                k);
        for (uint32_t i = 0; i < p->parts[k].n_nodes; i++)
            put_node(d, (uint32_t)(p->parts[k].nodes[i] - d->g->nodes));
        fprintf(d->to, " }\n");
    }
    for (uint32_t i = 0; i < d->g->n_nodes; i++)
        if (d->verdicts[i].partition < 0)
            put_node(d, i);
}

/* Inputs and outputs of the graph. */
static void put_ends(const struct drawing *d, const char *kind, struct tensor *const *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        fprintf(d->to, " g%" PRIu32 "%s%" PRIu32 " [shape=ellipse, style=\"\", label=\"", d->number, kind, i);
        put_tensor(d, list[i]);
        fprintf(d->to, "\"];\n");
    }
}

/* The end of a line that a tensor leaves: its maker, or the input of the graph that it is; false where it is a constant. */
static bool put_source(const struct drawing *d, const struct tensor *t)
{
    const int32_t maker = d->makers[coverage_place(d->g, t)];

    if (maker >= 0)
        fprintf(d->to, " g%" PRIu32 "n%" PRId32, d->number, maker);
    else if (maker != MADE_BY_NOBODY)
        fprintf(d->to, " g%" PRIu32 "in%" PRId32, d->number, made_by_input(maker));
    return maker != MADE_BY_NOBODY;
}

static void put_edges(const struct drawing *d)
{
    for (uint32_t i = 0; i < d->g->n_nodes; i++)
        for (uint32_t k = 0; k < d->g->nodes[i].n_in; k++) {
            const struct tensor *t = d->g->nodes[i].in[k];

            if (!t || !put_source(d, t))
                continue;
            fprintf(d->to, " -> g%" PRIu32 "n%" PRIu32 " [tooltip=\"", d->number, i);
            put_tensor(d, t);
            fprintf(d->to, "\"];\n");
        }
    for (uint32_t i = 0; i < d->g->n_outputs; i++)
        if (put_source(d, d->g->outputs[i]))
            fprintf(d->to, " -> g%" PRIu32 "out%" PRIu32 ";\n", d->number, i);
}

static enum status put_graphs(const struct coverage_run *r, FILE *to, struct err *err)
{
    const struct coverage *c = &r->coverage;
    struct drawing d = {.run = r, .verdicts = c->verdicts, .to = to};

    for (; d.number < c->n_graphs; d.verdicts += d.g->n_nodes, d.number++) {
        struct arena own = {0};

        d.g = c->graphs[d.number];
        if (!(d.makers = coverage_makers(d.g, &own)))
            return err_set(err, ST_NOMEM, "out of memory for a graph of %u tensors", d.g->n_tensors);
        put_ends(&d, "in", d.g->inputs, d.g->n_inputs);
        put_nodes(&d);
        put_ends(&d, "out", d.g->outputs, d.g->n_outputs);
        put_edges(&d);
        arena_free(&own);
    }
    return ST_OK;
}

enum status coverage_write_dot(const struct coverage_run *r, struct err *err)
{
    const struct coverage *c = &r->coverage;
    struct text_file f;
    enum status st = text_file_begin(&f, err);

    if (st)
        return st;
    fprintf(f.to, "digraph coverage {\n label=\"");
    put_text(f.to, r->path);
    fprintf(f.to, ": %u of %u nodes are covered (%.1f%%), %u folded into constants\";\n", c->covered, c->to_run, c->covered_percent,
            c->folded);
    fprintf(f.to, " node [shape=box, style=filled, fontname=\"sans-serif\", fontsize=10];\n");
    st = put_graphs(r, f.to, err);
    fprintf(f.to, "}\n");
    if (st)
        text_file_drop(&f);
    return st ? st : text_file_end(&f, r->flags.dot, err);
}
