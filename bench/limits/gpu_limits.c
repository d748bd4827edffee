/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_limits.c - prints the peak performance of a device in OpenGL ES compute shaders, as text and as JSON.
 *
 * Each line has the median of several timings with the worst and the best. A timing is long enough for the clock, and is done with
 * the work and with twice the work: the last column is the ratio of the times, about 2 if the counted work is what takes the
 * time. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/limits/limits.h"
#include "lib/api/delegauge.h"
#include "lib/base/file_write.h"

/* Twice the work takes so many times as long, at least and at most: beyond that it is said. */
#define LEAST_DOUBLED 1.6
#define MOST_DOUBLED  2.5

enum { MAX_ROWS = 32, MAX_JSON = 1 << 15 };

static const char help[] =
    "usage: gpu_limits [flags]\n"
    "Measures what the GPU reaches at best through OpenGL ES compute shaders; checks results before timing them.\n"
    "  --device=N   use this device of benchmark_model --list_gpus; default: the best\n"
    "  --only=NAME  measure this row alone\n"
    "  --quick      measure shorter, with less data and fewer workgroups\n"
    "  --json=FILE  write the figures to this file as JSON (schema/json/gpu_limits.schema.json); -: to standard output, and\n"
    "               nothing else there\n"
    "Exit status: 0 measured, 2 bad usage or a file that cannot be written, 3 no GPU, 4 it failed.\n";

struct options {
    int device;
    bool quick;
    const char *only, *json;
};

struct text {
    char *at;
    size_t n;
};

static enum status read_device(const char *text, int *device, struct err *err)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || n > 999)
        return err_set(err, ST_USAGE, "--device=%.40s is no number from 0 to 999", text);
    *device = (int)n;
    return ST_OK;
}

static bool is_stdout(const char *json)
{
    return json && !strcmp(json, "-");
}

/* Without a message where getopt_long has written one. */
static enum status parse_args(int argc, char **argv, struct options *o, struct err *err)
{
    enum { DEVICE, QUICK, ONLY, JSON, HELP };
    static const struct option flags[] = {{"device", required_argument, NULL, DEVICE}, {"quick", no_argument, NULL, QUICK},
                                          {"only", required_argument, NULL, ONLY},     {"json", required_argument, NULL, JSON},
                                          {"help", no_argument, NULL, HELP},           {0}};
    enum status st;
    int flag;

    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1) {
        switch (flag) {
        case DEVICE:
            if ((st = read_device(optarg, &o->device, err)))
                return st;
            break;
        case QUICK: o->quick = true; break;
        case ONLY: o->only = optarg; break;
        case JSON: o->json = *optarg ? optarg : NULL; break;
        case HELP: exit(fputs(help, stdout) < 0 || fflush(stdout) ? 4 : 0);
        default: return ST_USAGE;
        }
    }
    return optind == argc ? ST_OK : err_set(err, ST_USAGE, "%.200s: there are flags alone", argv[optind]);
}

static bool is_wanted(const struct options *o, const struct limit_row *row)
{
    return !o->only || !strcmp(o->only, row->name);
}

static enum status check_row(const struct options *o, struct err *err)
{
    for (size_t i = 0; i < limit_n_rows; i++)
        if (is_wanted(o, &limit_rows[i]))
            return ST_OK;
    err_set(err, ST_USAGE, "--only=%.40s: there is no such row but", o->only);
    for (size_t i = 0; i < limit_n_rows; i++) {
        size_t n = strlen(err->msg);

        snprintf(err->msg + n, sizeof err->msg - n, "%s%s", i ? ", " : " ", limit_rows[i].name);
    }
    return ST_USAGE;
}

static void say_row(const struct limit_row *row, const struct limit_result *r)
{
    if (r->why) {
        printf("%-17s %10s %-8s %21s  %6s  %s: %s\n", row->name, "-", row->unit, "", "", row->what, r->why);
        return;
    }
    printf("%-17s %10.4g %-8s %10.4g %10.4g  %5.2fx  %s%s\n", row->name, r->value, row->unit, r->low, r->high, r->doubled,
           row->what,
           r->doubled < LEAST_DOUBLED || r->doubled > MOST_DOUBLED ? "; not in proportion to the work: do not trust it" : "");
}

static void say_head(const struct limit_gpu *g)
{
    printf("GPU: %s%s\n%s timings of at least %u ms, and of twice the work; %u MiB of data\n\n", g->context->text,
           g->context->limits.policy.software ? " (software: the CPU computes)" : "", g->samples == 9 ? "9" : "3",
           (unsigned)(g->least_ns / 1000000), g->vectors >> 16);
    printf("%-17s %10s %-8s %10s %10s  %6s\n", "limit", "median", "", "worst", "best", "2x");
}

/* ---- JSON ---- */

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    t->n += (size_t)vsnprintf(t->at + t->n, MAX_JSON - t->n, format, list);
    va_end(list);
}

/* A driver's name is printable ASCII or replaced. */
static void put_string(struct text *t, const char *s)
{
    put(t, "\"");
    for (; *s; s++)
        put(t, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s >= ' ' && *s < 0x7f ? *s : '?');
    put(t, "\"");
}

static void put_row(struct text *t, const struct limit_row *row, const struct limit_result *r, bool first)
{
    put(t, "%s\n    {\"name\": \"%s\", \"unit\": \"%s\", ", first ? "" : ",", row->name, row->unit);
    if (r->why)
        put(t, "\"value\": null, \"low\": null, \"high\": null, \"doubled\": null, \"why_not\": \"%s\"}", r->why);
    else
        put(t, "\"value\": %.6g, \"low\": %.6g, \"high\": %.6g, \"doubled\": %.4g, \"why_not\": null}", r->value, r->low, r->high,
            r->doubled);
}

static enum status write_json(const struct options *o, const struct limit_gpu *g, const struct limit_result *results,
                              struct err *err)
{
    struct text t = {.at = malloc(MAX_JSON)};
    struct file_piece piece;
    enum status st;
    bool first = true;

    if (!t.at)
        return err_set(err, ST_NOMEM, "out of memory");
    put(&t, "{\n  \"tool\": \"gpu_limits\",\n  \"version\": \"%s\",\n  \"device\": ", DG_VERSION_STRING);
    put_string(&t, g->context->renderer);
    put(&t, ",\n  \"gl_version\": ");
    put_string(&t, g->context->version);
    put(&t, ",\n  \"software\": %s,\n  \"samples\": %u,\n  \"bytes\": %llu,\n  \"limits\": [",
        g->context->limits.policy.software ? "true" : "false", g->samples, 16ull * g->vectors);
    for (size_t i = 0; i < limit_n_rows; i++) {
        if (!is_wanted(o, &limit_rows[i]))
            continue;
        put_row(&t, &limit_rows[i], &results[i], first);
        first = false;
    }
    put(&t, "\n  ]\n}\n");
    piece = (struct file_piece){t.at, t.n};
    if (is_stdout(o->json))
        st = fwrite(t.at, 1, t.n, stdout) == t.n ? ST_OK : ST_FAILED; /* main has a message for it */
    else
        st = file_write(o->json, &piece, 1, err);
    free(t.at);
    return st;
}

/* ---- */

static enum status measure_all(const struct options *o, struct limit_gpu *g, struct err *err)
{
    const bool table = !is_stdout(o->json);
    struct limit_result results[MAX_ROWS];
    enum status st;

    if (table)
        say_head(g);
    for (size_t i = 0; i < limit_n_rows; i++) {
        if (!is_wanted(o, &limit_rows[i]))
            continue;
        if ((st = limit_measure(g, &limit_rows[i], &results[i], err)))
            return st;
        if (table)
            say_row(&limit_rows[i], &results[i]);
    }
    return o->json ? write_json(o, g, results, err) : ST_OK;
}

int main(int argc, char **argv)
{
    struct options o = {.device = -1};
    struct limit_gpu g;
    struct err err = {""};
    enum status st;

    if ((st = parse_args(argc, argv, &o, &err)) || (st = check_row(&o, &err))) {
        *err.msg ? fprintf(stderr, "gpu_limits: %s\n", err.msg) : fputs(help, stderr);
        return status_exit_code(st);
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if ((o.json && !is_stdout(o.json) && (st = file_try_write(o.json, &err))) || (st = limit_open(&g, o.device, o.quick, &err))) {
        fprintf(stderr, "gpu_limits: %s\n", err.msg);
        return status_exit_code(st);
    }
    st = measure_all(&o, &g, &err);
    limit_close(&g);
    if (fflush(stdout) || ferror(stdout))
        st = err_set(&err, ST_FAILED, "standard output cannot be written");
    if (st)
        fprintf(stderr, "gpu_limits: %s\n", err.msg);
    return status_exit_code(st);
}
