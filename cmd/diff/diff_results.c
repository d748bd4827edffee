/* SPDX-License-Identifier: Apache-2.0 */
/* diff_results.c - the whole of a comparison's results, and the order of their parts in text and on the page. */
#include "cmd/diff/diff_results.h"

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const int in_text[] = {DIFF_RUNS,    DIFF_OUTPUTS, DIFF_SIDES,  DIFF_NODES,  DIFF_ALONG,   DIFF_CUT,    DIFF_BISECT,
                              DIFF_EXTRACT, DIFF_WHY,     DIFF_REMEDY, DIFF_MATRIX, DIFF_VERDICT, DIFF_ANSWER, DIFF_REPAIR};

static const int in_markdown[] = {DIFF_ANSWER, DIFF_TABLE, DIFF_MATRIX};

static const int on_page[] = {DIFF_HEADLINE, DIFF_VERDICT,    DIFF_OUTPUTS,  DIFF_SIDES,      DIFF_CUT,        DIFF_INTERRUPTED,
                              DIFF_ALONG,    DIFF_OUTPUT_MAP, DIFF_NODE_MAP, DIFF_HISTOGRAMS, DIFF_FIGURES,    DIFF_MATRIX,
                              DIFF_WHY,      DIFF_BISECT,     DIFF_EXTRACT,  DIFF_REMEDY,     DIFF_REPAIR,     DIFF_NODES,
                              DIFF_WHERE,    DIFF_TIMES,      DIFF_MODEL,    DIFF_PAIRS,      DIFF_ENVIRONMENT};

static void add_latency(struct result_section *to, const char *which, const struct stats *us)
{
    char avg[STATS_AVG_SIZE];

    if (us->count) /* a stored side did not run */
        result_line(to, RESULT_LOG, "%s run latency: avg=%s(us), std_dev=%.0f(us)", which, stats_avg(us->avg, avg), us->std);
}

/* As TFLite's inference_diff prints them. */
static void add_runs(struct results *r, const struct comparison *c)
{
    const struct session_diff *d = &c->test.diff;
    struct result_section *to = r->parts[DIFF_RUNS];

    result_line(to, RESULT_LOG, "Num evaluation runs: %u", d->runs);
    if (d->runs < d->max_runs && !interrupted())
        result_line(to, RESULT_LOG, "Of %u runs, as --max_secs=%g", d->max_runs, c->flags.max_secs);
    add_latency(to, "Reference", &c->reference.figures);
    add_latency(to, "Test", &c->test.figures);
    for (uint32_t i = 0; i < d->n_outputs && d->runs; i++)
        result_line(to, RESULT_LOG, "OutputDiff[%u]: avg_error=%g, std_dev=%g", i, d->outputs[i].error.avg,
                    d->outputs[i].error.std);
}

static void add_unsteady(struct results *r, const char *which, uint32_t unsteady, uint32_t runs)
{
    if (unsteady)
        result_line(r->parts[DIFF_SIDES], RESULT_WARNING, "the %s gave different bits for the same input in %u of %u runs", which,
                    unsteady, runs);
}

/* Of the output that is off most for the size of its values. */
static void add_largest(struct result_section *to, const struct comparison *c)
{
    const struct session_diff *d = &c->test.diff;
    const uint32_t worst = session_diff_worst(d);
    char value[RESULT_SHOWN_SIZE], absolute[RESULT_SHOWN_SIZE], detail[128];

    if (!d->n_outputs || !d->runs)
        return;
    snprintf(detail, sizeof detail, "of its largest value, in output %u; absolute %s", worst,
             result_shown(diff_max_abs(&d->outputs[worst].raw), absolute));
    result_figure(to, "Largest error", detail, "%s", result_shown(diff_relative(&d->outputs[worst].raw), value));
}

static void add_headline(struct results *r, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_HEADLINE];
    const struct assignment *a = &c->test.assignment;
    const struct delegate *d = c->test.delegate;
    char failed[DIFF_FAILED_SIZE], detail[PAGE_VALUE_SIZE] = "", runs[SAY_COUNT_SIZE];

    if (*diff_failed_text(c->test.verdict.failed_on, failed))
        snprintf(detail, sizeof detail, "outputs: %s", failed);
    result_figure(to, "Verdict", detail, "%s", comparison_passed(c) ? "passed" : "FAILED");
    add_largest(to, c);
    snprintf(detail, sizeof detail, "nodes on the %s", d ? d->type->label : "CPU");
    if (!c->stored.test.n_runs)
        result_figure(to, "Test side", detail, "%u of %u", d ? trial_n_delegated(&c->test) : a->n_cpu, a->n_delegated + a->n_cpu);
    result_figure(to, "Compared", "", "%s", say_count(c->test.diff.runs, "run", runs));
    if (interrupted())
        result_line(r->parts[DIFF_INTERRUPTED], RESULT_CAUTION, "Interrupted: the figures cover the runs until then.");
}

static void add_times(struct result_section *to, const struct comparison *c)
{
    static const struct result_column columns[] = {{.heading = "in ms"},   {PAGE_NUMBER("invocations")}, {PAGE_NUMBER("first")},
                                                   {PAGE_NUMBER("least")}, {PAGE_NUMBER("median")},      {PAGE_NUMBER("average")},
                                                   {PAGE_NUMBER("most")}};
    const struct stats *const sides[] = {&c->reference.figures, &c->test.figures};
    struct result_table *t;
    char value[PAGE_VALUE_SIZE];

    if (!c->reference.figures.count && !c->test.figures.count)
        return;
    t = results_table(to, columns, COUNT(columns), NULL);
    for (size_t k = 0; k < COUNT(sides); k++) {
        const double times[] = {sides[k]->first, sides[k]->min, sides[k]->median, sides[k]->avg, sides[k]->max};

        if (!sides[k]->count)
            continue;
        result_text(t, "%s",
                    k                   ? "test side"
                    : c->runtime.opened ? c->runtime.opened->type->label
                                        : "reference kernels, one thread");
        result_number(t, (double)sides[k]->count);
        for (size_t i = 0; i < COUNT(times); i++)
            result_text(t, "%s", page_in_ms(times[i], value));
    }
    result_line(to, RESULT_NOTE, "On the way, without warm-up: benchmark_model measures.");
}

/* ---- what only the report has ---- */

static void put_side(struct report *r, const char *key, const struct session *s, const struct stats *us, const double *samples,
                     uint32_t unsteady)
{
    struct json *o = json_object(r, report_root(r), key);
    struct session_called called;
    struct session_dynamic dynamic;

    session_dynamic(s, &dynamic);
    session_called(s, &called);
    json_number(r, o, "unsteady_runs", unsteady);
    report_stats(r, o, "latency_us", us, samples);
    report_assignment(r, o, session_graph(s), session_partitioning(s));
    report_dynamic(r, o, &dynamic);
    report_called(r, o, &called);
}

static void put_head(struct report *r, const struct comparison *c)
{
    char hybrid[256];

    report_head(r, &c->tool, diff_model_path(&c->flags));
    json_bool(r, report_root(r), "interrupted", interrupted());
    json_number(r, report_root(r), "runs", c->test.diff.runs);
    json_bool(r, report_root(r), "passed", comparison_passed(c));
    diff_put_failed_on(r, report_root(r), c->test.verdict.failed_on);
    json_number(r, report_root(r), "hybrid_nodes", diff_hybrid_nodes(c, hybrid, sizeof hybrid));
    json_names(r, report_root(r), "hybrid_operators", hybrid);
    JSON_NUMBERS(r, report_root(r), {"loads", c->loads.n}, {"loads_different", c->loads.different});
    json_string(r, report_root(r), "reference_runtime", c->runtime.opened ? c->runtime.opened->device : NULL);
    put_side(r, "reference", c->reference.session, &c->reference.figures, c->reference.samples.us, c->reference.unsteady);
    put_side(r, "test", c->test.session, &c->test.figures, c->test.samples.us, c->test.unsteady);
    report_delegates(r, report_root(r), c->test.session, c->tool.delegates.all);
}

/* ---- the whole ---- */

static enum status build(struct results *r, const struct comparison *c, struct err *err)
{
    const char *const headings[DIFF_PARTS] = {[DIFF_ALONG] = "Error along the graph",
                                              [DIFF_OUTPUT_MAP] = "Where the error lies",
                                              [DIFF_HISTOGRAMS] = "How often each error comes",
                                              [DIFF_FIGURES] = "Outputs",
                                              [DIFF_MATRIX] = "Delegates and precisions",
                                              [DIFF_WHY] = "Why",
                                              [DIFF_BISECT] = "Bisection",
                                              [DIFF_EXTRACT] = "Extracted",
                                              [DIFF_REMEDY] = "Remedy",
                                              [DIFF_REPAIR] = "Repair",
                                              [DIFF_NODES] = c->names.n ? "Tensors" : "Nodes",
                                              [DIFF_NODE_MAP] = c->alone.session ? "Where the node's own error lies"
                                                                                 : "Where the error lies when it is first seen",
                                              [DIFF_TIMES] = "Times",
                                              [DIFF_WHERE] = "What ran where",
                                              [DIFF_MODEL] = "Model",
                                              [DIFF_ENVIRONMENT] = "Environment"};
    const bool ran = !c->stored.inputs.n_runs && !c->stored.reference.n_runs;
    enum status st;

    results_init(r, headings, DIFF_PARTS, *c->tool.json);
    if (r->report)
        put_head(r->report, c);
    add_headline(r, c);
    add_runs(r, c);
    diff_outputs_results(r, c);
    add_unsteady(r, "reference", c->reference.unsteady, c->test.diff.runs);
    add_unsteady(r, "test side", c->test.unsteady, c->test.diff.runs);
    diff_ops_results(r, c);
    diff_matrix_results(r, c);
    diff_bisect_results(r, c);
    diff_extract_results(r, c);
    diff_why_results(r, c);
    diff_repair_results(r, c);
    diff_verdict_results(r, c);
    diff_answer_results(r, c);
    add_times(r->parts[DIFF_TIMES], c);
    if (!c->stored.test.n_runs && (st = page_add_assignment(r->parts[DIFF_WHERE], c->test.session, c->test.delegate, err)))
        return st;
    page_add_model(r->parts[DIFF_MODEL], diff_model_path(&c->flags), c->tool.model, c->test.session);
    if (*c->stored.flags.load_inputs)
        result_line(r->parts[DIFF_MODEL], RESULT_NOTE, "Inputs are those of %s.", c->stored.flags.load_inputs);
    page_add_environment(r->parts[DIFF_ENVIRONMENT], &c->tool);
    diff_models_results(r, c);
    diff_tensors_results(r, c);
    diff_maps_results(r, c);
    device_io_put(r->report, report_root(r->report), &c->test.io);
    return inputs_ranges(&c->inputs, c->reference.session, r->report, ran ? r->parts[DIFF_MODEL] : NULL, err);
}

enum status comparison_report(struct comparison *c, struct err *err)
{
    struct results r;
    enum status st;

    if (!(st = build(&r, c, err)) && !(st = results_say_parts(&r, in_text, COUNT(in_text), err)) && *c->tool.json) {
        if (c->report_to)
            json_take(c->report_to, c->report_in, "report", r.report);
        else
            st = report_write(r.report, c->tool.json, err);
        c->reported = true;
    }
    if (!st && *c->flags.markdown)
        st = results_write_markdown(&r, in_markdown, COUNT(in_markdown), c->flags.markdown, err);
    if (!st && *c->flags.html)
        st = results_write_page(&r, on_page, COUNT(on_page), html_new("inference_diff", diff_model_path(&c->flags)), c->flags.html,
                                err);
    results_fini(&r);
    return st;
}
