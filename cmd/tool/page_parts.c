/* SPDX-License-Identifier: Apache-2.0 */
/* page_parts.c - sections that the pages of all tools have. */
#include "cmd/tool/page_parts.h"

#include <math.h>
#include <string.h>

#include "cmd/host/environment.h"
#include "cmd/host/machine.h"
#include "cmd/host/say.h"
#include "cmd/print/html_chart.h"
#include "lib/delegate/assignment.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

const char *page_in_ms(double us, char out[PAGE_VALUE_SIZE])
{
    double value = us / 1e3;
    int before = value > 0 ? (int)floor(log10(value)) + 1 : 1;

    if (isfinite(us))
        snprintf(out, PAGE_VALUE_SIZE, "%.*f", before < 4 ? 4 - before : 0, value);
    else
        snprintf(out, PAGE_VALUE_SIZE, "-");
    return out;
}

const char *page_ms(double us, char out[PAGE_VALUE_SIZE])
{
    page_in_ms(us, out);
    if (isfinite(us))
        strcat(out, " ms");
    return out;
}

static enum status put_refusals(struct html *h, const struct graph *g, const struct partitioning *p, struct err *err)
{
    static const struct html_column columns[] = {{"operator", false}, {"nodes", true}, {"why it stays on the CPU", false}};
    struct refusal *refusals;
    struct arena arena = {0};
    enum status st;
    uint32_t n;

    if (!(st = assignment_refusals(g, p, &arena, &refusals, &n, err)) && n) {
        html_table(h, columns, COUNT(columns));
        for (uint32_t i = 0; i < n; i++) {
            html_cell(h, "%s", refusals[i].op);
            html_cell(h, "%u", refusals[i].n_nodes);
            html_cell(h, "%s", refusals[i].text);
        }
    }
    arena_free(&arena);
    return st;
}

static void put_partitions(struct html *h, const struct partitioning *p)
{
    static const struct html_column columns[] = {{"partition", true}, {"nodes", true},  {"first", true},
                                                 {"last", true},      {"inputs", true}, {"outputs", true}};

    if (!p->n_parts)
        return;
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < p->n_parts; i++) {
        html_cell(h, "%u", i);
        html_cell(h, "%u", p->parts[i].n_nodes);
        html_cell(h, "%u", p->parts[i].nodes[0]->index);
        html_cell(h, "%u", p->parts[i].nodes[p->parts[i].n_nodes - 1]->index);
        html_cell(h, "%u", p->parts[i].n_inputs);
        html_cell(h, "%u", p->parts[i].n_outputs);
    }
}

enum status page_put_assignment(struct html *h, const struct session *s, const struct delegate *d, struct err *err)
{
    const struct partitioning *p = session_partitioning(s);
    const struct graph *g = session_graph(s);
    struct assignment sum = assignment_of(g, p);
    char value[SAY_COUNT_SIZE];

    html_section(h, "What ran where");
    if (!p || !d) {
        html_note(h, "No delegate was asked for: %u of %u nodes ran on the CPU, %u were folded into constants.", sum.n_cpu,
                  sum.n_nodes, sum.n_folded);
        return ST_OK;
    }
    snprintf(value, sizeof value, "nodes on the %s", d->type->label);
    html_bar(h, value, (double)sum.n_delegated / fmax(sum.n_nodes, 1), false, "");
    html_note(h, "The %s delegate was asked for, on %s. Of %u nodes it runs %u in %u %s, the CPU runs %u, and %u were folded away.",
              d->type->label, d->device, sum.n_nodes, sum.n_delegated, sum.n_partitions,
              sum.n_partitions == 1 ? "partition" : "partitions", sum.n_cpu, sum.n_folded);
    put_partitions(h, p);
    return put_refusals(h, g, p, err);
}

static void put_tensor(struct html *h, const char *role, const struct tensor *t)
{
    html_cell(h, "%s", role);
    html_cell(h, "%s", t->name);
    html_cell(h, "%s", TENSOR_TEXT(t));
}

void page_put_model(struct html *h, const char *path, const struct model *m, const struct session *s)
{
    static const struct html_column columns[] = {{"", false}, {"tensor", false}, {"type and shape", false}};
    const struct graph *g = session_graph(s);
    char nodes[SAY_COUNT_SIZE];

    html_section(h, "Model");
    html_note(h, "%s: %zu bytes, %s.", path, m->file_bytes, say_count(g->n_nodes, "node", nodes));
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < g->n_inputs; i++)
        put_tensor(h, "input", g->inputs[i]);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        put_tensor(h, "output", g->outputs[i]);
}

static void put_pair(struct html *h, const char *name, const char *value)
{
    html_cell(h, "%s", name);
    html_cell(h, "%s", *value ? value : "the system does not tell");
}

static void put_flags(struct html *h, const struct tool *t)
{
    static const struct html_column flags[] = {{"flag", false}, {"value", false}};
    char value[CLI_VALUE_SIZE];

    html_table(h, flags, COUNT(flags));
    for (uint32_t i = 0; i < t->cli.n_rows; i++) {
        const struct cli_row *row = &t->cli.rows[i];

        if (row->given) {
            html_cell(h, "--%s", row->flag->name);
            html_cell(h, "%s", cli_value(row, value));
        }
    }
    html_note(h, "All other flags had the values that --help shows.");
}

void page_put_flags(struct html *h, const struct tool *t)
{
    html_section(h, "Flags");
    put_flags(h, t);
}

void page_put_environment(struct html *h, const struct tool *t)
{
    static const struct html_column columns[] = {{"environment", false}, {"", false}};
    const struct environment e = environment_read();
    const struct delegate *d = t->delegates.opened;
    const double load = machine_now("").load_average;
    char value[CLI_VALUE_SIZE];

    html_section(h, "Environment");
    html_table(h, columns, COUNT(columns));
    put_pair(h, "time (UTC)", e.time);
    put_pair(h, "CPU", e.cpu);
    snprintf(value, sizeof value, "%d", e.cores);
    put_pair(h, "cores", value);
    put_pair(h, "frequency governor", e.governor);
    put_pair(h, "kernel", e.kernel);
    snprintf(value, sizeof value, "%.2f", load);
    put_pair(h, "load average", isfinite(load) ? value : "");
    put_pair(h, "delegate's device", d ? d->device : "none: everything ran on the CPU");
    put_pair(h, "what is done in another way on it", d && d->quirks && *d->quirks ? d->quirks : "nothing");
    put_pair(h, "delegauge", DG_VERSION_STRING);
    put_flags(h, t);
}
