/* SPDX-License-Identifier: Apache-2.0 */
/* diff_extract_results.c - what --extract wrote. */
#include "cmd/diff/diff_results.h"

static void add_nodes(struct result_section *to, const struct extraction *x)
{
    result_more(to, "%s ", x->n_nodes == 1 ? "node" : "nodes");
    for (uint32_t i = 0; i < x->n_nodes; i++)
        result_more(to, "%s%u", i ? ", " : "", x->nodes[i]);
}

static void add_arrays(struct result_section *to, const struct extraction *x, const char *what, uint32_t n)
{
    result_more(to, "%s.%s0", x->stem, what);
    if (n > 1)
        result_more(to, " to %u", n - 1);
    result_more(to, ".npy");
}

static void add_lines(struct result_section *to, const struct comparison *c)
{
    const struct extraction *x = &c->extraction;

    if (!x->written) {
        result_line(to, RESULT_PLAIN, "Nothing extracted: %s.", x->nothing);
        return;
    }
    result_line(to, RESULT_PLAIN, "Extracted to %s: ", c->flags.extract);
    add_nodes(to, x);
    result_more(to, ", %u on the %s, with the values of run %u. Output %s is off by %.4g there, %.4g of its largest value.",
                x->n_delegated, c->test.delegate->type->label, x->run, x->output, x->max_error, x->relative);
    result_line(to, RESULT_PLAIN, "Beside it: ");
    add_arrays(to, x, "input", x->n_inputs);
    result_more(to, "; what the reference makes of it, ");
    add_arrays(to, x, "reference", x->n_outputs);
    result_more(to, "; the %s, ", c->test.delegate->type->label);
    add_arrays(to, x, "test", x->n_outputs);
    result_more(to, ".");
}

void diff_extract_results(struct results *results, const struct comparison *c)
{
    const struct extraction *x = &c->extraction;
    struct report *r = results->report;
    struct json *o, *list;

    if (*c->flags.extract)
        add_lines(results->parts[DIFF_EXTRACT], c);
    if (!x->written) {
        json_null(r, report_root(r), "extract");
        return;
    }
    o = json_object(r, report_root(r), "extract");
    json_string(r, o, "path", c->flags.extract);
    list = json_array(r, o, "nodes");
    for (uint32_t i = 0; i < x->n_nodes; i++)
        json_number(r, list, NULL, x->nodes[i]);
    JSON_NUMBERS(r, o, {"delegated", x->n_delegated}, {"run", x->run}, {"max_error", x->max_error}, {"relative", x->relative});
}
