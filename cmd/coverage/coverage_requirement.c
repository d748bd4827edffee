/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_requirement.c - reads requirements, and holds them against what was found. */
#include "cmd/coverage/coverage_requirement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/flag.h"

static enum status read_one(const char *word, size_t len, struct requirement *r, struct err *err)
{
    char *end;

    if (!len || len >= sizeof r->text)
        return err_set(err, ST_USAGE, "--require: \"%.*s\" is neither full nor a share as 90%% nor op:NAME",
                       (int)(len < 99 ? len : 99), word);
    memcpy(r->text, word, len);
    if (!strcmp(r->text, "full")) {
        r->kind = REQUIRE_FULL;
        return ST_OK;
    }
    if (!strncmp(r->text, "op:", 3) && r->text[3]) {
        r->kind = REQUIRE_OP;
        r->op = r->text + 3;
        return ST_OK;
    }
    r->kind = REQUIRE_PERCENT;
    r->least = strtod(r->text, &end);
    if (end > r->text && !strcmp(end, "%") && isfinite(r->least) && r->least >= 0 && r->least <= 100)
        return ST_OK;
    return err_set(err, ST_USAGE, "--require: \"%s\" is neither full nor a share from 0%% to 100%% nor op:NAME", r->text);
}

enum status requirements_read(const char *text, int32_t max_partitions, struct requirements *out, struct err *err)
{
    const uint32_t room = sizeof out->list / sizeof *out->list;
    enum status st;

    *out = (struct requirements){0};
    while (*text) {
        const size_t len = strcspn(text, ",");

        if (out->n + 1 == room)
            return err_set(err, ST_USAGE, "--require: more than %u requirements", room - 1);
        if ((st = read_one(text, len, &out->list[out->n++], err)))
            return st;
        text += len;
        if (*text == ',' && !*(text = flag_skip_blanks(text + 1)))
            return err_set(err, ST_USAGE, "--require: nothing comes after the last comma");
    }
    if (max_partitions >= 0) {
        struct requirement *r = &out->list[out->n++];

        r->kind = REQUIRE_PARTITIONS;
        r->most = (uint32_t)max_partitions;
        snprintf(r->text, sizeof r->text, "at most %u partition%s", r->most, r->most == 1 ? "" : "s");
    }
    return ST_OK;
}

/* Of all nodes, or of those of one operator. */
static void count(const struct coverage *c, const char *op, uint32_t *covered, uint32_t *to_run)
{
    *covered = *to_run = 0;
    for (uint32_t i = 0; i < c->n_ops; i++)
        if (!op || !strcmp(c->ops[i].name, op)) {
            *covered += c->ops[i].covered;
            *to_run += c->ops[i].nodes - c->ops[i].folded;
        }
}

static bool has_op(const struct coverage *c, const char *op)
{
    for (uint32_t i = 0; i < c->n_ops; i++)
        if (!strcmp(c->ops[i].name, op))
            return true;
    return false;
}

static void judge(struct requirement *r, const struct coverage *c, bool of_cpu)
{
    uint32_t covered, to_run;

    if (r->kind == REQUIRE_PARTITIONS) {
        r->met = of_cpu || (!c->cannot_run && c->parts.n_parts <= r->most);
        if (c->cannot_run)
            snprintf(r->found, sizeof r->found, "the model runs nowhere");
        else
            snprintf(r->found, sizeof r->found, "there are %u", c->parts.n_parts);
        return;
    }
    count(c, r->op, &covered, &to_run);
    if (r->kind == REQUIRE_PERCENT)
        r->met = 100.0 * covered >= r->least * to_run;
    else
        r->met = covered == to_run;
    if (r->op && !has_op(c, r->op)) {
        r->met = false;
        snprintf(r->found, sizeof r->found, "the model has none");
        return;
    }
    snprintf(r->found, sizeof r->found, "%u of %u nodes %s covered", covered, to_run, covered == 1 ? "is" : "are");
}

bool requirements_judge(struct requirements *r, const struct coverage *c, bool of_cpu)
{
    bool all = true;

    for (uint32_t i = 0; i < r->n; i++) {
        judge(&r->list[i], c, of_cpu);
        all &= r->list[i].met;
    }
    return all;
}
