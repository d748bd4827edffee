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
                                       "warmup_min_secs", "dump_shaders", "gpu_dump_ir", "benchmark_name",  "output_filepath",
                                       "energy",          "machine_root", "stop_at"};

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

/* List all differences between two reports; the list belongs to `a`. Fails only with ST_NOMEM. */
static enum status list_differences(const struct compare_report *before, const struct compare_report *after, struct arena *a,
                                    struct compare_difference **out, size_t *n, struct err *err)
{
    const struct trait traits[] = {
        {"model content (sha256)", before->sha256, after->sha256, true},
        {"weights outside of the model (sha256)", before->weights_sha256, after->weights_sha256, true},
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

/* ---- operators ---- */

/* -1, 0 or 1, without regard to their places. */
static int name_order(const struct compare_op *x, const struct compare_op *y)
{
    int order = strcmp(x->type, y->type);

    return order ? order : strcmp(x->name, y->name);
}

/* Operators by type and name; those of one name in the order of execution. */
static int by_name(const void *a, const void *b)
{
    const struct compare_op *x = *(const struct compare_op *const *)a, *y = *(const struct compare_op *const *)b;
    int order = name_order(x, y);

    return order ? order : (x > y) - (x < y);
}

/* The operators of one report, sorted by name, and how far they were looked through. */
struct op_list {
    const struct compare_op **ops;
    size_t n, at;
};

static enum status sort_ops(const struct compare_report *r, struct op_list *out, struct arena *a, struct err *err)
{
    *out = (struct op_list){.ops = arena_alloc(a, r->n_ops, sizeof *out->ops), .n = r->n_ops};
    if (!out->ops)
        return err_set(err, ST_NOMEM, "out of memory for %zu operators of %s", r->n_ops, r->path);
    for (size_t i = 0; i < r->n_ops; i++)
        out->ops[i] = &r->ops[i];
    qsort(out->ops, out->n, sizeof *out->ops, by_name);
    return ST_OK;
}

/* The next operator of the list that goes by the name of `op`, after what was taken of it; NULL: none. */
static const struct compare_op *take_op(struct op_list *list, const struct compare_op *op)
{
    while (list->at < list->n && name_order(list->ops[list->at], op) < 0)
        list->at++;
    return list->at < list->n && !name_order(list->ops[list->at], op) ? list->ops[list->at++] : NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct compare_op *x = ((const struct compare_op_pair *)a)->op, *y = ((const struct compare_op_pair *)b)->op;

    return (x > y) - (x < y);
}

/* Compares an operator of lists[0] with those of its name in all lists, n_before of one side and n_after of the other; times[] has
 * room for one of each. */
static enum status pair_op(struct compare_pair *p, struct op_list *lists, const struct compare_op *op, struct process_times *times,
                           struct err *err)
{
    const size_t n_before = p->n_sides[0], n_after = p->n_sides[1];
    const struct compare_op *first_after = NULL;
    bool in_all = true;

    for (size_t k = 0; k < n_before + n_after; k++) {
        const struct compare_op *own = k ? take_op(&lists[k], op) : op;

        in_all &= own != NULL;
        times[k] = own ? (struct process_times){own->us, own->n} : (struct process_times){0};
        first_after = k == n_before ? own : first_after;
    }
    if (!in_all)
        return ST_OK;
    p->ops[p->n_ops].op = first_after;
    return compare_processes(times, n_before, times + n_before, n_after, p->interleaved, &p->ops[p->n_ops++].times, err);
}

static enum status pair_ops(struct compare_pair *p, struct arena *a, struct err *err)
{
    const size_t n_before = p->n_sides[0], n = n_before + p->n_sides[1], n_ops = p->sides[0][0]->n_ops;
    struct op_list *lists = arena_alloc(a, n, sizeof *lists);
    struct process_times *times = arena_alloc(a, n, sizeof *times);
    enum status st = ST_OK;

    p->ops = arena_alloc(a, n_ops, sizeof *p->ops);
    if (!lists || !times || !p->ops)
        return err_set(err, ST_NOMEM, "out of memory for %zu operators of %zu reports", n_ops, n);
    for (size_t k = 0; k < n && !st; k++)
        st = sort_ops(k < n_before ? p->sides[0][k] : p->sides[1][k - n_before], &lists[k], a, err);
    for (size_t i = 0; i < n_ops && !st; i++)
        st = pair_op(p, lists, lists[0].ops[i], times, err);
    qsort(p->ops, p->n_ops, sizeof *p->ops, by_place);
    p->n_only_before = n_ops - p->n_ops;
    p->n_only_after = p->sides[1][0]->n_ops - p->n_ops;
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

/* ---- pairs ---- */

static bool bars(const struct compare_difference *list, size_t n)
{
    return n && list[0].bars;
}

static int by_time(const void *a, const void *b)
{
    const struct compare_report *x = *(const struct compare_report *const *)a, *y = *(const struct compare_report *const *)b;
    int order = strcmp(x->time, y->time);

    return order ? order : (x > y) - (x < y);
}

/* Sorts both sides by time and finds how they lie to each other. Times are texts of one form, in milliseconds of UTC. */
static void order_by_time(struct compare_pair *p)
{
    const struct compare_report **a = p->sides[0], **b = p->sides[1];
    const size_t n = p->n_sides[0], m = p->n_sides[1];

    qsort(a, n, sizeof *a, by_time);
    qsort(b, m, sizeof *b, by_time);
    p->interleaved = n == m && n > 1;
    for (size_t i = 0; p->interleaved && i + 1 < n; i++) {
        const char *ends = strcmp(a[i]->time, b[i]->time) > 0 ? a[i]->time : b[i]->time;

        p->interleaved = strcmp(ends, a[i + 1]->time) <= 0 && strcmp(ends, b[i + 1]->time) <= 0;
    }
    p->one_after_other = n > 1 && m > 1 && (strcmp(a[n - 1]->time, b[0]->time) <= 0 || strcmp(b[m - 1]->time, a[0]->time) <= 0);
    p->interleaved &= !p->one_after_other;
}

/* Appends what is comparable with `like` to a side of the pair: in a folder reports that differ in nothing, of the other folder
 * those that nothing bars; with --allow_differences files of one name. */
static enum status gather(struct compare *c, struct compare_pair *p, int side, const struct compare_report *like,
                          const struct compare_report **taken, struct err *err)
{
    enum status st;

    if (!(p->sides[side] = arena_alloc(&c->arena, c->n_reports[side], sizeof *p->sides[side])))
        return err_set(err, ST_NOMEM, "out of memory for %zu reports", c->n_reports[side]);
    for (size_t k = 0; k < c->n_reports[side]; k++) {
        const struct compare_report *r = &c->reports[side][k];
        struct compare_difference *differences;
        size_t n;

        if ((st = list_differences(like, r, &c->arena, &differences, &n, err)))
            return st;
        if (c->flags.allow_differences ? strcmp(compare_file_name(like->path), compare_file_name(r->path)) != 0
            : side                     ? bars(differences, n)
                                       : n > 0)
            continue;
        if (taken[k])
            return err_set(err, ST_USAGE,
                           "%s and %s differ, but both are of the model, device and settings of %s: which one is it to be "
                           "compared with?",
                           taken[k]->path, like->path, r->path);
        taken[k] = like;
        p->sides[side][p->n_sides[side]++] = r;
    }
    return ST_OK;
}

static enum status match_folders(struct compare *c, struct err *err)
{
    const struct compare_report **taken[2];
    enum status st;

    for (int i = 0; i < 2; i++)
        if (!(taken[i] = arena_alloc(&c->arena, c->n_reports[i], sizeof *taken[i])))
            return err_set(err, ST_NOMEM, "out of memory for %zu reports", c->n_reports[i]);
    for (size_t i = 0; i < c->n_reports[0]; i++) {
        const struct compare_report *first = &c->reports[0][i];
        struct compare_pair p = {0};

        if (taken[0][i])
            continue;
        if ((st = gather(c, &p, 0, first, taken[0], err)) || (st = gather(c, &p, 1, first, taken[1], err)))
            return st;
        if (p.n_sides[1])
            c->pairs[c->n_pairs++] = p;
        for (size_t k = 0; k < p.n_sides[0] && !p.n_sides[1]; k++)
            c->unmatched[0][c->n_unmatched[0]++] = p.sides[0][k];
    }
    for (size_t k = 0; k < c->n_reports[1]; k++)
        if (!taken[1][k])
            c->unmatched[1][c->n_unmatched[1]++] = &c->reports[1][k];
    if (!c->n_pairs)
        return err_set(err, ST_USAGE,
                       "no report of one folder has a counterpart in the other: of %zu and %zu, no two are of one model, "
                       "device and settings",
                       c->n_reports[0], c->n_reports[1]);
    return ST_OK;
}

/* All reports of the command line, which put them together. */
static enum status match_files(struct compare *c, struct err *err)
{
    struct compare_pair *p = &c->pairs[c->n_pairs++];
    const struct compare_report *first = c->reports[0];
    enum status st;

    for (int side = 0; side < 2; side++) {
        if (!(p->sides[side] = arena_alloc(&c->arena, c->n_reports[side], sizeof *p->sides[side])))
            return err_set(err, ST_NOMEM, "out of memory for %zu reports", c->n_reports[side]);
        for (size_t k = 0; k < c->n_reports[side]; k++) {
            const struct compare_report *r = p->sides[side][p->n_sides[side]++] = &c->reports[side][k];
            struct compare_difference *d;
            size_t n;

            if ((st = list_differences(first, r, &c->arena, &d, &n, err)))
                return st;
            if (bars(d, n) && !c->flags.allow_differences)
                return err_set(err, ST_USAGE,
                               "not comparable: %s is \"%.80s\" in %.80s and \"%.80s\" in %.80s; --allow_differences compares all "
                               "the same",
                               d->what, d->old_value, first->path, d->new_value, r->path);
        }
    }
    return ST_OK;
}

/* The times of all processes of both sides, one side after the other. */
static enum status compare_whole(struct compare_pair *p, struct arena *a, struct err *err)
{
    const size_t n = p->n_sides[0], m = p->n_sides[1];
    struct process_times *times = arena_alloc(a, n + m, sizeof *times);

    if (!times)
        return err_set(err, ST_NOMEM, "out of memory for %zu reports", n + m);
    for (size_t k = 0; k < n + m; k++) {
        const struct compare_report *r = k < n ? p->sides[0][k] : p->sides[1][k - n];

        times[k] = (struct process_times){r->us, r->n};
    }
    return compare_processes(times, n, times + n, m, p->interleaved, &p->whole, err);
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
        order_by_time(p);
        if ((st = list_differences(p->sides[0][0], p->sides[1][0], &c->arena, &p->differences, &p->n_differences, err)) ||
            (st = compare_whole(p, &c->arena, err)) || (st = pair_ops(p, &c->arena, err)) || (st = judge_ops(c, p, &c->arena, err)))
            return st;
    }
    if ((st = compare_all(all, c->n_pairs, c->flags.alpha, err)))
        return st;
    for (size_t i = 0; i < c->n_pairs; i++) {
        c->pairs[i].gate = comparison_gate(&c->pairs[i].whole, 1 + c->threshold);
        c->n_regressions += c->pairs[i].gate == GATE_BEYOND;
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
