/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_rules.c - asks the rule sets that --rules names: files of rules, and the delegate itself as one among them. */
#include <stdlib.h>
#include <string.h>

#include "cmd/coverage/op_coverage.h"
#include "lib/base/flag.h"

static struct partition_options limits(const struct coverage_run *r)
{
    return partition_flags_options(&r->flags.partition);
}

/* "this" and "this-es31": the delegate, on its device or by the least that any of them must offer. */
static enum status ask_delegate(struct coverage_run *r, struct coverage_column *c, struct err *err)
{
    const bool asks = !strcmp(c->name, "this") && r->flags.device, known = asks && *r->flags.known, device = asks && !known;
    const struct delegate_type *type = r->chosen;
    const struct partition_options opt = limits(r);
    struct delegate_wanted wanted = {0};
    enum status st;

    if (!type)
        return err_set(err, ST_USAGE, "--rules=%s asks a delegate, and --delegate=%s is none", c->name, r->flags.delegate);
    for (uint32_t i = 0; i < r->tool.delegates.n_choices; i++)
        if (r->tool.delegates.choices[i].type == type)
            wanted.choice = &r->tool.delegates.choices[i];
    r->device_asked |= asks;
    c->type = type;
    c->title = type->serve ? "the runtime itself, in its library"
               : device    ? "this program on this device"
               : known     ? "this program on the device that --device names"
                           : "this program on the least OpenGL ES 3.1 device";
    c->owns_delegate = !device;
    st = device  ? delegates_open(&r->tool.delegates, err)
         : known ? coverage_open_known(r, &wanted, &c->delegate, err)
                 : type->open_static(wanted.choice->options, &c->delegate, err);
    if (st)
        return st;
    if (device)
        c->delegate = r->tool.delegates.opened;
    return coverage_of_delegate(r->tool.model, r->tool.subgraph, c->delegate, &opt, c->coverage, err);
}

static enum status ask_file(struct coverage_run *r, struct coverage_column *c, struct err *err)
{
    const struct partition_options opt = limits(r);
    const struct coverage *alike = NULL;
    enum status st = rules_open(c->name, &c->rules, err);

    if (st)
        return st;
    for (const struct coverage_column *k = r->columns; k < c && !alike; k++)
        alike = k->rules ? k->coverage : NULL;
    c->name = c->rules->name;
    c->title = c->rules->title;
    c->type = &c->rules->type;
    return coverage_of_rules(r->tool.model, r->tool.subgraph, c->rules, &opt, alike, c->coverage, err);
}

static enum status ask(struct coverage_run *r, const char *name, struct err *err)
{
    struct coverage_column *c = &r->columns[r->n_columns];
    enum status st;

    if (r->n_columns == COVERAGE_MOST_COLUMNS)
        return err_set(err, ST_USAGE, "--rules: more than %d rule sets", COVERAGE_MOST_COLUMNS);
    r->n_columns++;
    c->name = name;
    c->coverage = c == r->columns ? &r->coverage : &c->own;
    st = !strcmp(name, "this") || !strcmp(name, "this-es31") ? ask_delegate(r, c, err) : ask_file(r, c, err);
    for (const struct coverage_column *k = r->columns; k < c && !st; k++)
        if (!strcmp(k->name, c->name))
            st = err_set(err, ST_USAGE, "--rules: two sets are called %.60s, so that nobody could tell their columns apart",
                         c->name);
    if (!st) {
        c->requirements = r->requirements;
        requirements_judge(&c->requirements, c->coverage, false);
    }
    return st;
}

enum status coverage_compare_rules(const struct coverage_run *r, struct arena *a, struct coverage_change *out, struct err *err)
{
    const struct coverage_column *c = r->columns;

    *out = (struct coverage_change){0};
    return r->n_columns != 2
               ? ST_OK
               : coverage_change_of(c[0].coverage, c[1].coverage, (const char *const[]){c[0].name, c[1].name}, a, out, err);
}

enum status coverage_ask_rules(struct coverage_run *r, struct err *err)
{
    enum status st = ST_OK;
    char *rest;

    if (!(r->rules_list = strdup(r->flags.rules)))
        return err_set(err, ST_NOMEM, "out of memory for --rules");
    rest = r->rules_list;
    while (rest && !st) {
        const char *name = flag_skip_blanks(strsep(&rest, ","));

        st = *name ? ask(r, name, err) : err_set(err, ST_USAGE, "--rules: an empty name in \"%s\"", r->flags.rules);
    }
    if (!st && r->flags.device && !r->device_asked)
        st = err_set(err, ST_USAGE, "--device: of the rule sets only \"this\" asks a device");
    r->type = r->columns[0].type;
    r->delegate = r->columns[0].delegate;
    r->is_static = r->columns[0].owns_delegate; /* and it is ended with r, not with the column */
    r->asked[0] = r->is_static ? r->delegate : NULL;
    r->columns[0].owns_delegate = false;
    r->requirements = r->columns[0].requirements;
    return st ? st : coverage_compare_rules(r, &r->coverage.arena, &r->change, err);
}

bool coverage_rules_meet(const struct coverage_run *r)
{
    for (uint32_t i = 0; i < r->n_columns; i++)
        for (uint32_t k = 0; k < r->columns[i].requirements.n; k++)
            if (!r->columns[i].requirements.list[k].met)
                return false;
    return true;
}

void coverage_free_rules(struct coverage_run *r)
{
    for (uint32_t i = 0; i < r->n_columns; i++) {
        coverage_free(&r->columns[i].own);
        rules_free(r->columns[i].rules);
        if (r->columns[i].owns_delegate)
            delegate_close(r->columns[i].delegate);
    }
    free(r->rules_list);
    r->rules_list = NULL;
    memset(r->columns, 0, sizeof r->columns);
    r->n_columns = 0;
    r->change = (struct coverage_change){0};
}
