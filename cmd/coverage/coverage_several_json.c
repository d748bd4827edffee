/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_several_json.c - several models as JSON: "op_coverage_models" in schema/json/report.schema.json. */
#include <math.h>

#include "cmd/coverage/coverage_several.h"
#include "cmd/tool/report_parts.h"

static void put_counts(struct report *r, struct json *o, const struct coverage_row *row, bool known, bool partitions)
{
    JSON_NUMBERS(r, o, {"node_count", known ? row->nodes : NAN}, {"covered", known ? row->covered : NAN},
                 {"folded", known ? row->folded : NAN}, {"macs", known ? (double)row->macs : NAN},
                 {"macs_covered", known ? (double)row->macs_covered : NAN},
                 {"partition_count", known && partitions ? row->partitions : NAN},
                 {"bytes_in", known && partitions ? (double)row->bytes_in : NAN},
                 {"bytes_out", known && partitions ? (double)row->bytes_out : NAN});
}

static void put_sets(struct report *r, struct json *in, const struct coverage_row *row)
{
    struct json *list = json_array(r, in, "rules");

    for (uint32_t i = 0; i < row->n_sets; i++) {
        struct json *o = json_object(r, list, NULL);

        JSON_STRINGS(r, o, {"name", row->sets[i].name}, {"title", row->sets[i].title});
        coverage_put_answers(r, o, &row->sets[i].answers);
        coverage_put_requirements(r, o, &row->sets[i].requirements);
    }
}

static void put_row(struct report *r, struct json *list, const struct coverage_row *row, bool partitions)
{
    struct json *o = json_object(r, list, NULL);

    JSON_STRINGS(r, o, {"path", row->path}, {"failure", row->failed ? row->reason : NULL});
    put_counts(r, o, row, !row->failed, partitions);
    json_string(r, o, "first_reason", row->failed || !*row->reason ? NULL : row->reason);
    if (row->failed)
        json_null(r, o, "met");
    else
        json_bool(r, o, "met", row->met);
    coverage_put_requirements(r, o, &row->requirements);
    put_sets(r, o, row);
}

enum status coverage_several_write_json(const struct coverage_run *run, const struct coverage_several *s, struct err *err)
{
    struct report *r = report_new();
    const bool partitions = !s->of_cpu;
    struct json *list, *o;
    enum status st;

    report_origin(r, &run->tool, "op_coverage_models");
    json_bool(r, report_root(r), "interrupted", s->n_asked < s->n);
    list = json_array(r, report_root(r), "models");
    for (uint32_t i = 0; i < s->n_asked; i++)
        put_row(r, list, &s->rows[i], partitions);
    o = json_object(r, report_root(r), "total");
    JSON_NUMBERS(r, o, {"model_count", s->n_asked}, {"failed", s->n_failed}, {"full", s->n_full});
    put_counts(r, o, &s->total, true, partitions);
    st = report_write(r, run->tool.json, err);
    report_free(r);
    return st;
}
