/* SPDX-License-Identifier: Apache-2.0 */
/* diff_bisect_text.c - the steps of a bisection and what it found, for people and as JSON. */
#include "cmd/diff/inference_diff.h"
#include "cmd/host/say.h"
#include "cmd/tool/report_parts.h"

static const char *label_of(const struct comparison *c)
{
    return c->tool.delegates.opened ? c->tool.delegates.opened->type->label : "CPU";
}

void diff_bisect_say_terms(const struct comparison *c)
{
    const struct bisection *b = &c->bisect;
    char runs[64];

    if (!b->done) {
        say_text("\nBisection: nothing to search, %s.\n",
                 c->test.assignment.n_delegated ? "as no run was kept" : "as no node was delegated");
        return;
    }
    if (b->n_runs == 1)
        snprintf(runs, sizeof runs, "run %u", b->runs[0]);
    else
        snprintf(runs, sizeof runs, "runs %u and %u", b->runs[0], b->runs[1]);
    say_text("\nBisection: these nodes on the %s, all others on the reference kernels, with the inputs of %s. Off is %s.\n",
             label_of(c), runs, b->half_of_all ? "more than half of what all of its nodes together are" : "what may not pass");
    if (b->hidden)
        say_text(
            "A single invocation is off, the last of several with the same inputs is not: something is kept from run to run.\n");
}

static void say_steps(const struct bisection *b, const char *label)
{
    say_text("%6s %7s %7s %10s %12s  %s\n", "step", "first", "last", label, "max_error", "off");
    for (uint32_t i = 0; i < b->n_steps; i++) {
        const struct bisection_step *s = &b->steps[i];

        say_text("%6u %7u %7u %10u %12.4g  %s\n", i + 1, s->first, s->last, s->n_delegated, s->max_error, s->off ? "yes" : "no");
    }
}

static void say_found(const struct bisection *b, struct bisect_range r)
{
    const struct node *first = b->nodes[r.first], *last = b->nodes[r.end - 1];
    const struct tensor *out = node_out(first, 0);
    char op[64], name[96], end[64];

    if (r.end - r.first == 1)
        say_text("Off by itself: node %u %s, output '%s'.\n", first->index, say_clean(first->name, op, sizeof op),
                 say_clean(out ? out->name : "", name, sizeof name));
    else
        say_text("Off together, and no fewer of them: nodes %u %s to %u %s, %u in all.\n", first->index,
                 say_clean(first->name, op, sizeof op), last->index, say_clean(last->name, end, sizeof end), r.end - r.first);
}

void diff_bisect_say_found(const struct comparison *c)
{
    const struct bisection *b = &c->bisect;

    for (uint32_t i = 0; i < b->search.n_found; i++)
        say_found(b, b->search.found[i]);
    if (!b->search.n_found && !b->search.stopped)
        say_text("No node is off.\n");
    if (b->search.stopped)
        say_text("The search ended early: there may be more.\n");
}

void diff_bisect_say(const struct comparison *c)
{
    if (!c->flags.bisect)
        return;
    diff_bisect_say_terms(c);
    if (!c->bisect.done)
        return;
    say_steps(&c->bisect, label_of(c));
    diff_bisect_say_found(c);
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

void diff_bisect_put(struct report *r, const struct comparison *c)
{
    const struct bisection *b = &c->bisect;
    struct json *o, *list;

    if (!b->done) {
        json_null(r, report_root(r), "bisect");
        return;
    }
    o = json_object(r, report_root(r), "bisect");
    json_bool(r, o, "half_of_all", b->half_of_all);
    json_bool(r, o, "hidden_by_repetition", b->hidden);
    json_bool(r, o, "stopped", b->search.stopped);
    list = json_array(r, o, "runs");
    for (uint32_t i = 0; i < b->n_runs; i++)
        json_number(r, list, NULL, b->runs[i]);
    list = json_array(r, o, "steps");
    for (uint32_t i = 0; i < b->n_steps; i++) {
        struct json *step = json_object(r, list, NULL);

        json_number(r, step, "first_node", b->steps[i].first);
        json_number(r, step, "last_node", b->steps[i].last);
        json_number(r, step, "delegated", b->steps[i].n_delegated);
        json_number(r, step, "max_error", b->steps[i].max_error);
        json_bool(r, step, "off", b->steps[i].off);
    }
    put_found(r, o, b);
}
