/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_ask.c - one model is opened and asked about; and what comes of it is forgotten. */
#include "cmd/coverage/op_coverage.h"

#include <string.h>

#include "cmd/tool/signatures.h"

enum status coverage_open_known(struct coverage_run *r, const struct delegate_wanted *w, struct delegate **out, struct err *err)
{
    const struct delegate_type *type = w->choice->type;
    enum status st;

    /* One that has no device beside one that has. */
    if (!type->open_known && type->open_static == type->open && r->type->open_known)
        return delegates_open_wanted(&r->tool.delegates, w, true, out, err);
    st = delegates_open_known(&r->tool.delegates, w, r->flags.known, out, err);
    return st ? err_prefix(err, st, "--device=%.60s", r->flags.known) : ST_OK;
}

static enum status open_static(struct coverage_run *r, struct err *err)
{
    struct delegate_wanted wanted[MAX_DELEGATES];
    const uint32_t n = delegates_list(&r->tool.delegates, wanted);
    enum status st = delegates_check_number(&r->tool.delegates, err);

    for (uint32_t i = 0; i < n && !st; i++)
        st = *r->flags.known ? coverage_open_known(r, &wanted[i], &r->asked[i], err)
                             : delegates_open_wanted(&r->tool.delegates, &wanted[i], true, &r->asked[i], err);
    return st;
}

static enum status open_delegates(struct coverage_run *r, struct err *err)
{
    enum status st;

    if (!r->type)
        return r->flags.device ? err_set(err, ST_USAGE, "--device: the CPU kernels are asked, which need none") : ST_OK;
    r->is_static = !r->flags.device || *r->flags.known;
    if ((st = r->is_static ? open_static(r, err) : delegates_open(&r->tool.delegates, err)))
        return st;
    if (!r->is_static)
        memcpy(r->asked, r->tool.delegates.all, sizeof r->asked);
    r->delegate = r->asked[0];
    delegates_label(r->asked, r->label);
    return ST_OK;
}

static enum status analyze(struct coverage_run *r, struct err *err)
{
    struct partition_options opt = partition_flags_options(&r->flags.partition);

    return r->type ? coverage_of_delegates(r->tool.model, r->tool.subgraph, r->asked, &opt, &r->coverage, err)
                   : coverage_of_cpu(r->tool.model, &r->coverage, err);
}

/* Of --rules, or of --delegate. */
static enum status ask(struct coverage_run *r, struct err *err)
{
    enum status st;

    if (*r->flags.rules)
        return coverage_ask_rules(r, err);
    if ((st = open_delegates(r, err)) || (st = analyze(r, err)))
        return st;
    requirements_judge(&r->requirements, &r->coverage, !r->type);
    return ST_OK;
}

/* Without a device the answer is the exit status: --delegate=none fails where a node has no kernel. */
bool coverage_is_met(const struct coverage_run *r)
{
    bool met = coverage_rules_meet(r) && (r->type || r->coverage.covered == r->coverage.to_run);

    for (uint32_t i = 0; i < r->requirements.n; i++)
        met &= r->requirements.list[i].met;
    return met;
}

static enum status choose_subgraph(struct coverage_run *r, struct err *err)
{
    const struct model *m = r->tool.model;

    r->signature = r->flags.signature;
    if (coverage_asks_one(r) && !*r->signature && m->n_signatures > 1)
        r->signature = m->signatures[0].key;
    if (coverage_asks_one(r))
        return signatures_choose(m, "signature", r->signature, &r->tool.subgraph, err);
    return *r->signature ? err_set(err, ST_USAGE, "--signature: the CPU kernels are asked about every subgraph") : ST_OK;
}

enum status coverage_ask_model(struct coverage_run *r, const char *path, struct err *err)
{
    enum status st;

    r->path = path;
    if ((st = tool_open_model(&r->tool, "graph", path, err)) || (st = choose_subgraph(r, err)) ||
        (st = coverage_take_shapes(r, err)))
        return st;
    return ask(r, err);
}

void coverage_forget_model(struct coverage_run *r)
{
    coverage_extract_free(&r->extracted);
    coverage_fix_free(&r->fix);
    coverage_cost_free(&r->cost);
    coverage_free_rules(r);
    coverage_free(&r->coverage);
    for (uint32_t i = 0; r->is_static && i < MAX_DELEGATES; i++)
        delegate_close(r->asked[i]);
    memset(r->asked, 0, sizeof r->asked);
    *r->label = '\0';
    tool_close_model(&r->tool);
    r->type = r->chosen;
    r->delegate = NULL;
    r->is_static = r->device_asked = false;
}
