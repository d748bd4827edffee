/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_spec.c - texts taken apart, and combined by counting: a case is a number with one digit for each axis. */
#include "cmd/benchmark/sweep_spec.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/flag.h"

enum { LABEL_SIZE = 256, MAX_VALUES = SWEEP_MAX_CASES };

/* A flag and its values, or the models (without a name). */
struct axis {
    const char *name;
    const char *values[MAX_VALUES];
    uint32_t n;
};

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the cases of a sweep");
}

static char *copy_text(struct arena *a, const char *text, size_t len)
{
    char *copy = ARENA_ARRAY(a, len + 1, char);

    if (copy)
        snprintf(copy, len + 1, "%.*s", (int)len, text);
    return copy;
}

static enum status no_list(struct err *err)
{
    return err_set(err, ST_USAGE, "expected FLAG:VALUE,VALUE;FLAG:VALUE,VALUE");
}

/* What answers another question, or is the sweep's own: its models, its limits, and what it writes. */
static bool may_be_swept(const char *name)
{
    static const char *const never[] = {"sweep",
                                        "sweep_format",
                                        "with_accuracy",
                                        "concurrent",
                                        "concurrent_set",
                                        "concurrent_by",
                                        "concurrent_context",
                                        "instances",
                                        "perf_options_list",
                                        "json",
                                        "html",
                                        "help",
                                        "version",
                                        "verbose",
                                        "list_gpus",
                                        "list_signatures",
                                        "config",
                                        "graph",
                                        "num_runs",
                                        "min_secs",
                                        "max_secs",
                                        "warmup_runs",
                                        "warmup_min_secs",
                                        "warmup_max_secs",
                                        "run_delay",
                                        "timeout",
                                        "max_memory",
                                        "percentiles",
                                        "log_prefix",
                                        "benchmark_name",
                                        "output_prefix",
                                        "compare_cpu"};

    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (!strcmp(never[i], name))
            return false;
    return true;
}

/* text[len] is "name:value,value". */
static enum status read_axis(const char *text, size_t len, struct arena *a, struct axis *out, struct err *err)
{
    const char *colon = memchr(text, ':', len), *at, *end = text + len;
    char separator = ',';

    if (!colon || colon == text)
        return no_list(err);
    if (memchr(text, '|', len))
        separator = '|';
    if (!(out->name = copy_text(a, text, (size_t)(colon - text))))
        return no_memory(err);
    if (!may_be_swept(out->name))
        return err_set(err, ST_USAGE, "--%.40s holds for the whole sweep", out->name);
    for (at = colon + 1;; at = flag_skip_blanks(at + 1)) {
        const char *stop = memchr(at, separator, (size_t)(end - at));

        stop = stop ? stop : end;
        if (stop == at)
            return no_list(err);
        if (out->n == MAX_VALUES)
            return err_set(err, ST_USAGE, "more than %d values of --%.40s", MAX_VALUES, out->name);
        if (!(out->values[out->n++] = copy_text(a, at, (size_t)(stop - at))))
            return no_memory(err);
        at = stop;
        if (stop == end)
            return ST_OK;
    }
}

/* Behind the models, which are axes[0]; *n counts all. */
static enum status read_axes(const char *spec, struct arena *a, struct axis *axes, uint32_t *n, struct err *err)
{
    for (const char *at = spec; *at;) {
        size_t len = strcspn(at, ";");
        enum status st;

        if (*n == SWEEP_MAX_AXES + 1)
            return err_set(err, ST_USAGE, "more than %d flags", SWEEP_MAX_AXES);
        if ((st = read_axis(at, len, a, &axes[*n], err)))
            return st;
        for (uint32_t i = 1; i < *n; i++)
            if (!strcmp(axes[i].name, axes[*n].name))
                return err_set(err, ST_USAGE, "--%.40s twice", axes[i].name);
        ++*n;
        at += len;
        if (*at == ';' && !*++at)
            return no_list(err);
    }
    return ST_OK;
}

/* Adds the case with value number digit[i] of axis i. */
static enum status add_case(const struct axis *axes, uint32_t n_axes, const uint32_t *digit, struct sweep_cases *out,
                            struct err *err)
{
    struct sweep_case *c = &out->list[out->n++];
    char label[LABEL_SIZE] = "";

    *c = (struct sweep_case){.graph = axes[0].n ? axes[0].values[digit[0]] : NULL};
    for (uint32_t i = 0; i < n_axes; i++) {
        const char *value = axes[i].n ? axes[i].values[digit[i]] : NULL;
        size_t n = strlen(label);

        if (!value)
            continue;
        if (i)
            c->settings[c->n_settings++] = (struct sweep_setting){axes[i].name, value};
        else if (axes[0].n == 1)
            continue;
        snprintf(label + n, sizeof label - n, "%s%s%s%s", n ? " " : "", i ? axes[i].name : "", i ? "=" : "", value);
    }
    if (!*label)
        snprintf(label, sizeof label, "as given");
    return (c->label = copy_text(&out->arena, label, strlen(label))) ? ST_OK : no_memory(err);
}

enum status sweep_combine(const char *flag, const char *spec, const char *const *models, uint32_t n_models, struct sweep_cases *out,
                          struct err *err)
{
    struct axis axes[SWEEP_MAX_AXES + 1] = {0};
    uint32_t digit[SWEEP_MAX_AXES + 1] = {0}, n_axes = 1;
    uint64_t all = n_models ? n_models : 1;
    enum status st;

    for (; axes[0].n < n_models && axes[0].n < MAX_VALUES; axes[0].n++)
        axes[0].values[axes[0].n] = models[axes[0].n];
    if ((st = read_axes(spec, &out->arena, axes, &n_axes, err)))
        return err_prefix(err, st, "--%s=%.100s", flag, spec);
    for (uint32_t i = 1; i < n_axes; i++)
        all *= axes[i].n;
    if (all > SWEEP_MAX_CASES)
        return err_set(err, ST_USAGE, "a sweep of %llu cases: at most %d run in turns", (unsigned long long)all, SWEEP_MAX_CASES);
    while (out->n < all) {
        if ((st = add_case(axes, n_axes, digit, out, err)))
            return st;
        for (uint32_t i = n_axes; i-- > 0 && ++digit[i] >= axes[i].n;)
            digit[i] = 0;
    }
    return ST_OK;
}

static void add_option(struct sweep_cases *out, const char *label, const char *threads, const char *gpu, const char *loss)
{
    out->list[out->n++] = (struct sweep_case){
        .label = label,
        .settings = {{"num_threads", threads}, {"use_gpu", gpu}, {"gpu_precision_loss_allowed", loss}},
        .n_settings = loss ? 3 : 2,
    };
}

/* Options that TFLite's tool has on other systems. */
static const struct {
    const char *name, *why;
} foreign_options[] = {{"nnapi", "NNAPI is Android's, and no part of this build"},
                       {"dsp", "the Hexagon delegate is Android's, and no part of this build"},
                       {"coreml", "Core ML is Apple's, and no part of this build"}};

static bool word_is(const char *at, size_t len, const char *word)
{
    return strlen(word) == len && !strncmp(at, word, len);
}

static enum status bad_option(const char *names, const char *at, size_t len, struct err *err)
{
    const char *why = NULL;

    for (size_t i = 0; i < sizeof foreign_options / sizeof *foreign_options; i++)
        if (word_is(at, len, foreign_options[i].name))
            why = foreign_options[i].why;
    return err_set(
        err, ST_USAGE,
        "There are invalid perf options in --perf_options_list: '%.100s'. Valid perf options are: [all, cpu, gpu, none]%s%s", names,
        why ? "; " : "", why ? why : "");
}

enum status sweep_perf_options(const char *names, struct sweep_cases *out, struct err *err)
{
    bool cpu = false, gpu = false, none = false;
    const char *at = names;

    if (!*names)
        return err_set(err, ST_USAGE, "Cannot parse --perf_options_list: '%s'. Please double-check its value.", names);
    do {
        size_t len = strcspn(at, ",");
        bool all = word_is(at, len, "all"), is_cpu = word_is(at, len, "cpu"), is_gpu = word_is(at, len, "gpu");

        if (!all && !is_cpu && !is_gpu && !word_is(at, len, "none"))
            return bad_option(names, at, len, err);
        cpu |= all || is_cpu;
        gpu |= all || is_gpu;
        none |= !all && !is_cpu && !is_gpu;
        at = at[len] ? flag_skip_blanks(at + len + 1) : NULL;
    } while (at);
    if (none && (cpu || gpu))
        return err_set(err, ST_USAGE, "The 'none' option can not be used together with other perf options in --perf_options_list!");
    if (none)
        out->list[out->n++] = (struct sweep_case){.label = "none"};
    if (cpu) {
        add_option(out, "cpu w/ 1 threads", "1", "false", NULL);
        add_option(out, "cpu w/ 2 threads", "2", "false", NULL);
        add_option(out, "cpu w/ 4 threads", "4", "false", NULL);
    }
    if (gpu) {
        add_option(out, "gpu-fp16", "1", "true", "true");
        add_option(out, "gpu-default", "1", "true", "false");
    }
    return ST_OK;
}
