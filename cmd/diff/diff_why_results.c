/* SPDX-License-Identifier: Apache-2.0 */
/* diff_why_results.c - what was found out about the error, and what to do about it. */
#include "cmd/diff/diff_results.h"

#include <math.h>
#include <string.h>

#include "cmd/tool/report_parts.h"
#include "lib/graph/whole_floats.h"

/* Nodes of which something is said, one line each; the report has all. */
#define MAX_LINES 20

#define FLAG_ON_CPU "no_delegate_nodes"

/* Returns how many findings it added. */
static int add_ranges(struct result_section *to, const struct half_row *r, unsigned found)
{
    int n = 0;

    if (found & HALF_BEYOND)
        result_more(to, "%s %llu of %llu values are beyond 65504, up to %g", n++ ? ";" : ":", (unsigned long long)r->out.beyond,
                    (unsigned long long)r->out.values, r->out.max_abs);
    if (found & HALF_SMALL)
        result_more(to, "%s of %llu values %llu are below 2^-14, where bits are lost, and %llu become 0", n++ ? ";" : ":",
                    (unsigned long long)r->out.values, (unsigned long long)r->out.subnormal, (unsigned long long)r->out.vanishing);
    if (found & HALF_CONSTANT_BEYOND)
        result_more(to, "%s %llu of %llu constants are beyond 65504, up to %g", n++ ? ";" : ":",
                    (unsigned long long)r->constants.beyond, (unsigned long long)r->constants.values, r->constants.max_abs);
    if (found & HALF_CONSTANT_VANISHES)
        result_more(to, "%s %llu of %llu constants become 0", n++ ? ";" : ":", (unsigned long long)r->constants.vanishing,
                    (unsigned long long)r->constants.values);
    return n;
}

static void add_row(struct result_section *to, const struct half_row *r, unsigned found)
{
    int n;

    result_line(to, RESULT_PLAIN, "  node %u %.63s, '%.95s'", r->node->index, r->node->name, r->tensor->name);
    n = add_ranges(to, r, found);
    if (found & HALF_CANCELLING)
        result_more(to, "%s terms cancel: they add up to %.3g, the largest result is %.3g", n++ ? ";" : ":", r->max_terms,
                    r->max_sum);
    if (found & HALF_SATURATED)
        result_more(to, "%s of %llu quantized values %llu are at the type's least, %llu at its largest", n ? ";" : ":",
                    (unsigned long long)r->elems, (unsigned long long)r->at_low, (unsigned long long)r->at_high);
    result_more(to, ".");
}

static uint32_t add_inputs(struct result_section *to, const struct why *w)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < session_n_inputs(w->session); i++) {
        const struct half_counts *in = &w->half.inputs[i];

        if (!in->beyond)
            continue;
        result_line(to, RESULT_PLAIN, "  input %u '%.95s': %llu of %llu values are beyond 65504, up to %g.", i,
                    session_input(w->session, i)->name, (unsigned long long)in->beyond, (unsigned long long)in->values,
                    in->max_abs);
        n++;
    }
    return n;
}

/* What a node of these reads that is made at run time, each once. */
static void add_whole(struct result_section *to, const struct node *n, uint32_t *lines)
{

    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->stays_float32 && !n->in[i]->is_const && (*lines)++ < MAX_LINES)
            result_line(to, RESULT_PLAIN,
                        "  node %u %.63s reads '%.95s', which stays float32: rounded to 16 bits it could be %s off.", n->index,
                        n->name, n->in[i]->name, n->builtin == BUILTIN_FLOOR_MOD ? "a whole divisor" : "a whole step");
}

static void add_kept(struct result_section *to, const struct why *w)
{
    const struct graph *g = session_graph(w->session);
    uint32_t lines = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!g->nodes[i].folded && whole_floats_needs(&g->nodes[i]))
            add_whole(to, &g->nodes[i], &lines);
    if (lines > MAX_LINES)
        result_line(to, RESULT_PLAIN, "  and %u more that stay float32.", lines - MAX_LINES);
}

static void add_looked(struct result_section *to, const struct why *w)
{
    uint32_t n;

    result_gap(to);
    result_line(to, RESULT_PLAIN, "What 16-bit floats or the quantized types cannot hold, in %u runs of the reference:", w->runs);
    n = add_inputs(to, w);
    for (uint32_t i = 0; i < w->half.n; i++) {
        const unsigned found = half_findings(&w->half.rows[i]);

        if (found && n++ < MAX_LINES)
            add_row(to, &w->half.rows[i], found);
    }
    if (n > MAX_LINES)
        result_line(to, RESULT_PLAIN, "  and %u more, which --json has.", n - MAX_LINES);
    if (!n)
        result_line(to, RESULT_PLAIN, "  nothing: no value is out of range, no terms cancel.");
    add_kept(to, w);
}

/* True if the test side may store 16-bit floats, so that half precision can be the reason for its error. */
static bool applies(const struct comparison *c)
{
    const struct delegate *d = c->test.delegate;

    return d && (!d->precision.stored || strcmp(d->precision.stored, "float32"));
}

/* Sums in float16 are no stored values: the emulation has none. */
static bool rounds_sums(const struct delegate *d)
{
    return d && d->precision.sums && !strcmp(d->precision.sums, "float16");
}

static void add_explained(struct result_section *to, const struct comparison *c)
{
    bool unexplained = false;

    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct diff *test = &c->test.diff.outputs[i].raw, *half = &c->why.emulated.diff.outputs[i].raw;
        const enum explained e = explain_by_half(test, half);

        unexplained |= applies(c) && e == EXPLAIN_NOT;
        if (applies(c))
            result_line(to, RESULT_PLAIN,
                        "Output %u: off by up to %g, rms %g; half precision of stored values, emulated on the CPU, by %g, rms %g. "
                        "The error %s.",
                        i, diff_max_abs(test), diff_rms(test), diff_max_abs(half), diff_rms(half), explain_text(e));
        else
            result_line(to, RESULT_PLAIN,
                        "Output %u: off by up to %g, rms %g, in float32; half precision would be off by %g, rms %g.", i,
                        diff_max_abs(test), diff_rms(test), diff_max_abs(half), diff_rms(half));
    }
    if (unexplained && rounds_sums(c->test.delegate))
        result_line(to, RESULT_PLAIN, "%s rounds sums, too, which may explain it: try fp16_sum32.",
                    c->test.delegate->precision.in_force ? c->test.delegate->precision.in_force : "The test side");
}

enum nearer { NEARER_TEST, NEARER_REFERENCE, NEARER_NEITHER };

/* Which of two differences to the same reference is smaller, as root mean squares: by more than a tenth, or neither. */
static enum nearer nearer_of(const struct diff *test, const struct diff *plain)
{
    const double a = test->unequal ? INFINITY : diff_rms(test), b = plain->unequal ? INFINITY : diff_rms(plain);

    return a < 0.9 * b ? NEARER_TEST : b < 0.9 * a ? NEARER_REFERENCE : NEARER_NEITHER;
}

static void add_compared(struct result_section *to, const struct comparison *c)
{
    static const char *const texts[] = {
        [NEARER_TEST] = "the test side is nearer to it",
        [NEARER_REFERENCE] = "the float32 reference is nearer to it",
        [NEARER_NEITHER] = "both are about as near",
    };
    const bool doubles = c->flags.reference_precision == SESSION_FP64;

    result_gap(to);
    result_line(to, RESULT_PLAIN, "The reference %s.",
                doubles ? "sums in double and stores float32"
                        : "stores every value and constant as a 16-bit float, and sums in float32");
    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct diff *test = &c->test.diff.outputs[i].raw, *plain = &c->why.plain.diff.outputs[i].raw;

        result_line(to, RESULT_PLAIN,
                    "Output %u: the test side is off from it by up to %g, rms %g, the float32 reference by %g, rms %g: %s.", i,
                    diff_max_abs(test), diff_rms(test), diff_max_abs(plain), diff_rms(plain), texts[nearer_of(test, plain)]);
    }
}

/* "With 2 of 9 nodes on the CPU and 3 of 9 in float32 the outputs are within the tolerance". */
static void add_remedy(struct result_section *to, const struct remedy *r)
{
    const struct auto_fp32 *f = &r->search, *cpu = &r->on_cpu;
    const bool in_fp32 = r->list && *r->list, on_cpu = r->cpu_list && *r->cpu_list;
    const uint32_t n_fp32 = !in_fp32 || f->end == AUTO_FP32_NOT_NEEDED ? 0 : f->n ? f->n : f->n_candidates; /* found, not given */
    const bool least = (!in_fp32 || f->end == AUTO_FP32_FOUND || f->end == AUTO_FP32_NOT_NEEDED) &&
                       (!on_cpu || cpu->end == AUTO_FP32_FOUND || cpu->end == AUTO_FP32_NOT_NEEDED);

    result_line(to, RESULT_PLAIN, "With ");
    if (on_cpu)
        result_more(to, "%u of %u nodes on the CPU%s", cpu->n, cpu->n_candidates, n_fp32 ? " and " : "");
    if (n_fp32)
        result_more(to, "%u of %u nodes in float32", n_fp32, f->n_candidates);
    result_more(to, " the outputs are within the tolerance, off by up to %g (%u trials%s):", r->max_error, r->trials,
                least ? ", none of them can be left out" : "; fewer may do, the search was ended");
    result_line(to, RESULT_PLAIN, " ");
    if (on_cpu)
        result_more(to, " --no_delegate_nodes=%s", r->cpu_list);
    if (in_fp32)
        result_more(to, " --%s=%s", r->flag, r->list);
    if (on_cpu && cpu->n == cpu->n_candidates)
        result_line(to, RESULT_PLAIN, "That leaves nothing to the delegate: what is off comes of no node that it has.");
}

static void add_search(struct result_section *to, const struct remedy *r)
{
    result_gap(to);
    if (r->tried_cpu && r->flag)
        result_line(to, RESULT_PLAIN,
                    "The outputs are beyond the tolerance with all %u nodes in float32, too: half precision is not, or not alone, "
                    "the cause.",
                    r->search.n_candidates);
    switch (r->tried_cpu ? r->on_cpu.end : r->search.end) {
    case AUTO_FP32_NOT_NEEDED:
        result_line(to, RESULT_PLAIN, "No node need be kept %s: the outputs are within the tolerance.",
                    r->flag ? "in float32" : "on the CPU");
        break;
    case AUTO_FP32_NOT_ENOUGH:
        result_line(to, RESULT_PLAIN,
                    "The outputs are beyond the tolerance with all %u nodes on the CPU, too: it is not the delegate's doing alone.",
                    r->on_cpu.n_candidates);
        break;
    case AUTO_FP32_STOPPED:
        result_line(to, RESULT_PLAIN, "The search for nodes to keep %s was ended before any had helped.",
                    r->tried_cpu ? "on the CPU" : "in float32");
        break;
    case AUTO_FP32_FOUND:
    case AUTO_FP32_LARGER: add_remedy(to, r); break;
    }
}

/* ---- the report ---- */

static void put_error(struct report *r, struct json *o, const struct diff *d)
{
    JSON_NUMBERS(r, o, {"max_error", diff_max_abs(d)}, {"rms_error", diff_rms(d)});
}

static void put_counts(struct report *r, struct json *in, const char *key, const struct half_counts *c)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"values", (double)c->values}, {"beyond", (double)c->beyond}, {"subnormal", (double)c->subnormal},
                 {"vanishing", (double)c->vanishing}, {"not_finite", (double)c->not_finite}, {"max_abs", c->max_abs});
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
    JSON_NUMBERS(r, o, {"max_sum", row->max_sum}, {"max_terms", row->max_terms}, {"own_error", row->own_error},
                 {"quantized_values", (double)row->elems}, {"at_least", (double)row->at_low}, {"at_largest", (double)row->at_high});
}

static void put_explained(struct report *r, struct json *in, const struct comparison *c)
{
    struct json *list = json_array(r, in, "outputs");

    for (uint32_t i = 0; c->why.explained && i < c->test.diff.n_outputs; i++) {
        const struct diff *half = &c->why.emulated.diff.outputs[i].raw;
        struct json *o = json_object(r, list, NULL);

        put_error(r, o, half);
        json_string(r, o, "explained", applies(c) ? explain_word(explain_by_half(&c->test.diff.outputs[i].raw, half)) : NULL);
    }
}

static void put_why(struct report *r, const struct comparison *c)
{
    struct json *o, *list;

    if (!json_given(r, report_root(r), "why", c->flags.why && c->why.looked))
        return;
    o = json_object(r, report_root(r), "why");
    JSON_NUMBERS(r, o, {"factor", EXPLAIN_FACTOR}, {"runs", c->why.runs});
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

    if (!json_given(r, report_root(r), "other_precision", c->why.compared))
        return;
    o = json_object(r, report_root(r), "other_precision");
    json_string(r, o, "reference", c->flags.reference_precision == SESSION_FP64 ? "fp64" : "fp16");
    list = json_array(r, o, "outputs");
    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct diff *plain = &c->why.plain.diff.outputs[i].raw;
        struct json *out = json_object(r, list, NULL);

        put_error(r, out, plain);
        json_string(r, out, "nearer", words[nearer_of(&c->test.diff.outputs[i].raw, plain)]);
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
    JSON_STRINGS(r, o, {"flag", flag}, {"value", list});
    nodes = json_array(r, o, "nodes");
    for (uint32_t i = 0; i < s->n; i++)
        json_number(r, nodes, NULL, s->nodes[i]);
}

static void put_remedy(struct report *r, const struct comparison *c)
{
    const struct remedy *m = &c->remedy;
    struct json *o;

    if (!json_given(r, report_root(r), "auto_fp32", m->done))
        return;
    o = json_object(r, report_root(r), "auto_fp32");
    JSON_NUMBERS(r, o, {"trials", m->trials}, {"max_error", m->max_error});
    put_search(r, o, m->flag ? &m->search : &m->on_cpu, m->flag ? m->flag : FLAG_ON_CPU, m->flag ? m->list : m->cpu_list);
    if (m->flag && m->tried_cpu)
        put_search(r, json_object(r, o, "on_cpu"), &m->on_cpu, FLAG_ON_CPU, m->cpu_list);
    else
        json_null(r, o, "on_cpu");
}

void diff_why_results(struct results *r, const struct comparison *c)
{
    struct result_section *why = r->parts[DIFF_WHY], *remedy = r->parts[DIFF_REMEDY];

    if (c->why.compared)
        add_compared(why, c);
    if (c->flags.why && c->why.looked)
        add_looked(why, &c->why);
    if (c->flags.why && c->why.explained)
        add_explained(why, c);
    if (c->remedy.done)
        add_search(remedy, &c->remedy);
    else if (c->flags.auto_fp32)
        result_line(remedy, RESULT_NOTE, "Nothing was searched: %s.",
                    c->test.assignment.n_delegated ? "the runs were ended before" : "no node was delegated");
    put_why(r->report, c);
    put_compared(r->report, c);
    put_remedy(r->report, c);
}
