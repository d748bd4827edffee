/* SPDX-License-Identifier: Apache-2.0 */
/* diff_json.c - the comparison as JSON: "inference_diff" in schema/json/report.schema.json. */
#include "cmd/diff/inference_diff.h"
#include <math.h>

#include "cmd/host/interrupt.h"
#include "cmd/tool/device_io_report.h"
#include "cmd/tool/report_parts.h"

static void put_worst(struct report *r, struct json *in, const struct tensor *t, const struct diff *d)
{
    int32_t at[TENSOR_MAX_RANK];
    struct json *o, *list;

    if (!d->different || isnan(diff_max_abs(d))) {
        json_null(r, in, "worst");
        return;
    }
    o = json_object(r, in, "worst");
    list = json_array(r, o, "at");
    diff_index(t, d->worst, at);
    for (int32_t k = 0; k < t->rank; k++)
        json_number(r, list, NULL, at[k]);
    json_number(r, o, "reference", d->worst_reference);
    json_number(r, o, "test", d->worst_test);
    json_number(r, o, "run", (double)d->worst_comparison);
}

/* The bins that hold something. */
static void put_histogram(struct report *r, struct json *in, const struct diff *d)
{
    struct json *list = json_array(r, in, "histogram"), *o;

    for (int b = 0; b < DIFF_BINS; b++) {
        if (!d->histogram[b])
            continue;
        o = json_object(r, list, NULL);
        json_number(r, o, "from", b < 2 ? 0 : diff_bin_end(b - 1));
        json_number(r, o, "below", diff_bin_end(b));
        json_number(r, o, "elements", (double)d->histogram[b]);
    }
}

void diff_put(struct report *r, struct json *in, const char *key, const struct tensor *t, const struct diff *d, bool any)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"elements", (double)d->elems},
        {"different", (double)d->different},
        {"mean_error", diff_mean_abs(d)},
        {"max_error", diff_max_abs(d)},
        {"relative", diff_relative(d)},
        {"rms_error", diff_rms(d)},
        {"cosine", diff_cosine(d)},
        {"snr_db", diff_snr_db(d)},
        {"psnr_db", diff_psnr_db(d)},
        {"max_ulp", diff_max_ulp(d)},
        {"mean_ulp", diff_mean_ulp(d)},
        {"rows", (double)d->rows},
        {"top1_different", (double)d->top1_different},
        {"beyond", (double)d->beyond},
        {"nan_reference", (double)d->nan_reference},
        {"nan_test", (double)d->nan_test},
        {"inf_reference", (double)d->inf_reference},
        {"inf_test", (double)d->inf_test},
        {"not_finite_in_test_alone", (double)d->broken},
        {"not_finite_unequal", (double)d->unequal},
        {"shapes_differ", (double)d->shapes_differ},
    };
    struct json *o;

    if (!any) {
        json_null(r, in, key);
        return;
    }
    o = json_object(r, in, key);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        json_number(r, o, figures[i].name, figures[i].value);
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

    if (!t->limited) {
        json_null(r, in, "allowed");
        return;
    }
    o = json_object(r, in, "allowed");
    json_string(r, o, "preset", t->preset);
    json_number(r, o, "atol", t->atol);
    json_number(r, o, "rtol", t->rtol);
    json_number(r, o, "max_ulp", t->max_ulp < 0 ? NAN : t->max_ulp);
    json_number(r, o, "share", t->share);
}

static void put_verdict(struct report *r, struct json *o, const struct output_diff *out)
{
    static const char *const silent[] = {
        [DIFF_NOT_SILENT] = NULL, [DIFF_SILENT_REFERENCE] = "reference", [DIFF_SILENT_TEST] = "test"};

    put_allowed(r, o, &out->raw.allowed);
    diff_put_failed_on(r, o, diff_failed_on(&out->raw) | diff_failed_on(&out->first));
    json_string(r, o, "silent", silent[diff_silent(&out->raw)]);
    json_number(r, o, "changed_runs", out->changed);
    json_number(r, o, "stale_runs", out->stale);
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

static void put_outputs(struct report *r, const struct comparison *c)
{
    struct json *list = json_array(r, report_root(r), "outputs");

    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++)
        diff_put_output(r, list, &c->test, i);
}

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

enum status comparison_write_json(const struct comparison *c, struct err *err)
{
    struct report *r = report_new();
    char hybrid[256];
    enum status st;

    report_head(r, &c->tool, diff_model_path(&c->flags));
    json_bool(r, report_root(r), "interrupted", interrupted());
    json_number(r, report_root(r), "runs", c->test.diff.runs);
    json_bool(r, report_root(r), "passed", comparison_passed(c));
    diff_put_failed_on(r, report_root(r), c->test.verdict.failed_on);
    json_number(r, report_root(r), "hybrid_nodes", diff_hybrid_nodes(c, hybrid, sizeof hybrid));
    json_names(r, report_root(r), "hybrid_operators", hybrid);
    put_side(r, "reference", c->reference.session, &c->reference.figures, c->reference.samples.us, c->reference.unsteady);
    put_side(r, "test", c->test.session, &c->test.figures, c->test.samples.us, c->test.unsteady);
    report_delegates(r, report_root(r), c->test.session, c->tool.delegates.all);
    put_outputs(r, c);
    diff_ops_put(r, c);
    diff_matrix_put(r, c);
    diff_bisect_put(r, c);
    diff_extract_put(r, c);
    diff_why_put(r, c);
    diff_models_put(r, c);
    diff_maps_put(r, c);
    device_io_put(r, report_root(r), &c->test.io);
    if (!(st = inputs_put_ranges(r, &c->inputs, c->reference.session, err)))
        st = report_write(r, c->tool.json, err);
    report_free(r);
    return st;
}
