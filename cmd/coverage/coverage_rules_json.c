/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_rules_json.c - the answers of rule sets as JSON: "rules" of "op_coverage" in schema/json/report.schema.json. */
#include "cmd/coverage/op_coverage.h"
#include "cmd/tool/report_parts.h"

static void put_verdicts(struct report *r, struct json *in, const struct coverage *c)
{
    struct json *list = json_array(r, in, "verdicts");

    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "node", v->node->index);
        json_string(r, o, "verdict", rules_answer_name(v->answer));
        json_number(r, o, "partition", v->partition);
        JSON_STRINGS(r, o, {"reason_code", v->why.code == REASON_NONE ? NULL : reason_name(v->why.code)},
                     {"reason", v->why.code == REASON_NONE ? NULL : v->why.text});
    }
}

struct coverage_answers coverage_answers_of(const struct coverage *c)
{
    struct coverage_answers a = {.delegated = c->parts.n_delegated, .partitions = c->parts.n_parts};

    for (uint32_t i = 0; i < c->n_verdicts; i++)
        a.of[c->verdicts[i].answer]++;
    return a;
}

void coverage_put_answers(struct report *r, struct json *in, const struct coverage_answers *answers)
{
    for (enum rules_answer a = RULES_YES; a <= RULES_CRASH; a++)
        json_number(r, in, rules_answer_name(a), answers->of[a]);
    JSON_NUMBERS(r, in, {"delegated", answers->delegated}, {"partition_count", answers->partitions});
}

void coverage_put_rules(struct report *r, const struct coverage_run *run)
{
    struct json *list = json_array(r, report_root(r), "rules");

    for (uint32_t i = 0; i < run->n_columns; i++) {
        const struct coverage_column *column = &run->columns[i];
        const struct coverage_answers answers = coverage_answers_of(column->coverage);
        struct json *o = json_object(r, list, NULL);

        JSON_STRINGS(r, o, {"name", column->name}, {"title", column->title});
        coverage_put_answers(r, o, &answers);
        put_verdicts(r, o, column->coverage);
        coverage_put_requirements(r, o, &column->requirements);
    }
}
