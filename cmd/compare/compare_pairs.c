/* SPDX-License-Identifier: Apache-2.0 */
/* compare_pairs.c - which report belongs to which, what they do not share, and how their times compare. */
#include "cmd/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Parameters that make another measurement. */
static const char *const barring[] = {"num_threads",
                                      "cpu_kernels",
                                      "use_gpu",
                                      "gpu_precision_loss_allowed",
                                      "gpu_precision",
                                      "gpu_fp32_nodes",
                                      "no_delegate_nodes",
                                      "delegate_only_ops",
                                      "no_delegate_ops",
                                      "gpu_inference_priority1",
                                      "gpu_inference_priority2",
                                      "gpu_inference_priority3",
                                      "use_xnnpack",
                                      "use_dummy_delegate",
                                      "signature_to_run_for",
                                      "input_layer_shape"};

/* Parameters that say how long to measure and where to write it. */
static const char *const harmless[] = {"graph",           "json",         "html",        "verbose",         "help",
                                       "version",         "config",       "num_runs",    "min_secs",        "max_secs",
                                       "warmup_runs",     "output_dir",   "list_gpus",   "list_signatures", "enable_op_profiling",
                                       "warmup_min_secs", "dump_shaders", "gpu_dump_ir", "benchmark_name",  "output_filepath"};

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* NULL where the report has no such parameter: one of them was written by a build that does not know it. */
static const char *setting_of(const struct compare_report *r, const char *name)
{
    for (size_t i = 0; i < r->n_settings; i++)
        if (!strcmp(r->settings[i].name, name))
            return r->settings[i].value;
    return NULL;
}

/* Below one thread means one. */
static bool same_setting(const char *name, const char *a, const char *b)
{
    if (!strcmp(name, "num_threads") && atoi(a) <= 1 && atoi(b) <= 1)
        return true;
    return !strcmp(a, b);
}

/* What is compared beside the parameters. */
struct trait {
    const char *what, *old_value, *new_value;
    bool bars;
};

enum status compare_differences(const struct compare_report *before, const struct compare_report *after, struct arena *a,
                                struct compare_difference **out, size_t *n, struct err *err)
{
    const struct trait traits[] = {
        {"model content (sha256)", before->sha256, after->sha256, true},
        {"CPU", before->cpu, after->cpu, true},
        {"delegate", before->delegate, after->delegate, true},
        {"device", before->device, after->device, true},
        {"frequency governor", before->governor, after->governor, false},
        {"kernel", before->kernel, after->kernel, false},
    };
    struct compare_difference *list = arena_alloc(a, COUNT(traits) + before->n_settings, sizeof *list);

    *out = list;
    *n = 0;
    if (!list)
        return err_set(err, ST_NOMEM, "out of memory for what differs between %s and %s", before->path, after->path);
    for (int bars = 1; bars >= 0; bars--) {
        for (size_t i = 0; i < COUNT(traits); i++)
            if (traits[i].bars == bars && strcmp(traits[i].old_value, traits[i].new_value) != 0)
                list[(*n)++] = (struct compare_difference){traits[i].what, traits[i].old_value, traits[i].new_value, bars};
        for (size_t i = 0; i < before->n_settings; i++) {
            const char *name = before->settings[i].name, *value = setting_of(after, name);

            if (!value || is_among(name, barring, COUNT(barring)) != bars || is_among(name, harmless, COUNT(harmless)) ||
                same_setting(name, before->settings[i].value, value))
                continue;
            list[(*n)++] = (struct compare_difference){name, before->settings[i].value, value, bars};
        }
    }
    return ST_OK;
}

/* Operators by type and name; those of one name in the order of execution. */
static int by_name(const void *a, const void *b)
{
    const struct compare_op *x = *(const struct compare_op *const *)a, *y = *(const struct compare_op *const *)b;
    int order = strcmp(x->type, y->type);

    if (!order)
        order = strcmp(x->name, y->name);
    return order ? order : (x > y) - (x < y);
}

static const struct compare_op **sorted_ops(const struct compare_report *r, struct arena *a)
{
    const struct compare_op **list = arena_alloc(a, r->n_ops, sizeof *list);

    for (size_t i = 0; list && i < r->n_ops; i++)
        list[i] = &r->ops[i];
    if (list)
        qsort(list, r->n_ops, sizeof *list, by_name);
    return list;
}

static int by_place(const void *a, const void *b)
{
    const struct compare_op *x = ((const struct compare_op_pair *)a)->op, *y = ((const struct compare_op_pair *)b)->op;

    return (x > y) - (x < y);
}

/* -1, 0 or 1, without regard to their places. */
static int name_order(const struct compare_op *x, const struct compare_op *y)
{
    int order = strcmp(x->type, y->type);

    return order ? order : strcmp(x->name, y->name);
}

static enum status pair_ops(struct compare_pair *p, struct arena *a, struct err *err)
{
    const struct compare_op **old_ops = sorted_ops(p->before, a), **new_ops = sorted_ops(p->after, a);
    size_t i = 0, k = 0, n_old = p->before->n_ops, n_new = p->after->n_ops;
    enum status st = ST_OK;

    p->ops = arena_alloc(a, n_old < n_new ? n_old : n_new, sizeof *p->ops);
    if (!old_ops || !new_ops || !p->ops)
        return err_set(err, ST_NOMEM, "out of memory for %zu operators", n_old + n_new);
    while (i < n_old && k < n_new && !st) {
        int order = name_order(old_ops[i], new_ops[k]);

        if (!order) {
            p->ops[p->n_ops].op = new_ops[k];
            st = compare_times(old_ops[i]->us, old_ops[i]->n, new_ops[k]->us, new_ops[k]->n, &p->ops[p->n_ops++].times, err);
        }
        i += order <= 0;
        k += order >= 0;
    }
    qsort(p->ops, p->n_ops, sizeof *p->ops, by_place);
    p->n_only_before = n_old - p->n_ops;
    p->n_only_after = n_new - p->n_ops;
    return st;
}

/* One family of tests: the operators of a pair. */
static enum status judge_ops(const struct compare *c, struct compare_pair *p, struct arena *a, struct err *err)
{
    struct comparison **all = arena_alloc(a, p->n_ops, sizeof *all);

    if (!all)
        return err_set(err, ST_NOMEM, "out of memory for %zu operators", p->n_ops);
    for (size_t i = 0; i < p->n_ops; i++)
        all[i] = &p->ops[i].times;
    return compare_all(all, p->n_ops, c->flags.alpha, err);
}

static bool bars(const struct compare_pair *p)
{
    return p->n_differences && p->differences[0].bars;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Whether two reports of folders belong together. */
static bool match(const struct compare *c, const struct compare_pair *p)
{
    return c->flags.allow_differences ? !strcmp(file_name(p->before->path), file_name(p->after->path)) : !bars(p);
}

/* The counterpart of a report, if any, as the next pair of c. taken[i]: that report of the new ones has one already. */
static enum status find_pair(struct compare *c, const struct compare_report *before, const struct compare_report **taken,
                             struct err *err)
{
    struct compare_pair found = {0};
    enum status st;

    for (size_t k = 0; k < c->n_reports[1]; k++) {
        struct compare_pair p = {.before = before, .after = &c->reports[1][k]};

        if ((st = compare_differences(before, p.after, &c->arena, &p.differences, &p.n_differences, err)))
            return st;
        if (!match(c, &p))
            continue;
        if (found.after || taken[k])
            return err_set(err, ST_USAGE, "%s and %s are of one model, device and settings: which one is %s to be compared with?",
                           found.after ? found.after->path : taken[k]->path, found.after ? p.after->path : before->path,
                           found.after ? before->path : p.after->path);
        found = p;
        taken[k] = before;
    }
    if (found.after)
        c->pairs[c->n_pairs++] = found;
    else
        c->unmatched[0][c->n_unmatched[0]++] = before;
    return ST_OK;
}

static enum status match_folders(struct compare *c, struct err *err)
{
    const struct compare_report **taken = arena_alloc(&c->arena, c->n_reports[1], sizeof *taken);
    enum status st;

    if (!taken)
        return err_set(err, ST_NOMEM, "out of memory for %zu reports", c->n_reports[1]);
    for (size_t i = 0; i < c->n_reports[0]; i++)
        if ((st = find_pair(c, &c->reports[0][i], taken, err)))
            return st;
    for (size_t k = 0; k < c->n_reports[1]; k++)
        if (!taken[k])
            c->unmatched[1][c->n_unmatched[1]++] = &c->reports[1][k];
    if (!c->n_pairs)
        return err_set(err, ST_USAGE,
                       "no report of one folder has a counterpart in the other: of %zu and %zu, no two are of one model, "
                       "device and settings",
                       c->n_reports[0], c->n_reports[1]);
    return ST_OK;
}

/* Two files, which the command line put together. */
static enum status match_files(struct compare *c, struct err *err)
{
    struct compare_pair *p = &c->pairs[c->n_pairs++];
    const struct compare_difference *d;
    enum status st;

    *p = (struct compare_pair){.before = c->reports[0], .after = c->reports[1]};
    if ((st = compare_differences(p->before, p->after, &c->arena, &p->differences, &p->n_differences, err)))
        return st;
    if (!bars(p) || c->flags.allow_differences)
        return ST_OK;
    d = &p->differences[0];
    return err_set(err, ST_USAGE,
                   "not comparable: %s is \"%.80s\" in %.80s and \"%.80s\" in %.80s; --allow_differences compares all the same",
                   d->what, d->old_value, p->before->path, d->new_value, p->after->path);
}

static enum status compare_each(struct compare *c, struct err *err)
{
    struct comparison **all = arena_alloc(&c->arena, c->n_pairs, sizeof *all);
    enum status st;

    if (!all)
        return err_set(err, ST_NOMEM, "out of memory for %zu pairs", c->n_pairs);
    for (size_t i = 0; i < c->n_pairs; i++) {
        struct compare_pair *p = &c->pairs[i];

        all[i] = &p->whole;
        if ((st = compare_times(p->before->us, p->before->n, p->after->us, p->after->n, &p->whole, err)) ||
            (st = pair_ops(p, &c->arena, err)) || (st = judge_ops(c, p, &c->arena, err)))
            return st;
    }
    if ((st = compare_all(all, c->n_pairs, c->flags.alpha, err)))
        return st;
    for (size_t i = 0; i < c->n_pairs; i++) {
        struct compare_pair *p = &c->pairs[i];

        p->regression = p->whole.verdict == VERDICT_SLOWER && p->whole.new_median > p->whole.old_median * (1 + c->threshold);
        c->n_regressions += p->regression;
    }
    return ST_OK;
}

enum status compare_pairs(struct compare *c, struct err *err)
{
    enum status st;

    c->pairs = arena_alloc(&c->arena, c->n_reports[0], sizeof *c->pairs);
    for (int i = 0; i < 2; i++)
        c->unmatched[i] = arena_alloc(&c->arena, c->n_reports[i], sizeof *c->unmatched[i]);
    if (!c->pairs || !c->unmatched[0] || !c->unmatched[1])
        return err_set(err, ST_NOMEM, "out of memory for %zu reports", c->n_reports[0] + c->n_reports[1]);
    if ((st = c->folders ? match_folders(c, err) : match_files(c, err)))
        return st;
    return compare_each(c, err);
}
