/* SPDX-License-Identifier: Apache-2.0 */
/* diff_bisect_results.c - the terms of a bisection, its steps, and what it found. */
#include "cmd/diff/diff_results.h"
#include "cmd/host/say.h"

static void add_terms(struct result_section *to, const struct comparison *c)
{
    const struct bisection *b = &c->bisect;
    char runs[64];

    if (b->n_runs == 1)
        snprintf(runs, sizeof runs, "run %u", b->runs[0]);
    else
        snprintf(runs, sizeof runs, "runs %u and %u", b->runs[0], b->runs[1]);
    result_line(to, RESULT_PLAIN, "Bisection: these nodes on the %s, all others on %s, with the inputs of %s. %s",
                c->tool.delegates.opened->type->label,
                b->masked ? "its own kernels for the CPU, by its masks" : "the reference kernels", runs,
                b->half_of_all ? "All nodes together pass: off is more than half of their error." : "Off is what may not pass.");
    if (*b->not_masked)
        result_line(to, RESULT_PLAIN, "Parts of the model, not its masks, were tried: %s.", b->not_masked);
    if (b->hidden)
        result_line(to, RESULT_PLAIN,
                    "A single invocation is off, the last of several with the same inputs is not: something is kept from run to "
                    "run.");
}

static void add_steps(struct result_section *to, struct json *list, const struct comparison *c)
{
    const struct result_column columns[] = {
        {.title = "step", .pad = "%6s", .heading = "step", .right = true},
        {.key = "first_node", .title = "first", .pad = " %7s", .heading = "first node", .right = true},
        {.key = "last_node", .title = "last", .pad = " %7s", .heading = "last node", .right = true},
        {.key = "delegated", .title = c->tool.delegates.opened->type->label, .pad = " %10s", .heading = "delegated", .right = true},
        {.key = "max_error", .title = "max_error", .pad = " %12s", .number = "%.4g", .heading = "largest error", .right = true},
        {.key = "off", .title = "off", .pad = "  %s", .heading = "off"}};
    struct result_table *t = results_table(to, columns, sizeof columns / sizeof *columns, list);

    for (uint32_t i = 0; i < c->bisect.n_steps; i++) {
        const struct bisection_step *s = &c->bisect.steps[i];

        RESULT_NUMBERS(t, i + 1, s->first, s->last, s->n_delegated, s->max_error);
        result_bool(t, s->off);
    }
}

/* Where all nodes together pass, none is off: the range is told that makes most of the error. */
static void add_range(struct result_section *to, const struct bisection *b, struct bisect_range r)
{
    static const char share[] = "More than half of the error comes from";
    const struct node *first = b->nodes[r.first], *last = b->nodes[r.end - 1];
    const struct tensor *out = node_out(first, 0);

    if (r.end - r.first == 1)
        result_line(to, RESULT_PLAIN, "%s node %u %.63s, output '%.95s'.", b->half_of_all ? share : "Off by itself:", first->index,
                    first->name, out ? out->name : "");
    else
        result_line(to, RESULT_PLAIN, "%s nodes %u %.63s to %u %.63s, %u in all.",
                    b->half_of_all ? share : "Off together, and no fewer of them:", first->index, first->name, last->index,
                    last->name, r.end - r.first);
}

static void add_found(struct result_section *to, const struct bisection *b)
{
    char nodes[SAY_COUNT_SIZE];

    for (uint32_t i = 0; i < b->search.n_found; i++)
        add_range(to, b, b->search.found[i]);
    if (!b->search.n_found && !b->search.stopped)
        result_line(to, RESULT_PLAIN, "No node is off.");
    if (b->search.stopped)
        result_line(to, RESULT_PLAIN, "The search ended early: there may be more.");
    result_line(to, RESULT_PLAIN, "Trials: %u, for %s.", b->search.tries + b->tried_masks, say_count(b->n_nodes, "node", nodes));
}

static void put_found(struct report *r, struct json *in, const struct bisection *b)
{
    struct json *list = json_array(r, in, "found");

    for (uint32_t i = 0; i < b->search.n_found; i++) {
        struct json *o = json_object(r, list, NULL), *nodes = json_array(r, o, "nodes");

        for (uint32_t k = b->search.found[i].first; k < b->search.found[i].end; k++) {
            struct json *node = json_object(r, nodes, NULL);

            json_number(r, node, "node", b->nodes[k]->index);
            json_string(r, node, "op", b->nodes[k]->name);
        }
    }
}

static struct json *put_terms(struct report *r, struct json *o, const struct bisection *b)
{
    struct json *list;

    json_bool(r, o, "half_of_all", b->half_of_all);
    json_bool(r, o, "hidden_by_repetition", b->hidden);
    json_bool(r, o, "stopped", b->search.stopped);
    json_bool(r, o, "masked", b->masked);
    json_number(r, o, "trials", b->search.tries + b->tried_masks);
    list = json_array(r, o, "runs");
    for (uint32_t i = 0; i < b->n_runs; i++)
        json_number(r, list, NULL, b->runs[i]);
    return json_array(r, o, "steps");
}

void diff_bisect_results(struct results *r, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_BISECT];
    const struct bisection *b = &c->bisect;
    struct json *o;

    if (c->flags.bisect)
        result_gap(to);
    if (c->flags.bisect && !b->done)
        result_line(to, RESULT_PLAIN, "Bisection: nothing to search, %s.",
                    c->test.assignment.n_delegated ? "as no run was kept" : "as no node was delegated");
    if (!json_given(r->report, report_root(r->report), "bisect", b->done))
        return;
    o = json_object(r->report, report_root(r->report), "bisect");
    add_terms(to, c);
    add_steps(to, put_terms(r->report, o, b), c);
    add_found(to, b);
    put_found(r->report, o, b);
}
