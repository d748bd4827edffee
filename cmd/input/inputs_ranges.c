/* SPDX-License-Identifier: Apache-2.0 */
/* inputs_ranges.c - what random integers keep to, for people and for the report. */
#include "cmd/input/inputs.h"

enum status inputs_ranges(const struct inputs *in, const struct session *s, struct report *r, struct result_section *lines,
                          struct err *err)
{
    struct json *list = r ? json_array(r, report_root(r), "random_integers") : NULL;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < session_n_inputs(s) && !st; i++) {
        const struct tensor *t = session_input(s, i);
        struct index_range range;
        struct json *o;

        if ((st = inputs_chosen_range(in, s, i, &range, err)) || !range.node)
            continue;
        result_line(lines, RESULT_INFO, "Input '%.95s' %s: random integers from %lld to %lld, as node %u %.63s reads them", t->name,
                    TENSOR_TEXT(t), (long long)range.lo, (long long)range.hi, range.node->index, range.node->name);
        if (!list)
            continue;
        o = json_object(r, list, NULL);
        json_string(r, o, "input", t->name);
        JSON_NUMBERS(r, o, {"low", (double)range.lo}, {"high", (double)range.hi}, {"node", range.node->index});
        json_string(r, o, "op", range.node->name);
    }
    return st;
}

enum status inputs_say_ranges(const struct inputs *in, const struct session *s, struct err *err)
{
    struct result_section *lines = results_alone();

    return results_say_alone(lines, inputs_ranges(in, s, NULL, lines, err), err);
}
