/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - one case on the CPU: against golden outputs, on more threads, fast against reference; then on to the GPU. */
#include "bench/opcheck/check.h"

#include <inttypes.h>
#include <string.h>

#include "bench/opcheck/check_gpu.h"
#include "bench/opcheck/compare.h"
#include "bench/opcheck/gpu_special.h"
#include "lib/graph/kernel.h"

#define FAST_TOL  1e-5
#define TIME_RUNS 15
#define TEXT_SIZE 1024

void check_report(struct check *k, enum check_result what, const struct case_ref *ref, const char *how, const char *text)
{
    static const char *const words[CHECK_RESULTS] = {"pass", "FAIL", "skip", "refused", "open"};

    k->count[what]++;
    if (what != CHECK_FAIL && !k->verbose)
        return;
    printf("%s %s \"%s\" %s", words[what], ref->op->name, ref->c->name, how);
    if (k->seed)
        printf(", seed %" PRIu64, k->seed);
    printf("%s%s\n", text[0] ? ": " : "", text);
}

/* True where TFLite has nothing to say about the case under this seed. */
static bool is_free(const struct check *k, const struct case_ref *ref)
{
    return ref->c->no_golden || ref->c->large || k->seed;
}

/* What a case that does not run counts as: see variant.h. */
static enum check_result refused(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct err *why)
{
    if (!ref->is_variant)
        return CHECK_FAIL;
    if (golden_is_refused(golden, ref))
        return CHECK_PASS;
    if (is_free(k, ref) || (strstr(ref->c->name, "at run time") && strstr(why->msg, "constant")))
        return CHECK_OPEN;
    return CHECK_FAIL;
}

static bool is_golden(struct check *k, const struct case_ref *ref, const struct golden *golden, const struct case_outputs *got,
                      char *text)
{
    struct case_outputs want = {0};
    struct tolerance tol = {
        .tol = ref->c->tol > 0 ? ref->c->tol : 1e-5, .per_element = case_has_extremes(ref->c), .typical = ref->c->typical};
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

/* How often the other ways run it: twice where the second run must give the same, to see what a run leaves behind; large cases
 * once, for time's sake. */
static uint32_t runs_again(const struct case_ref *ref)
{
    bool has_state = ref->op->cpu->stateful || ref->c->build;

    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        has_state |= ref->c->in[i].variable;
    if (ref->c->large)
        return 1;
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
    struct tolerance same = {0}, near = {.tol = FAST_TOL,
                                         .per_element = case_has_extremes(ref->c),
                                         .typical = ref->c->typical,
                                         .any_content = k->seed != 0};
    char text[TEXT_SIZE] = "";
    bool ok = is_golden(k, ref, golden, want, text) &&
              agrees(m, ref, &(struct case_how){.mode = CPU_REFERENCE, .num_threads = 3}, same, want, text) &&
              agrees(m, ref, &(struct case_how){.mode = CPU_FAST, .num_threads = 1}, near, want, text) &&
              agrees(m, ref, &(struct case_how){.mode = CPU_FAST, .num_threads = 3}, near, want, text);

    check_report(k, ok ? CHECK_PASS : CHECK_FAIL, ref, "cpu", ok ? "" : text);
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
        check_report(k, CHECK_PASS, ref, "cpu", err->msg);
        return;
    }
    check_report(k, CHECK_FAIL, ref, "cpu", text);
}

static void time_case(const struct check *k, const struct case_ref *ref, const struct case_model *m)
{
    const struct case_how hows[] = {
        {.mode = CPU_REFERENCE, .num_threads = 1, .time_runs = TIME_RUNS},
        {.mode = CPU_FAST, .num_threads = 1, .time_runs = TIME_RUNS},
        {.delegate = k->gpus.modes[GPU_DEFAULT][PRECISION_FP32], .num_threads = 1, .time_runs = TIME_RUNS},
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

    if (st && k->gpu && ref->op->gl && !k->recording)
        check_gpu_refused(k, ref, m);
    if (ref->c->fails) {
        if (k->cpu)
            check_refusal(k, ref, st, &err);
    } else if (st) {
        check_report(k, refused(k, ref, golden, &err), ref, "cpu", err.msg);
    } else {
        if (k->cpu)
            check_cpu(k, ref, golden, m, &want);
        if (k->gpu && ref->op->gl && !ref->c->large && k->refusals)
            check_gpu_refusals(k, ref, m);
        else if (k->gpu && ref->op->gl && !ref->c->large)
            check_gpu(k, ref, m, &want);
        if (k->time)
            time_case(k, ref, m);
    }
    case_outputs_free(&want);
}

void check_failed(struct check *k, const struct case_ref *ref, const char *why)
{
    check_report(k, CHECK_FAIL, ref, "cpu", why);
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

void check_close(struct check *k)
{
    refusals_free(k->refusals);
    accuracy_met_free(&k->accuracy);
    gpus_close(&k->gpus);
    gpu_record_close(&k->record);
    gpu_record_close(&k->faults);
    gpu_record_close(&k->now);
}
