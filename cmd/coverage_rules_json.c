/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_rules_json.c - the answers of rule sets as JSON: "rules" of "op_coverage" in schema/json/report.schema.json. */
#include "op_coverage.h"
#include "report_parts.h"

static void put_verdicts(struct report *r, struct json *in, const struct coverage *c)
{
    struct json *list = json_array(r, in, "verdicts");

    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "node", v->node->index);
        json_string(r, o, "verdict", rules_answer_name(v->answer));
        json_number(r, o, "partition", v->partition);
        json_string(r, o, "reason_code", v->why.code == REASON_NONE ? NULL : reason_name(v->why.code));
        json_string(r, o, "reason", v->why.code == REASON_NONE ? NULL : v->why.text);
    }
}

static void put_counts(struct report *r, struct json *in, const struct coverage *c)
{
    uint32_t counts[4] = {0};

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        counts[c->verdicts[i].answer]++;
    for (enum rules_answer a = RULES_YES; a <= RULES_CRASH; a++)
        json_number(r, in, rules_answer_name(a), counts[a]);
    json_number(r, in, "delegated", c->parts.n_delegated);
    json_number(r, in, "partition_count", c->parts.n_parts);
}

void coverage_put_rules(struct report *r, const struct coverage_run *run)
{
    struct json *list = json_array(r, report_root(r), "rules");

    for (uint32_t i = 0; i < run->n_columns; i++) {
        const struct coverage_column *column = &run->columns[i];
        struct json *o = json_object(r, list, NULL);

        json_string(r, o, "name", column->name);
        json_string(r, o, "title", column->title);
        put_counts(r, o, column->coverage);
        put_verdicts(r, o, column->coverage);
        coverage_put_requirements(r, o, &column->requirements);
    }
}
