/* SPDX-License-Identifier: Apache-2.0 */
/* diff_tensors_results.c - tensors against those of another framework: the table, and where the first error begins. */
#include <math.h>

#include "cmd/diff/diff_results.h"
#include "cmd/host/say.h"

enum { NODES_NAMED = 8 };

/* The largest error of what the node reads, for the size of its values; 0 where it reads no tensor that was compared. */
static double error_of_inputs(const struct name_diffs *o, const struct node *n)
{
    double worst = 0;

    for (const struct name_diff *row = o->rows; row < o->rows + o->n; row++)
        if (row->diff.comparisons && tensor_is_among(row->test, n->in, n->n_in))
            worst = fmax(worst, diff_relative_bound(&row->diff));
    return worst;
}

static void add_begins(struct result_section *to, const struct comparison *c)
{
    const struct reference_tensors *r = &c->tensors;
    const struct tensor *input = diff_tensors_unsure_input(c);
    const double error = error_of_inputs(&c->names, r->begins[0]);

    if (r->n_begins == 1 && error > 0)
        result_line(to, RESULT_PLAIN,
                    "The error begins in this node: what it reads is within its limits, %.2g of its largest value off.", error);
    else if (r->n_begins == 1)
        result_line(to, RESULT_PLAIN, "The error begins in this node: what it reads is %s.",
                    input ? "right as far as there are files" : "equal");
    else
        result_line(to, RESULT_PLAIN,
                    "The error begins in one of %u nodes, between which no tensor is known to be right:", r->n_begins);
    for (uint32_t i = 0; r->n_begins > 1 && i < r->n_begins && i < NODES_NAMED; i++)
        result_more(to, "%s node %u %.63s", i ? "," : "", r->begins[i]->index, r->begins[i]->name);
    if (r->n_begins > 1)
        result_more(to, "%s", r->n_begins > NODES_NAMED ? ", ..." : ".");
    if (input)
        result_line(to, RESULT_PLAIN,
                    "Input '%.95s' has no file: other values of it than those of the other framework look the same.", input->name);
}

/* Files without a row. */
static void add_left_out(struct result_section *to, const struct reference_tensors *r)
{
    static const char *const because[TENSOR_USES] = {
        [TENSOR_UNKNOWN] = "no input, and no tensor that a node makes while running, has the name",
        [TENSOR_HIDDEN] = "the delegate does not show the tensor",
        [TENSOR_SEVERAL] = "several tensors of the model have the name",
        [TENSOR_MISFIT] = "the tensor has another shape or type"};
    char files[SAY_COUNT_SIZE];

    for (enum tensor_use use = 0; use < TENSOR_USES; use++)
        if (because[use] && diff_tensors_count(r, use))
            result_line(to, RESULT_PLAIN, "Not compared: %s, as %s.", say_count(diff_tensors_count(r, use), "file", files),
                        because[use]);
}

static void add_found(struct result_section *to, const struct comparison *c)
{
    const struct name_diffs *o = &c->names;
    const struct name_diff *first = name_diffs_first_off(o);
    char tensors[SAY_COUNT_SIZE];

    result_line(to, RESULT_PLAIN, "%s of the test side compared with the files of %s; %u off.",
                say_count(c->tensors.compared, "tensor", tensors), c->tensors.dir, c->tensors.off);
    if (diff_names_turned(o))
        result_line(to, RESULT_PLAIN, "Compared in the files' order of axes, in parentheses: %s.",
                    say_count(diff_names_turned(o), "tensor", tensors));
    add_left_out(to, &c->tensors);
    diff_names_skipped(to, o);
    if (!first)
        return;
    diff_names_first_off(to, first);
    add_begins(to, c);
}

static void put_first(struct report *r, struct json *in, const struct comparison *c)
{
    const struct name_diff *first = name_diffs_first_off(&c->names);
    const struct tensor *input = diff_tensors_unsure_input(c);
    struct json *list;

    if (!json_given(r, in, "first_off", first))
        return;
    in = json_object(r, in, "first_off");
    diff_names_put_off(r, in, first);
    json_bool(r, in, "inputs_right", c->tensors.n_begins == 1 && !input);
    json_number(r, in, "inputs_relative", error_of_inputs(&c->names, first->node));
    list = json_array(r, in, "begins_in");
    for (uint32_t i = 0; i < c->tensors.n_begins; i++)
        json_number(r, list, NULL, c->tensors.begins[i]->index);
}

static void put(struct results *results, struct json *in, const struct comparison *c)
{
    const struct reference_tensors *t = &c->tensors;
    struct report *r = results->report;
    struct json *list;

    json_string(r, in, "path", t->dir);
    JSON_NUMBERS(r, in, {"files", t->n}, {"compared", t->compared}, {"off", t->off}, {"inputs_cut", (double)t->cut},
                 {"unknown", diff_tensors_count(t, TENSOR_UNKNOWN)}, {"hidden", diff_tensors_count(t, TENSOR_HIDDEN)},
                 {"same_names", diff_tensors_count(t, TENSOR_SEVERAL)}, {"misfits", diff_tensors_count(t, TENSOR_MISFIT)},
                 {"shapes_differ", name_diffs_skipped(&c->names, NAME_DIFF_SHAPE)},
                 {"without_data", name_diffs_skipped(&c->names, NAME_DIFF_NO_DATA)});
    list = json_array(r, in, "inputs");
    for (const struct tensor_file *f = t->files; f < t->files + t->n; f++)
        if (f->use == TENSOR_INPUT)
            json_string(r, list, NULL, f->name);
    put_first(r, in, c);
    diff_names_table(results->parts[DIFF_NODES], json_array(r, in, "tensors"), &c->names);
}

void diff_tensors_results(struct results *results, const struct comparison *c)
{
    struct report *r = results->report;
    struct result_section *along = results->parts[DIFF_ALONG];

    if (!json_given(r, report_root(r), "reference_tensors", c->tensors.dir))
        return;
    result_gap(results->parts[DIFF_NODES]);
    put(results, json_object(r, report_root(r), "reference_tensors"), c);
    result_gap(results->parts[DIFF_NODES]);
    add_found(along, c);
    result_chart(along, diff_names_draw, c);
}
