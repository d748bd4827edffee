/* SPDX-License-Identifier: Apache-2.0 */
/* diff_page_outputs.c - the outputs of the model on the page: figures, a map of the worst, how often each error comes. */
#include <math.h>

#include "cmd/diff/diff_page.h"
#include "cmd/print/html_chart.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { HISTOGRAMS_SHOWN = 8 };

static void put_numbers(struct html *h, const double *figures, size_t n)
{
    char value[PAGE_FIGURE_SIZE];

    for (size_t i = 0; i < n; i++)
        html_cell(h, "%s", page_figure(figures[i], value));
}

static void put_worst(struct html *h, const struct tensor *t, const struct diff *d)
{
    char at[128];

    if (!d->different || isnan(diff_max_abs(d)))
        html_cell(h, "%s", isnan(diff_max_abs(d)) ? "" : "equal");
    else
        html_cell(h, "%s: %.6g, %.6g in run %llu", diff_index_text(t, d->worst, at, sizeof at), d->worst_reference, d->worst_test,
                  (unsigned long long)d->worst_comparison);
}

/* Of quantized outputs twice: `real` are the numbers that the stored ones stand for. */
static void put_output(struct html *h, const struct comparison *c, uint32_t i, bool real)
{
    const struct output_diff *out = &c->test.diff.outputs[i];
    const struct diff *d = real ? &out->real : &out->raw;
    const struct tensor *t = session_output(c->test.diff.reference, i);
    const double figures[] = {diff_max_abs(d), diff_relative(d), diff_mean_abs(d), diff_rms(d)};
    char failed[DIFF_FAILED_SIZE];

    html_cell(h, "%u", i);
    html_cell(h, "%s", t->name);
    html_cell(h, "%s", real ? "dequantized" : TENSOR_TEXT(t));
    diff_failed_text(diff_failed_on(&out->raw) | diff_failed_on(&out->first), failed);
    html_cell(h, "%s%s", real ? "" : *failed ? "FAILED on " : "within", real ? "" : failed);
    put_numbers(h, figures, COUNT(figures));
    html_cell(h, "%llu of %llu", (unsigned long long)d->different, (unsigned long long)d->elems);
    put_worst(h, t, d);
}

static void put_more(struct html *h, const struct comparison *c, uint32_t i)
{
    const struct diff *d = &c->test.diff.outputs[i].raw;
    const double figures[] = {diff_max_ulp(d), diff_mean_ulp(d), diff_cosine(d), diff_snr_db(d), diff_psnr_db(d)};
    char allowed[128];

    html_cell(h, "%u", i);
    put_numbers(h, figures, COUNT(figures));
    html_cell(h, "%llu of %llu", (unsigned long long)d->top1_different, (unsigned long long)d->rows);
    html_cell(h, "%llu, %llu", (unsigned long long)d->nan_reference, (unsigned long long)d->nan_test);
    html_cell(h, "%llu, %llu", (unsigned long long)d->inf_reference, (unsigned long long)d->inf_test);
    html_cell(h, "%s", tolerance_text(&d->allowed, allowed, sizeof allowed));
}

void page_put_outputs(struct html *h, const struct comparison *c)
{
    static const struct html_column columns[] = {{"output", true},
                                                 {"name", false},
                                                 {"type and shape", false},
                                                 {"verdict", false},
                                                 {"largest", true},
                                                 {"relative", true},
                                                 {"mean", true},
                                                 {"rms", true},
                                                 {"different", true},
                                                 {"worst: reference, test", false}},
                                    more[] = {{"of output", true},    {"largest in ULP", true},  {"mean in ULP", true},
                                              {"cosine", true},       {"SNR dB", true},          {"PSNR dB", true},
                                              {"top1 differs", true}, {"NaN: ref., test", true}, {"Inf: ref., test", true},
                                              {"allowed", false}};
    const uint32_t n = c->test.diff.n_outputs;

    html_section(h, "Outputs");
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < n; i++) {
        put_output(h, c, i, false);
        if (c->test.diff.outputs[i].is_quantized)
            put_output(h, c, i, true);
    }
    html_note(h,
              "Absolute errors; relative to the largest |reference|. Of quantized values they are steps, and a second row has what "
              "these stand for.");
    html_table(h, more, COUNT(more));
    for (uint32_t i = 0; i < n; i++)
        put_more(h, c, i);
}

/* ---- maps ---- */

static double clamp(double v, double least, double most)
{
    return fmin(fmax(v, least), most);
}

static void put_plane(struct html *h, const struct error_map *m, uint32_t k)
{
    const struct error_plane *p = &m->planes[k];
    const struct html_grid grid = {p->cells, p->n_rows, p->n_columns, clamp((double)p->columns / (double)p->rows, 1, 8),
                                   "absolute errors by their places"};

    html_note(h, "%s: %zu rows, %zu columns%s.",
              m->n_planes == 1 ? "The tensor"
              : k              ? "By channel, the last dimension"
                               : "By place, the last dimension but one across",
              p->rows, p->columns, p->over > 1 ? "; of what lies upon each other the largest" : "");
    if (p->cell_rows > 1 || p->cell_columns > 1)
        html_note(h, "A cell is the largest of %zu × %zu of them.", p->cell_rows, p->cell_columns);
    html_map(h, &grid);
}

void page_put_maps(struct html *h, const struct comparison *c)
{
    for (uint32_t i = 0; i < c->maps.n_shown; i++) {
        const struct shown_map *s = &c->maps.shown[i];

        if (s->node)
            html_section(h, c->alone.session ? "Where the node's own error lies" : "Where the error lies when it is first seen");
        else
            html_section(h, "Where the error lies");
        if (s->node)
            html_note(h, "Node %u %s, output '%s' %s: the largest absolute error of all runs.", s->node->index, s->node->name,
                      s->tensor->name, TENSOR_TEXT(s->tensor));
        else
            html_note(h, "Output %u '%s' %s: the largest absolute error of all runs.", s->output, s->tensor->name,
                      TENSOR_TEXT(s->tensor));
        if (s->map->shapes_differ)
            html_warning(h, "Its shape changed from run to run: this is of those that were of the first one's.");
        for (uint32_t k = 0; k < s->map->n_planes; k++)
            put_plane(h, s->map, k);
    }
}

/* ---- how often ---- */

static void put_histogram(struct html *h, uint32_t output, const struct diff *d)
{
    char label[64], value[64];

    html_note(h, "Output %u:", output);
    for (int b = 0; b < DIFF_BINS; b++) {
        const double share = (double)d->histogram[b] / fmax((double)d->elems, 1);

        if (!d->histogram[b])
            continue;
        if (b == 0)
            snprintf(label, sizeof label, "0");
        else if (b == DIFF_BINS - 1)
            snprintf(label, sizeof label, "from %g", diff_bin_end(b - 1));
        else if (b == 1)
            snprintf(label, sizeof label, "above 0, below %.0g", diff_bin_end(b));
        else
            snprintf(label, sizeof label, "from %.0g, below %.0g", diff_bin_end(b - 1), diff_bin_end(b));
        snprintf(value, sizeof value, "%llu, %.4g %%", (unsigned long long)d->histogram[b], 100 * share);
        html_bar(h, label, share, false, value);
    }
}

void page_put_histograms(struct html *h, const struct comparison *c)
{
    const struct session_diff *d = &c->test.diff;

    html_section(h, "How often each error comes");
    html_note(h, "Elements of all runs that are finite on both sides, by their absolute error.");
    for (uint32_t i = 0; i < d->n_outputs && i < HISTOGRAMS_SHOWN; i++)
        put_histogram(h, i, &d->outputs[i].raw);
    if (d->n_outputs > HISTOGRAMS_SHOWN)
        html_note(h, "The JSON report has the other %u outputs.", d->n_outputs - HISTOGRAMS_SHOWN);
}
