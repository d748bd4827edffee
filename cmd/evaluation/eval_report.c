/* SPDX-License-Identifier: Apache-2.0 */
/* eval_report.c - what all evaluations say of their pictures, sides and delegates. */
#include "cmd/evaluation/eval_report.h"

#include <math.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"

typedef unsigned long long count;

void eval_put_head(struct report *r, const struct evaluation *e)
{
    report_head(r, &e->tool, eval_model_path(&e->flags));
    json_bool(r, report_root(r), "interrupted", interrupted());
    json_bool(r, report_root(r), "passed", e->passed);
    report_delegates(r, report_root(r), e->sides[0].session, e->tool.delegates.all);
}

void eval_put_preprocessing(struct report *r, const struct evaluation *e)
{
    const struct session *s = e->sides[0].session;
    struct json *o = json_object(r, report_root(r), "preprocessing");
    char text[PREPROCESS_TEXT_SIZE];

    json_string(r, o, "preset", e->flags.preprocess);
    json_string(r, o, "text", preprocess_text(&e->preprocess, session_input(s, 0), text));
    report_tensor(r, o, "input", session_input(s, 0));
    json_number(r, o, "clamped", (double)e->n_cut);
}

struct json *eval_put_pictures(struct report *r, const struct evaluation *e)
{
    const struct pictures *p = &e->pictures;
    struct json *o = json_object(r, report_root(r), "pictures");

    json_string(r, o, "folder", p->dir);
    JSON_NUMBERS(r, o, {"files", p->files}, {"other_files", p->others}, {"denied", p->denied}, {"other_shards", p->sharded},
                 {"beyond_num_images", p->left}, {"chosen", p->n}, {"done", (double)e->n_done}, {"bad", (double)e->n_bad});
    return o;
}

void eval_put_bad(struct report *r, const struct evaluation *e)
{
    struct json *bad = json_array(r, report_root(r), "bad_pictures");

    for (uint32_t i = 0; i < e->pictures.n; i++) {
        const struct picture *p = &e->pictures.list[i];
        struct json *o;

        if (p->state != PICTURE_BAD)
            continue;
        o = json_object(r, bad, NULL);
        json_string(r, o, "file", p->name);
        json_string(r, o, "why", p->why);
    }
}

void eval_put_side(struct report *r, struct json *o, const struct evaluation *e, uint32_t side)
{
    const struct eval_side *s = &e->sides[side];

    json_string(r, o, "name", s->name);
    report_stats(r, o, "latency_us", &s->figures, s->samples.us);
    if (e->merging)
        json_null(r, o, "assignment");
    else
        report_assignment(r, o, session_graph(s->session), session_partitioning(s->session));
}

static void add_latency(struct result_section *to, const char *which, const struct stats *us)
{
    char avg[STATS_AVG_SIZE];

    if (us->count)
        result_line(to, RESULT_LOG, "%s latency: avg=%s(us), std_dev=%.0f(us)", which, stats_avg(us->avg, avg), us->std);
}

void eval_add_runs(struct result_section *to, const struct evaluation *e)
{
    result_line(to, RESULT_LOG, "Num evaluation runs: %llu", (count)e->n_done);
    add_latency(to, "Preprocessing", &e->decode_figures);
    add_latency(to, "Inference", &e->sides[0].figures);
    if (e->n_sides > 1)
        add_latency(to, "CPU inference", &e->sides[1].figures);
}

void eval_add_bad(struct result_section *to, const struct evaluation *e)
{
    char pictures[SAY_COUNT_SIZE];

    if (e->n_bad)
        result_line(to, RESULT_WARNING, "%s could not be read, and %s left out", say_count(e->n_bad, "picture", pictures),
                    e->n_bad == 1 ? "is" : "are");
}

void eval_add_cut(struct result_section *to, const struct evaluation *e)
{
    if (e->n_cut)
        result_line(to, RESULT_WARNING, "%llu numbers of the pictures were beyond the range of the quantized input, and clamped",
                    (count)e->n_cut);
}

void eval_add_undelegated(struct result_section *to, const struct evaluation *e)
{
    const struct assignment *a = &e->sides[0].assignment;

    if (!eval_delegated(e))
        result_line(to, RESULT_PLAIN, "Too few nodes on the %s: %u of %u, where --min_delegated=%d%s.", e->sides[0].name,
                    a->n_delegated, a->n_delegated + a->n_cpu, e->flags.min_delegated,
                    e->flags.require_full_delegation ? " and --require_full_delegation" : "");
}

void eval_add_disagreement(struct result_section *to, const struct evaluation *e, double agreement)
{
    if (!eval_agrees(e, agreement) && !isnan(agreement))
        result_line(to, RESULT_PLAIN, "Agreement %.4f is below --min_agreement=%g.", agreement, e->flags.min_agreement);
}

enum status eval_add_surroundings(struct result_section *where, struct result_section *model, struct result_section *environment,
                                  const struct evaluation *e, struct err *err)
{
    const struct eval_side *s = &e->sides[0];
    enum status st;

    if (!e->merging && (st = page_add_assignment(where, s->session, s->delegate, err)))
        return st;
    page_add_model(model, eval_model_path(&e->flags), e->tool.model, s->session);
    page_add_environment(environment, &e->tool);
    return ST_OK;
}
