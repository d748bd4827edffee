/* SPDX-License-Identifier: Apache-2.0 */
/* diff_extract_text.c - what --extract wrote, for people and as JSON. */
#include "cmd/diff/inference_diff.h"
#include "cmd/host/say.h"
#include "cmd/tool/report_parts.h"

static void say_nodes(const struct extraction *x)
{
    say_text("%s ", x->n_nodes == 1 ? "node" : "nodes");
    for (uint32_t i = 0; i < x->n_nodes; i++)
        say_text("%s%u", i ? ", " : "", x->nodes[i]);
}

static void say_arrays(const struct extraction *x, const char *what, uint32_t n)
{
    say_text("%s.%s0", x->stem, what);
    if (n > 1)
        say_text(" to %u", n - 1);
    say_text(".npy");
}

void diff_extract_say(const struct comparison *c)
{
    const struct extraction *x = &c->extraction;

    if (!*c->flags.extract)
        return;
    if (!x->written) {
        say_text("Nothing extracted: %s.\n", x->nothing);
        return;
    }
    say_text("Extracted to %s: ", c->flags.extract);
    say_nodes(x);
    say_text(", %u on the %s, with the values of run %u. Output %s is off by %.4g there, %.4g of its largest value.\n",
             x->n_delegated, c->test.delegate->type->label, x->run, x->output, x->max_error, x->relative);
    say_text("Beside it: ");
    say_arrays(x, "input", x->n_inputs);
    say_text("; what the reference makes of it, ");
    say_arrays(x, "reference", x->n_outputs);
    say_text("; the %s, ", c->test.delegate->type->label);
    say_arrays(x, "test", x->n_outputs);
    say_text(".\n");
}

void diff_extract_put(struct report *r, const struct comparison *c)
{
    const struct extraction *x = &c->extraction;
    struct json *o, *list;

    if (!x->written) {
        json_null(r, report_root(r), "extract");
        return;
    }
    o = json_object(r, report_root(r), "extract");
    json_string(r, o, "path", c->flags.extract);
    list = json_array(r, o, "nodes");
    for (uint32_t i = 0; i < x->n_nodes; i++)
        json_number(r, list, NULL, x->nodes[i]);
    json_number(r, o, "delegated", x->n_delegated);
    json_number(r, o, "run", x->run);
    json_number(r, o, "max_error", x->max_error);
    json_number(r, o, "relative", x->relative);
}
