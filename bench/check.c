/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - one case on CPU and GPU. */
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/kernel.h"
#include "compare.h"

#define FAST_TOL  1e-5
#define TIME_RUNS 15
#define TEXT_SIZE 1024

static const char *const precision_name[PRECISION_COUNT] = {"gpu fp32", "gpu fp16"};

/* A delegate's options: every flag's default, save the one that `name` sets to `value`. NULL when memory runs out. */
static void *delegate_options(const struct delegate_type *type, const char *name, const char *value)
{
    char *opt = calloc(1, type->options_size + 1);

    if (!opt)
        return NULL;
    flag_set_defaults(type->flags, opt);
    for (const struct flag *f = type->flags; f->name; f++)
        if (!strcmp(f->name, name))
            flag_set(f, opt, value, NULL);
    return opt;
}

void check_open_gpu(struct check *k)
{
    const struct delegate_type *type = delegate_find("gpu");

    if (!type) {
        err_set(&k->no_gpu, ST_NO_GPU, "this build has no GPU delegate");
        return;
    }
    for (int p = 0; p < PRECISION_COUNT; p++) {
        void *opt = delegate_options(type, "gpu_precision_loss_allowed", p == PRECISION_FP16 ? "true" : "false");

        if (opt && type->open(opt, &k->delegate[p], &k->no_gpu))
            k->delegate[p] = NULL;
        free(opt);
    }
}

void check_close(struct check *k)
{
    for (int p = 0; p < PRECISION_COUNT; p++)
        delegate_close(k->delegate[p]);
}

static void report(struct check *k, uint32_t *counter, const struct case_ref *ref, const char *how, const char *text)
{
    const char *word = counter == &k->failed ? "FAIL" : counter == &k->skipped ? "skip" : "pass";

    ++*counter;
    if (counter == &k->passed && !k->verbose)
        return;
    printf("%s %s \"%s\" %s", word, ref->op->name, ref->c->name, how);
    if (k->seed)
        printf(", seed %" PRIu64, k->seed);
    printf("%s%s\n", text[0] ? ": " : "", text);
}

static bool is_special(const struct case_tensor *t)
{
    size_t elems;

    if (t->type == TYPE_NONE || t->fill == FILL_SPECIAL)
        return t->type != TYPE_NONE;
    if (t->type != TYPE_FLOAT32 || t->fill != FILL_GIVEN || shape_elems(t->dim, t->rank, &elems, NULL))
        return false;
    for (size_t i = 0; i < elems; i++)
        if (!isfinite(((const float *)t->data)[i]))
            return true;
    return false;
}

/* Huge values stand among small ones there, and a tolerance from the largest would let everything pass. */
static bool has_specials(const struct op_case *c)
{
    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (is_special(&c->in[i]))
            return true;
    return false;
}

/* True where TFLite has nothing to say about the case under this seed. */
static bool is_free(const struct check *k, const struct case_ref *ref)
{
    return ref->c->no_golden || k->seed;
}

/* What a case that does not run counts as: see variant.h. */
static uint32_t *refused(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct err *why)
{
    if (!ref->is_variant)
        return &k->failed;
    if (golden_is_refused(golden, ref))
        return &k->passed;
    if (is_free(k, ref) || (strstr(ref->c->name, "at run time") && strstr(why->msg, "constant")))
        return &k->skipped;
    return &k->failed;
}

static bool is_golden(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct case_outputs *got,
                      char *text)
{
    struct case_outputs want = {0};
    struct tolerance tol = {.tol = ref->c->tol > 0 ? ref->c->tol : 1e-5, .per_element = has_specials(ref->c)};
    struct err err = {{0}};
    bool ok = false;

    if (is_free(k, ref))
        return true;
    if (golden_read(golden, ref, &want, &err))
        snprintf(text, TEXT_SIZE, "%s", err.msg);
    else if (!want.n)
        snprintf(text, TEXT_SIZE, "no golden: run make golden OP=%s", ref->kernel);
    else if (compare_outputs(got, &want, tol, text, TEXT_SIZE))
        ok = true;
    case_outputs_free(&want);
    return ok;
}

/* How often the other ways run it: twice where the second run must give the same, to see what a run leaves behind. */
static uint32_t runs_again(const struct case_ref *ref)
{
    bool has_state = ref->op->cpu->stateful || ref->c->build;

    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        has_state |= ref->c->in[i].variable;
    return has_state || ref->c->runs ? ref->c->runs : 2;
}

/* Another way to run it on the CPU against the reference on one thread. */
static bool agrees(const struct case_model *m, const struct case_ref *ref, const struct case_how *how, struct tolerance tol,
                   const struct case_outputs *want, char *text)
{
    struct case_outputs got;
    struct err err = {{0}};
    bool ok = false;
    int n = snprintf(text, TEXT_SIZE,
                     "%s kernel, %d thread%s, against the reference on one: ", how->mode == CPU_FAST ? "fast" : "reference",
                     how->num_threads, how->num_threads > 1 ? "s" : "");

    if (case_run(m, runs_again(ref), how, &got, NULL, NULL, &err))
        snprintf(text + n, TEXT_SIZE - (size_t)n, "%s", err.msg);
    else
        ok = compare_outputs(&got, want, tol, text + n, TEXT_SIZE - (size_t)n);
    case_outputs_free(&got);
    return ok;
}

static void check_cpu(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct case_model *m,
                      const struct case_outputs *want)
{
    struct tolerance same = {0}, near = {.tol = FAST_TOL, .per_element = has_specials(ref->c)};
    char text[TEXT_SIZE] = "";
    bool ok = is_golden(k, ref, golden, want, text) &&
              agrees(m, ref, &(struct case_how){.mode = CPU_REFERENCE, .num_threads = 3}, same, want, text) &&
              agrees(m, ref, &(struct case_how){.mode = CPU_FAST, .num_threads = 1}, near, want, text) &&
              agrees(m, ref, &(struct case_how){.mode = CPU_FAST, .num_threads = 3}, near, want, text);

    report(k, ok ? &k->passed : &k->failed, ref, "cpu", ok ? "" : text);
}

static double gpu_tolerance(const struct op_case *c, enum precision p)
{
    if (p == PRECISION_FP16)
        return c->gpu_tol_fp16 > 0 ? c->gpu_tol_fp16 : 2e-2;
    if (c->gpu_tol > 0)
        return c->gpu_tol;
    return case_is_hybrid(c) ? 2e-2 : 1e-4;
}

static void check_gpu(struct check *k, const struct case_ref *ref, const struct case_model *m, const struct case_outputs *want,
                      enum precision p)
{
    const struct op_case *c = ref->c;
    struct case_how how = {.mode = CPU_REFERENCE, .num_threads = 1, .delegate = k->delegate[p]};
    struct tolerance tol = {.steps = 1};
    struct case_outputs got = {0};
    struct reason why = {0};
    struct err err = {{0}};
    char text[TEXT_SIZE] = "";
    bool ok;

    tol.tol = gpu_tolerance(c, p);
    if (!k->delegate[p]) {
        report(k, &k->skipped, ref, precision_name[p], "no GPU");
        return;
    }
    if (has_specials(c)) {
        report(k, &k->skipped, ref, precision_name[p], "GLSL leaves NaN, infinities and subnormals to the driver");
        return;
    }
    if (case_run(m, c->runs, &how, &got, &why, NULL, &err)) {
        report(k, &k->failed, ref, precision_name[p], err.msg);
    } else if (why.text[0]) {
        report(k, &k->skipped, ref, precision_name[p], why.text);
    } else {
        ok = compare_outputs(&got, want, tol, text, sizeof text);
        report(k, ok ? &k->passed : &k->failed, ref, precision_name[p], ok ? "" : text);
    }
    case_outputs_free(&got);
}

static void check_refusal(struct check *k, const struct case_ref *ref, enum status st, const struct err *err)
{
    char text[TEXT_SIZE + sizeof err->msg];

    if (!ref->c->fails[0])
        snprintf(text, sizeof text, "expects a refusal without saying which words it must have");
    else if (!st)
        snprintf(text, sizeof text, "was accepted; expected a refusal with \"%s\"", ref->c->fails);
    else if (!strstr(err->msg, ref->c->fails))
        snprintf(text, sizeof text, "was refused with \"%s\"; expected \"%s\"", err->msg, ref->c->fails);
    else {
        report(k, &k->passed, ref, "cpu", err->msg);
        return;
    }
    report(k, &k->failed, ref, "cpu", text);
}

static void time_case(const struct check *k, const struct case_ref *ref, const struct case_model *m)
{
    const struct case_how hows[] = {
        {.mode = CPU_REFERENCE, .num_threads = 1, .time_runs = TIME_RUNS},
        {.mode = CPU_FAST, .num_threads = 1, .time_runs = TIME_RUNS},
        {.delegate = k->delegate[PRECISION_FP32], .num_threads = 1, .time_runs = TIME_RUNS},
    };
    static const char *const name[] = {"reference", "fast", "gpu"};

    printf("time %s \"%s\"", ref->op->name, ref->c->name);
    for (int i = 0; i < 3; i++) {
        struct case_outputs out = {0};
        struct reason why = {0};
        uint64_t ns = 0;

        if (i == 2 && (!ref->op->gl || !hows[i].delegate))
            break;
        if (!case_run(m, 1, &hows[i], &out, &why, &ns, NULL) && !why.text[0])
            printf("  %s %.2f us", name[i], (double)ns / 1e3);
        case_outputs_free(&out);
    }
    printf("\n");
}

void check_model(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct case_model *m)
{
    const struct case_how how = {.mode = CPU_REFERENCE, .num_threads = 1};
    struct case_outputs want = {0};
    struct err err = {{0}};
    enum status st = case_run(m, ref->c->runs, &how, &want, NULL, NULL, &err);

    if (ref->c->fails) {
        if (k->cpu)
            check_refusal(k, ref, st, &err);
    } else if (st) {
        report(k, refused(k, ref, golden, &err), ref, "cpu", err.msg);
    } else {
        if (k->cpu)
            check_cpu(k, ref, golden, m, &want);
        for (int p = 0; k->gpu && ref->op->gl && p < PRECISION_COUNT; p++)
            check_gpu(k, ref, m, &want, (enum precision)p);
        if (k->time)
            time_case(k, ref, m);
    }
    case_outputs_free(&want);
}

void check_failed(struct check *k, const struct case_ref *ref, const char *why)
{
    report(k, &k->failed, ref, "cpu", why);
}

void check_case(struct check *k, const struct case_ref *ref, const struct golden *golden)
{
    struct case_model m;
    struct err err = {{0}};
    enum status st = case_model_init(&m, ref, k->seed, &err);

    if (!st)
        check_model(k, ref, golden, &m);
    else if (!ref->c->fails)
        check_failed(k, ref, err.msg);
    else if (k->cpu)
        check_refusal(k, ref, st, &err);
    case_model_fini(&m);
}
