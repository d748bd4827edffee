/* SPDX-License-Identifier: Apache-2.0 */
/* diff_repair_results.c - the results of --repair: a line for each rewrite, what was proved, and what is left. */
#include <math.h>

#include "cmd/diff/diff_results.h"
#include "cmd/host/say.h"

static void add_rewrites(struct result_section *to, const struct half_rewrites *h)
{
    char values[SAY_COUNT_SIZE];

    for (uint32_t i = 0; i < h->n_done; i++) {
        const struct half_done *d = &h->done[i];

        result_wrapped(
            to, RESULT_PLAIN, 4,
            "  node %u %s: %s: a %s of %.4g passes %.0f; times 2^%d, carried through %s and undone; halves below 2^%d lose "
            "bits, at most %.2g each",
            d->node, d->op, d->what, d->of_terms ? "sum of |terms|" : "result", d->value, HALF_LIMIT, d->scale,
            say_count(d->scaled, "operator", values), -14 - d->scale, d->bound);
    }
    for (uint32_t i = 0; i < h->n_kept; i++)
        result_wrapped(to, RESULT_PLAIN, 4, "  node %u %s: keep in float32: %.4g passes %.0f, and %s", h->kept[i].node,
                       h->kept[i].op, h->kept[i].value, HALF_LIMIT, h->kept[i].why);
    if (!h->n_done && !h->n_kept)
        result_line(to, RESULT_PLAIN, "  nothing to repair: no value and no sum of MEAN and SUM passes %.0f", HALF_LIMIT);
}

static void add_kept(struct result_section *to, const struct repair *r)
{
    if (!*r->list)
        return;
    result_wrapped(to, RESULT_PLAIN, 4, "  keep in float32, of the written model: --gpu_fp32_nodes=%s", r->list);
    if (r->last >= r->first)
        result_more(to, "; TensorFlow Lite: first_delegate_node_index=%d, last_delegate_node_index=%d", r->first, r->last);
}

static void add_verdict(struct result_section *to, const struct comparison *c)
{
    const struct repair *r = &c->repair;
    char before[RESULT_SHOWN_SIZE], after[RESULT_SHOWN_SIZE], off[RESULT_SHOWN_SIZE], precision[DELEGATES_PRECISION_SIZE];
    const struct delegate *d = c->tool.delegates.opened;

    result_line(to, RESULT_PLAIN, "  float32 reference: off by %s of the largest value; allowed %g",
                result_shown(r->float32_error, off), REPAIR_TOLERANCE);
    if (r->emulated)
        result_line(to, RESULT_PLAIN,
                    "  half precision, emulated on the CPU as no delegate was given (values stored as float16): ");
    else
        result_line(to, RESULT_PLAIN, "  on the %s%s%s: ", d->type->label,
                    *delegates_precision(r->after.session, d, precision) ? " " : "", precision);
    result_more(to, "before %s, off by %s; after %s, off by %s", r->passed_before ? "passed" : "FAILED",
                result_shown(r->error_before, before), r->passed ? "passed" : "FAILED", result_shown(r->error_after, after));
    if (!r->passed && !r->half.n_kept)
        result_wrapped(
            to, RESULT_PLAIN, 4,
            "  not repaired: rounding that adds up, and values that become subnormal; --auto_fp32 names nodes to keep in "
            "float32 on a delegate");
}

static void add_lines(struct result_section *to, const struct comparison *c)
{
    const struct repair *r = &c->repair;
    char nodes[SAY_COUNT_SIZE];

    if (!r->done) {
        result_line(to, RESULT_NOTE, "Nothing was repaired: the runs were ended before.");
        return;
    }
    result_line(to, RESULT_PLAIN, "Repair for half precision, by the largest values of %s of the float32 reference:",
                say_count(c->why.runs, "run", nodes));
    add_rewrites(to, &r->half);
    add_kept(to, r);
    add_verdict(to, c);
    if (r->written)
        result_line(to, RESULT_TITLE | (r->passed ? RESULT_GOOD : RESULT_BAD), "Repaired: %s. Written to %s: %u nodes, %u before",
                    r->passed ? "passed" : "FAILED", c->flags.repair, r->half.nodes_after, r->half.nodes_before);
    else
        result_line(to, RESULT_TITLE | RESULT_BAD, "Repaired: FAILED. Nothing was written: %s",
                    r->float32_error <= REPAIR_TOLERANCE ? "the model passed before" : "the float32 results moved too far");
}

static void put_rewrites(struct report *r, struct json *o, const struct half_rewrites *h)
{
    struct json *list = json_array(r, o, "rewrites"), *row;

    for (uint32_t i = 0; i < h->n_done; i++) {
        row = json_object(r, list, NULL);
        JSON_STRINGS(r, row, {"operator", h->done[i].op}, {"rewrite", h->done[i].what});
        json_bool(r, row, "of_terms", h->done[i].of_terms);
        JSON_NUMBERS(r, row, {"node", h->done[i].node}, {"value", h->done[i].value}, {"scale", ldexp(1, h->done[i].scale)},
                     {"operators", h->done[i].scaled}, {"bound", h->done[i].bound});
    }
    list = json_array(r, o, "kept");
    for (uint32_t i = 0; i < h->n_kept; i++) {
        row = json_object(r, list, NULL);
        JSON_STRINGS(r, row, {"operator", h->kept[i].op}, {"why", h->kept[i].why});
        JSON_NUMBERS(r, row, {"node", h->kept[i].node}, {"node_after", h->kept[i].node_after}, {"value", h->kept[i].value});
    }
}

void diff_repair_results(struct results *results, const struct comparison *c)
{
    const struct repair *m = &c->repair;
    struct report *r = results->report;
    struct json *o;

    if (*c->flags.repair)
        add_lines(results->parts[DIFF_REPAIR], c);
    if (!json_given(r, report_root(r), "repair", m->done))
        return;
    o = json_object(r, report_root(r), "repair");
    JSON_STRINGS(r, o, {"path", m->written ? c->flags.repair : NULL}, {"fp32_nodes", m->list});
    json_bool(r, o, "emulated", m->emulated);
    json_bool(r, o, "passed_before", m->passed_before);
    json_bool(r, o, "passed", m->passed);
    JSON_NUMBERS(r, o, {"error_before", m->error_before}, {"error_after", m->error_after}, {"float32_error", m->float32_error},
                 {"nodes_before", m->half.nodes_before}, {"nodes_after", m->half.nodes_after});
    put_rewrites(r, o, &m->half);
}
