/* SPDX-License-Identifier: Apache-2.0 */
/* diff_html.c - the comparison as a page to look at: --html. Every number in it is one of the JSON report's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/diff/diff_page.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/tool/page_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

const char *page_figure(double value, char out[PAGE_FIGURE_SIZE])
{
    if (isfinite(value))
        snprintf(out, PAGE_FIGURE_SIZE, "%.4g", value);
    else
        snprintf(out, PAGE_FIGURE_SIZE, "%s", isnan(value) ? "NaN" : value > 0 ? "∞" : "-∞");
    return out;
}

static void put_line(struct html *h, const char *line, enum page_lines kind)
{
    if (!*line)
        return;
    if (kind == PAGE_WARNINGS)
        html_warning(h, "%s", line);
    else if (*line == ' ')
        html_item(h, "%s", line + strspn(line, " "));
    else
        html_note(h, "%s", line);
}

enum status page_put_said(struct html *h, const struct comparison *c, void (*say)(const struct comparison *c), enum page_lines kind,
                          struct err *err)
{
    char *text = NULL, *rest, *line;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    bool failed = !to;

    if (to) {
        say_divert(to);
        say(c);
        say_divert(NULL);
        failed = fclose(to) != 0;
    }
    for (rest = failed ? NULL : text; rest && (line = strsep(&rest, "\n"));)
        put_line(h, line, kind);
    free(text);
    return failed ? err_set(err, ST_NOMEM, "out of memory for the HTML report") : ST_OK;
}

/* Of the output that is off most for the size of its values. */
static void put_largest(struct html *h, const struct comparison *c)
{
    const struct session_diff *d = &c->test.diff;
    char value[PAGE_FIGURE_SIZE], absolute[PAGE_FIGURE_SIZE], detail[128];
    const uint32_t worst = session_diff_worst(d);

    if (!d->n_outputs || !d->runs)
        return;
    snprintf(detail, sizeof detail, "of its largest value, in output %u; absolute %s", worst,
             page_figure(diff_max_abs(&d->outputs[worst].raw), absolute));
    html_figure(h, "Largest error", page_figure(diff_relative(&d->outputs[worst].raw), value), detail);
}

static void put_headline(struct html *h, const struct comparison *c)
{
    const struct assignment *a = &c->test.assignment;
    const struct delegate *d = c->test.delegate;
    char failed[DIFF_FAILED_SIZE], value[PAGE_VALUE_SIZE], detail[PAGE_VALUE_SIZE] = "", runs[SAY_COUNT_SIZE];

    if (*diff_failed_text(c->test.verdict.failed_on, failed))
        snprintf(detail, sizeof detail, "outputs: %s", failed);
    html_figure(h, "Verdict", comparison_passed(c) ? "passed" : "FAILED", detail);
    put_largest(h, c);
    snprintf(value, sizeof value, "%u of %u", d ? trial_n_delegated(&c->test) : a->n_cpu, a->n_delegated + a->n_cpu);
    snprintf(detail, sizeof detail, "nodes on the %s", d ? d->type->label : "CPU");
    if (!c->stored.test.n_runs)
        html_figure(h, "Test side", value, detail);
    html_figure(h, "Compared", say_count(c->test.diff.runs, "run", runs), "");
}

static enum status put_verdict(struct html *h, const struct comparison *c, struct err *err)
{
    enum status st = page_put_said(h, c, comparison_say_verdict, PAGE_NOTES, err);

    if (!st)
        st = page_put_said(h, c, comparison_say_doubts, PAGE_WARNINGS, err);
    if (!st)
        st = page_put_said(h, c, diff_models_say_cut, PAGE_WARNINGS, err);
    if (interrupted())
        html_warning(h, "Interrupted: the figures cover the runs until then.");
    return st;
}

static void put_side(struct html *h, const char *name, const struct stats *us)
{
    char value[PAGE_VALUE_SIZE];
    const double times[] = {us->first, us->min, us->median, us->avg, us->max};

    if (!us->count)
        return;
    html_cell(h, "%s", name);
    html_cell(h, "%zu", us->count);
    for (size_t i = 0; i < COUNT(times); i++)
        html_cell(h, "%s", page_in_ms(times[i], value));
}

static void put_times(struct html *h, const struct comparison *c)
{
    static const struct html_column columns[] = {{"in ms", false}, {"invocations", true}, {"first", true}, {"least", true},
                                                 {"median", true}, {"average", true},     {"most", true}};

    if (!c->reference.figures.count && !c->test.figures.count)
        return;
    html_section(h, "Times");
    html_table(h, columns, COUNT(columns));
    put_side(h, "reference kernels, one thread", &c->reference.figures);
    put_side(h, "test side", &c->test.figures);
    html_note(h, "On the way, without warm-up: benchmark_model measures.");
}

static void say_ranges(const struct comparison *c)
{
    struct err err;

    if (!c->stored.inputs.n_runs && !c->stored.reference.n_runs)
        (void)inputs_say_ranges(&c->inputs, c->reference.session, &err); /* out of memory: the report itself fails on that */
}

static enum status put_model(struct html *h, const struct comparison *c, struct err *err)
{
    enum status st;

    page_put_model(h, diff_model_path(&c->flags), c->tool.model, c->test.session);
    if (*c->stored.flags.load_inputs)
        html_note(h, "Inputs are those of %s.", c->stored.flags.load_inputs);
    st = page_put_said(h, c, say_ranges, PAGE_NOTES, err);
    return st ? st : page_put_said(h, c, diff_models_say_pairs, PAGE_NOTES, err);
}

static enum status put_all(struct html *h, const struct comparison *c, struct err *err)
{
    enum status st;

    put_headline(h, c);
    if ((st = put_verdict(h, c, err)))
        return st;
    if ((st = page_put_along(h, c, err)))
        return st;
    page_put_maps(h, c);
    page_put_histograms(h, c);
    page_put_outputs(h, c);
    if ((st = page_put_found(h, c, err)))
        return st;
    page_put_nodes(h, c);
    if (!c->stored.test.n_runs && (st = page_put_assignment(h, c->test.session, c->test.delegate, err)))
        return st;
    put_times(h, c);
    if ((st = put_model(h, c, err)))
        return st;
    page_put_environment(h, &c->tool);
    return html_write(h, c->flags.html, err);
}

enum status comparison_write_html(const struct comparison *c, struct err *err)
{
    struct html *h = html_new("inference_diff", diff_model_path(&c->flags));
    enum status st = put_all(h, c, err);

    html_free(h);
    return st;
}
