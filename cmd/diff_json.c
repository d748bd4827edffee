/* SPDX-License-Identifier: Apache-2.0 */
/* diff_json.c - the comparison as JSON: schema/json/inference_diff.schema.json. */
#include <math.h>

#include "inference_diff.h"

static void put_indices(struct report *r, struct json *in, const struct tensor *t, size_t index)
{
    struct json *list = json_array(r, in, "at");
    size_t inner = tensor_elems(t);

    for (int32_t k = 0; k < t->rank; k++) {
        inner = t->dim[k] > 0 ? inner / (size_t)t->dim[k] : 0;
        json_number(r, list, NULL, inner ? (double)(index / inner % (size_t)t->dim[k]) : 0);
    }
}

static void put_diff(struct report *r, struct json *in, const char *key, const struct tensor *t, const struct diff *d)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"elements", (double)d->elems},
        {"different", (double)d->different},
        {"mean_error", diff_mean_abs(d)},
        {"max_error", d->max_abs},
        {"relative", diff_relative(d)},
        {"rms_error", d->elems ? sqrt(d->error_sq / (double)d->elems) : 0},
        {"cosine", diff_cosine(d)},
        {"snr_db", diff_snr_db(d)},
        {"nan_reference", (double)d->nan_reference},
        {"nan_test", (double)d->nan_test},
        {"inf_reference", (double)d->inf_reference},
        {"inf_test", (double)d->inf_test},
        {"not_finite_in_test_alone", (double)d->broken},
        {"shapes_differ", (double)d->shapes_differ},
    };
    struct json *o = json_object(r, in, key), *worst;

    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        json_number(r, o, figures[i].name, figures[i].value);
    if (!d->different)
        return;
    worst = json_object(r, o, "worst");
    put_indices(r, worst, t, d->worst);
    json_number(r, worst, "reference", d->worst_reference);
    json_number(r, worst, "test", d->worst_test);
    json_number(r, worst, "run", (double)d->worst_comparison);
}

static void put_outputs(struct report *r, const struct comparison *c)
{
    struct json *list = json_array(r, report_root(r), "outputs");

    for (uint32_t i = 0; i < c->n_outputs; i++) {
        const struct tensor *t = session_output(c->reference.session, i);
        const struct output_diff *out = &c->outputs[i];
        struct json *o = json_object(r, list, NULL);

        report_tensor(r, o, "tensor", t);
        report_stats(r, o, "error_per_run", &out->error, out->run_error);
        put_diff(r, o, "raw", t, &out->raw);
        if (out->is_quantized)
            put_diff(r, o, "dequantized", t, &out->real);
    }
}

static void put_ops(struct report *r, const struct comparison *c)
{
    const struct op_diff *first = per_op_first_off(c), *alone = per_op_first_off_alone(c);
    struct json *list = json_array(r, report_root(r), "ops");

    for (uint32_t i = 0; i < c->n_ops; i++) {
        const struct op_diff *op = &c->ops[i];
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "node", op->node->index);
        json_string(r, o, "op", op->node->name);
        json_number(r, o, "partition", op->partition);
        json_bool(r, o, "first_clearly_off", op == first);
        json_bool(r, o, "first_clearly_off_alone", op == alone);
        report_tensor(r, o, "tensor", op->test);
        if (op->visible)
            put_diff(r, o, "diff", op->test, &op->diff);
        if (op->ran_alone)
            put_diff(r, o, "alone", op->test, &op->alone);
    }
}

static void put_side(struct report *r, const char *key, const struct side *s)
{
    struct json *o = json_object(r, report_root(r), key);

    report_stats(r, o, "latency_us", &s->us, s->samples.us);
    report_placement(r, o, s->session);
}

enum status comparison_write_json(const struct comparison *c, struct err *err)
{
    struct report *r = report_new();
    enum status st;

    report_head(r, &c->tool, comparison_path(c));
    json_bool(r, report_root(r), "interrupted", interrupted());
    json_number(r, report_root(r), "runs", c->runs);
    json_bool(r, report_root(r), "passed", !comparison_failed(c));
    put_side(r, "reference", &c->reference);
    put_side(r, "test", &c->test);
    put_outputs(r, c);
    if (c->flags.per_op)
        put_ops(r, c);
    st = report_write(r, c->tool.json, err);
    report_free(r);
    return st;
}
