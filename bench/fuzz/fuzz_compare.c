/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_compare.c - two sessions of a mutant's model, one beside the other. */
#include "bench/fuzz/fuzz_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/opcheck/accuracy.h"
#include "bench/opcheck/check_gpu.h"
#include "bench/opcheck/compare.h"
#include "bench/opcheck/fill.h"
#include "bench/opcheck/one_check.h"

/* From here on a float16 is infinite; of floats, the largest. */
static const double infinite[PRECISION_COUNT] = {3.4028e38, 65504.0, 65504.0, 65504.0};

static enum status resize(const struct mutant *m, const struct case_model *cm, struct session *s, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < cm->n_inputs && !st; i++) {
        const int32_t *dim;
        int32_t rank;

        mutant_shape(m, cm, i, &dim, &rank);
        st = session_resize_input(s, i, dim, rank, err);
    }
    return st;
}

/* Content that the case gives is repeated; special values are left out. */
static void fill_content(const struct case_tensor *like, const struct tensor *t, uint64_t seed, void *to)
{
    struct case_tensor now = *like;
    size_t given = 1;

    now.rank = t->rank;
    memcpy(now.dim, t->dim, sizeof now.dim);
    if (now.fill == FILL_SPECIAL)
        now.fill = FILL_UNIFORM;
    for (int32_t i = 0; i < like->rank; i++)
        given *= (size_t)like->dim[i];
    given = type_bytes(like->type, given);
    if (now.fill != FILL_GIVEN || given >= t->bytes)
        fill_tensor(&now, seed, to);
    else
        for (size_t at = 0; at < t->bytes && given; at += given)
            memcpy((char *)to + at, like->data, t->bytes - at < given ? t->bytes - at : given);
}

/* Rounding what comes in is not the shader's doing: both get it as halves hold it. */
static void round_floats(const struct tensor *t, float *x)
{
    for (size_t i = 0; t->type == TYPE_FLOAT32 && i < t->bytes / sizeof *x; i++)
        x[i] = half_to_float(half_from_float(x[i]));
}

static enum status set_inputs(const struct mutant *m, const struct case_model *cm, struct session *s, enum precision p,
                              struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < cm->n_inputs && !st; i++) {
        const struct tensor *t = session_input(s, i);
        void *content = malloc(t->bytes + 1);

        if (!content)
            return err_set(err, ST_NOMEM, "out of memory");
        if (t->type != TYPE_STRING && m->c.in[cm->slot[i]].type == t->type) {
            fill_content(&m->c.in[cm->slot[i]], t, i + 1, content);
            if (p != PRECISION_FP32)
                round_floats(t, content);
            st = session_set_input(s, i, content, t->bytes, err);
        }
        free(content);
    }
    return st;
}

enum status fuzz_session(const struct mutant *m, const struct case_model *cm, const struct session_options *opt, struct session **s,
                         struct err *err)
{
    enum status st = session_new(cm->model, opt, s, err);

    return st || (st = resize(m, cm, *s, err)) ? st : session_prepare(*s, err);
}

/* Up to its first run. */
static enum status start(const struct mutant *m, const struct case_model *cm, const struct session_options *opt, enum precision p,
                         struct session **s, struct err *err)
{
    enum status st = fuzz_session(m, cm, opt, s, err);

    return st ? st : set_inputs(m, cm, *s, p, err);
}

/* What a session holds, without copying it. */
static struct case_outputs outputs_of(const struct session *s)
{
    struct case_outputs out = {.n = 0};

    for (; out.n < session_n_outputs(s) && out.n < CASE_OUTPUTS; out.n++) {
        const struct tensor *t = session_output(s, out.n);
        struct case_output *o = &out.out[out.n];

        *o = (struct case_output){.type = t->type, .rank = t->rank, .data = t->data, .bytes = t->bytes};
        memcpy(o->dim, t->dim, sizeof o->dim);
    }
    return out;
}

static bool is_off(float x, float y, double allowed)
{
    return isnan(x) != isnan(y) || fabs((double)x - (double)y) > allowed;
}

/* Overwrites values that are off with what is wanted, if they are few: where a function jumps, an error that is allowed shows. The
 * sign of 1 / 0 is that of a zero, which may have either. */
static void leave_jumps(const struct case_output *got, const struct case_output *want, double tol)
{
    const size_t n = got->bytes / sizeof(float);
    float *x = got->data, most = 0;
    const float *y = want->data;
    size_t off = 0;

    if (got->type != TYPE_FLOAT32 || got->bytes != want->bytes)
        return;
    for (size_t i = 0; i < n; i++)
        most = isfinite(y[i]) ? fmaxf(most, fabsf(y[i])) : most;
    for (size_t i = 0; i < n; i++)
        off += !(isinf(x[i]) && isinf(y[i])) && is_off(x[i], y[i], tol * most);
    for (size_t i = 0; i < n; i++)
        if ((isinf(x[i]) && isinf(y[i])) || (off <= 1 + n / 50 && is_off(x[i], y[i], tol * most)))
            x[i] = y[i];
}

static bool agree(const struct mutant *m, const struct session *gpu, const struct session *cpu, enum precision p, struct err *err)
{
    const struct case_outputs got = outputs_of(gpu), want = outputs_of(cpu);
    const double part = check_gpu_tolerance(&m->ref, p) + m->tail * accuracy_of("").tol[p];
    const double least_half = p == PRECISION_FP32 ? 0 : 0x1p-24;
    const struct tolerance tol = {.tol = part,
                                  .typical = fmax(m->c.typical, part > 0 ? least_half / part : 0),
                                  .any_content = true,
                                  .rounded = true,
                                  .infinite_from = infinite[p]};
    char text[400] = "";

    if (m->tail && got.n && want.n)
        leave_jumps(&got.out[0], &want.out[0], tol.tol);
    if (compare_outputs(&got, &want, tol, text, sizeof text))
        return true;
    err_set(err, ST_FAILED, "%s", text);
    return false;
}

/* Whether a session of the CPU computes what the device did; true where it cannot say, and *ran is false then. */
static bool agrees_with(const struct mutant *m, const struct case_model *cm, const struct session_options *opt,
                        const struct session *gpu, enum precision p, bool *ran, struct err *err)
{
    struct session *cpu = NULL;
    struct err ignored = {""};
    bool same = true;

    *ran = !start(m, cm, opt, p, &cpu, &ignored) && !session_run(cpu, &ignored);
    if (*ran)
        same = agree(m, gpu, cpu, p, err);
    session_free(cpu);
    return same;
}

/* Where halves are stored, what rounding makes of constants is the model's doing, the longer and the wider a recurrence is the
 * more: the device may also be as far off what the CPU computes with halves. */
static enum fuzz_result hold(const struct mutant *m, const struct case_model *cm, const struct session *gpu, enum precision p,
                             struct err *err)
{
    const struct session_options floats = {.mode = CPU_FAST, .num_threads = 1},
                                 halves = {.mode = CPU_REFERENCE, .num_threads = 1, .precision = SESSION_FP16};
    struct err ignored = {""};
    bool ran;

    if (agrees_with(m, cm, &floats, gpu, p, &ran, err))
        return ran ? FUZZ_EQUAL : FUZZ_RAN;
    if (p == PRECISION_FP32)
        return FUZZ_DIFFERS;
    return agrees_with(m, cm, &halves, gpu, p, &ran, &ignored) && ran ? FUZZ_EQUAL : FUZZ_DIFFERS;
}

enum fuzz_result fuzz_compare(const struct mutant *m, const struct case_model *cm, struct delegate *d, enum precision p,
                              struct err *err)
{
    const struct session_options opt = {.mode = CPU_FAST, .num_threads = 1, .delegates = {d}};
    enum fuzz_result result = FUZZ_NOT_RUN;
    struct session *gpu = NULL;
    enum status st = start(m, cm, &opt, p, &gpu, err);

    if (!st && session_partitioning(gpu)->n_delegated) {
        result = FUZZ_RAN;
        st = session_run(gpu, err);
        if (!st && !case_is_hybrid(&m->c))
            result = hold(m, cm, gpu, p, err);
    }
    session_free(gpu);
    /* What the CPU refuses is not the GPU's fault. */
    return st && st != ST_BAD_MODEL && st != ST_UNSUPPORTED ? FUZZ_DIFFERS : result;
}

enum status fuzz_refused(const struct mutant *m, const struct case_model *cm, const struct graph *g, struct delegate *d,
                         struct err *err)
{
    const struct session_options plain = {.mode = CPU_REFERENCE, .num_threads = 1};
    struct session *s = NULL;
    struct err said = {""};
    enum status st = fuzz_session(m, cm, &plain, &s, &said) ? one_check_holds(g, d, said.msg, err) : ST_OK;

    session_free(s);
    return st;
}
