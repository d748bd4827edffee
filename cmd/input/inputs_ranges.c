/* SPDX-License-Identifier: Apache-2.0 */
/* inputs_ranges.c - telling which range random integers were given because of the operators that read them. */
#include "cmd/host/say.h"
#include "cmd/input/inputs.h"

enum status inputs_say_ranges(const struct inputs *in, const struct session *s, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < session_n_inputs(s) && !st; i++) {
        const struct tensor *t = session_input(s, i);
        struct index_range r;
        char name[96], op[64];

        if (!(st = inputs_chosen_range(in, s, i, &r, err)) && r.node)
            say_info("Input '%s' %s: random integers from %lld to %lld, as node %u %s reads them",
                     say_clean(t->name, name, sizeof name), TENSOR_TEXT(t), (long long)r.lo, (long long)r.hi, r.node->index,
                     say_clean(r.node->name, op, sizeof op));
    }
    return st;
}

enum status inputs_put_ranges(struct report *r, const struct inputs *in, const struct session *s, struct err *err)
{
    struct json *list = json_array(r, report_root(r), "random_integers");
    enum status st = ST_OK;

    for (uint32_t i = 0; i < session_n_inputs(s) && !st; i++) {
        struct index_range range;
        struct json *o;

        if ((st = inputs_chosen_range(in, s, i, &range, err)) || !range.node)
            continue;
        o = json_object(r, list, NULL);
        json_string(r, o, "input", session_input(s, i)->name);
        json_number(r, o, "low", (double)range.lo);
        json_number(r, o, "high", (double)range.hi);
        json_number(r, o, "node", range.node->index);
        json_string(r, o, "op", range.node->name);
    }
    return st;
}
