/* SPDX-License-Identifier: Apache-2.0 */
/* top_results.c - the largest elements of outputs that are vectors, with the names of classes. */
#include <math.h>

#include "cmd/benchmark/benchmark_results.h"
#include "lib/tensor/real_values.h"

enum { TOP = 5 };

/* A vector of numbers: all dimensions but the last are 1. */
static uint32_t classes_of(const struct tensor *t)
{
    const size_t n = tensor_elems(t);
    const bool numbers = type_is_float(t->type) || t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16;

    return numbers && t->data && t->rank > 0 && n > 1 && n < UINT32_MAX && (size_t)t->dim[t->rank - 1] == n ? (uint32_t)n : 0;
}

/* The largest behind `last`; equal ones in their order. */
static int64_t next(const struct tensor *t, uint32_t n, int64_t last)
{
    const double bound = last < 0 ? INFINITY : real_value(t, (size_t)last);
    int64_t found = -1;

    for (uint32_t i = 0; i < n; i++) {
        const double v = real_value(t, i);

        if (!isnan(v) && (v < bound || (v == bound && (int64_t)i > last)) && (found < 0 || v > real_value(t, (size_t)found)))
            found = i;
    }
    return found;
}

static void add_output(struct results *r, struct json *list, const struct labels *labels, const struct tensor *t, uint32_t i)
{
    struct result_section *to = r->parts[BENCH_TOP];
    const uint32_t n = classes_of(t);
    int64_t k = -1;

    result_line(to, RESULT_PLAIN, "Top %d of output %u '%.95s', labels of %.255s:", n < TOP ? (int)n : TOP, i, t->name,
                labels->from);
    for (int rank = 0; rank < TOP && (k = next(t, n, k)) >= 0; rank++) {
        const char *name = labels_name(labels, n, (uint32_t)k);
        const double value = real_value(t, (size_t)k);
        struct json *o = json_object(r->report, list, NULL);

        result_line(to, RESULT_PLAIN, "  %8.4g  %4u  %.95s", value, (uint32_t)k, name);
        JSON_NUMBERS(r->report, o, {"output", i}, {"class", (double)k}, {"value", value});
        json_string(r->report, o, "label", name);
    }
}

/* Of --labels, or of the model if the inputs are the user's own. */
static enum status find_labels(const struct benchmark *b, uint32_t output, uint32_t classes, struct arena *a, struct labels *out,
                               struct err *err)
{
    *out = (struct labels){0};
    if (*b->flags.labels)
        return labels_read(b->flags.labels, a, out, err);
    return *b->input_flags.dir || *b->input_flags.files
               ? labels_of_model(b->tool.model->file, b->tool.model->file_bytes,
                                 labels_named(b->tool.model, b->tool.subgraph, output, a), classes, a, out, err)
               : ST_OK;
}

enum status top_results(struct results *r, const struct benchmark *b, struct err *err)
{
    const bool ran = b->times.timed.n + b->times.warmup.n && !b->warmup_result.given_up && !b->timed_result.given_up;
    struct json *list = json_array(r->report, report_root(r->report), "top");
    struct arena arena = {0};
    enum status st = ST_OK;

    for (uint32_t i = 0; ran && i < session_n_outputs(b->session) && !st; i++) {
        const struct tensor *t = session_output(b->session, i);
        const uint32_t n = classes_of(t);
        struct labels labels;

        if (n && !(st = find_labels(b, i, n, &arena, &labels, err)) && labels.n)
            add_output(r, list, &labels, t, i);
    }
    arena_free(&arena);
    return st;
}
