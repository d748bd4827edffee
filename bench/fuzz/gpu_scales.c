/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_scales.c - runs every quantized case with random scales and zero points; the GPU must compute the CPU's integers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/fuzz/fuzz_kinds.h"
#include "bench/opcheck/case_model.h"
#include "bench/opcheck/case_run.h"
#include "bench/opcheck/compare.h"
#include "lib/base/splitmix.h"
#include "lib/gl/gpu/gpu.h"

struct scales {
    const struct fuzz_flags *flags;

    /* Results: runs compared with the CPU's reference kernels, one in fp32 and one in fp16_storage for each model. */
    uint64_t compared;
    uint64_t failed;  /* runs with different outputs */
    uint64_t invalid; /* models that the CPU refuses */
    uint64_t refused; /* runs that the GPU alone refuses */
};

/* New scales are the old ones times 2^-SPREAD to 2^SPREAD. */
#define SPREAD 3

static const struct {
    const char *name;
    enum gpu_precision precision;
} stored[] = {{"fp32", GPU_PRECISION_FP32}, {"fp16_storage", GPU_PRECISION_FP16_STORAGE}};
#define STORED (sizeof stored / sizeof *stored)

static bool is_quantized(const struct case_tensor *t)
{
    return t->scale > 0 && (t->type == TYPE_INT8 || t->type == TYPE_UINT8 || t->type == TYPE_INT16);
}

static bool is_of_steps(const struct op_case *c)
{
    bool made = false, written = is_quantized(&c->out[0]);

    for (size_t i = 0; i < CASE_INPUTS; i++)
        made |= is_quantized(&c->in[i]) && !c->in[i].constant;
    return !c->build && !c->fails && !case_is_hybrid(c) && (made || written);
}

static float draw_scale(float was, uint64_t *seed)
{
    const double u = (double)(splitmix_next(seed) >> 11) * 0x1p-53;

    return (float)(was * exp2(SPREAD * (2 * u - 1)));
}

/* Only the types whose zero points are free have others. */
static int64_t draw_zero(const struct case_tensor *t, uint64_t *seed)
{
    const int64_t v = (int64_t)(splitmix_next(seed) % 256);

    if (t->type == TYPE_INT16 || (t->type == TYPE_INT8 && t->constant && !t->zero_point))
        return t->zero_point;
    return t->type == TYPE_INT8 ? v - 128 : v;
}

static bool shares(const struct case_tensor *a, const struct case_tensor *b)
{
    return a->type == b->type && a->scale == b->scale && a->zero_point == b->zero_point;
}

/* Every tensor like `t` of the case as it was, or every output. */
static void replace(struct op_case *to, const struct op_case *was, const struct case_tensor *t, bool outputs, float scale,
                    int64_t zero)
{
    for (size_t i = 0; i < CASE_INPUTS && !outputs; i++)
        if (is_quantized(&was->in[i]) && shares(&was->in[i], t)) {
            to->in[i].scale = scale;
            to->in[i].zero_point = zero;
        }
    for (size_t i = 0; i < CASE_OUTPUTS; i++)
        if (is_quantized(&was->out[i]) && shares(&was->out[i], t)) {
            to->out[i].scale = scale;
            to->out[i].zero_point = zero;
        }
}

/* An output that has its input's steps may have some of its own: what moves elements does not look at them. */
static void separate(struct op_case *c)
{
    if (c->out[0].type == TYPE_NONE && is_quantized(&c->in[0]))
        c->out[0] = (struct case_tensor){.type = c->in[0].type, .scale = c->in[0].scale, .zero_point = c->in[0].zero_point};
}

/* By turns inputs, outputs, and both have other steps: operators prescribe those of the one or the other. */
static struct op_case redrawn(const struct op_case *of, uint64_t turn, uint64_t *seed)
{
    struct op_case c = *of, separated = *of;
    const struct op_case *was = &separated;

    if (turn == 1) {
        separate(&separated);
        c = separated;
    }

    for (size_t i = 0; i < CASE_OUTPUTS; i++)
        if (turn != 0 && is_quantized(&was->out[i]))
            replace(&c, was, &was->out[i], turn == 1, draw_scale(was->out[i].scale, seed), draw_zero(&was->out[i], seed));
    for (size_t i = 0; i < CASE_INPUTS; i++)
        if (turn != 1 && is_quantized(&was->in[i]))
            replace(&c, was, &was->in[i], false, draw_scale(was->in[i].scale, seed), draw_zero(&was->in[i], seed));
    return c;
}

static void fail(struct scales *s, const struct case_ref *ref, uint64_t draw, const char *way, const char *text)
{
    s->failed++;
    printf("FAIL %s \"%s\", scales %llu, %s: %s\n", ref->op->name, ref->c->name, (unsigned long long)draw, way, text);
    for (size_t i = 0; i < CASE_INPUTS + CASE_OUTPUTS; i++) {
        const struct case_tensor *t = i < CASE_INPUTS ? &ref->c->in[i] : &ref->c->out[i - CASE_INPUTS];

        if (is_quantized(t))
            printf("  %s %zu: scale %.9g, zero point %lld\n", i < CASE_INPUTS ? "input" : "output",
                   i < CASE_INPUTS ? i : i - CASE_INPUTS, (double)t->scale, (long long)t->zero_point);
    }
}

static void hold(struct scales *s, const struct case_ref *ref, const struct case_model *m, uint64_t draw, struct delegate *d,
                 const char *way, const struct case_outputs *want)
{
    const struct case_how how = {.mode = CPU_REFERENCE, .num_threads = 1, .delegate = d};
    const struct tolerance tol = {.tol = ref->c->gpu_tol > 0 ? ref->c->gpu_tol : 4e-3, .any_content = true};
    struct case_outputs got = {0};
    struct reason why = {0};
    struct err err = {""};
    char text[400] = "";

    if (case_run(m, ref->c->runs, &how, &got, &why, NULL, &err))
        fail(s, ref, draw, way, err.msg);
    else if (why.text[0]) {
        s->refused++;
        if (s->flags->verbose)
            printf("refused: %s \"%s\", scales %llu, %s: %s\n", ref->op->name, ref->c->name, (unsigned long long)draw, way,
                   why.text);
    } else {
        s->compared++;
        if (!compare_outputs(&got, want, tol, text, sizeof text))
            fail(s, ref, draw, way, text);
    }
    case_outputs_free(&got);
}

static void try_draw(struct scales *s, const struct case_ref *of, uint64_t draw, struct delegate *const d[STORED])
{
    uint64_t seed = draw + 1;
    const struct op_case c = redrawn(of->c, draw % 3, &seed);
    const struct case_how cpu = {.mode = CPU_REFERENCE, .num_threads = 1};
    struct case_ref ref = *of;
    struct case_outputs want = {0};
    struct case_model m = {0};
    struct err err = {""};

    ref.c = &c;
    if (case_model_init(&m, &ref, draw + 1, &err) || case_run(&m, c.runs, &cpu, &want, NULL, NULL, &err)) {
        s->invalid++;
    } else {
        for (size_t i = 0; i < STORED; i++)
            hold(s, &ref, &m, draw, d[i], stored[i].name, &want);
    }
    case_outputs_free(&want);
    case_model_fini(&m);
}

/* Run each case with --gpu_quant=simulate on its own random content, and print each difference. Tensors that share scale and zero
 * point get common new ones, except that in every third draw the outputs get their own. Fails with ST_NO_GPU or ST_NOMEM. */
static enum status scales_run(struct scales *s, const struct case_ref *cases, size_t n, struct err *err)
{
    struct delegate *d[STORED] = {NULL};
    enum status st = ST_OK;

    for (size_t i = 0; i < STORED && !st; i++)
        st = delegate_gpu.open(&(struct gpu_options){.device = -1, .quant = GPU_QUANT_SIMULATE, .precision = stored[i].precision},
                               &d[i], err);
    for (size_t i = 0; i < n && !st; i++)
        for (uint64_t draw = 0; draw < s->flags->scales && is_of_steps(cases[i].c); draw++)
            try_draw(s, &cases[i], draw, d);
    for (size_t i = 0; i < STORED; i++)
        delegate_close(d[i]);
    return st;
}

int fuzz_scales(const struct fuzz_flags *f)
{
    struct scales s = {.flags = f};
    size_t n;
    struct case_ref *cases = fuzz_cases(f, &n);
    struct err err = {""};
    enum status st = cases ? scales_run(&s, cases, n, &err) : err_set(&err, ST_NOMEM, "out of memory");

    free(cases);
    if (st)
        return fuzz_stopped(st, &err, 1);
    printf("%llu models, %llu that the CPU refuses, %llu that the GPU alone refuses\n%llu passed, %llu failed\n",
           fuzz_number(s.compared), fuzz_number(s.invalid), fuzz_number(s.refused), fuzz_number(s.compared - s.failed),
           fuzz_number(s.failed));
    return s.failed ? 1 : 0;
}
