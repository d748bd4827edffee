/* SPDX-License-Identifier: Apache-2.0 */
/* profile_json.c - rows with their samples. */
#include "cmd/export/profile_json.h"

#include <math.h>

#include "cmd/tool/report_parts.h"

/* What all rows of a group do together stands in its first row alone. */
static void put_work(struct report *r, struct json *o, const struct op_profile *p, size_t i)
{
    const struct op_row *row = &p->rows[i];
    const double us = op_profile_work_us(p, i);
    const bool here = row->work_row == i;

    JSON_NUMBERS(r, o, {"work_row", row->work_row}, {"macs", here && row->work.macs_known ? (double)row->work.macs : NAN},
                 {"gflops", here ? op_work_gflops(&row->work, us) : NAN},
                 {"bytes", here && row->work.bytes_known ? (double)row->work.bytes : NAN},
                 {"gbytes_per_s", here ? op_work_gbytes(&row->work, us) : NAN},
                 {"limit_percent", here ? op_profile_limit_percent(p, i) : NAN});
}

static void put_row(struct report *r, struct json *in, const struct op_profile *p, const struct op_line *line)
{
    const struct op_row *row = line->row;
    struct json *o = json_object(r, in, NULL), *list;

    JSON_STRINGS(r, o, {"type", row->type}, {"name", row->name}, {"variant", row->detail},
                 {"copy_reason", op_row_copies(row) ? row->why_copy : NULL}, {"backend", row->backend});
    json_number(r, o, "partition", row->partition);
    list = json_array(r, o, "nodes");
    for (uint32_t k = 0; k < row->n_nodes; k++)
        json_number(r, list, NULL, row->nodes[k]);
    if (row->tensor)
        report_tensor(r, o, "tensor", row->tensor);
    else
        json_null(r, o, "tensor");
    put_work(r, o, p, (size_t)(row - p->rows));
    json_bool(r, o, "timed", row->timed);
    JSON_NUMBERS(r, o, {"first_us", row->first_us}, {"avg_us", line->avg_us}, {"percent", line->percent});
    list = json_array(r, o, "samples_us");
    for (uint32_t k = 0; k < p->runs; k++)
        json_number(r, list, NULL, row->us[k]);
}

static void put_copies(struct report *r, struct json *in, const struct op_profile *p)
{
    const struct op_copies copies = op_profile_copies(p);
    struct json *o;

    if (!copies.of) {
        json_null(r, in, "copies");
        return;
    }
    o = json_object(r, in, "copies");
    JSON_NUMBERS(r, o, {"count", copies.n}, {"dispatches", copies.of}, {"avg_us", copies.avg_us}, {"percent", copies.percent});
}

enum status profile_put(struct report *r, struct json *in, const struct op_profile *p, struct err *err)
{
    struct json *o, *rows;
    struct op_line *lines;
    struct arena arena = {0};
    enum status st;

    if (!p->runs) {
        json_null(r, in, "profile");
        return ST_OK;
    }
    if (!(st = op_profile_rows(p, OP_ORDER_RUN, &arena, &lines, err))) {
        o = json_object(r, in, "profile");
        json_number(r, o, "runs", p->runs);
        report_stats(r, o, "total_us", &p->total, p->total_us);
        report_stats(r, o, "wall_us", &p->wall, p->wall_us);
        put_copies(r, o, p);
        rows = json_array(r, o, "rows");
        for (size_t i = 0; i < p->n_rows; i++)
            put_row(r, rows, p, &lines[i]);
    }
    arena_free(&arena);
    return st;
}

void profile_put_phases(struct report *r, struct json *in, const char *key, const struct phases *p)
{
    struct json *o;

    if (!p->n) {
        json_null(r, in, key);
        return;
    }
    o = json_object(r, in, key);
    for (uint32_t i = 0; i < p->n; i++)
        json_number(r, o, p->parts[i].name, p->parts[i].us);
    json_number(r, o, "total", p->total_us);
}

void profile_put_programs(struct report *r, struct json *in, const struct session *s)
{
    struct json *list = json_array(r, in, "programs"), *o;
    struct delegate_program program;

    for (uint32_t i = 0; session_program(s, i, &program); i++) {
        o = json_object(r, list, NULL);
        json_string(r, o, "label", program.label);
        json_number(r, o, "us", (double)program.ns / 1e3);
        json_bool(r, o, "loaded", program.loaded);
    }
}
