/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_json.c - the report of a sweep: "benchmark_sweep" in schema/json/report.schema.json. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/benchmark/benchmark_results.h"
#include "cmd/benchmark/sweep.h"
#include "cmd/host/interrupt.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/clock.h"

static void put_settings(struct report *r, struct json *in, const struct sweep_case *c)
{
    struct json *list = json_array(r, in, "settings");

    for (uint32_t k = 0; k < c->n_settings; k++) {
        struct json *o = json_object(r, list, NULL);

        JSON_STRINGS(r, o, {"flag", c->settings[k].name}, {"value", c->settings[k].value});
    }
}

static void put_case(struct report *r, struct json *in, const struct sweep *s, uint32_t i)
{
    const struct sweep_row *row = &s->rows[i];
    const struct contender *turn = &s->turns[i];
    const struct delegate *d = row->b->tool.delegates.opened;
    struct json *o = json_object(r, in, NULL);

    JSON_STRINGS(r, o, {"label", s->cases.list[i].label}, {"graph", row->b->flags.graph});
    put_settings(r, o, &s->cases.list[i]);
    JSON_STRINGS(r, o, {"failed", turn->failed ? turn->err.msg : NULL}, {"device", d ? d->device : NULL});
    json_number(r, o, "init_us", turn->failed ? NAN : bench_init_us(&row->b->times));
    report_stats(r, o, "inference_us", &row->stats, turn->samples.us);
    json_number(r, o, "baseline", row->baseline);
    if (turn->failed || !row->stats.count)
        json_null(r, o, "over_baseline");
    else
        measure_put_ratio(r, o, "over_baseline", &row->ratio, &row->test);
    json_number(r, o, "max_abs_error", row->max_abs_error);
    if (turn->failed)
        json_null(r, o, "assignment");
    else
        report_assignment(r, o, session_graph(row->b->session), session_partitioning(row->b->session));
}

static bool is_told(const struct sweep *s, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < s->rows[i].b->tool.delegates.n_variables; k++)
            if (!strcmp(s->rows[i].b->tool.delegates.variables[k].name, name))
                return true;
    return false;
}

/* As they are: where cases set another value, the last of them. */
static void put_variables(struct report *r, const struct sweep *s)
{
    struct json *o = json_object(r, report_root(r), "driver_environment");

    for (uint32_t i = 0; i < s->cases.n; i++) {
        const struct delegates *ds = &s->rows[i].b->tool.delegates;

        for (uint32_t k = 0; k < ds->n_variables; k++)
            if (!is_told(s, i, ds->variables[k].name))
                json_string(r, o, ds->variables[k].name, getenv(ds->variables[k].name));
    }
}

enum status sweep_write_json(const struct sweep *s, struct err *err)
{
    struct report *r = report_new();
    struct json *list;
    enum status st;

    report_origin(r, &s->asked->tool, "benchmark_sweep");
    json_bool(r, report_root(r), "interrupted", interrupted());
    json_number(r, report_root(r), "elapsed_seconds", (double)(clock_ns() - s->asked->start_ns) / 1e9);
    put_variables(r, s);
    list = json_array(r, report_root(r), "cases");
    for (uint32_t i = 0; i < s->cases.n; i++)
        put_case(r, list, s, i);
    st = report_write(r, s->asked->tool.json, err);
    report_free(r);
    return st;
}
