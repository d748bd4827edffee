/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - SUM, MEAN and REDUCE_{MAX,MIN,PROD,ANY,ALL}.
 *
 * Elements are taken in the input's order, so that float sums round as TFLite's reference kernels do. */
#include "kernels_cpu/ops/reduce_quant.h"
#include "kernels_cpu/ops/reduction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels_cpu/quant/fixed_point.h"

/* Folds a line of the input (elements v) into one accumulator or a line of them (a). */
#define LINE(fn, T, A, expr)                                                                                                       \
    static void fn(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line)                                          \
    {                                                                                                                              \
        const struct reduction *r = arg;                                                                                           \
        const T *x = (const T *)r->x + src;                                                                                        \
        A *acc = (A *)r->acc + dst;                                                                                                \
                                                                                                                                   \
        if (line->dst_step == 0) {                                                                                                 \
            A a = *acc;                                                                                                            \
            for (size_t i = 0; i < line->n; i++) {                                                                                 \
                T v = x[i];                                                                                                        \
                a = expr;                                                                                                          \
            }                                                                                                                      \
            *acc = a;                                                                                                              \
        } else {                                                                                                                   \
            for (size_t i = 0; i < line->n; i++) {                                                                                 \
                A a = acc[i];                                                                                                      \
                T v = x[i];                                                                                                        \
                acc[i] = expr;                                                                                                     \
            }                                                                                                                      \
        }                                                                                                                          \
    }

#define LINES(T, U)                                                                                                                \
    LINE(sum_##T, T, T, (T)((U)a + (U)v))                                                                                          \
    LINE(prod_##T, T, T, (T)((U)a * (U)v))                                                                                         \
    LINE(max_##T, T, T, v > a ? v : a)                                                                                             \
    LINE(min_##T, T, T, v < a ? v : a)

/* Integers wrap, hence the unsigned arithmetic. */
LINES(float, float)
LINES(int32_t, uint64_t)
LINES(int64_t, uint64_t)
LINES(int16_t, uint64_t)
LINES(int8_t, uint64_t)
LINES(uint8_t, uint64_t)
LINE(any_bool, uint8_t, uint8_t, a | (v != 0))
LINE(all_bool, uint8_t, uint8_t, a &(v != 0))
LINE(mean_int32_t, int32_t, int64_t, a + v)
LINE(sum_doubles, float, double, a + (double)v)

enum reduce_kind { REDUCE_SUM, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_ANY, REDUCE_ALL };

static const struct reducer {
    enum reduce_kind kind;
    enum tensor_type type;
    void (*line)(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line);
    const void *init; /* of the type: what an empty input gives */
} reducers[] = {
#define ROWS(type, T, lowest, highest)                                                                                             \
    {REDUCE_SUM, type, sum_##T, &(const T){0}}, {REDUCE_PROD, type, prod_##T, &(const T){1}},                                      \
        {REDUCE_MAX, type, max_##T, &(const T){lowest}},                                                                           \
    {                                                                                                                              \
        REDUCE_MIN, type, min_##T, &(const T)                                                                                      \
        {                                                                                                                          \
            highest                                                                                                                \
        }                                                                                                                          \
    }
    ROWS(TYPE_FLOAT32, float, -FLT_MAX, FLT_MAX),
    ROWS(TYPE_INT32, int32_t, INT32_MIN, INT32_MAX),
    ROWS(TYPE_INT64, int64_t, INT64_MIN, INT64_MAX),
    ROWS(TYPE_INT16, int16_t, INT16_MIN, INT16_MAX),
    ROWS(TYPE_INT8, int8_t, INT8_MIN, INT8_MAX),
    ROWS(TYPE_UINT8, uint8_t, 0, UINT8_MAX),
#undef ROWS
    {REDUCE_ANY, TYPE_BOOL, any_bool, &(const uint8_t){0}},
    {REDUCE_ALL, TYPE_BOOL, all_bool, &(const uint8_t){1}},
    {REDUCE_SUM, TYPE_BOOL, any_bool, &(const uint8_t){0}},
    {REDUCE_PROD, TYPE_BOOL, all_bool, &(const uint8_t){1}},
    {REDUCE_MAX, TYPE_BOOL, any_bool, &(const uint8_t){0}},
    {REDUCE_MIN, TYPE_BOOL, all_bool, &(const uint8_t){1}},
};

static const struct reducer *find_reducer(enum reduce_kind kind, enum tensor_type type)
{
    for (size_t i = 0; i < sizeof reducers / sizeof *reducers; i++)
        if (reducers[i].kind == kind && reducers[i].type == type)
            return &reducers[i];
    return NULL;
}

static bool is_quant_type(enum tensor_type t)
{
    return t == TYPE_INT8 || t == TYPE_UINT8 || t == TYPE_INT16;
}

static enum status reduce_prepare(struct cpu_call *c, enum reduce_kind kind, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    enum status st = move_same_type(c->node, x, y, err);

    if (st)
        return st;
    if (!find_reducer(kind, x->type))
        return cpu_bad_type(c->node, x, err);
    if (is_quant_type(x->type) && (quant_scale(x) != quant_scale(y) || quant_zero(x) != quant_zero(y)))
        return err_set(err, ST_BAD_MODEL, "the input has scale %g and zero point %d, the output %g and %d", (double)quant_scale(x),
                       quant_zero(x), (double)quant_scale(y), quant_zero(y));
    return ST_OK;
}

static enum status reduce_run(struct cpu_call *c, enum reduce_kind kind, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    const struct reducer *f = find_reducer(kind, x->type);
    uint32_t bits = type_bits(x->type);
    struct reduction r;
    enum status st = reduction_plan(c->node, &r, err);

    if (st)
        return st;
    r.acc = c->node->out[0]->data;
    move_fill(r.acc, 0, r.outputs, bits, f->init);
    if (r.all && r.elems) {
        /* TFLite begins such a reduction with the first element, not with `init`: it shows where that is NaN. */
        memcpy(r.acc, r.x, bits / 8);
        f->line(&r, 0, 1, &(struct move_line){r.elems - 1, 0, 1});
    } else {
        move_walk(&r.walk, f->line, &r);
    }
    return ST_OK;
}

#define REDUCTION(name, kind)                                                                                                      \
    static enum status name##_prepare(struct cpu_call *c, struct err *err)                                                         \
    {                                                                                                                              \
        return reduce_prepare(c, kind, err);                                                                                       \
    }                                                                                                                              \
    static enum status name##_run(struct cpu_call *c, struct err *err)                                                             \
    {                                                                                                                              \
        return reduce_run(c, kind, err);                                                                                           \
    }                                                                                                                              \
    const struct cpu_kernel cpu_##name = {.shape = reduction_shape, .prepare = name##_prepare, .run = name##_run};

REDUCTION(reduce_max, REDUCE_MAX)
REDUCTION(reduce_min, REDUCE_MIN)
REDUCTION(reduce_any, REDUCE_ANY)
REDUCTION(reduce_all, REDUCE_ALL)

static bool in_doubles(const struct cpu_call *c)
{
    return c->double_sums && c->node->in[0]->type == TYPE_FLOAT32;
}

/* SUM, or MEAN, of floats in double. */
static enum status doubles_run(struct cpu_call *c, bool mean, struct err *err)
{
    float *y = c->node->out[0]->data;
    double *sum = c->scratch;
    struct reduction r;
    enum status st = reduction_plan(c->node, &r, err);

    if (st)
        return st;
    r.acc = sum;
    memset(sum, 0, r.outputs * sizeof *sum);
    move_walk(&r.walk, sum_doubles, &r);
    for (size_t i = 0; i < r.outputs; i++)
        y[i] = !mean ? (float)sum[i] : r.elems ? (float)(sum[i] / (double)r.per_output) : NAN;
    return ST_OK;
}

static enum status sum_prepare(struct cpu_call *c, struct err *err)
{
    if (in_doubles(c))
        c->scratch_bytes = tensor_elems(c->node->out[0]) * sizeof(double);
    return is_quant_type(c->node->in[0]->type) ? reduce_quant_prepare(c, err) : reduce_prepare(c, REDUCE_SUM, err);
}

static enum status sum_run(struct cpu_call *c, struct err *err)
{
    if (in_doubles(c))
        return doubles_run(c, false, err);
    return is_quant_type(c->node->in[0]->type) ? reduce_quant_run(c, false, err) : reduce_run(c, REDUCE_SUM, err);
}

/* INT8 and INT16 may also come without scales; then they are plain integers. */
static bool prod_is_quant(const struct node *n)
{
    return n->in[0]->quant.n && is_quant_type(n->in[0]->type);
}

static enum status prod_prepare(struct cpu_call *c, struct err *err)
{
    return prod_is_quant(c->node) ? reduce_prod_quant_prepare(c, err) : reduce_prepare(c, REDUCE_PROD, err);
}

static enum status prod_run(struct cpu_call *c, struct err *err)
{
    return prod_is_quant(c->node) ? reduce_prod_quant_run(c, err) : reduce_run(c, REDUCE_PROD, err);
}

static enum status mean_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];

    if (is_quant_type(x->type))
        return reduce_quant_prepare(c, err);
    if (x->type == TYPE_INT32 || in_doubles(c))
        c->scratch_bytes = tensor_elems(c->node->out[0]) * sizeof(int64_t);
    else if (x->type != TYPE_FLOAT32 && x->type != TYPE_INT64)
        return cpu_bad_type(c->node, x, err);
    return move_prepare(c, err);
}

/* Sums, then divides; integers toward zero. The mean of nothing is NaN, or 0 for integers. */
static void mean_finish(const struct reduction *r, struct tensor *y)
{
    for (size_t i = 0; i < r->outputs; i++)
        switch (y->type) {
        case TYPE_FLOAT32: ((float *)y->data)[i] = r->elems ? ((const float *)r->acc)[i] / (float)r->per_output : NAN; break;
        case TYPE_INT32:
            ((int32_t *)y->data)[i] = r->elems ? (int32_t)(((const int64_t *)r->acc)[i] / (int64_t)r->per_output) : 0;
            break;
        default: ((int64_t *)y->data)[i] = r->elems ? ((const int64_t *)r->acc)[i] / (int64_t)r->per_output : 0; break;
        }
}

static enum status mean_run(struct cpu_call *c, struct err *err)
{
    struct tensor *y = c->node->out[0];
    struct reduction r;
    enum status st;

    if (is_quant_type(y->type))
        return reduce_quant_run(c, true, err);
    if (in_doubles(c))
        return doubles_run(c, true, err);
    if ((st = reduction_plan(c->node, &r, err)))
        return st;
    r.acc = y->type == TYPE_INT32 ? c->scratch : y->data;
    move_fill(r.acc, 0, r.outputs, y->type == TYPE_FLOAT32 ? 32 : 64, &(const int64_t){0});
    move_walk(&r.walk, y->type == TYPE_FLOAT32 ? sum_float : y->type == TYPE_INT32 ? mean_int32_t : sum_int64_t, &r);
    mean_finish(&r, y);
    return ST_OK;
}

const struct cpu_kernel cpu_sum = {.shape = reduction_shape, .prepare = sum_prepare, .run = sum_run};
const struct cpu_kernel cpu_mean = {.shape = reduction_shape, .prepare = mean_prepare, .run = mean_run};
const struct cpu_kernel cpu_reduce_prod = {.shape = reduction_shape, .prepare = prod_prepare, .run = prod_run};
