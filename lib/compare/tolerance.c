/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.c - selection of the limits for a tensor, and the table of presets. */
#include "lib/compare/tolerance.h"

#include <fnmatch.h>
#include <string.h>

#include "lib/base/flag.h"
#include "lib/tensor/element.h"

struct tolerance_rule {
    enum tolerance_kind kind;
    const char *flag, *which; /* which: NULL for all */
    double value;
};

const char *const fail_on_names[FAIL_ON_NAMES] = {"max", "mean", "nan", "top1", "silent"};

/* Shares of the largest |reference|, by precision, floors below which nothing is off, and steps of quantized values.
 * cmd/diff/GUIDE.md names the measured models. */
static const struct preset {
    const char *name;
    double share, floor, steps;
} presets[PRECISION_COUNT] = {
    [PRECISION_FP32] = {"fp32", 5e-3, 0x1p-126, 1},
    [PRECISION_FP16_STORAGE] = {"fp16_storage", 2e-2, 0x1p-14, 1},
    [PRECISION_FP16_SUM32] = {"fp16_sum32", 5e-2, 0x1p-14, 1},
    [PRECISION_FP16] = {"fp16", 5e-2, 0x1p-14, 1},
};

double tolerance_floor(enum precision p)
{
    return presets[p].floor;
}

const char *precision_name(enum precision p)
{
    return presets[p].name;
}

enum precision precision_of(const struct delegate *d)
{
    for (int p = 0; d && d->precision.in_force && p < PRECISION_COUNT; p++)
        if (!strcmp(d->precision.in_force, presets[p].name))
            return (enum precision)p;
    return PRECISION_FP32;
}

/* ---- what was given ---- */

static enum status add_rule(struct tolerances *ts, enum tolerance_kind kind, const char *flag, char *item, struct err *err)
{
    struct tolerance_rule rule = {.kind = kind, .flag = flag};
    char *colon = strrchr(item, ':');
    const char *value = colon ? colon + 1 : item;

    if (colon) {
        *colon = '\0';
        rule.which = item;
    }
    if (!flag_read_double(value, &rule.value) || rule.value < 0 || (colon && colon == item))
        return err_set(err, ST_USAGE, "--%s: '%.80s%s%.80s' is no limit: [OUTPUT or OPERATOR:]NUMBER of at least 0", flag,
                       colon ? item : "", colon ? ":" : "", value);
    ts->rules[ts->n_rules++] = rule;
    return ST_OK;
}

static uint32_t count_items(const char *text)
{
    uint32_t n = 1;

    for (; *text; text++)
        n += *text == ',';
    return n;
}

enum status tolerances_add(struct tolerances *ts, enum tolerance_kind kind, const char *flag, const char *text, struct err *err)
{
    struct tolerance_rule *rules;
    char *copy, *item;
    enum status st = ST_OK;

    if (!*text)
        return ST_OK;
    rules = ARENA_ARRAY(&ts->arena, (size_t)ts->n_rules + count_items(text), struct tolerance_rule);
    copy = ARENA_ARRAY(&ts->arena, strlen(text) + 1, char);
    if (!rules || !copy)
        return err_set(err, ST_NOMEM, "--%s: out of memory for %u limits", flag, count_items(text));
    if (ts->n_rules)
        memcpy(rules, ts->rules, ts->n_rules * sizeof *rules);
    ts->rules = rules;
    memcpy(copy, text, strlen(text) + 1);
    while (!st && (item = copy)) {
        char *comma = strchr(item, ',');

        if (comma)
            *comma = '\0';
        copy = comma ? comma + 1 : NULL;
        st = add_rule(ts, kind, flag, item + strspn(item, " "), err);
    }
    return st;
}

enum status tolerances_fail_on(struct tolerances *ts, const char *text, struct err *err)
{
    const char *at = text;

    ts->fail_on = 0;
    do {
        size_t n = strcspn(at, ","), i = 0;

        while (i < FAIL_ON_NAMES - 1 && (strlen(fail_on_names[i]) != n || strncmp(fail_on_names[i], at, n) != 0))
            i++;
        if (i == FAIL_ON_NAMES - 1)
            return err_set(err, ST_USAGE, "--fail_on=%.80s: a list of max, mean, nan and top1 is needed", text);
        ts->fail_on |= 1u << i;
        at += n;
        at = *at ? flag_skip_blanks(at + 1) : NULL;
    } while (at);
    return ST_OK;
}

void tolerances_free(struct tolerances *ts)
{
    arena_free(&ts->arena);
    *ts = (struct tolerances){0};
}

/* ---- whom it is for ---- */

static bool is_number(const char *text, uint32_t number)
{
    int64_t v;

    return flag_read_int(text, 0, UINT32_MAX, &v) && v == number;
}

static bool signature_names(const struct graph *g, const struct tensor *t, const char *name)
{
    const struct model *m = g->model;

    for (uint32_t i = 0; i < m->n_signatures; i++)
        for (uint32_t k = 0; m->signatures[i].subgraph == g->subgraph && k < m->signatures[i].n_outputs; k++)
            if (m->signatures[i].output_tensors[k] == t->index && !strcmp(m->signatures[i].output_names[k], name))
                return true;
    return false;
}

static bool names_output(const struct graph *g, const struct tensor *t, const char *which)
{
    for (uint32_t i = 0; i < g->n_outputs; i++)
        if (g->outputs[i]->index == t->index &&
            (!strcmp(g->outputs[i]->name, which) || is_number(which, i) || signature_names(g, t, which)))
            return true;
    return false;
}

static const char *maker_of(const struct graph *g, const struct tensor *t)
{
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_out; k++)
            if (g->nodes[i].out[k] && g->nodes[i].out[k]->index == t->index)
                return g->nodes[i].name;
    return NULL;
}

static bool names_any_output(const struct graph *g, const char *which)
{
    for (uint32_t i = 0; i < g->n_outputs; i++)
        if (names_output(g, g->outputs[i], which))
            return true;
    return false;
}

/* 0: not at all; then the more, the closer. */
static int fit(const struct tolerance_rule *r, const struct graph *g, const struct tensor *t)
{
    const char *maker;

    if (!r->which)
        return 1;
    if (names_any_output(g, r->which))
        return names_output(g, t, r->which) ? 3 : 0;
    maker = maker_of(g, t);
    return maker && !fnmatch(r->which, maker, 0) ? 2 : 0;
}

/* Whether a node of that name makes one of the outputs. */
static bool makes_any_output(const struct graph *g, const char *pattern)
{
    for (uint32_t i = 0; i < g->n_outputs; i++) {
        const char *maker = g->outputs[i] ? maker_of(g, g->outputs[i]) : NULL;

        if (maker && !fnmatch(pattern, maker, 0))
            return true;
    }
    return false;
}

enum status tolerances_check(const struct tolerances *ts, const struct graph *g, bool inner, struct err *err)
{
    for (uint32_t i = 0; i < ts->n_rules; i++) {
        const char *which = ts->rules[i].which;
        bool known = !which || names_any_output(g, which);

        for (uint32_t k = 0; k < g->n_nodes && !known; k++)
            known = !fnmatch(which, g->nodes[k].name, 0);
        if (!known)
            return err_set(err, ST_USAGE, "--%s: the model has neither an output nor an operator '%.100s'", ts->rules[i].flag,
                           which);
        if (which && !inner && !names_any_output(g, which) && !makes_any_output(g, which))
            return err_set(err, ST_USAGE,
                           "--%s: no output is made by an operator '%.100s'; tensors within the model are compared "
                           "with --per_op alone",
                           ts->rules[i].flag, which);
    }
    return ST_OK;
}

static struct tolerance preset_of(const struct tolerances *ts, const struct tensor *t, enum precision p)
{
    struct tolerance of = {.limited = true, .steps = !element_is_float(t->type), .max_ulp = -1, .fail_on = ts->fail_on};
    const struct preset *preset = &presets[p];

    if (ts->preset && !strcmp(ts->preset, "none"))
        return (struct tolerance){.fail_on = ts->fail_on, .max_ulp = -1};
    for (int i = 0; i < PRECISION_COUNT; i++)
        if (ts->preset && !strcmp(ts->preset, presets[i].name))
            preset = &presets[i];
    of.preset = preset->name;
    if (element_is_float(t->type)) {
        of.share = preset->share;
        of.floor = preset->floor;
    } else if (t->quant.n) {
        of.atol = preset->steps;
    }
    return of;
}

struct tolerance tolerance_of(const struct tolerances *ts, const struct graph *g, const struct tensor *t, enum precision p)
{
    double limits[TOLERANCE_KINDS] = {[TOLERANCE_ULP] = -1};
    int fits[TOLERANCE_KINDS] = {0};
    bool any = false;

    for (uint32_t i = 0; i < ts->n_rules; i++) {
        const struct tolerance_rule *r = &ts->rules[i];
        int how = fit(r, g, t);

        if (!how || how < fits[r->kind])
            continue;
        fits[r->kind] = how;
        limits[r->kind] = r->value;
        any = true;
    }
    if (!any)
        return preset_of(ts, t, p);
    return (struct tolerance){.limited = true,
                              .steps = !element_is_float(t->type),
                              .atol = limits[TOLERANCE_ATOL],
                              .rtol = limits[TOLERANCE_RTOL],
                              .max_ulp = limits[TOLERANCE_ULP],
                              .fail_on = ts->fail_on};
}

double tolerances_atol(const struct tolerances *ts)
{
    double atol = -1;

    for (uint32_t i = 0; i < ts->n_rules; i++)
        if (ts->rules[i].kind == TOLERANCE_ATOL && !ts->rules[i].which)
            atol = ts->rules[i].value;
    return atol;
}

const char *tolerance_text(const struct tolerance *t, char *out, size_t size)
{
    size_t n;

    if (!t->limited) {
        snprintf(out, size, "any distance");
        return out;
    }
    if (!(t->fail_on & (FAIL_ON_MAX | FAIL_ON_MEAN))) {
        snprintf(out, size, "any distance, as --fail_on names neither max nor mean");
        return out;
    }
    if (t->share > 0)
        n = (size_t)snprintf(out, size, "%g of the largest |reference|", t->share);
    else if (t->rtol > 0)
        n = (size_t)snprintf(out, size, "%g + %g * |reference|", t->atol, t->rtol);
    else
        n = (size_t)snprintf(out, size, "%g%s", t->atol, !t->steps ? "" : t->atol == 1 ? " step" : " steps");
    if (n < size && t->max_ulp >= 0)
        n += (size_t)snprintf(out + n, size - n, " or %g ULP", t->max_ulp);
    if (n < size && t->preset)
        snprintf(out + n, size - n, " (preset %s)", t->preset);
    return out;
}
