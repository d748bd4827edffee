/* SPDX-License-Identifier: Apache-2.0 */
/* placement.c - counts, and TFLite's messages about them. */
#include "placement.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

struct placement placement_of(const struct session *s)
{
    const struct graph *g = session_graph(s);
    const struct partitioning *parts = session_partitioning(s);
    struct placement p = {.n_nodes = g->n_nodes};

    for (uint32_t i = 0; i < g->n_nodes; i++)
        p.n_folded += g->nodes[i].folded;
    if (parts) {
        p.n_delegated = parts->n_delegated;
        p.n_partitions = parts->n_parts;
    }
    p.n_cpu = p.n_nodes - p.n_folded - p.n_delegated;
    return p;
}

struct reason_line {
    const char *op, *text;
};

static int by_text(const void *a, const void *b)
{
    const struct reason_line *x = a, *y = b;
    int order = strcmp(x->op, y->op);

    return order ? order : strcmp(x->text, y->text);
}

static uint32_t collect_reasons(const struct graph *g, const struct partitioning *p, struct reason_line *lines)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (p->reasons[i].code != REASON_NONE)
            lines[n++] = (struct reason_line){g->nodes[i].name, p->reasons[i].text};
    qsort(lines, n, sizeof *lines, by_text);
    return n;
}

void placement_say_unsupported(const struct graph *g, const struct partitioning *p, const char *label)
{
    struct reason_line *lines = calloc(g->n_nodes + 1, sizeof *lines);
    uint32_t n = lines ? collect_reasons(g, p, lines) : 0;
    char op[128], text[256];

    if (p->n_cpu == 0) {
        free(lines);
        return;
    }
    say_text("Following operations are not supported by %s delegate:\n", label);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || by_text(&lines[i - 1], &lines[i]) != 0)
            say_text("%s: %s\n", say_clean(lines[i].op, op, sizeof op), say_clean(lines[i].text, text, sizeof text));
    if (p->n_delegated)
        say_text("%u operations will run on the %s, and the remaining %u operations will run on the CPU.\n", p->n_delegated, label,
                 p->n_cpu);
    else
        say_text("No operations will run on the %s, and all %u operations will run on the CPU.\n", label, p->n_cpu);
    free(lines);
}

static void say_delegate(const struct partitioning *p, const char *label)
{
    if (p->n_parts && !p->n_cpu)
        say_info("Explicitly applied %s delegate, and the model graph will be completely executed by the delegate.", label);
    else if (p->n_parts)
        say_info("Explicitly applied %s delegate, and the model graph will be partially executed by the delegate w/ %u "
                 "delegate kernels.",
                 label, p->n_parts);
    else
        say_info("Though %s delegate is explicitly applied, the model graph will not be executed by the delegate.", label);
}

void placement_say(const struct session *s, const struct delegate *d)
{
    struct placement sum = placement_of(s);

    if (d) {
        placement_say_unsupported(session_graph(s), session_partitioning(s), d->type->label);
        say_delegate(session_partitioning(s), d->type->label);
        say_info("Nodes: %u on the %s in %u %s, %u on the CPU, %u folded into constants", sum.n_delegated, d->type->label,
                 sum.n_partitions, sum.n_partitions == 1 ? "partition" : "partitions", sum.n_cpu, sum.n_folded);
    } else {
        say_info("Nodes: %u on the CPU, %u folded into constants", sum.n_cpu, sum.n_folded);
    }
}
