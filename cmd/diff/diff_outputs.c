/* SPDX-License-Identifier: Apache-2.0 */
/* diff_outputs.c - distances of the outputs: where, how many, which run, and whether that is allowed. */
#include <math.h>

#include "cmd/diff/diff_results.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { HISTOGRAMS_SHOWN = 8 };

typedef unsigned long long count;

/* ---- lines ---- */

static void add_counts(struct result_section *to, const char *what, const struct diff *d)
{
    if (d->nan_reference || d->nan_test || d->inf_reference || d->inf_test)
        result_line(
            to, RESULT_LOG,
            "%s: NaN reference=%llu test=%llu, Inf reference=%llu test=%llu, not finite in the test alone: %llu, unequal: %llu",
            what, (count)d->nan_reference, (count)d->nan_test, (count)d->inf_reference, (count)d->inf_test, (count)d->broken,
            (count)d->unequal);
    if (d->shapes_differ)
        result_line(to, RESULT_LOG, "%s: another shape or type than the reference in %llu of %llu runs", what,
                    (count)d->shapes_differ, (count)d->comparisons);
}

/* What is known of the finite pairs comes after "max_error=nan": a script that looks for the figure must not find theirs. */
static void add_unknown(struct result_section *to, const char *what, const struct diff *d)
{
    if (d->elems)
        result_line(to, RESULT_LOG,
                    "%s: max_error=nan, mean_error=nan; the %llu elements that are finite on both sides differ by up to %g", what,
                    (count)d->elems, d->max_abs);
    else
        result_line(to, RESULT_LOG, "%s: max_error=nan, mean_error=nan; no element is finite on both sides", what);
}

static void add_distance(struct result_section *to, const char *what, const struct tensor *t, const struct diff *d)
{
    char at[128];

    if (isnan(diff_max_abs(d))) {
        add_unknown(to, what, d);
        return;
    }
    if (!d->different) {
        result_line(to, RESULT_LOG, "%s: equal in all %llu finite elements", what, (count)d->elems);
        return;
    }
    result_line(to, RESULT_LOG, "%s: max_error=%g at %s (reference %.9g, test %.9g, run %llu), relative=%g, different=%llu of %llu",
                what, d->max_abs, diff_index_text(t, d->worst, at, sizeof at), d->worst_reference, d->worst_test,
                (count)d->worst_comparison, diff_relative(d), (count)d->different, (count)d->elems);
    result_line(to, RESULT_LOG, "%s: mean_error=%g, rms_error=%g, cosine=%.9g, snr=%g dB", what, diff_mean_abs(d), diff_rms(d),
                diff_cosine(d), diff_snr_db(d));
}

static void add_figures(struct result_section *to, const char *what, const struct diff *d, bool stored)
{
    if (isnan(diff_max_abs(d)) || !d->different)
        return;
    if (stored)
        result_line(to, RESULT_LOG, "%s: max_ulp=%g, mean_ulp=%g, psnr=%g dB, top1 differs in %llu of %llu rows", what,
                    diff_max_ulp(d), diff_mean_ulp(d), diff_psnr_db(d), (count)d->top1_different, (count)d->rows);
    else
        result_line(to, RESULT_LOG, "%s: psnr=%g dB", what, diff_psnr_db(d));
}

static void add_allowed(struct result_section *to, const char *what, const struct diff *d)
{
    char allowed[128], failed[DIFF_FAILED_SIZE];

    diff_failed_text(diff_failed_on(d), failed);
    result_line(to, RESULT_LOG, "%s: allowed: %s: %s%s", what, diff_allowed_text(d, allowed, sizeof allowed),
                *failed ? "FAILED on " : "within", failed);
    if (d->beyond)
        result_more(to, ", %llu elements beyond", (count)d->beyond);
}

/* Said where the figures, which are of the last invocation, would hide it. */
static void add_first(struct result_section *to, const char *what, const struct output_diff *out)
{
    char failed[DIFF_FAILED_SIZE];

    if (diff_failed_on(&out->first) && !diff_failed_on(&out->raw))
        result_line(to, RESULT_DOUBT, "%s: not so what the first invocation with an input gave, max_error=%g: FAILED on %s", what,
                    diff_max_abs(&out->first), diff_failed_text(diff_failed_on(&out->first), failed));
}

/* What no distance shows. */
static void add_suspicions(struct result_section *to, const char *what, const struct output_diff *out)
{
    const struct diff *d = &out->raw;
    const enum diff_silent silent = diff_silent(d);

    if (silent)
        result_line(to, RESULT_WARNING, "%s: every element is %g on the %s side, and on that alone", what,
                    d->low[silent == DIFF_SILENT_TEST], silent == DIFF_SILENT_TEST ? "test" : "reference");
    if (!d->elems && (d->nan_reference || d->inf_reference) && diff_relative_bound(d) == 0)
        result_line(to, RESULT_WARNING, "%s: both sides hold nothing but NaN and infinities: no distance was compared", what);
    if (out->changed > 1 && out->stale == out->changed)
        result_line(to, RESULT_WARNING, "%s: the test side's bits never changed, though the reference's did in %u runs", what,
                    out->changed);
}

/* The bins that hold something. */
static void add_histogram(struct result_section *to, const char *what, const struct diff *d)
{
    const char *before = "";

    if (!d->different)
        return;
    result_line(to, RESULT_LOG, "%s: errors: ", what);
    for (int b = 0; b < DIFF_BINS; b++) {
        if (!d->histogram[b])
            continue;
        if (b == 0 || b == DIFF_BINS - 1)
            result_more(to, "%s%s: %llu", before, b ? "from 1000" : "0", (count)d->histogram[b]);
        else
            result_more(to, "%sbelow %g: %llu", before, diff_bin_end(b), (count)d->histogram[b]);
        before = ", ";
    }
}

static void add_lines(struct result_section *to, const struct trial *t, uint32_t i)
{
    const struct tensor *tensor = session_output(t->diff.reference, i);
    const struct output_diff *out = &t->diff.outputs[i];
    char what[256];

    snprintf(what, sizeof what, "Output %u '%.95s' %s", i, tensor->name, TENSOR_TEXT(tensor));
    if (!out->raw.comparisons) {
        result_line(to, RESULT_LOG, "%s: no run was compared", what);
        return;
    }
    add_distance(to, what, tensor, &out->raw);
    add_figures(to, what, &out->raw, true);
    add_counts(to, what, &out->raw);
    if (out->is_quantized && out->raw.different) {
        snprintf(what, sizeof what, "Output %u dequantized", i);
        add_distance(to, what, tensor, &out->real);
        add_figures(to, what, &out->real, false);
    }
    snprintf(what, sizeof what, "Output %u", i);
    add_histogram(to, what, &out->raw);
    add_allowed(to, what, &out->raw);
    add_first(to, what, out);
    add_suspicions(to, what, out);
}

/* ---- the page ---- */

/* Of quantized outputs twice: `real` are the numbers that the stored ones stand for. */
static void add_output(struct result_table *t, const struct comparison *c, uint32_t i, bool real)
{
    const struct output_diff *out = &c->test.diff.outputs[i];
    const struct diff *d = real ? &out->real : &out->raw;
    const struct tensor *tensor = session_output(c->test.diff.reference, i);
    char failed[DIFF_FAILED_SIZE], at[128];

    result_text(t, "%u", i);
    result_text(t, "%s", tensor->name);
    result_text(t, "%s", real ? "dequantized" : TENSOR_TEXT(tensor));
    diff_failed_text(diff_failed_on(&out->raw) | diff_failed_on(&out->first), failed);
    if (!d->comparisons)
        result_text(t, "%s", real ? "" : "not compared");
    else
        result_text(t, "%s%s", real ? "" : *failed ? "FAILED on " : "within", real ? "" : failed);
    RESULT_NUMBERS(t, diff_max_abs(d), diff_relative(d), diff_mean_abs(d), diff_rms(d));
    result_text(t, "%llu of %llu", (count)d->different, (count)d->elems);
    if (!d->different || isnan(diff_max_abs(d)))
        result_text(t, "%s", isnan(diff_max_abs(d)) || !d->comparisons ? "" : "equal");
    else
        result_text(t, "%s: %.6g, %.6g in run %llu", diff_index_text(tensor, d->worst, at, sizeof at), d->worst_reference,
                    d->worst_test, (count)d->worst_comparison);
}

static void add_more(struct result_table *t, const struct diff *d, uint32_t i)
{
    char allowed[128];

    result_text(t, "%u", i);
    RESULT_NUMBERS(t, diff_max_ulp(d), diff_mean_ulp(d), diff_cosine(d), diff_snr_db(d), diff_psnr_db(d));
    result_text(t, "%llu of %llu", (count)d->top1_different, (count)d->rows);
    result_text(t, "%llu, %llu", (count)d->nan_reference, (count)d->nan_test);
    result_text(t, "%llu, %llu", (count)d->inf_reference, (count)d->inf_test);
    result_text(t, "%s", diff_allowed_text(d, allowed, sizeof allowed));
}

static void add_tables(struct result_section *to, const struct comparison *c)
{
    static const struct result_column columns[] = {{PAGE_NUMBER("output")},       {.heading = "name"},
                                                   {.heading = "type and shape"}, {.heading = "verdict"},
                                                   {PAGE_FIGURE("largest")},      {PAGE_FIGURE("relative")},
                                                   {PAGE_FIGURE("mean")},         {PAGE_FIGURE("rms")},
                                                   {PAGE_NUMBER("different")},    {.heading = "worst: reference, test"}},
                                      more[] = {{PAGE_NUMBER("of output")},       {PAGE_FIGURE("largest in ULP")},
                                                {PAGE_FIGURE("mean in ULP")},     {PAGE_FIGURE("cosine")},
                                                {PAGE_FIGURE("SNR dB")},          {PAGE_FIGURE("PSNR dB")},
                                                {PAGE_NUMBER("top1 differs")},    {PAGE_NUMBER("NaN: ref., test")},
                                                {PAGE_NUMBER("Inf: ref., test")}, {.heading = "allowed"}};
    const uint32_t n = c->test.diff.n_outputs;
    struct result_table *t = results_table(to, columns, COUNT(columns), NULL);

    for (uint32_t i = 0; i < n; i++) {
        add_output(t, c, i, false);
        if (c->test.diff.outputs[i].is_quantized)
            add_output(t, c, i, true);
    }
    result_line(to, RESULT_NOTE,
                "Absolute errors; relative to the largest |reference|. Of quantized values they are steps, and a second row has "
                "what these stand for.");
    t = results_table(to, more, COUNT(more), NULL);
    for (uint32_t i = 0; i < n; i++)
        add_more(t, &c->test.diff.outputs[i].raw, i);
}

static void add_bars(struct result_section *to, uint32_t output, const struct diff *d)
{
    char label[64];

    result_line(to, RESULT_NOTE, "Output %u:", output);
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
        result_bar(to, label, share, "%llu, %.4g %%", (count)d->histogram[b], 100 * share);
    }
}

static void add_all_bars(struct result_section *to, const struct session_diff *d)
{
    result_line(to, RESULT_NOTE, "Elements of all runs that are finite on both sides, by their absolute error.");
    for (uint32_t i = 0; i < d->n_outputs && i < HISTOGRAMS_SHOWN; i++)
        add_bars(to, i, &d->outputs[i].raw);
    if (d->n_outputs > HISTOGRAMS_SHOWN)
        result_line(to, RESULT_NOTE, "The JSON report has the other %u outputs.", d->n_outputs - HISTOGRAMS_SHOWN);
}

/* ---- the report ---- */

static void put_worst(struct report *r, struct json *in, const struct tensor *t, const struct diff *d)
{
    int32_t at[TENSOR_MAX_RANK];
    struct json *o, *list;

    if (!json_given(r, in, "worst", d->different && !isnan(diff_max_abs(d))))
        return;
    o = json_object(r, in, "worst");
    list = json_array(r, o, "at");
    diff_index(t, d->worst, at);
    for (int32_t k = 0; k < t->rank; k++)
        json_number(r, list, NULL, at[k]);
    JSON_NUMBERS(r, o, {"reference", d->worst_reference}, {"test", d->worst_test}, {"run", (double)d->worst_comparison});
}

/* The bins that hold something. */
static void put_histogram(struct report *r, struct json *in, const struct diff *d)
{
    struct json *list = json_array(r, in, "histogram"), *o;

    for (int b = 0; b < DIFF_BINS; b++) {
        if (!d->histogram[b])
            continue;
        o = json_object(r, list, NULL);
        JSON_NUMBERS(r, o, {"from", b < 2 ? 0 : diff_bin_end(b - 1)}, {"below", diff_bin_end(b)},
                     {"elements", (double)d->histogram[b]});
    }
}

void diff_put(struct report *r, struct json *in, const char *key, const struct tensor *t, const struct diff *d, bool any)
{
    struct json *o;

    if (!json_given(r, in, key, any))
        return;
    o = json_object(r, in, key);
    JSON_NUMBERS(r, o, {"elements", (double)d->elems}, {"different", (double)d->different}, {"mean_error", diff_mean_abs(d)},
                 {"max_error", diff_max_abs(d)}, {"relative", diff_relative(d)}, {"rms_error", diff_rms(d)},
                 {"cosine", diff_cosine(d)}, {"snr_db", diff_snr_db(d)}, {"psnr_db", diff_psnr_db(d)}, {"max_ulp", diff_max_ulp(d)},
                 {"mean_ulp", diff_mean_ulp(d)}, {"rows", (double)d->rows}, {"top1_different", (double)d->top1_different},
                 {"beyond", (double)d->beyond}, {"nan_reference", (double)d->nan_reference}, {"nan_test", (double)d->nan_test},
                 {"inf_reference", (double)d->inf_reference}, {"inf_test", (double)d->inf_test},
                 {"not_finite_in_test_alone", (double)d->broken}, {"not_finite_unequal", (double)d->unequal},
                 {"shapes_differ", (double)d->shapes_differ});
    put_histogram(r, o, d);
    put_worst(r, o, t, d);
}

void diff_put_failed_on(struct report *r, struct json *in, unsigned failed)
{
    struct json *list = json_array(r, in, "failed_on");

    for (unsigned i = 0; i < FAIL_ON_NAMES; i++)
        if (failed & 1u << i)
            json_string(r, list, NULL, fail_on_names[i]);
}

/* null where any distance passes. */
static void put_allowed(struct report *r, struct json *in, const struct tolerance *t)
{
    struct json *o;

    if (!json_given(r, in, "allowed", t->limited))
        return;
    o = json_object(r, in, "allowed");
    json_string(r, o, "preset", t->preset);
    JSON_NUMBERS(r, o, {"atol", t->atol}, {"rtol", t->rtol}, {"max_ulp", t->max_ulp < 0 ? NAN : t->max_ulp}, {"share", t->share},
                 {"floor", t->floor});
}

static void put_verdict(struct report *r, struct json *o, const struct output_diff *out)
{
    static const char *const silent[] = {
        [DIFF_NOT_SILENT] = NULL, [DIFF_SILENT_REFERENCE] = "reference", [DIFF_SILENT_TEST] = "test"};

    put_allowed(r, o, &out->raw.allowed);
    diff_put_failed_on(r, o, diff_failed_on(&out->raw) | diff_failed_on(&out->first));
    json_string(r, o, "silent", silent[diff_silent(&out->raw)]);
    JSON_NUMBERS(r, o, {"changed_runs", out->changed}, {"stale_runs", out->stale});
}

void diff_put_output(struct report *r, struct json *list, const struct trial *trial, uint32_t i)
{
    const struct tensor *t = session_output(trial->diff.reference, i);
    const struct output_diff *out = &trial->diff.outputs[i];
    struct json *o = json_object(r, list, NULL);

    report_tensor(r, o, "tensor", t);
    put_verdict(r, o, out);
    report_stats(r, o, "error_per_run", &out->error, out->run_error);
    diff_put(r, o, "raw", t, &out->raw, true);
    diff_put(r, o, "first_invocation", t, &out->first, out->first.comparisons > 0);
    diff_put(r, o, "dequantized", t, &out->real, out->is_quantized);
}

void diff_outputs_results(struct results *r, const struct comparison *c)
{
    struct json *list = json_array(r->report, report_root(r->report), "outputs");

    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++) {
        add_lines(r->parts[DIFF_OUTPUTS], &c->test, i);
        diff_put_output(r->report, list, &c->test, i);
    }
    add_tables(r->parts[DIFF_FIGURES], c);
    add_all_bars(r->parts[DIFF_HISTOGRAMS], &c->test.diff);
}
