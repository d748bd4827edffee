/* SPDX-License-Identifier: Apache-2.0 */
/* check_gpu.c - one case on the GPU in every mode: is it taken as recorded, and are its results the CPU's? */
#include "bench/opcheck/check_gpu.h"

#include <math.h>
#include <string.h>

#include "bench/opcheck/compare.h"
#include "bench/opcheck/gpu_special.h"
#include "bench/opcheck/one_check.h"
#include "lib/graph/graph_infer.h"
#include "lib/graph/whole_floats.h"

#define TEXT_SIZE 1536
#define SAYS_SIZE 128

/* A finite number from here on is infinite as a half. And TensorFlow Lite, having no activation, clamps to the largest float. */
#define FLOAT_LIMIT 3.4028e38

/* Functions of the driver's differ from the CPU's in the last places. A step of a quantized float that counts otherwise shows in
 * some 1e-3. */
#define EXACT_TOL 1e-6

/* ---- which nodes are taken ---- */

static void say_verdict(const struct partitioning *parts, uint32_t n_nodes, char *says)
{
    enum reason_code code = REASON_NONE;

    for (uint32_t i = 0; i < n_nodes && code == REASON_NONE; i++)
        code = parts->reasons[i].code;
    if (!parts->n_delegated)
        snprintf(says, SAYS_SIZE, "%s", code == REASON_NONE ? "folded" : reason_name(code));
    else if (!parts->n_cpu)
        snprintf(says, SAYS_SIZE, "runs");
    else
        snprintf(says, SAYS_SIZE, "runs %u of %u, %s", parts->n_delegated, parts->n_delegated + parts->n_cpu, reason_name(code));
}

/* What `d` takes of the case: "runs", "runs 2 of 3, DYNAMIC_SHAPE", the code of a refusal, or "folded" where all is constant. */
static enum status ask(struct delegate *d, const struct case_model *m, char *says, struct err *err)
{
    const struct partition_options all = {0};
    struct partitioning parts;
    struct arena arena = {0};
    struct graph *g = NULL;
    enum status st;

    if (!(st = graph_new(m->model, 0, &g, err)) && !(st = graph_infer(g, err)) &&
        !(st = partition_graph(g, (struct delegate *const[]){d, NULL}, &all, &arena, &parts, err)))
        say_verdict(&parts, g->n_nodes, says);
    graph_free(g);
    arena_free(&arena);
    return st;
}

static bool is_run(const char *says)
{
    return !strncmp(says, "runs", 4);
}

/* The limits of a device may be larger than those of the least one, which the record is about. */
static bool is_limit(const char *says)
{
    return !strcmp(says, reason_name(REASON_DEVICE_LIMIT));
}

/* ---- the record ---- */

static void check_record(struct check *k, const struct case_ref *ref, const char *says)
{
    struct gpu_entry *e = k->recording ? NULL : gpu_record_find(&k->record, ref->op->name, ref->c->name);
    char text[TEXT_SIZE];
    struct err err = {{0}};

    if (k->recording) {
        if (gpu_record_add(&k->now, ref->op->name, ref->c->name, says, &err))
            check_report(k, CHECK_FAIL, ref, "gpu record", err.msg);
    } else if (!e) {
        snprintf(text, sizeof text, "%s, but %s has no entry: make gpu-record", says, k->record.path);
        check_report(k, CHECK_FAIL, ref, "gpu record", text);
    } else if (strcmp(e->says, says)) {
        snprintf(text, sizeof text, "%s, %s has: %s", says, k->record.path, e->says);
        check_report(k, CHECK_FAIL, ref, "gpu record", text);
    }
}

static void check_met(struct check *k, const struct gpu_record *r, const char *const *ops, size_t n, bool all)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (!r->v[i].seen && (all || gpu_record_is_among(ops, n, r->v[i].op))) {
            printf("FAIL %s \"%s\" gpu record: in %s, but no such case comes to the GPU\n", r->v[i].op, r->v[i].name, r->path);
            k->count[CHECK_FAIL]++;
        }
}

/* What the GPU has is held to numbers of its own. */
static void check_accuracy_table(struct check *k, const char *const *ops, size_t n)
{
    for (size_t i = 0; i < op_table_n; i++)
        if (op_table[i].gl && gpu_record_is_among(ops, n, op_table[i].name) && !accuracy_of(op_table[i].name).op) {
            printf("FAIL %s: it has no row in bench/opcheck/accuracy.def\n", op_table[i].name);
            k->count[CHECK_FAIL]++;
        }
}

void check_gpu_finish(struct check *k, const char *const *ops, size_t n, bool all)
{
    check_accuracy_table(k, ops, n);
    check_met(k, &k->record, ops, n, all);
    if (!k->gpus.none.msg[0])
        check_met(k, &k->faults, ops, n, all);
}

/* ---- runs ---- */

double check_gpu_tolerance(const struct case_ref *ref, enum precision p)
{
    const double own = p == PRECISION_FP32 ? ref->c->gpu_tol : ref->c->gpu_tol_fp16;
    const double expected = accuracy_of(ref->op->name).tol[p];

    return own > 0 ? own : case_is_hybrid(ref->c) ? fmax(2e-2, expected) : expected;
}

/* Whether the failure of that way to run it is on record as the driver's own. */
static bool is_driver_fault(struct check *k, const struct case_ref *ref, const char *way)
{
    struct gpu_entry *e = gpu_record_find(&k->faults, ref->op->name, ref->c->name);
    const char *at = e ? strstr(e->says, way) : NULL;
    size_t n = strlen(way);

    return at && (at[n] == ' ' || !at[n]);
}

static void note_distance(struct check *k, const struct case_ref *ref, enum precision p, double distance)
{
    const bool own = p == PRECISION_FP32 ? ref->c->gpu_tol > 0 : ref->c->gpu_tol_fp16 > 0;

    if (!own && !case_is_hybrid(ref->c))
        accuracy_note(&k->accuracy, ref->op, p, distance);
}

/* How many steps quantized outputs may be off: none, but where a device has too few buffers for what rounds sums of several
 * scales. */
static int64_t steps_of(const struct check *k, const struct delegate *d, enum precision p)
{
    return d && d == k->gpus.modes[GPU_LEAST][p];
}

/* How far floats may be off that --gpu_quant=exact makes of 8-bit weights: not at all, but behind TANH and LOGISTIC. */
static double exact_tolerance(const struct case_ref *ref)
{
    const struct opt_fully_connected *o = ref->op->builtin == BUILTIN_FULLY_CONNECTED ? ref->c->opt : NULL;
    const bool cell = strstr(ref->op->name, "LSTM") || strstr(ref->op->name, "RNN");

    return cell || (o && o->activation == ACT_TANH) ? EXACT_TOL : 0;
}

/* A shader that the driver refuses is a mistake of ours, though another takes its place and gives the right numbers; and what is
 * asked for by name is to be taken. */
static void keep_refusal(void *to, const char *text)
{
    if (strstr(text, "something else is tried") || strstr(text, "--gpu_variant="))
        snprintf(to, TEXT_SIZE, "%s", text);
}

/* One way to run it. `way` names mode and precision: "least.fp32". */
static void check_run(struct check *k, const struct case_ref *ref, const struct case_model *m, struct delegate *d, enum precision p,
                      const struct case_outputs *want, const char *way)
{
    struct case_how how = {.mode = CPU_REFERENCE, .num_threads = 1, .delegate = d, .compile_only = k->compile_only};
    struct tolerance tol = {.steps = steps_of(k, d, p),
                            .tol = check_gpu_tolerance(ref, p),
                            .per_element = case_has_extremes(ref->c),
                            .typical = ref->c->typical,
                            .rounded = true,
                            .any_content = k->seed != 0};
    const bool exact = d && d == k->gpus.modes[GPU_EXACT][p];
    struct case_outputs got = {0};
    struct reason why = {0};
    struct err err = {{0}};
    char text[TEXT_SIZE] = "", refusal[TEXT_SIZE] = "", label[64];
    bool ok = false, fault = is_driver_fault(k, ref, way);

    if (exact) {
        tol.steps = 0;
        tol.tol = case_is_hybrid(ref->c) ? exact_tolerance(ref) : tol.tol;
    }
    if (compare_says_nothing(want, tol))
        tol.steps = 0; /* few values, which are to be the CPU's */
    tol.infinite_from = p == PRECISION_FP32 ? FLOAT_LIMIT : HALF_LIMIT;
    snprintf(label, sizeof label, "gpu %s", way);
    if (d) {
        d->warn = keep_refusal;
        d->warn_arg = refusal;
    }
    if (case_run(m, ref->c->runs, &how, &got, &why, NULL, &err))
        snprintf(text, sizeof text, "%s", err.msg);
    else if (refusal[0])
        snprintf(text, sizeof text, "%s", refusal);
    else if (why.text[0])
        snprintf(text, sizeof text, "refused in this mode (%s): %s", reason_name(why.code), why.text);
    else if (k->compile_only)
        ok = true;
    else {
        if (case_has_specials(ref->c))
            gpu_special_leave_open(ref, m, want, &got);
        ok = compare_outputs(&got, want, tol, text, sizeof text);
        if (ok)
            note_distance(k, ref, p, compare_distance(&got, want, tol));
    }
    case_outputs_free(&got);
    if (d)
        d->warn = NULL;
    if (ok && fault) {
        ok = false;
        snprintf(text, sizeof text, "is right, though %s has it as the driver's fault: take it off the list", k->faults.path);
    } else if (!ok && fault) {
        check_report(k, CHECK_REFUSED, ref, label, text);
        return;
    }
    check_report(k, ok ? CHECK_PASS : CHECK_FAIL, ref, label, ok ? "" : text);
    if (!ok && k->fault_way[0])
        snprintf(k->fault_way + strlen(k->fault_way), sizeof k->fault_way - strlen(k->fault_way), " %s", way);
    else if (!ok)
        snprintf(k->fault_way, sizeof k->fault_way, "%s", way);
}

static void check_variants(struct check *k, const struct case_ref *ref, const struct case_model *m, enum precision p, uint32_t n,
                           const struct case_outputs *want)
{
    char way[64];

    if (n > 1 && gpu_special_open_in_variants(ref)) {
        check_report(k, CHECK_OPEN, ref, "gpu variants", "open:order");
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        struct err err = {{0}};
        struct delegate *d = gpus_variant(&k->gpus, i, p, &err);

        snprintf(way, sizeof way, "variant%u.%s", i, precision_name(p));
        if (d)
            check_run(k, ref, m, d, p, want, way);
        else
            check_report(k, CHECK_FAIL, ref, way, err.msg);
    }
}

/* In each of op_case.gpu_ways, with a delegate of its own. */
static void check_ways(struct check *k, const struct case_ref *ref, const struct case_model *m, enum precision p,
                       const struct case_outputs *want)
{
    for (const char *at = ref->c->gpu_ways; at && *at; at += strspn(at, " ")) {
        char asked[48], way[64];
        struct err err = {{0}};
        struct delegate *d;

        snprintf(asked, sizeof asked, "%.*s", (int)strcspn(at, " "), at);
        snprintf(way, sizeof way, "%s.%s", asked, precision_name(p));
        at += strcspn(at, " ");
        if ((d = gpus_way(&k->gpus, asked, p, &err)))
            check_run(k, ref, m, d, p, want, way);
        else
            check_report(k, CHECK_FAIL, ref, way, err.msg);
        delegate_close(d);
    }
}

static bool is_quantized(const struct case_tensor *t)
{
    return t->scale > 0 && (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16);
}

/* Reads or writes integers that stand for reals, or becomes such: where all floats are numbers. */
static bool computes_quantized(const struct op_case *c)
{
    if (case_is_hybrid(c))
        return !case_has_specials(c) && !case_has_extremes(c);
    for (size_t i = 0; i < CASE_INPUTS; i++)
        if (is_quantized(&c->in[i]) && !c->in[i].constant)
            return true;
    return is_quantized(&c->out[0]);
}

/* In integers, whether or not other modes take the case. `says`: what is on record. */
static void check_exact(struct check *k, const struct case_ref *ref, const struct case_model *m, const char *says,
                        const struct case_outputs *want)
{
    struct delegate *d = k->gpus.modes[GPU_EXACT][PRECISION_FP32];
    char here[SAYS_SIZE] = "";
    struct err err = {{0}};

    if (d && is_limit(says) && !ask(d, m, here, &err) && is_run(here))
        says = here;
    if (!is_run(says))
        check_report(k, CHECK_REFUSED, ref, "gpu exact", says);
    else if (d)
        check_run(k, ref, m, d, PRECISION_FP32, want, "exact.fp32");
}

static void check_modes(struct check *k, const struct case_ref *ref, const struct case_model *m, enum precision p, bool limited,
                        const struct case_outputs *want)
{
    const bool may = k->gpus.wanted[GPU_VARIANTS] && k->gpus.modes[GPU_DEFAULT][p];
    const bool variants = may && !gpus_passes_over(&k->gpus, GPU_VARIANTS, p, ref->op, ref->n);
    char way[64];

    for (int mode = 0; mode < GPU_VARIANTS; mode++) {
        struct delegate *d = k->gpus.modes[mode][p];

        if (!d || (limited && mode == GPU_LEAST))
            continue;
        /* What mediump keeps of NaN, infinities and subnormals is the driver's business. */
        if (mode >= GPU_FP16 && mode <= GPU_EMULATED && (case_has_specials(ref->c) || case_has_extremes(ref->c)))
            continue;
        if (mode == GPU_EXACT)
            continue;
        if (gpus_passes_over(&k->gpus, (enum gpu_mode)mode, p, ref->op, ref->n))
            continue;
        if (mode == GPU_LEAST && case_has_specials(ref->c) && gpu_special_is_imprecise(ref)) {
            check_report(k, CHECK_OPEN, ref, "gpu least", "open:imprecise");
            continue;
        }
        snprintf(way, sizeof way, "%s.%s", gpu_mode_names[mode], precision_name(p));
        if (mode == GPU_DEFAULT)
            gpu_variants(d); /* forgets those of earlier cases */
        check_run(k, ref, m, d, p, want, way);
        if (mode == GPU_DEFAULT && variants)
            check_variants(k, ref, m, p, gpu_variants(d), want);
        /* Few cases name ways, and some variants are reached by these alone: they have no turns. */
        if (mode == GPU_DEFAULT && (variants || (may && p == PRECISION_FP32)))
            check_ways(k, ref, m, p, want);
    }
}

/* With inputs as halves hold them: what becomes of a value that is none, or of one that crosses a step of the function thereby, is
 * not the shader's doing. */
static enum status run_on_halves(const struct case_ref *ref, const struct case_model *m, struct case_outputs *want, struct err *err)
{
    const struct case_how how = {.mode = CPU_REFERENCE, .num_threads = 1};
    struct case_model half = *m;
    struct arena arena = {0};
    struct graph *graph;
    enum status st = graph_new(m->model, 0, &graph, err);

    if (!st)
        whole_floats_mark(graph);
    for (uint32_t i = 0; !st && i < m->n_inputs; i++) {
        float *v;

        if (ref->c->in[m->slot[i]].type != TYPE_FLOAT32 || graph->inputs[i]->stays_float32)
            continue;
        if (!(v = arena_alloc(&arena, m->input_bytes[i], 1))) {
            st = err_set(err, ST_NOMEM, "out of memory for inputs as halves");
            break;
        }
        for (size_t j = 0; j < m->input_bytes[i] / sizeof *v; j++)
            v[j] = half_to_float(half_from_float(((const float *)m->input[i])[j]));
        half.input[i] = v;
    }
    if (!st)
        st = case_run(&half, ref->c->runs, &how, want, NULL, NULL, err);
    graph_free(graph);
    arena_free(&arena);
    return st;
}

static void check_precision(struct check *k, const struct case_ref *ref, const struct case_model *m, enum precision p, bool limited,
                            const struct case_outputs *want)
{
    struct case_outputs want_half = {0};
    struct err err = {{0}};

    if (k->gpus.none.msg[0]) {
        check_report(k, CHECK_SKIP, ref, precision_name(p), "no GPU");
        return;
    }
    if (p != PRECISION_FP32) {
        if (run_on_halves(ref, m, &want_half, &err))
            check_report(k, CHECK_FAIL, ref, "cpu, inputs as halves", err.msg);
        else
            check_modes(k, ref, m, p, limited, &want_half);
        case_outputs_free(&want_half);
        return;
    }
    check_modes(k, ref, m, p, limited, want);
}

/* ---- all of it ---- */

/* What the least device refuses every device must refuse for the same reason, limits apart. */
static void check_refused(struct check *k, const struct case_ref *ref, const struct case_model *m, const char *says,
                          enum precision p, const struct case_outputs *want)
{
    struct delegate *d = k->gpus.modes[GPU_DEFAULT][p];
    char here[SAYS_SIZE] = "", text[TEXT_SIZE];
    struct err err = {{0}};

    if (d && ask(d, m, here, &err)) {
        check_report(k, CHECK_FAIL, ref, "gpu", err.msg);
    } else if (!d || !strcmp(here, says)) {
        check_report(k, CHECK_REFUSED, ref, precision_name(p), says);
    } else if (is_limit(says) && is_run(here)) {
        check_precision(k, ref, m, p, true, want);
    } else {
        snprintf(text, sizeof text, "%s on this device, %s on the least one", here, says);
        check_report(k, CHECK_FAIL, ref, "gpu", text);
    }
}

/* "runs, fp16_storage open:half, exact UNSUPPORTED_QUANTIZATION_PARAMETERS": what the others have is not said again. */
static void join_says(char says[PRECISION_COUNT][SAYS_SIZE], const char *exact, char *out, size_t size)
{
    const char *first = says[PRECISION_FP32], *half = says[PRECISION_FP16_STORAGE];
    const bool other_half = strcmp(first, half), other_exact = *exact && strcmp(first, exact);

    snprintf(out, size, "%s%s%s%s%s", first, other_half ? ", fp16_storage " : "", other_half ? half : "",
             other_exact ? ", exact " : "", other_exact ? exact : "");
}

/* What is said of the case in each precision, where the node's verdict is that. */
static void say_all(const struct case_ref *ref, const char *verdict, char says[PRECISION_COUNT][SAYS_SIZE])
{
    for (int p = 0; p < PRECISION_COUNT; p++) {
        bool partly = false;
        const char *open = is_run(verdict) ? gpu_special_open(ref, &partly) : NULL;

        if (open && partly)
            snprintf(says[p], SAYS_SIZE, "%.64s, partly open:%s", verdict, open);
        else
            snprintf(says[p], SAYS_SIZE, "%s%s", open ? "open:" : verdict, open ? open : "");
    }
}

void check_gpu_refusals(struct check *k, const struct case_ref *ref, const struct case_model *m)
{
    char simulated[SAYS_SIZE] = "", exact[SAYS_SIZE] = "";
    struct err err = {{0}};

    if (!refusals_concern(m))
        return;
    if (!k->gpus.judge || !k->gpus.exact_judge || ask(k->gpus.judge, m, simulated, &err) ||
        ask(k->gpus.exact_judge, m, exact, &err))
        check_report(k, CHECK_FAIL, ref, "gpu", err.msg[0] ? err.msg : "out of memory for a delegate");
    else
        refusals_add(k->refusals, ref->op->name, simulated, exact);
}

void check_gpu_refused(struct check *k, const struct case_ref *ref, const struct case_model *m)
{
    const struct session_options plain = {.mode = CPU_REFERENCE, .num_threads = 1};
    struct session *s = NULL;
    struct graph *g = NULL;
    struct err said = {""}, err = {""};

    if (!graph_new(m->model, 0, &g, &err) && !graph_infer(g, &err) && !session_new(m->model, &plain, &s, &said) &&
        session_prepare(s, &said)) {
        const bool same = k->gpus.judge && !one_check_holds(g, k->gpus.judge, said.msg, &err);

        check_report(k, same ? CHECK_PASS : CHECK_FAIL, ref, "gpu, one check", same ? "" : err.msg);
    }
    session_free(s);
    graph_free(g);
}

void check_gpu(struct check *k, const struct case_ref *ref, const struct case_model *m, const struct case_outputs *want)
{
    char verdict[SAYS_SIZE] = "", exact[SAYS_SIZE] = "", says[PRECISION_COUNT][SAYS_SIZE], all[2 * PRECISION_COUNT * SAYS_SIZE];
    struct err err = {{0}};

    if (!k->gpus.judge || !k->gpus.exact_judge || ask(k->gpus.judge, m, verdict, &err) ||
        (computes_quantized(ref->c) && ask(k->gpus.exact_judge, m, exact, &err))) {
        check_report(k, CHECK_FAIL, ref, "gpu", err.msg[0] ? err.msg : "out of memory for a delegate");
        return;
    }
    say_all(ref, verdict, says);
    join_says(says, exact, all, sizeof all);
    check_record(k, ref, all);
    k->fault_way[0] = 0;
    for (int p = 0; p < PRECISION_COUNT && !k->recording; p++)
        if (p > PRECISION_FP16_STORAGE && !((k->gpus.modes[GPU_FP16][p] || k->gpus.modes[GPU_EMULATED][p]) && is_run(says[p])))
            continue;
        else if (!is_run(verdict))
            check_refused(k, ref, m, verdict, (enum precision)p, want);
        else if (is_run(says[p]))
            check_precision(k, ref, m, (enum precision)p, false, want);
        else
            check_report(k, CHECK_OPEN, ref, precision_name(p), says[p]);
    if (exact[0] && !k->recording && strncmp(says[PRECISION_FP32], "open:", 5))
        check_exact(k, ref, m, exact, want);
    if (k->recording_faults && k->fault_way[0])
        gpu_record_add(&k->now, ref->op->name, ref->c->name, k->fault_way, &err);
}
