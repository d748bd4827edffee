/* SPDX-License-Identifier: Apache-2.0 */
/* diff_why_json.c - "why", "other_precision" and "auto_fp32" of the report. */
#include "cmd/diff/inference_diff.h"

#include "cmd/tool/report_parts.h"

#define FLAG_ON_CPU "no_delegate_nodes"

static void put_error(struct report *r, struct json *o, const struct diff *d)
{
    json_number(r, o, "max_error", diff_max_abs(d));
    json_number(r, o, "rms_error", diff_rms(d));
}

static void put_counts(struct report *r, struct json *in, const char *key, const struct half_counts *c)
{
    struct json *o = json_object(r, in, key);

    json_number(r, o, "values", (double)c->values);
    json_number(r, o, "beyond", (double)c->beyond);
    json_number(r, o, "subnormal", (double)c->subnormal);
    json_number(r, o, "vanishing", (double)c->vanishing);
    json_number(r, o, "not_finite", (double)c->not_finite);
    json_number(r, o, "max_abs", c->max_abs);
}

static void put_findings(struct report *r, struct json *in, unsigned found)
{
    static const char *const words[] = {"beyond", "small", "cancelling", "constant_beyond", "constant_vanishes", "saturated"};
    struct json *list = json_array(r, in, "findings");

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (found >> i & 1)
            json_string(r, list, NULL, words[i]);
}

static void put_row(struct report *r, struct json *list, const struct half_row *row)
{
    struct json *o = json_object(r, list, NULL);

    json_number(r, o, "node", row->node->index);
    json_string(r, o, "op", row->node->name);
    report_tensor(r, o, "tensor", row->tensor);
    put_findings(r, o, half_findings(row));
    put_counts(r, o, "values", &row->out);
    put_counts(r, o, "constants", &row->constants);
    json_number(r, o, "max_sum", row->max_sum);
    json_number(r, o, "max_terms", row->max_terms);
    json_number(r, o, "own_error", row->own_error);
    json_number(r, o, "quantized_values", (double)row->elems);
    json_number(r, o, "at_least", (double)row->at_low);
    json_number(r, o, "at_largest", (double)row->at_high);
}

static void put_explained(struct report *r, struct json *in, const struct comparison *c)
{
    struct json *list = json_array(r, in, "outputs");

    for (uint32_t i = 0; c->why.explained && i < c->test.diff.n_outputs; i++) {
        const struct diff *half = &c->why.emulated.diff.outputs[i].raw;
        struct json *o = json_object(r, list, NULL);

        put_error(r, o, half);
        json_string(r, o, "explained",
                    diff_why_applies(c) ? explain_word(explain_by_half(&c->test.diff.outputs[i].raw, half)) : NULL);
    }
}

static void put_why(struct report *r, const struct comparison *c)
{
    struct json *o, *list;

    if (!c->flags.why || !c->why.looked) {
        json_null(r, report_root(r), "why");
        return;
    }
    o = json_object(r, report_root(r), "why");
    json_number(r, o, "factor", EXPLAIN_FACTOR);
    json_number(r, o, "runs", c->why.runs);
    put_explained(r, o, c);
    list = json_array(r, o, "inputs");
    for (uint32_t i = 0; i < session_n_inputs(c->why.session); i++) {
        struct json *in = json_object(r, list, NULL);

        report_tensor(r, in, "tensor", session_input(c->why.session, i));
        put_counts(r, in, "values", &c->why.half.inputs[i]);
    }
    list = json_array(r, o, "nodes");
    for (uint32_t i = 0; i < c->why.half.n; i++)
        put_row(r, list, &c->why.half.rows[i]);
}

static void put_compared(struct report *r, const struct comparison *c)
{
    static const char *const words[] = {
        [NEARER_TEST] = "test", [NEARER_REFERENCE] = "float32_reference", [NEARER_NEITHER] = "neither"};
    struct json *o, *list;

    if (!c->why.compared) {
        json_null(r, report_root(r), "other_precision");
        return;
    }
    o = json_object(r, report_root(r), "other_precision");
    json_string(r, o, "reference", c->flags.reference_precision == SESSION_FP64 ? "fp64" : "fp16");
    list = json_array(r, o, "outputs");
    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct diff *plain = &c->why.plain.diff.outputs[i].raw;
        struct json *out = json_object(r, list, NULL);

        put_error(r, out, plain);
        json_string(r, out, "nearer", words[diff_why_nearer(&c->test.diff.outputs[i].raw, plain)]);
    }
}

static void put_search(struct report *r, struct json *o, const struct auto_fp32 *s, const char *flag, const char *list)
{
    static const char *const ends[] = {[AUTO_FP32_NOT_NEEDED] = "not_needed",
                                       [AUTO_FP32_FOUND] = "found",
                                       [AUTO_FP32_LARGER] = "larger",
                                       [AUTO_FP32_NOT_ENOUGH] = "not_enough",
                                       [AUTO_FP32_STOPPED] = "stopped"};
    struct json *nodes;

    json_string(r, o, "end", ends[s->end]);
    json_number(r, o, "candidates", s->n_candidates);
    json_string(r, o, "flag", flag);
    json_string(r, o, "value", list);
    nodes = json_array(r, o, "nodes");
    for (uint32_t i = 0; i < s->n; i++)
        json_number(r, nodes, NULL, s->nodes[i]);
}

static void put_remedy(struct report *r, const struct comparison *c)
{
    const struct remedy *m = &c->remedy;
    struct json *o;

    if (!m->done) {
        json_null(r, report_root(r), "auto_fp32");
        return;
    }
    o = json_object(r, report_root(r), "auto_fp32");
    json_number(r, o, "trials", m->trials);
    json_number(r, o, "max_error", m->max_error);
    put_search(r, o, m->flag ? &m->search : &m->on_cpu, m->flag ? m->flag : FLAG_ON_CPU, m->flag ? m->list : m->cpu_list);
    if (m->flag && m->tried_cpu)
        put_search(r, json_object(r, o, "on_cpu"), &m->on_cpu, FLAG_ON_CPU, m->cpu_list);
    else
        json_null(r, o, "on_cpu");
}

void diff_why_put(struct report *r, const struct comparison *c)
{
    put_why(r, c);
    put_compared(r, c);
    put_remedy(r, c);
}
