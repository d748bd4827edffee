/* SPDX-License-Identifier: Apache-2.0 */
/* page_parts.c - sections that the pages of all tools have. */
#include "cmd/tool/page_parts.h"

#include <math.h>
#include <string.h>

#include "cmd/host/environment.h"
#include "cmd/host/machine.h"
#include "cmd/host/say.h"
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

static enum status add_refusals(struct result_section *to, const struct graph *g, const struct partitioning *p, struct err *err)
{
    static const struct result_column columns[] = {
        {.heading = "operator"}, {PAGE_NUMBER("nodes")}, {.heading = "why it stays on the CPU"}};
    struct result_table *t = results_table(to, columns, COUNT(columns), NULL);
    struct refusal *refusals;
    struct arena arena = {0};
    uint32_t n = 0;
    enum status st = assignment_refusals(g, p, &arena, &refusals, &n, err);

    for (uint32_t i = 0; i < n && !st; i++) {
        result_text(t, "%s", refusals[i].op);
        result_number(t, refusals[i].n_nodes);
        result_text(t, "%s", refusals[i].text);
    }
    arena_free(&arena);
    return st;
}

static void add_partitions(struct result_section *to, const struct partitioning *p)
{
    static const struct result_column columns[] = {{PAGE_NUMBER("partition")}, {PAGE_NUMBER("nodes")},  {PAGE_NUMBER("first")},
                                                   {PAGE_NUMBER("last")},      {PAGE_NUMBER("inputs")}, {PAGE_NUMBER("outputs")}};
    struct result_table *t = results_table(to, columns, COUNT(columns), NULL);

    for (uint32_t i = 0; i < p->n_parts; i++) {
        RESULT_NUMBERS(t, i, p->parts[i].n_nodes, p->parts[i].nodes[0]->index, p->parts[i].nodes[p->parts[i].n_nodes - 1]->index,
                       p->parts[i].n_inputs, p->parts[i].n_outputs);
    }
}

enum status page_add_assignment(struct result_section *to, const struct session *s, const struct delegate *d, struct err *err)
{
    const struct partitioning *p = session_partitioning(s);
    const struct graph *g = session_graph(s);
    struct assignment sum = assignment_of(g, p);
    char label[SAY_COUNT_SIZE];

    if (!p || !d) {
        result_line(to, RESULT_NOTE, "No delegate was asked for: %u of %u nodes ran on the CPU, %u were folded into constants.",
                    sum.n_cpu, sum.n_nodes, sum.n_folded);
        return ST_OK;
    }
    snprintf(label, sizeof label, "nodes on the %s", d->type->label);
    result_bar(to, label, (double)sum.n_delegated / fmax(sum.n_nodes, 1), "%s", "");
    result_line(to, RESULT_NOTE,
                "The %s delegate was asked for, on %s. Of %u nodes it runs %u in %u %s, the CPU runs %u, and %u were folded away.",
                d->type->label, d->device, sum.n_nodes, sum.n_delegated, sum.n_partitions,
                sum.n_partitions == 1 ? "partition" : "partitions", sum.n_cpu, sum.n_folded);
    add_partitions(to, p);
    return add_refusals(to, g, p, err);
}

static void add_tensors(struct result_table *t, const char *role, struct tensor *const *tensors, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        result_text(t, "%s", role);
        result_text(t, "%s", tensors[i]->name);
        result_text(t, "%s", TENSOR_TEXT(tensors[i]));
    }
}

void page_add_model(struct result_section *to, const char *path, const struct model *m, const struct session *s)
{
    static const struct result_column columns[] = {{.heading = ""}, {.heading = "tensor"}, {.heading = "type and shape"}};
    const struct graph *g = session_graph(s);
    char nodes[SAY_COUNT_SIZE];
    struct result_table *t;

    result_line(to, RESULT_NOTE, "%s: %zu bytes, %s.", path, m->file_bytes, say_count(g->n_nodes, "node", nodes));
    t = results_table(to, columns, COUNT(columns), NULL);
    add_tensors(t, "input", g->inputs, g->n_inputs);
    add_tensors(t, "output", g->outputs, g->n_outputs);
}

void page_add_flags(struct result_section *to, const struct tool *t)
{
    static const struct result_column columns[] = {{.heading = "flag"}, {.heading = "value"}};
    struct result_table *flags = results_table(to, columns, COUNT(columns), NULL);
    char value[CLI_VALUE_SIZE];

    for (uint32_t i = 0; i < t->cli.n_rows; i++) {
        const struct cli_row *row = &t->cli.rows[i];

        if (row->given) {
            result_text(flags, "--%s", row->flag->name);
            result_text(flags, "%s", cli_value(row, value));
        }
    }
    result_line(to, RESULT_NOTE, "All other flags had the values that --help=all shows.");
}

void page_add_environment(struct result_section *to, const struct tool *t)
{
    static const struct result_column columns[] = {{.heading = "environment"}, {.heading = ""}};
    const struct environment e = environment_read();
    const struct delegate *d = t->delegates.opened;
    const double load_average = machine_now("").load_average;
    char cores[16], load[32] = "";
    const char *const rows[][2] = {{"time (UTC)", e.time},
                                   {"CPU", e.cpu},
                                   {"cores", cores},
                                   {"frequency governor", e.governor},
                                   {"kernel", e.kernel},
                                   {"load average", load},
                                   {"delegate's device", d ? d->device : "none: everything ran on the CPU"},
                                   {"what is done in another way on it", d && d->quirks && *d->quirks ? d->quirks : "nothing"},
                                   {"delegauge", DG_VERSION_STRING}};
    struct result_table *table = results_table(to, columns, COUNT(columns), NULL);

    snprintf(cores, sizeof cores, "%d", e.cores);
    if (isfinite(load_average))
        snprintf(load, sizeof load, "%.2f", load_average);
    for (size_t i = 0; i < COUNT(rows); i++) {
        result_text(table, "%s", rows[i][0]);
        result_text(table, "%s", *rows[i][1] ? rows[i][1] : "the system does not tell");
    }
    page_add_flags(to, t);
}
