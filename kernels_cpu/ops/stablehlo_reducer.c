/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_reducer.c - computations of one operator. */
#include "kernels_cpu/ops/stablehlo_reducer.h"

#include <string.h>

#include "lib/session/session.h"

/* In ALL_OF, U is where integers wrap. */
#define COMBINE(name, T, expr)                                                                                                     \
    static void name##_##T(void *acc, const void *v)                                                                               \
    {                                                                                                                              \
        T a, b, r;                                                                                                                 \
                                                                                                                                   \
        memcpy(&a, acc, sizeof a);                                                                                                 \
        memcpy(&b, v, sizeof b);                                                                                                   \
        r = (T)(expr);                                                                                                             \
        memcpy(acc, &r, sizeof r);                                                                                                 \
    }

#define ALL_OF(T, U)                                                                                                               \
    COMBINE(replace, T, b)                                                                                                         \
    COMBINE(add, T, (U)a + (U)b)                                                                                                   \
    COMBINE(mul, T, (U)a *(U)b)                                                                                                    \
    COMBINE(min, T, b < a ? b : a)                                                                                                 \
    COMBINE(max, T, a < b ? b : a)                                                                                                 \
    COMBINE(all, T, a &&b)                                                                                                         \
    COMBINE(any, T, a || b)

ALL_OF(float, float)
ALL_OF(double, double)
ALL_OF(int8_t, uint64_t)
ALL_OF(int16_t, uint64_t)
ALL_OF(int32_t, uint64_t)
ALL_OF(int64_t, uint64_t)
ALL_OF(uint8_t, uint64_t)
ALL_OF(uint16_t, uint64_t)
ALL_OF(uint32_t, uint64_t)
ALL_OF(uint64_t, uint64_t)

/* FLOAT16 by way of float, rounded once. */
#define COMBINE_HALF(name, expr)                                                                                                   \
    static void name##_half(void *acc, const void *v)                                                                              \
    {                                                                                                                              \
        uint16_t p, q;                                                                                                             \
        float a, b;                                                                                                                \
                                                                                                                                   \
        memcpy(&p, acc, sizeof p);                                                                                                 \
        memcpy(&q, v, sizeof q);                                                                                                   \
        a = half_to_float(p), b = half_to_float(q);                                                                                \
        p = half_from_float(expr);                                                                                                 \
        memcpy(acc, &p, sizeof p);                                                                                                 \
    }

COMBINE_HALF(add, a + b)
COMBINE_HALF(mul, a *b)
COMBINE_HALF(min, b < a ? b : a)
COMBINE_HALF(max, a < b ? b : a)
COMBINE_HALF(all, a != 0 && b != 0)
COMBINE_HALF(any, a != 0 || b != 0)

/* Sums and products of truth values stay truth values. */
COMBINE(add, bool, a | b)
COMBINE(mul, bool, a &b)

#define TABLE(T)                                                                                                                   \
    {                                                                                                                              \
        replace_##T, add_##T, mul_##T, min_##T, max_##T, all_##T, any_##T                                                          \
    }
static const stablehlo_combine combiners[TYPE_COUNT][STABLEHLO_REDUCTIONS] = {
    [TYPE_FLOAT32] = TABLE(float),
    [TYPE_FLOAT64] = TABLE(double),
    [TYPE_INT8] = TABLE(int8_t),
    [TYPE_INT16] = TABLE(int16_t),
    [TYPE_INT32] = TABLE(int32_t),
    [TYPE_INT64] = TABLE(int64_t),
    [TYPE_UINT8] = TABLE(uint8_t),
    [TYPE_UINT16] = TABLE(uint16_t),
    [TYPE_UINT32] = TABLE(uint32_t),
    [TYPE_UINT64] = TABLE(uint64_t),
    [TYPE_FLOAT16] = {replace_uint16_t, add_half, mul_half, min_half, max_half, all_half, any_half},
    [TYPE_BOOL] = {replace_uint8_t, add_bool, mul_bool, mul_bool, add_bool, mul_bool, add_bool},
};

stablehlo_combine stablehlo_combiner(enum stablehlo_reduction op, enum tensor_type type)
{
    return (unsigned)type < TYPE_COUNT ? combiners[type][op] : NULL;
}

static const struct {
    int32_t builtin;
    enum stablehlo_reduction op;
} operators[] = {
    {BUILTIN_ADD, STABLEHLO_ADD},         {BUILTIN_STABLEHLO_ADD, STABLEHLO_ADD},
    {BUILTIN_MUL, STABLEHLO_MUL},         {BUILTIN_STABLEHLO_MULTIPLY, STABLEHLO_MUL},
    {BUILTIN_MINIMUM, STABLEHLO_MIN},     {BUILTIN_STABLEHLO_MINIMUM, STABLEHLO_MIN},
    {BUILTIN_MAXIMUM, STABLEHLO_MAX},     {BUILTIN_STABLEHLO_MAXIMUM, STABLEHLO_MAX},
    {BUILTIN_LOGICAL_AND, STABLEHLO_ALL}, {BUILTIN_STABLEHLO_AND, STABLEHLO_ALL},
    {BUILTIN_LOGICAL_OR, STABLEHLO_ANY},  {BUILTIN_STABLEHLO_OR, STABLEHLO_ANY},
};

enum status stablehlo_reduction_of(const struct cpu_call *c, int64_t subgraph, enum stablehlo_reduction *op, struct err *err)
{
    const struct model *m = session_graph(c->session)->model;
    const struct model_subgraph *s;

    *op = STABLEHLO_REPLACE;
    if (subgraph < 0 || subgraph >= m->n_subgraphs)
        return err_set(err, ST_BAD_MODEL, "computation %lld of %u subgraphs", (long long)subgraph, m->n_subgraphs);
    s = &m->subgraphs[subgraph];
    if (s->n_ops == 0)
        return ST_OK;
    for (size_t i = 0; s->n_ops == 1 && i < sizeof operators / sizeof *operators; i++)
        if (operators[i].builtin == m->opcodes[s->ops[0].opcode].builtin) {
            *op = operators[i].op;
            return ST_OK;
        }
    return err_set(err, ST_UNSUPPORTED, "the computation has %u operators, the first is %s", s->n_ops,
                   model_op_name(m, &s->ops[0]));
}
