/* SPDX-License-Identifier: Apache-2.0 */
/* diff_why_text.c - what was found out about the error, and what to do about it. */
#include "cmd/diff/inference_diff.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cmd/host/say.h"
#include "lib/graph/whole_floats.h"

/* Nodes of which something is said, one line each; the report has all. */
#define MAX_LINES 20

static void add(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void add(char *to, size_t size, const char *fmt, ...)
{
    const size_t n = strlen(to);
    va_list args;

    va_start(args, fmt);
    vsnprintf(to + n, size - n, fmt, args);
    va_end(args);
}

static void add_ranges(char *to, size_t size, const struct half_row *r, unsigned found)
{
    if (found & HALF_BEYOND)
        add(to, size, "; %llu of %llu values are beyond 65504, up to %g", (unsigned long long)r->out.beyond,
            (unsigned long long)r->out.values, r->out.max_abs);
    if (found & HALF_SMALL)
        add(to, size, "; of %llu values %llu are below 2^-14, where bits are lost, and %llu become 0",
            (unsigned long long)r->out.values, (unsigned long long)r->out.subnormal, (unsigned long long)r->out.vanishing);
    if (found & HALF_CONSTANT_BEYOND)
        add(to, size, "; %llu of %llu constants are beyond 65504, up to %g", (unsigned long long)r->constants.beyond,
            (unsigned long long)r->constants.values, r->constants.max_abs);
    if (found & HALF_CONSTANT_VANISHES)
        add(to, size, "; %llu of %llu constants become 0", (unsigned long long)r->constants.vanishing,
            (unsigned long long)r->constants.values);
}

static void say_row(const struct half_row *r, unsigned found)
{
    char op[64], name[96], text[640] = "";

    add_ranges(text, sizeof text, r, found);
    if (found & HALF_CANCELLING)
        add(text, sizeof text, "; terms cancel: they add up to %.3g, the largest result is %.3g", r->max_terms, r->max_sum);
    if (found & HALF_SATURATED)
        add(text, sizeof text, "; of %llu quantized values %llu are at the type's least, %llu at its largest",
            (unsigned long long)r->elems, (unsigned long long)r->at_low, (unsigned long long)r->at_high);
    say_text("  node %u %s, '%s': %s.\n", r->node->index, say_clean(r->node->name, op, sizeof op),
             say_clean(r->tensor->name, name, sizeof name), text + 2);
}

static uint32_t say_inputs(const struct why *w)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < session_n_inputs(w->session); i++) {
        const struct half_counts *in = &w->half.inputs[i];
        char name[96];

        if (!in->beyond)
            continue;
        say_text("  input %u '%s': %llu of %llu values are beyond 65504, up to %g.\n", i,
                 say_clean(session_input(w->session, i)->name, name, sizeof name), (unsigned long long)in->beyond,
                 (unsigned long long)in->values, in->max_abs);
        n++;
    }
    return n;
}

/* What a node of these reads that is made at run time, each once. */
static void say_whole(const struct node *n, uint32_t *lines)
{
    char op[64], name[96];

    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->stays_float32 && !n->in[i]->is_const && (*lines)++ < MAX_LINES)
            say_text("  node %u %s reads '%s', which stays float32: rounded to 16 bits it could be %s off.\n", n->index,
                     say_clean(n->name, op, sizeof op), say_clean(n->in[i]->name, name, sizeof name),
                     n->builtin == BUILTIN_FLOOR_MOD ? "a whole divisor" : "a whole step");
}

static void say_kept(const struct why *w)
{
    const struct graph *g = session_graph(w->session);
    uint32_t lines = 0;

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!g->nodes[i].folded && whole_floats_needs(&g->nodes[i]))
            say_whole(&g->nodes[i], &lines);
    if (lines > MAX_LINES)
        say_text("  and %u more that stay float32.\n", lines - MAX_LINES);
}

static void say_looked(const struct why *w)
{
    uint32_t n;

    say_text("\nWhat 16-bit floats or the quantized types cannot hold, in %u runs of the reference:\n", w->runs);
    n = say_inputs(w);
    for (uint32_t i = 0; i < w->half.n; i++) {
        const unsigned found = half_findings(&w->half.rows[i]);

        if (found && n++ < MAX_LINES)
            say_row(&w->half.rows[i], found);
    }
    if (n > MAX_LINES)
        say_text("  and %u more, which --json has.\n", n - MAX_LINES);
    if (!n)
        say_text("  nothing: no value is out of range, no terms cancel.\n");
    say_kept(w);
}

bool diff_why_applies(const struct comparison *c)
{
    const struct delegate *d = c->test.delegate;

    return d && (!d->precision.stored || strcmp(d->precision.stored, "float32"));
}

static void say_explained(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct diff *test = &c->test.diff.outputs[i].raw, *half = &c->why.emulated.diff.outputs[i].raw;

        if (diff_why_applies(c))
            say_text(
                "Output %u: off by up to %g, rms %g; half precision alone, emulated on the CPU, by %g, rms %g. The error %s.\n", i,
                diff_max_abs(test), diff_rms(test), diff_max_abs(half), diff_rms(half), explain_text(explain_by_half(test, half)));
        else
            say_text("Output %u: off by up to %g, rms %g, in float32; half precision would be off by %g, rms %g.\n", i,
                     diff_max_abs(test), diff_rms(test), diff_max_abs(half), diff_rms(half));
    }
}

enum nearer diff_why_nearer(const struct diff *test, const struct diff *plain)
{
    const double a = test->unequal ? INFINITY : diff_rms(test), b = plain->unequal ? INFINITY : diff_rms(plain);

    return a < 0.9 * b ? NEARER_TEST : b < 0.9 * a ? NEARER_REFERENCE : NEARER_NEITHER;
}

static void say_compared(const struct comparison *c)
{
    static const char *const texts[] = {
        [NEARER_TEST] = "the test side is nearer to it",
        [NEARER_REFERENCE] = "the float32 reference is nearer to it",
        [NEARER_NEITHER] = "both are about as near",
    };
    const bool doubles = c->flags.reference_precision == SESSION_FP64;

    say_text("\nThe reference %s.\n", doubles ? "sums in double and stores float32"
                                              : "stores every value and constant as a 16-bit float, and sums in float32");
    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct diff *test = &c->test.diff.outputs[i].raw, *plain = &c->why.plain.diff.outputs[i].raw;

        say_text("Output %u: the test side is off from it by up to %g, rms %g, the float32 reference by %g, rms %g: %s.\n", i,
                 diff_max_abs(test), diff_rms(test), diff_max_abs(plain), diff_rms(plain), texts[diff_why_nearer(test, plain)]);
    }
}

void diff_why_say(const struct comparison *c)
{
    if (c->why.compared)
        say_compared(c);
    if (!c->flags.why)
        return;
    if (c->why.looked)
        say_looked(&c->why);
    if (c->why.explained)
        say_explained(c);
}

/* "With 2 of 9 nodes on the CPU and 3 of 9 in float32 the outputs are within the tolerance". */
static void say_remedy(const struct remedy *r)
{
    const struct auto_fp32 *f = &r->search, *cpu = &r->on_cpu;
    const bool in_fp32 = r->list && *r->list, on_cpu = r->cpu_list && *r->cpu_list;
    const uint32_t n_fp32 = !in_fp32 || f->end == AUTO_FP32_NOT_NEEDED ? 0 : f->n ? f->n : f->n_candidates; /* found, not given */
    const bool least = (!in_fp32 || f->end == AUTO_FP32_FOUND || f->end == AUTO_FP32_NOT_NEEDED) &&
                       (!on_cpu || cpu->end == AUTO_FP32_FOUND || cpu->end == AUTO_FP32_NOT_NEEDED);

    say_text("With ");
    if (on_cpu)
        say_text("%u of %u nodes on the CPU%s", cpu->n, cpu->n_candidates, n_fp32 ? " and " : "");
    if (n_fp32)
        say_text("%u of %u nodes in float32", n_fp32, f->n_candidates);
    say_text(" the outputs are within the tolerance, off by up to %g (%u trials%s):\n ", r->max_error, r->trials,
             least ? ", none of them can be left out" : "; fewer may do, the search was ended");
    if (on_cpu)
        say_text(" --no_delegate_nodes=%s", r->cpu_list);
    if (in_fp32)
        say_text(" --%s=%s", r->flag, r->list);
    say_text("\n");
    if (on_cpu && cpu->n == cpu->n_candidates)
        say_text("That leaves nothing to the delegate: what is off comes of no node that it has.\n");
}

void diff_fp32_say(const struct comparison *c)
{
    const struct remedy *r = &c->remedy;
    const enum auto_fp32_end end = r->tried_cpu ? r->on_cpu.end : r->search.end;

    if (!r->done)
        return;
    say_text("\n");
    if (r->tried_cpu && r->flag)
        say_text("The outputs are beyond the tolerance with all %u nodes in float32, too: half precision is not, or not alone, "
                 "the cause.\n",
                 r->search.n_candidates);
    switch (end) {
    case AUTO_FP32_NOT_NEEDED:
        say_text("No node need be kept %s: the outputs are within the tolerance.\n", r->flag ? "in float32" : "on the CPU");
        break;
    case AUTO_FP32_NOT_ENOUGH:
        say_text("The outputs are beyond the tolerance with all %u nodes on the CPU, too: it is not the delegate's doing alone.\n",
                 r->on_cpu.n_candidates);
        break;
    case AUTO_FP32_STOPPED:
        say_text("The search for nodes to keep %s was ended before any had helped.\n", r->tried_cpu ? "on the CPU" : "in float32");
        break;
    case AUTO_FP32_FOUND:
    case AUTO_FP32_LARGER: say_remedy(r); break;
    }
}
