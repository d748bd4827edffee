/* SPDX-License-Identifier: Apache-2.0 */
/* diff_answer.c - the last lines of text: the verdict, how far off the outputs are, and the flags that tell more. */
#include <math.h>
#include <string.h>

#include "cmd/diff/diff_results.h"
#include "cmd/host/say.h"
#include "lib/tensor/element.h"

enum { OUTPUTS_SHOWN = 3 };

typedef unsigned long long count;

static unsigned failed_on(const struct output_diff *out)
{
    return diff_failed_on(&out->raw) | diff_failed_on(&out->first);
}

/* ---- the verdict ---- */

static void add_side(struct result_section *to, const struct comparison *c)
{
    const struct delegate *d = c->test.delegate;
    char names[64], nodes[SAY_COUNT_SIZE], precision[DELEGATES_PRECISION_SIZE];
    uint32_t of, n = trial_n_on_delegate(&c->test, &of);

    delegates_precision(c->test.session, d, precision);
    if (c->stored.test.n_runs)
        result_more(to, "; stored outputs");
    else if (!d)
        result_more(to, "; %s on the CPU's %s kernels", say_count(c->test.assignment.n_cpu, "node", nodes),
                    c->flags.cpu_kernels == CPU_FAST ? "fast" : "reference");
    else
        result_more(to, "; %u/%u nodes on the %s%s%s%s", n, of, delegates_label(c->tool.delegates.all, names),
                    *precision ? " (" : "", precision, *precision ? ")" : "");
}

static void add_verdict(struct result_section *to, const struct comparison *c)
{
    const struct trial_verdict *v = &c->test.verdict;
    const uint32_t n = c->test.diff.n_outputs;
    char failed[DIFF_FAILED_SIZE], outputs[SAY_COUNT_SIZE];
    uint32_t off = 0;

    for (uint32_t i = 0; i < n; i++)
        off += failed_on(&c->test.diff.outputs[i]) != 0;
    result_line(to, RESULT_TITLE | (v->passed ? RESULT_GOOD : RESULT_BAD), "Verdict: %s. ", v->passed ? "passed" : "FAILED");
    if (!c->test.diff.runs)
        result_more(to, "No run was completed");
    else if (off)
        result_more(to, "%u of %s too far off (%s)", off, say_count(n, "output", outputs), diff_failed_text(v->failed_on, failed));
    else if (!v->delegated_enough)
        result_more(to, "Too few nodes on the delegate");
    else
        result_more(to, "%s within", say_count(n, "output", outputs));
    if (c->tensors.dir)
        result_more(to, "; %u of %s off by --reference_tensors", c->tensors.off, say_count(c->tensors.compared, "tensor", outputs));
    add_side(to, c);
    if (c->loads.n)
        result_more(to, "; %u of %u fresh loads give other bits than the first", c->loads.different, c->loads.n);
    if (c->runtime.opened)
        result_more(to, "; the reference is %s, %.200s", c->runtime.opened->type->label, c->runtime.opened->device);
}

/* ---- the outputs ---- */

static void add_output(struct result_section *to, const struct comparison *c, uint32_t i)
{
    const struct tensor *t = session_output(c->test.diff.reference, i);
    const struct diff *d = &c->test.diff.outputs[i].raw;
    char allowed[128], at[128], where[256] = "", max[32];

    diff_allowed_text(d, allowed, sizeof allowed);
    snprintf(max, sizeof max, isnan(diff_max_abs(d)) ? "nan" : "%.3g", diff_max_abs(d));
    if (d->different && !isnan(diff_max_abs(d)))
        snprintf(where, sizeof where, " at %s (%.4g, not %.4g)", diff_index_text(t, d->worst, at, sizeof at), d->worst_test,
                 d->worst_reference);
    result_wrapped(to, RESULT_TITLE, 4, "  %.63s %s: max %s%s; allowed %s", t->name, TENSOR_TEXT(t), max, where, allowed);
    if (d->beyond)
        result_wrapped(to, RESULT_TITLE, 4, "    %llu of %llu elements beyond; top-1 differs in %llu of %llu rows",
                       (count)d->beyond, (count)d->elems, (count)d->top1_different, (count)d->rows);
}

/* Those that failed first. */
static void add_outputs(struct result_section *to, const struct comparison *c)
{
    const uint32_t n = c->test.diff.n_outputs;
    uint32_t shown = 0;

    for (int failed = 1; failed >= 0; failed--)
        for (uint32_t i = 0; i < n && shown < OUTPUTS_SHOWN; i++)
            if ((failed_on(&c->test.diff.outputs[i]) != 0) == failed) {
                add_output(to, c, i);
                shown++;
            }
    if (n > shown)
        result_line(to, RESULT_TITLE, "  %u more above", n - shown);
}

/* ---- what next ---- */

static bool is_quantized(const struct comparison *c)
{
    const struct cli_row *row = cli_find(&c->tool.cli, "gpu_quant");
    char value[CLI_VALUE_SIZE];
    bool any = false;

    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++)
        any |= c->test.diff.outputs[i].is_quantized;
    return any && row && !strcmp(cli_value(row, value), "simulate") && c->test.delegate &&
           !strcmp(c->test.delegate->type->name, "gpu");
}

static bool is_half(const struct delegate *d)
{
    return d && d->precision.stored && !strcmp(d->precision.stored, "float16");
}

static bool has_quantized_nodes(const struct session *s)
{
    const struct graph *g = s ? session_graph(s) : NULL;

    for (uint32_t i = 0; g && i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            if (g->nodes[i].out[k] && g->nodes[i].out[k]->quant.n && !element_is_float(g->nodes[i].out[k]->type))
                return true;
    return false;
}

/* A quantized model against a float one whose outputs differ by distances alone, while both choose the same element of each row. */
static bool chooses_the_same(const struct comparison *c)
{
    bool rows = false;

    if (!c->second.model || !has_quantized_nodes(c->test.session) || has_quantized_nodes(c->reference.session))
        return false;
    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct diff *d = &c->test.diff.outputs[i].raw;

        if (d->top1_different || (failed_on(&c->test.diff.outputs[i]) & FAIL_ON_NAN))
            return false;
        rows |= d->rows && d->rows < d->elems && d->low[0] < d->high[0] && d->low[1] < d->high[1]; /* else all are ties */
    }
    return rows;
}

/* Flags that were not given and tell more about a failure, the most useful first. */
static void add_next(struct result_section *to, const struct comparison *c)
{
    const struct diff_flags *f = &c->flags;
    const bool half = is_half(c->test.delegate),
               alone = c->test.delegate && !c->stored.test.n_runs && !c->second.model && !c->runtime.opened;
    const struct {
        bool helps;
        const char *text;
    } next[] = {
        {chooses_the_same(c), "--fail_on=top1, on real inputs (both models pick the same here)"},
        {alone && is_quantized(c), "--gpu_quant=exact (integers, the CPU's bits)"},
        {alone && half && !f->why, "--why (is half precision the cause?)"},
        {alone && half && !f->auto_fp32, "--auto_fp32 (which nodes need float32?)"},
        {alone && !f->per_op, "--per_op (which node?)"},
        {alone && f->per_op && c->worst_op && !*f->extract, "--extract=part.tflite (the node as a model)"},
    };
    const char *before = "  next: ";
    char line[400] = "";

    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        const size_t n = strlen(line);

        if (!next[i].helps)
            continue;
        snprintf(line + n, sizeof line - n, "%s%s", before, next[i].text);
        before = ", ";
    }
    if (*line)
        result_wrapped(to, RESULT_TITLE, 4, "%s", line);
}

/* ---- Markdown ---- */

static void add_table(struct result_section *to, const struct comparison *c)
{
    static const struct result_column columns[] = {{.title = "output"},
                                                   {.title = "type and shape"},
                                                   {.title = "largest error", .number = "%.3g", .right = true},
                                                   {.title = "relative", .number = "%.3g", .right = true},
                                                   {.title = "beyond", .right = true},
                                                   {.title = "allowed", .markdown = RESULT_CODE},
                                                   {.title = "verdict"}};
    struct result_table *t;

    result_gap(to);
    t = results_table(to, columns, sizeof columns / sizeof *columns, NULL);
    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        const struct output_diff *out = &c->test.diff.outputs[i];
        const struct tensor *tensor = session_output(c->test.diff.reference, i);
        char allowed[128], failed[DIFF_FAILED_SIZE];

        result_text(t, "%s", tensor->name);
        result_text(t, "%s", TENSOR_TEXT(tensor));
        RESULT_NUMBERS(t, diff_max_abs(&out->raw), diff_relative(&out->raw), (double)out->raw.beyond);
        result_text(t, "%s", diff_allowed_text(&out->raw, allowed, sizeof allowed));
        result_text(t, "%s%s", failed_on(out) ? "FAILED on " : "within", diff_failed_text(failed_on(out), failed));
    }
}

void diff_answer_results(struct results *r, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_ANSWER];
    const struct trial_verdict *v = &c->test.verdict;

    if (c->test.diff.runs)
        add_table(r->parts[DIFF_TABLE], c);
    if (c->matrix.n)
        return;
    add_verdict(to, c);
    if (c->test.diff.runs)
        add_outputs(to, c);
    if (c->test.diff.runs && !v->outputs_passed)
        add_next(to, c);
    else if (!v->delegated_enough)
        result_line(to, RESULT_TITLE, "  next: op_coverage (why do nodes stay on the CPU?)");
}
